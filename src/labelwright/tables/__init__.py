"""A portable subset of Ibis: tables from any source, and counts that are equal on DuckDB and Spark.

This is the only package that uses Ibis. It is limited to operations that give equal results on both
engines (no hashing, no negative indexing, no division in the engine), and it asks the engine only for
counts; numpy computes coefficients from them. A test suite runs every function on both engines.

It is loaded when it is first used, so modules import it as `from labelwright import tables`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from labelwright.tables._all import *  # noqa: F403
    from labelwright.tables._all import __all__ as __all__


def __getattr__(name: str) -> Any:
    return getattr(import_module("labelwright.tables._all"), name)
