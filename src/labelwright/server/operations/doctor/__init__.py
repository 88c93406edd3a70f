"""Checks an installation and says how to fix each problem.

A check is a function in the list `CHECKS` of its theme's module. The checks of `installation` need no database.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from labelwright.errors import LabelwrightError
from labelwright.server.config.environment import Environment
from labelwright.server.operations.doctor import installation
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis

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
    try:
        checks = _database_checks(production=production)
    except LabelwrightError as error:
        yield Diagnosis("Database", good=False, message=str(error))
        return
    for check in checks:
        yield check(environment)


def _production_checks() -> tuple[Check, ...]:
    from labelwright.server.operations.doctor import hosting, proxy  # noqa: PLC0415  only servers have them

    return (*hosting.CHECKS, *proxy.CHECKS)


def _database_checks(*, production: bool) -> tuple[Check, ...]:
    """The checks that ask the database; raises an error if it does not respond or its schema is out of date."""
    from labelwright.server.config.startup import check_database, set_up  # noqa: PLC0415

    set_up()
    check_database()
    # They use the store, which needs `set_up`.
    from labelwright.server.operations.doctor import database, queues, role  # noqa: PLC0415

    return (*database.CHECKS, *queues.CHECKS, *(role.CHECKS if production else ()))
