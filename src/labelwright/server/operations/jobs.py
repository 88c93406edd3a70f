"""The job that returns the jobs of dead workers to the queue."""

from __future__ import annotations

from procrastinate import JobContext
from procrastinate.exceptions import UniqueViolation
from procrastinate.jobs import Status

from labelwright.server.store.queue import PERIODIC, app

STALLED_SECONDS = 45
"""Well above the worker's 10 s heartbeat; with a smaller value, running jobs would be started twice."""

# Six fields; the last one is seconds.
EVERY_15_SECONDS = "* * * * * */15"


@app.periodic(cron=EVERY_15_SECONDS)
@app.task(name="sweep_stalled_jobs", queue=PERIODIC, queueing_lock="sweep_stalled_jobs", pass_context=True)
async def sweep(context: JobContext, timestamp: int) -> None:
    """Returns the jobs of dead workers to the queue."""
    manager = context.app.job_manager
    for job in await manager.get_stalled_jobs(seconds_since_heartbeat=STALLED_SECONDS):
        try:
            await manager.retry_job(job)
        except UniqueViolation:
            # The same work is already queued again, so the stalled job is not needed.
            await manager.finish_job(job, status=Status.ABORTED, delete_job=True)
