"""Checks an installation and says how to fix each problem.

A check is a function in the list `CHECKS` of its theme's module. Those of `installation` need no database, and those of
`database` no tables.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from labelwright.errors import LabelwrightError
from labelwright.server.config.environment import Environment
from labelwright.server.operations.doctor import installation
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis, finding

__all__ = ["Check", "Diagnosis", "examine"]


def examine(*, production: bool = False) -> Iterator[Diagnosis]:
    """Runs the checks one after the other; skips checks that depend on a failed one.

    With `production`, also the checks of a server that other people use.
    """
    yield installation.python()
    try:
        environment = Environment.read(os.environ)
    except LabelwrightError as error:
        yield Diagnosis("Settings", good=False, message=str(error))
        return
    yield Diagnosis("Settings", good=True, message="read from the environment")
    for check in (*installation.CHECKS, *(_production_checks() if production else ())):
        yield check(environment)
    yield from _examine_database(environment, production=production)


def _examine_database(environment: Environment, *, production: bool) -> Iterator[Diagnosis]:
    from labelwright.server.config.startup import OldSchema, check_database, set_up  # noqa: PLC0415

    set_up()
    old: OldSchema | None = None
    try:
        check_database()
    except OldSchema as error:
        old = error
    except LabelwrightError as error:
        yield Diagnosis("Database", good=False, message=str(error))
        return
    # They use the store, which needs `set_up`.
    from labelwright.server.operations.doctor import database, keys, queues, role  # noqa: PLC0415

    for check in (*database.CHECKS, *(role.CHECKS if production else ())):
        yield check(environment)
    yield finding("Schema", old is None, "up to date", str(old))
    if old is None:
        for check in (*keys.CHECKS, *queues.CHECKS):
            yield check(environment)


def _production_checks() -> tuple[Check, ...]:
    from labelwright.server.operations.doctor import hosting, proxy  # noqa: PLC0415  only servers have them

    return (*hosting.CHECKS, *proxy.CHECKS)
