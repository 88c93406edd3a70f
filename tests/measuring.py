"""A plug-in of coverage.py: the threads of a server that a test starts are measured too.

Granian makes its threads in Rust, so `threading.settrace` does not reach them; each of them is told when it
answers a request. Coverage loads this in every process it measures.
"""

from __future__ import annotations

import importlib.util
import sys
import threading
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from coverage import CoveragePlugin

SERVED_BY = "granian.wsgi"


class Nothing(CoveragePlugin):
    """The plug-in measures nothing itself."""


class AfterImport(MetaPathFinder):
    """Changes granian's module when it is imported, and costs nothing where it is not."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != SERVED_BY:
            return None
        sys.meta_path.remove(self)
        found = importlib.util.find_spec(name)
        assert found
        assert found.loader
        run = found.loader.exec_module

        def run_and_change(module: ModuleType) -> None:
            run(module)
            module._callback_wrapper = _traced(module._callback_wrapper)  # type: ignore[attr-defined]

        found.loader.exec_module = run_and_change  # type: ignore[method-assign]
        return found


def _traced(wrap: Callable[..., Any]) -> Callable[..., Any]:
    def wrapped(callback: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        def answer(environ: dict[str, Any], start_response: Any) -> Any:
            if sys.gettrace() is None:
                sys.settrace(threading.gettrace())
            return callback(environ, start_response)

        return wrap(answer, *arguments, **named)

    return wrapped


def coverage_init(registered: Any, options: Any) -> None:
    registered.add_noop(Nothing())
    sys.meta_path.insert(0, AfterImport())
