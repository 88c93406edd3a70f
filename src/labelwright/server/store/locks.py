"""Locks on what has no row yet, or never has one."""

from __future__ import annotations

from labelwright.server.store.rows import rows


def lock_named(*names: bytes) -> None:
    """Others who lock these names wait, until the transaction ends.

    In one order, so that two who lock the same names do not wait in a ring. The names are keyed hashes:
    their first eight bytes tell them apart, and two that agree in these wait for nothing, no more.
    """
    for key in sorted(int.from_bytes(name[:8], signed=True) for name in names):
        rows("SELECT pg_advisory_xact_lock(%s)", [key])
