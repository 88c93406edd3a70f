"""Benchmarks of large studies: loading 1 million tasks and exporting 10 million answers, time and memory.

Every measured step runs in a process of its own, whose peak memory is that of the step. Needs about 15 GB of disk in
TMPDIR.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench.harness import SMALL, compare, main, within
from bench.server import CAPS, database
from tests.studies import dialogue, parse, pool, study_text

TASKS = (100, 1_000, 2_000) if SMALL else (10_000, 100_000, 1_000_000)
RATINGS = 5
ANSWERS_PER_TASK = RATINGS * 2
MOST_MEMORY = {"tasks": 8.0, "answers": 0.5}
"""Gigabytes. Loading holds the dialogues of the study; an export holds a few rows."""
RATERS = 700


class Measured(NamedTuple):
    """What one step needed."""

    seconds: float
    processor: float
    """Processor seconds of the step and of PostgreSQL, which other work on the machine hardly changes."""
    gigabytes: float
    """Peak memory of the step's process."""


def bench_loading() -> None:
    """Processor seconds per 1,000 tasks at each size, and the memory of the process that loads."""
    found = {tasks: _apart("load", str(tasks)) for tasks in TASKS}
    _compare_sizes("loading", "tasks", found)


def bench_export() -> None:
    """Processor seconds per 1,000 answers at each size, and the memory of the process that exports."""
    for tasks in TASKS:
        _apart("fill", str(tasks))
    for ending in ("csv", "parquet"):
        found = {tasks * ANSWERS_PER_TASK: _apart("export", str(tasks), ending) for tasks in TASKS}
        _compare_sizes(f"export to {ending}", "answers", found)


def _compare_sizes(name: str, noun: str, found: dict[int, Measured]) -> None:
    """Nothing grows faster than its size, and memory is bounded."""
    few, *more = found
    for size in more:
        compare(
            f"{name}: seconds per 1,000 {noun}, {size:,} / {few:,}",
            lambda n=size: 1000 * found[n].processor / n,
            lambda: 1000 * found[few].processor / few,
            bar=1.5,
        )
        print(f"  {size:,} {noun}: {found[size].seconds:.1f} s", flush=True)
        within(f"{name}: memory, {size:,} {noun}", found[size].gigabytes, MOST_MEMORY[noun], "GB")


def _apart(*arguments: str) -> Measured:
    """One step in a separate process."""
    command = [sys.executable, "-m", "bench.large", "--apart", *arguments]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    return Measured(*map(float, told))


def run_apart(step: str, tasks: int, *rest: str) -> None:
    """Runs one step in this process, and prints what it needed."""
    import django

    django.setup()
    steps: dict[str, Callable[..., None]] = {"load": load, "fill": fill, "export": export}
    start, processor = time.perf_counter(), time.process_time() + server_seconds()
    steps[step](tasks, *rest)
    seconds, used = time.perf_counter() - start, time.process_time() + server_seconds() - processor
    print(seconds, used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)


def server_seconds() -> float:
    """The processor seconds that PostgreSQL has used, in processes that run and in those that ended."""
    from labelwright.server.store.rows import value

    server = int(value("SELECT pg_read_file('postmaster.pid')").split()[0])
    ticks = 0
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        if int(fields[1]) == server:
            ticks += int(fields[11]) + int(fields[12])
        elif status.parent.name == str(server):
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def load(tasks: int) -> None:
    """Loads a study with this number of tasks: two conditions, five ratings of each task."""
    from labelwright.server.studies.actions.loading import load_study

    text = study_text(
        name=f"tasks-{tasks}",
        redundancy=RATINGS,
        items={"per_dialogue": 1},
        pools=pool(raters=RATERS, caps=CAPS),
    )
    corpus = [dialogue(f"d{n}") for n in range(tasks // 2)]
    load_study(parse(text), text, corpus, datetime.now(UTC), opened=True)


def fill(tasks: int) -> None:
    """Fills every place of a loaded study with SQL alone: an assignment with a judgment and a comment."""
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Pool
    from labelwright.server.store.rows import run
    from labelwright.server.studies.actions.loading import get_study

    study = get_study(f"tasks-{tasks}")
    make_links(study, Pool.objects.get(study=study), RATERS, 60, datetime.now(UTC))
    values = {"study": study.pk, "raters": RATERS}
    run(
        """INSERT INTO assignment (study_id, version_id, place_id, task_id, rater_id, state, offered_at, lease_until,
                                   submitted_at, seconds, visit_hash, paid_state, data_use, unflagged)
           SELECT p.study_id, b.version_id, p.id, p.task_id, r.ids[1 + (p.rank * 7 + p.ordinal) %% %(raters)s],
                  'submitted', now(), now(), now() + p.rank * interval '1 millisecond', 20 + p.rank %% 97 / 8.0,
                  '\\x00', 'none', 'used', false
           FROM place p JOIN batch b ON b.id = p.batch_id
           CROSS JOIN (SELECT array_agg(id ORDER BY id) AS ids FROM rater WHERE study_id = %(study)s) r
           WHERE p.study_id = %(study)s AND p.state = 'open'""",
        values,
    )
    run("UPDATE place SET state = 'filled' WHERE study_id = %(study)s", values)
    run(
        """INSERT INTO answer (study_id, assignment_id, position, question, aspect, value, code)
           SELECT s.study_id, s.id, 0, q.name, q.aspect,
                  CASE WHEN q.coded THEN to_jsonb(1 + s.id %% 3) ELSE to_jsonb('comment ' || s.id) END,
                  CASE WHEN q.coded THEN 1 + s.id %% 3 END
           FROM assignment s CROSS JOIN (VALUES ('useful', 'usefulness', true), ('comment', '', false))
             AS q(name, aspect, coded)
           WHERE s.study_id = %(study)s""",
        values,
    )
    run("VACUUM ANALYZE place, assignment, answer, task_item, item, dialogue")


def export(tasks: int, ending: str) -> None:
    """Writes the answers of a filled study to a file, as `labelwright study export` does."""
    from labelwright.release import Format, write_rows
    from labelwright.server.results.actions.export import COLUMNS, get_answers
    from labelwright.server.studies.actions.loading import get_study

    with tempfile.TemporaryDirectory() as folder:
        study = get_study(f"tasks-{tasks}")
        written = write_rows(Path(folder) / "answers", Format(ending), COLUMNS, get_answers(study))
    assert written == tasks * ANSWERS_PER_TASK, written


if __name__ == "__main__":
    if "--apart" in sys.argv:
        step, tasks, *rest = sys.argv[2:]
        run_apart(step, int(tasks), *rest)
    else:
        with database():
            from labelwright.server.config.startup import migrate, set_up

            set_up()
            migrate()
            main({"loading": bench_loading, "export": bench_export})
