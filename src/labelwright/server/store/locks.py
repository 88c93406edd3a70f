"""Locks on names that have no database row."""

from __future__ import annotations

from labelwright.server.store.rows import run

_OFFERS = 1
"""The first part of the locks on the offers of a study; locks on names have no parts."""
SHARE_OFFERS = f"pg_advisory_xact_lock_shared({_OFFERS}, (%s %% 2147483647)::int)"
"""Held by every offer of a study until it is committed. It costs no row and no wait among offers."""


def lock_named(*names: bytes) -> None:
    """Locks these names until the transaction ends; other transactions that lock them wait.

    Names are always locked in the same order, which avoids deadlocks. They are keyed hashes, and the first eight bytes
    are the lock key; if two names share these bytes, the only effect is an unnecessary wait.
    """
    for key in sorted(int.from_bytes(name[:8], signed=True) for name in names):
        run("SELECT pg_advisory_xact_lock(%s)", [key])


def stop_offers(study: int) -> None:
    """Waits for the offers of a study that have begun, and keeps others waiting until the transaction ends.

    Taken first in a transaction that changes the state of the study, so that no offer is committed after it.
    """
    run(f"SELECT pg_advisory_xact_lock({_OFFERS}, (%s %% 2147483647)::int)", [study])
