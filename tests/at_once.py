"""The same thing done by many at the same moment, each with a connection of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable

from django.db import connections


def at_once(count: int, work: Callable[[], object]) -> None:
    """Calls `work` in so many threads; raises the first error that one of them met."""
    errors: list[Exception] = []

    def run() -> None:
        try:
            work()
        except Exception as error:  # noqa: BLE001  whatever it was, the test must see it
            errors.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
