"""The report of a complete study: made by a real worker, from the facts that the database knows."""

from __future__ import annotations

import io
import json
import subprocess
import tempfile
import zipfile
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.complete_study import CompleteStudy
from tests.desk import anyones_reviewer, client_of, get, post
from tests.processes import LABELWRIGHT, Process, Server
from tests.rows import rows
from tests.studies import NOW, parse, study_data, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]


@pytest.fixture
def study() -> Any:
    return CompleteStudy(items=12, raters=10).make()


def count(sql: str) -> int:
    return int(rows(sql)[0][0])


def test_the_facts_are_as_counted_by_hand(study: Any):
    from labelwright.server.reports.actions.facts import get_facts
    from labelwright.server.studies.actions.plans import get_plan_history

    facts = get_facts(study, NOW)
    assert facts.flow is not None
    flow = {step.name: (step.count, sum(each.count for each in step.dropped)) for step in facts.flow}
    submitted = count("SELECT count(*) FROM assignment WHERE submitted_at IS NOT NULL")
    excluded = count("SELECT count(*) FROM assignment WHERE data_use = 'left_out'")
    assert excluded > 0
    assert flow["dialogues imported"] == (12, 0)
    assert flow["items in tasks"] == (12, 0)
    assert flow["raters with a link"] == (10, 0)
    assert flow["raters who consented"] == (9, 1)
    assert flow["tasks submitted"][0] == submitted
    assert flow["tasks whose data are in use"] == (submitted - excluded, excluded)
    assert flow["judgments in these tasks"][0] == submitted - excluded
    # Of each kind, every step loses exactly what is said to be dropped.
    tasks = [step for step in facts.flow if step.kind != "items" and not step.name.startswith("judgments")]
    for before, after in pairwise(tasks):
        if before.kind == after.kind:
            assert before.count - sum(each.count for each in after.dropped) == after.count, after.name

    assert facts.raters is not None
    assert facts.raters.pay is not None
    assert (facts.raters.pay.reward, facts.raters.pay.paid) == (40, 40 * submitted)
    [(seconds,)] = rows("SELECT avg(seconds) FROM assignment WHERE submitted_at IS NOT NULL")
    # 40 cents for about as many seconds as a task takes.
    assert facts.raters.pay.hourly == pytest.approx(40 * 3600 / seconds, rel=0.15)
    age, english = facts.raters.demographics
    assert sum(each.count for each in age.answers) == sum(each.count for each in english.answers) == 9
    assert {each.name for each in english.answers} <= {"Yes", "No"}
    assert facts.quality is not None
    (rule,) = facts.quality.rules
    assert (rule.rule, rule.flagged, rule.excluded) == ("too_fast", excluded, excluded)
    assert sum(each.count for each in rule.by_condition) == excluded
    assert facts.money is not None
    assert (facts.money.submitted, facts.money.accepted) == (submitted, submitted - excluded)
    assert facts.versions is not None
    assert [version.version for version in facts.versions] == [1, 2]
    assert sum(version.judgments or 0 for version in facts.versions) == submitted - excluded
    assert facts.plan is not None
    record = get_plan_history(study)[0]
    assert (facts.plan.digest, facts.plan.ratings_before) == (record.digest, 0)
    assert facts.feedback
    assert all(each.text for each in facts.feedback)
    _check_plan(study, facts.plan)


def _check_plan(study: Any, plan: Any) -> None:
    from labelwright.server.reports.actions.plan_facts import get_plan_facts
    from labelwright.server.store.models import PlanRow

    (only,) = plan.departures
    # The second version came after half of the ratings, and raised the limit of the rule.
    assert only.what.startswith("Exclusion rules changed in version 2, after ")
    assert only.what.endswith(" ratings: too_fast.")
    assert (plan.main.values, plan.main.level, plan.main.margin) == (("heron", "wren"), 0.95, 0.1)
    # A plan that came late makes no result planned.
    PlanRow.objects.filter(ratings_before=0).delete()
    found = get_plan_facts(study, [])
    assert found is not None
    assert (found.main, found.secondary) == (None, ())
    assert found.departures[0].what.startswith("The plan was written after ")


def test_the_worker_makes_the_report_and_the_page_shows_its_state(study: Any):
    from labelwright.server.store.models import Assignment, StudyReport
    from labelwright.server.store.worker import run_waiting
    from labelwright.server.tallies.actions import exclude_data

    client = client_of(anyones_reviewer())
    page = f"/studies/{study.public_id}/report"
    assert "No report has been made yet." in get(client, page)
    assert client.get(f"{page}/page").status_code == 404
    post(client, page, do="make")
    assert "Waiting for the worker" in get(client, page)
    # Asked for twice, it is made once.
    post(client, page, do="make")
    assert count("SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'make_report'") == 1
    run_waiting("default")
    shown = get(client, page)
    judgments = count("SELECT count(*) FROM counted_answer WHERE left_out = '' AND code IS NOT NULL")
    assert f"from {judgments:,} judgments" in shown
    assert "Current" in shown

    answer = client.get(f"{page}/page")
    policy = answer["Content-Security-Policy"]
    assert policy.startswith("sandbox ")
    assert "allow-scripts" not in policy
    assert "allow-same-origin" not in policy
    assert "Two film recommenders compared" in answer.content.decode()
    numbers = json.loads(client.get(f"{page}/files/report.json").content)
    assert numbers["title"] == "Two film recommenders compared"
    assert "usefulness useful" not in json.dumps(numbers["answers"])
    archive = zipfile.ZipFile(io.BytesIO(client.get(f"{page}/files/report.zip").content))
    assert {"films-report/report.html", "films-report/report.json"} <= set(archive.namelist())
    assert client.get(f"{page}/files/settings.py").status_code == 404

    used = Assignment.objects.filter(data_use="used").order_by("id").first()
    assert used is not None
    exclude_data(used.pk, "Wrong.", "owner", NOW + timedelta(days=1))
    assert "Older than the data" in get(client, page)
    # A new report that fails leaves the files of the one before.
    StudyReport.objects.update(state="failed", error="Too little room.")
    shown = get(client, page)
    assert "Too little room." in shown
    assert "Open report" in shown


def test_a_study_without_work_says_so():
    from labelwright.server.store.models import StudyReport
    from labelwright.server.store.worker import run_waiting
    from tests.integration.test_versions import File

    loaded = File().load()
    client = client_of(anyones_reviewer())
    page = f"/studies/{loaded.study.public_id}/report"
    post(client, page, do="make")
    run_waiting("default")
    assert StudyReport.objects.get().state == "failed"
    assert "nobody has submitted work yet" in get(client, page)


@pytest.mark.once
def test_the_command_and_the_client_write_the_same_report(server: Server, study: Any, tmp_path: Path):
    from labelwright.client import Client
    from labelwright.server.store.models import User
    from labelwright.server.team.actions.tokens import create_token

    command = [str(LABELWRIGHT), "report", "films", "--out", str(tmp_path / "out")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "heron" in done.stdout.splitlines()[0]
    by_command = json.loads((tmp_path / "out" / "report.json").read_text())
    user = User.objects.get(username=anyones_reviewer())
    token = create_token(user, "report", ["view", "edit"], 7, datetime.now(UTC))
    worker = Process("worker", log=tmp_path / "worker.log")
    worker.start()
    try:
        with closing(Client(server.root, token)) as client:
            path = client.report(study.public_id, tmp_path / "report.json")
            state = client.report_state(study.public_id)
    finally:
        worker.stop()
    by_client = json.loads(path.read_text())
    assert (state.state, state.outdated) == ("ready", False)
    # Apart from the time at which they were made.
    assert by_client | {"made_at": ""} == by_command | {"made_at": ""}


def test_marked_parts_have_a_section_with_the_overlap_of_their_characters():
    from labelwright.report import make_report
    from labelwright.server.reports.actions.report import read_input
    from tests.integration.test_versions import File, rate, visitors

    def mark(data: dict[str, Any]) -> None:
        data["conditions"] = {"all": {"context": {"turns_before": 0}}}
        data["designs"]["reply"]["questions"] += [
            {
                "name": "parts",
                "type": "spans",
                "aspect": "usefulness",
                "text": "Mark what helps.",
                "required": False,
            }
        ]

    loaded = File(mark, items=3).load()
    for number, rater in enumerate(visitors(loaded, 2)):
        # "Try" against "Try “T": 3 of 6 characters in each text.
        marks = [[0, 3]] if number else [[0, 6]]
        rate(rater, 3, {"0": {"useful": 2 + number, "parts": marks}})
    with tempfile.TemporaryDirectory() as folder:
        given = read_input(loaded.study, Path(folder), NOW, lambda step: None)
        (marked,) = given.spans
        report = make_report(given, seed=1)
    assert (marked.name, marked.raters, len(marked.texts)) == ("all", 2, 3)
    assert all(each.text.startswith(("Try “T", "What k")) for each in marked.texts.values())
    (section,) = (part for part in report.tree["sections"] if part["key"] == "spans")
    (row,) = next(block for block in section["blocks"] if block["type"] == "table")["rows"]
    assert row["jaccard"]["value"] == pytest.approx(0.5)
    assert given.wordings == {"usefulness useful": "Usefulness"}


def test_a_question_among_several_has_the_words_that_raters_read():
    from labelwright.server.reports.actions.report import wordings_of

    designs = study_data()["designs"]
    questions = designs["reply"]["questions"]
    questions.append(questions[0] | {"name": "again", "text": "And on second thought?"})
    assert wordings_of(parse(study_text(designs=designs))) == {
        "usefulness useful": "“How useful is the marked reply?”",
        "usefulness again": "“And on second thought?”",
    }
