"""Locks on names that have no database row."""

from __future__ import annotations

from labelwright.server.store.rows import run


def lock_named(*names: bytes) -> None:
    """Locks these names until the transaction ends; other transactions that lock them wait.

    Names are always locked in the same order, which avoids deadlocks. They are keyed hashes, and the first eight bytes
    are the lock key; if two names share these bytes, the only effect is an unnecessary wait.
    """
    for key in sorted(int.from_bytes(name[:8], signed=True) for name in names):
        run("SELECT pg_advisory_xact_lock(%s)", [key])
