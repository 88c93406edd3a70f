"""Filled databases of every migration, for the test that upgrades them.

A new migration needs a fixture, which this writes for the newest one:

    .venv/bin/python -m tests.integration.upgrade_fixtures

If several come in one change, nobody can have a database at any but the last: name the others in `NEVER_ALONE`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import timedelta
from pathlib import Path

from labelwright.server.operations.laptop import LaptopPostgres
from labelwright.server.store import migrations

FOLDER = Path(__file__).parent / "upgrades"
OURS = Path(next(iter(migrations.__path__)))
NEVER_ALONE = frozenset(
    {
        "0012_frame",
        "0013_sessions",
        "0014_study_states",
        "0015_waiting_addresses",
        "0016_team",
        "0017_audit",
        "0018_webhooks",
        "0022_discussed_items",
        "0025_reports",
        "0026_releases",
        "0027_payments",
        "0028_arrivals",
        "0029_model_raters",
        "0030_publications",
    }
)
"""Migrations that came in one change with later ones."""


def names() -> list[str]:
    """Every migration of ours at which a database can be, in order."""
    return sorted(path.stem for path in OURS.glob("0*.py") if path.stem not in NEVER_ALONE)


def statements(name: str) -> str:
    """The rows of a filled database at a migration, as statements that any client can send."""
    lines = (FOLDER / f"{name}.sql").read_text().splitlines()
    return "\n".join(line for line in lines if not line.startswith(("\\", "--")))


def fill(database_url: str) -> None:
    """Works a study through: submissions, drafts, flags, verdicts, messages, a qualification and two versions."""
    os.environ |= {
        "DATABASE_URL": database_url,
        "LABELWRIGHT_DEMO": "1",
        "DJANGO_SETTINGS_MODULE": "labelwright.server.config.settings",
    }
    import django

    django.setup()
    from labelwright.crowd import DataUse
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.offering.actions.leases import Offer, offer
    from labelwright.server.people.actions.messages import write_as_rater, write_to_rater
    from labelwright.server.rating.actions.answers import save
    from labelwright.server.rehearsal.actions import live_fast, open_rehearsal, run_periodic
    from labelwright.server.reports.actions.report import request_report
    from labelwright.server.reports.actions.themes import assign_theme, create_theme
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.models import Answer, Assignment, Member, Rater, StudyRow
    from labelwright.server.studies.actions.loading import load_study
    from labelwright.simulate import Timeline, crowd
    from tests.integration.test_rehearsal import CORPUS, MIX
    from tests.studies import NOW, parse, pool, study_text

    plan = {"main": {"aspect": "usefulness"}}
    text = study_text(
        name="upgraded", items={"per_dialogue": 1}, redundancy=2, pools=pool(pay={"cents": 40}), plan=plan
    )
    people = crowd(6, MIX, 1)
    opened = open_rehearsal(text, CORPUS[:5], 6, NOW)
    timeline = Timeline(people, NOW)
    live_fast(timeline, opened)
    later = timeline.worked[-1].ended
    run_periodic(later)
    owner, _ = add_user("owner@example.org", "a long password of a test")
    first, second, *_ = Assignment.objects.filter(data_use=DataUse.USED).order_by("id")
    decide(first.pk, pay=True, data_use=DataUse.LEFT_OUT, reason="Too fast.", author="owner", now=later)
    StudyRow.objects.filter(pk=opened.row.pk).update(owner=owner)
    rejected_by = owner.get_username()
    decide(second.pk, pay=False, data_use=DataUse.LEFT_OUT, reason="Random.", author=rejected_by, now=later)
    rater = Rater.objects.get(pk=first.rater_id)
    write_to_rater(opened.row, "owner", rater, "Please read more slowly.", later)
    tokens = [link.rsplit("/", 1)[1] for link in opened.links]
    visitor = get_visitor(tokens[Member.objects.get(rater=rater).number], later)
    write_as_rater(visitor, "I will.", later)
    again = study_text(
        name="upgraded", items={"per_dialogue": 1}, redundancy=3, pools=pool(pay={"cents": 50}, raters=8)
    )
    load_study(parse(again), again, CORPUS[:6], later + timedelta(hours=1), owner)
    theme = create_theme(owner, opened.row.public_id, "Unclear", later)
    comment = Answer.objects.filter(question="comment").order_by("id").first()
    assert comment is not None
    assign_theme(owner, opened.row.public_id, theme.pk, [comment.pk], later)
    request_report(owner, opened.row.public_id, later)
    held = offer(visitor, later + timedelta(hours=2))
    if isinstance(held, Offer):
        save(held.token, {"0": {"useful": 2}}, "first", 0, later + timedelta(hours=2))


def dump(postgres: LaptopPostgres, database_url: str, name: str) -> None:
    """Writes the rows of our own tables."""
    from django.apps import apps

    tables = [model._meta.db_table for model in apps.get_app_config("store").get_models()]
    FOLDER.mkdir(exist_ok=True)
    done = subprocess.run(
        [
            str(postgres.binaries / "pg_dump"),
            "--data-only", "--column-inserts", "--no-owner",
            *(f"--table=public.{table}" for table in tables), database_url,
        ],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    (FOLDER / f"{name}.sql").write_text(done.stdout)


def main() -> None:
    """Writes the fixture of the newest migration."""
    from tests.conftest import postgres_binaries

    with tempfile.TemporaryDirectory(prefix="lw-upgrade-") as folder:
        Path(folder).chmod(0o755)
        postgres = LaptopPostgres(
            Path(folder) / "cluster", postgres_binaries(), {"fsync": "off", "timezone": "UTC"}
        )
        postgres.start()
        try:
            url = postgres.create("upgrade")
            fill(url)
            dump(postgres, url, names()[-1])
        finally:
            postgres.stop("immediate")
    sys.stdout.write(f"Wrote {FOLDER / names()[-1]}.sql\n")


if __name__ == "__main__":
    main()
