"""Checks of background jobs."""

from __future__ import annotations

from labelwright.server.config.environment import Environment
from labelwright.server.operations.doctor.diagnosis import Check, Diagnosis, finding
from labelwright.server.store.queue import is_worker_away, queue_waits
from labelwright.server.store.rows import value


def worker(environment: Environment) -> Diagnosis:
    """A worker is running."""
    return finding(
        "Worker",
        not is_worker_away(),
        "running",
        "No worker is running, so leases do not expire. Start one with `labelwright worker`.",
    )


def queues(environment: Environment) -> Diagnosis:
    """No job has been waiting for longer than its queue allows."""
    starving = {queue: wait.seconds for queue, wait in queue_waits().items() if wait.starving}
    told = ", ".join(f"{queue} ({seconds / 60:.0f} min)" for queue, seconds in starving.items())
    return finding(
        "Queues",
        not starving,
        "no job has been waiting for long",
        f"Jobs have been waiting too long in {told}. Check that a worker runs this queue, and start it with more "
        f"slots or start another: `labelwright worker --slots {next(iter(starving), '')}=8`.",
    )


def backlog(environment: Environment) -> Diagnosis:
    """Submissions are checked for flags soon after they arrive."""
    waiting = int(
        value(
            "SELECT count(*) FROM assignment WHERE unflagged AND submitted_at < now() - interval '5 minutes'"
        )
    )
    return finding(
        "Backlog",
        waiting == 0,
        "none",
        f"{waiting} submissions have not been checked for flags. Check that the worker is not stuck.",
    )


CHECKS: tuple[Check, ...] = (worker, queues, backlog)
