"""Locks on names that have no row yet, or never will."""

from __future__ import annotations

from labelwright.server.store.rows import run


def lock_named(*names: bytes) -> None:
    """Makes others who lock these names wait until the transaction ends.

    Locked in one order, so that there is no deadlock. The names are keyed hashes: their first eight bytes
    identify them, and two names that share them only wait unnecessarily.
    """
    for key in sorted(int.from_bytes(name[:8], signed=True) for name in names):
        run("SELECT pg_advisory_xact_lock(%s)", [key])
