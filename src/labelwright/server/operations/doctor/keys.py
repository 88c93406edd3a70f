"""Checks of the installation's keys."""

from __future__ import annotations

from labelwright.server.config.environment import Environment
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis, finding
from labelwright.server.store.key_checks import count_unreadable, get_wrong_keys


def same_keys(environment: Environment) -> Diagnosis:
    """The keys are those that this database was used with."""
    wrong = get_wrong_keys()
    return finding(
        "Keys",
        not wrong,
        "as before",
        f"This database was used with another {' and another '.join(wrong)}: links do not work, or names and "
        "addresses of raters change. Set the earlier keys. If you replaced them on purpose, run "
        "`labelwright doctor --accept-keys`.",
    )


def readable_addresses(environment: Environment) -> Diagnosis:
    """Stored addresses can be read."""
    unreadable = count_unreadable()
    return finding(
        "Addresses",
        unreadable == 0,
        "readable",
        f"{unreadable} stored mail addresses cannot be read. Set the LABELWRIGHT_PSEUDONYM_KEY that they were "
        "stored with.",
    )


CHECKS: tuple[Check, ...] = (same_keys, readable_addresses)
