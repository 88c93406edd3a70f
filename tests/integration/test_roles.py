"""Every page, form and API call against every role. A new one without a row here fails.

A row names the lowest role that may; everybody below is told so (403), and everybody outside the team finds nothing (404).
"""

from __future__ import annotations

import ast
import importlib
import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import labelwright
from tests.commands import run
from tests.desk import client_of
from tests.figures import compute_all
from tests.routes import routes
from tests.rows import rows
from tests.studies import NOW, corpus_of, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

SERVER = Path(labelwright.__file__).parent / "server"
ROLES = ("viewer", "reviewer", "editor", "owner")
OUTSIDE = ("stranger", "neighbour")
"""A user in no team, and the owner of another study."""

PAGES = {
    "study": "viewer",
    "study-items": "viewer",
    "study-item": "viewer",
    "study-versions": "viewer",
    "study-judge": "viewer",
    "study-batches": "viewer",
    "study-completed-batches": "viewer",
    "study-file": "viewer",
    "study-state": "viewer",
    "study-exports": "viewer",
    "study-export": "viewer",
    "study-export-file": "viewer",
    "study-release": "viewer",
    "study-release-file": "viewer",
    "study-personal-data": "viewer",
    "study-data-sheet": "viewer",
    "study-preview": "viewer",
    "preview-task": "viewer",
    "preview-view": "viewer",
    "study-stored-data": "viewer",
    "study-settings": "viewer",
    "study-flagged": "reviewer",
    "study-review": "reviewer",
    "study-review-next": "reviewer",
    "study-review-groups": "reviewer",
    "study-review-group": "reviewer",
    "study-reviewers": "reviewer",
    "study-discussion": "reviewer",
    "study-themes": "reviewer",
    "study-report": "viewer",
    "study-report-page": "viewer",
    "study-report-file": "viewer",
    "study-raters": "reviewer",
    "study-rater": "reviewer",
    "study-qualification": "reviewer",
    "study-board": "reviewer",
    "study-editor": "editor",
    "editor-file": "editor",
    "editor-corpus": "editor",
    "study-rehearsal": "viewer",
    "study-messages": "reviewer",
    "study-audit": "reviewer",
    "study-money": "reviewer",
    "study-payments": "reviewer",
    "study-publication": "reviewer",
    "study-reconciliation": "reviewer",
}
"""Pages of a study."""

WITHOUT_STUDY = {
    "home": "leads to the list of studies",
    "studies": "lists the studies in whose team the user is; tested below",
    "account": "of the user alone; tested in test_desk",
    "account_reset_password": "for users who forgot their password; tested in test_desk",
    "account-tokens": "of the user alone; tested in test_api",
    "invitation": "the link is the credential; tested in test_team",
    "new-study": "makes a study of the user; tested in test_editor",
    "closed": "never opens",
    "context-queue": "the reviewer's link is the credential; tested in test_links",
    "context-decide": "the same",
    "rater": "a rater's link is the credential, here and below; tested in test_hostile and test_links",
    "open-link": "", "rater-consent": "", "rater-instructions": "", "rater-stopped": "", "rater-withdraw": "",
    "task-before": "", "task-draft": "", "task-save": "", "task-submit": "", "task-heartbeat": "", "task-return": "",
    "platform-events": "the signature of the platform is the credential; tested in test_publishing",
    "panel-arrival": "", "rater-waiting": "", "open-link-waiting": "",
    "rater-own": "", "rater-write": "", "rater-answer": "", "rater-address": "", "rater-forget": "",
    "moved-file": "static files", "readyz": "for administrators", "proxy-check": "for administrators",
}  # fmt: skip
"""Routes that name no study, and who may use them."""


BONUS = "7b0c1a52-3f6e-4b9e-9d53-0a3c5be7a111"
"""The id that a caller gives a bonus."""


class FormRow(NamedTuple):
    """A form of a page: the lowest role that may send it, and valid fields."""

    role: str
    fields: dict[str, Any]
    unlogged: str = ""
    """Why it writes no line of the audit log, if so."""
    state: str = "open"
    """The state of the study before."""
    good: int = 0
    """The status of the answer; 0 for a redirect, or, if nothing is logged, for a form that is refused."""


FORMS = {
    ("study-raters", "invite"): FormRow("editor", {"pool": "own"}),
    ("study-raters", "open"): FormRow("editor", {"pool": "own", "most": "3", "days": "3"}),
    ("study-raters", "close"): FormRow("editor", {"link": "{link}"}),
    ("study-raters", "revoke-pool"): FormRow("editor", {"pool": "own", "sure": "yes"}),
    ("study-raters", "revoke-reviewer"): FormRow("editor", {"reviewer": "Ada"}),
    ("study-raters", "pause"): FormRow("editor", {"pick": "{rater}", "sure": "yes"}),
    ("study-raters", "reinstate"): FormRow(
        "editor", {"pick": "{rater}", "sure": "yes"}, "the rater is active, so nothing changes"
    ),
    ("study-raters", "exclude"): FormRow("editor", {"pick": "{rater}", "sure": "yes"}),
    ("study-raters", "restore"): FormRow("editor", {"was": "{was}"}),
    ("study-raters", "message-many"): FormRow("editor", {"pick": "{rater}", "sure": "yes", "text": "Hello."}),
    ("study-judge", "start-model"): FormRow(
        "editor", {"sure": "yes"}, "there is no model; tested in test_model_raters"
    ),
    ("study-judge", "measure"): FormRow("editor", {}, "there is no model, and it only computes"),
    ("study-judge", "probe"): FormRow(
        "editor", {"kind": "length", "sure": "yes"}, "there is no model; tested in test_judge_probes"
    ),
    ("study-judge", "draw-items"): FormRow("editor", {}, "there is no model; tested in test_judge_draws"),
    ("study-judge", "declare-version"): FormRow(
        "editor", {"sure": "yes"}, "there is no model; tested in test_judge_versions"
    ),
    ("study-judge", "open-version"): FormRow(
        "editor", {"sure": "yes"}, "there is no model; tested in test_judge_versions"
    ),
    ("study-rater", "state"): FormRow("editor", {"pool": "own", "state": "paused"}),
    ("study-rater", "note"): FormRow("editor", {"text": "A note."}),
    ("study-rater", "delete-note"): FormRow("editor", {"note": "{note}"}),
    ("study-rater", "revoke"): FormRow("editor", {}),
    ("study-rater", "message"): FormRow("editor", {"text": "Hello."}),
    ("study-rater", "feedback"): FormRow("editor", {"text": "Hello.", "work": "{work}"}),
    ("study-rater", "forget"): FormRow("editor", {"sure": "yes"}),
    ("study-qualification", "rule"): FormRow("editor", {}, "this study has no qualification"),
    ("study-qualification", "pick"): FormRow("editor", {}, "this study has no qualification"),
    ("study-board", "write"): FormRow("editor", {"text": "Hello."}),
    ("study-state", "open"): FormRow("editor", {}, state="draft"),
    ("study-state", "pause"): FormRow("editor", {}),
    ("study-state", "resume"): FormRow("editor", {}, state="paused"),
    ("study-state", "close"): FormRow("owner", {}),
    ("study-state", "archive"): FormRow("owner", {}, state="closed"),
    ("study-state", "restore"): FormRow("owner", {}, state="archived"),
    ("study-state", "delete"): FormRow("owner", {"name": "tiny"}),
    ("study-release", "release"): FormRow("editor", {}),
    ("study-personal-data", "search"): FormRow("editor", {}),
    ("study-personal-data", "keep"): FormRow("editor", {"hit": "{hit}"}),
    ("study-personal-data", "replace"): FormRow("editor", {"hit": "{hit}"}),
    ("study-personal-data", "leave_out"): FormRow("editor", {"hit": "{hit}"}),
    ("study-personal-data", "reopen"): FormRow("editor", {"hit": "{hit}"}),
    ("study-data-sheet", "save"): FormRow("editor", {"licence": "cc0-1.0"}),
    ("study-exports", "csv"): FormRow("viewer", {}),
    ("study-exports", "jsonl"): FormRow("viewer", {}),
    ("study-exports", "parquet"): FormRow("viewer", {}),
    ("study-flagged", ""): FormRow("reviewer", {"work": "{work}", "choice": "fine"}),
    ("study-review", "decide"): FormRow("reviewer", {"case": "{case}", "choice": "fine"}),
    ("study-review", "undo"): FormRow("reviewer", {"decision": "{decision}"}),
    ("study-review", "pass"): FormRow("reviewer", {"case": "{case}"}),
    ("study-review-group", "together"): FormRow("reviewer", {"case": "{case}", "choice": "fine"}),
    ("study-discussion", "discuss-raters"): FormRow(
        "editor", {"item": "{rated_item}", "condition": "{condition}", "text": "Hello."}
    ),
    ("study-discussion", "discuss-all"): FormRow(
        "editor", {"item": "{rated_item}", "condition": "{condition}", "text": "Hello."}
    ),
    ("study-report", "make"): FormRow("editor", {}),
    ("study-themes", "create"): FormRow("reviewer", {"name": "Too long"}),
    ("study-themes", "remove"): FormRow("reviewer", {"theme": "{theme}", "sure": "yes"}),
    ("study-themes", "assign"): FormRow("reviewer", {"theme": "{theme}", "pick": "{text}"}),
    ("study-themes", "unassign"): FormRow("reviewer", {"theme": "{theme}", "pick": "{marked}"}),
    ("study-batches", ""): FormRow("editor", {"batch": "{batch}", "closes": "2030-01-01T09:00"}),
    ("study-editor", "save"): FormRow("editor", {"text": "{changed}", "read": "1.1"}),
    ("study-editor", "discard"): FormRow("editor", {}),
    ("study-editor", "rehearse"): FormRow("editor", {}),
    ("study-editor", "publish"): FormRow("editor", {"read": "1.1", "sure": "yes"}),
    ("study-editor", "remove-file"): FormRow("editor", {"file": "dialogues.jsonl"}),
    ("study-editor", "check"): FormRow("editor", {"text": "{changed}"}, "stores nothing", good=200),
    ("study-editor", "plan"): FormRow("editor", {"text": "{changed}"}, "stores nothing", good=200),
    ("study-editor", "preview"): FormRow("editor", {"text": "{changed}"}, "stores nothing", good=200),
    ("study-publication", "publish"): FormRow("owner", {"pool": "own"}, "the pool is on no platform"),
    ("study-publication", "pause"): FormRow("owner", {"pool": "own"}, "the pool is not published"),
    ("study-publication", "resume"): FormRow("owner", {"pool": "own"}, "the pool is not published"),
    ("study-publication", "stop"): FormRow("owner", {"pool": "own"}, "the pool is not published"),
    ("study-publication", "group"): FormRow("owner", {"pool": "own"}, "the pool has no group"),
    ("study-publication", "write"): FormRow(
        "owner", {"entry": "visit-1", "text": "Hi."}, "there is no such visit"
    ),
    ("study-publication", "ask-return"): FormRow("owner", {"entry": "visit-1"}, "there is no such visit"),
    ("study-publication", "settle"): FormRow("owner", {"entry": "visit-1"}, "there is no such visit"),
    ("study-publication", "happened"): FormRow("owner", {"entry": "call-1"}, "there is no such call"),
    ("study-publication", "again"): FormRow("owner", {"entry": "call-1"}, "there is no such call"),
    ("study-money", "run"): FormRow("owner", {}, "the study pays nothing"),
    ("study-money", "withdraw"): FormRow("owner", {"run": "1"}, "the study has no payment run"),
    ("study-money", "list"): FormRow("owner", {"run": "1"}, "the study has no payment run"),
    ("study-money", "budget"): FormRow("owner", {"limit": "5.00"}),
    ("study-money", "bonus"): FormRow(
        "owner", {"rater": "{rater}", "amount": "1.00", "reason": "Helpful.", "bonus": BONUS}
    ),
    ("study-money", "confirm"): FormRow("owner", {"text": "payment,status"}),
    ("study-money", "paid"): FormRow("owner", {"payment": "none"}, "there is no such payment"),
    ("study-money", "again"): FormRow("owner", {"payment": "none"}, "there is no such payment"),
    ("study-settings", "invite"): FormRow("owner", {"email": "new@example.org", "role": "viewer"}),
    ("study-settings", "withdraw"): FormRow("owner", {"email": "invited@example.org"}),
    ("study-settings", "role"): FormRow("owner", {"email": "viewer@example.org", "role": "editor"}),
    ("study-settings", "remove"): FormRow("owner", {"email": "viewer@example.org"}),
    ("study-settings", "transfer"): FormRow("owner", {"email": "viewer@example.org", "sure": "yes"}),
    ("study-settings", "add-webhook"): FormRow(
        "owner", {"address": "https://hooks.example.org/", "event": "flags"}
    ),
    ("study-settings", "try-webhook"): FormRow("owner", {"webhook": "{webhook}"}),
    ("study-settings", "remove-webhook"): FormRow("owner", {"webhook": "{webhook}"}),
}
"""Forms on the pages of a study, by page and action."""


class CallRow(NamedTuple):
    """A call of the API: the lowest role that may make it, and a valid body."""

    role: str
    body: dict[str, Any] | None = None
    unlogged: str = ""


ANYONE = "anyone"
"""Everybody with a token; the call concerns no stored study."""
CALLS = {
    "study_schema": CallRow(ANYONE),
    "check_study": CallRow(ANYONE, {"text": "labelwright: 1"}, "stores nothing"),
    "plan_study": CallRow(
        ANYONE, {"text": "labelwright: 1", "dialogues": []}, "stores nothing; the file is wrong"
    ),
    "list_studies": CallRow(ANYONE),
    "load_study": CallRow("editor", {"text": "{changed}", "dialogues": "{dialogues}"}),
    "get_study": CallRow("viewer"),
    "change_study_state": CallRow("editor", {"verb": "pause"}),
    "delete_study": CallRow("owner"),
    "get_study_file": CallRow("viewer"),
    "advance_study": CallRow("editor", None, "the study has one stage, so nothing changes"),
    "get_scales": CallRow("viewer"),
    "list_exports": CallRow("viewer"),
    "export_study": CallRow("viewer", {"format": "csv"}),
    "download_export": CallRow("viewer"),
    "list_releases": CallRow("viewer"),
    "release_study": CallRow("editor"),
    "get_personal_data": CallRow("viewer"),
    "search_personal_data": CallRow("editor"),
    "decide_personal_data": CallRow("editor", {"numbers": ["{hit}"], "decision": "keep"}),
    "get_data_sheet": CallRow("viewer"),
    "answer_data_sheet": CallRow("editor", {"answers": {"licence": "cc0-1.0"}}),
    "get_report": CallRow("viewer"),
    "make_report": CallRow("editor"),
    "download_report": CallRow("viewer"),
    "get_texts_status": CallRow("viewer"),
    "agree_to_texts": CallRow(
        "editor", {"requests": 0, "most_microcents": 0}, "there are no texts to agree to"
    ),
    "make_review_link": CallRow("editor", {"reviewer": "Grace"}),
    "list_models": CallRow("viewer"),
    "start_model": CallRow(
        "editor", {"requests": 0, "most_microcents": 0}, "there is no model; tested in test_model_raters"
    ),
    "get_model_findings": CallRow("viewer", None, "there is no model; tested in test_judge_versions"),
    "probe_model": CallRow("editor", {"kind": "order"}, "there is no model; tested in test_judge_versions"),
    "align_model": CallRow("editor", {}, "there is no model; tested in test_judge_versions"),
    "draw_items": CallRow(
        "editor", {"question": "useful", "wanted": 0.1}, "there is no model; tested in test_judge_draws"
    ),
    "measure_model": CallRow("editor", None, "there is no model; tested in test_judge_draws"),
    "list_raters": CallRow("reviewer"),
    "invite_rater": CallRow("editor", {}),
    "make_open_link": CallRow("editor", {"most": 3}),
    "get_ranking": CallRow("reviewer"),
    "qualify_raters": CallRow("editor", {}, "this study has no qualification"),
    "set_rater_state": CallRow("editor", {"state": "paused"}),
    "forget_rater": CallRow("editor"),
    "list_links": CallRow("editor"),
    "make_links": CallRow("editor", {"raters": 9}),
    "revoke_links": CallRow("editor", {"everything": True}),
    "list_flags": CallRow("reviewer"),
    "decide_work": CallRow("reviewer", {"choice": "leave_out", "reason": "Too fast."}),
    "get_review_queue": CallRow("reviewer"),
    "get_reviewer_agreement": CallRow("reviewer"),
    "list_discussion": CallRow("reviewer"),
    "discuss_item": CallRow("editor", {"to": "all", "text": "Hello."}),
    "decide_group": CallRow("reviewer", {"choice": "leave_out", "reason": "Too fast."}),
    "undo_decision": CallRow("reviewer", {}),
    "get_money": CallRow("reviewer"),
    "plan_payments": CallRow("owner", None, "nothing is owed; every payment has a line in the ledger"),
    "run_payments": CallRow("owner", None, "the study pays nothing"),
    "get_pay_list": CallRow("owner", {}, "the study has no payment run"),
    "reconcile_payments": CallRow("owner", {}),
    "set_budget": CallRow("owner", {"limit_cents": 500}),
    "give_bonus": CallRow("owner", {"id": BONUS, "cents": 100, "reason": "Helpful."}),
    "get_publication": CallRow("reviewer"),
    "preview_publication": CallRow("owner", None, "the pool is on no platform; tested in test_publishing"),
    "change_publication": CallRow("owner", {"do": "stop"}, "the pool is not published"),
    "list_team": CallRow("viewer"),
    "invite_teammate": CallRow("owner", {"email": "new@example.org", "role": "viewer"}),
    "remove_teammate": CallRow("owner"),
    "transfer_study": CallRow("owner", {"email": "viewer@example.org"}),
    "get_log": CallRow("reviewer"),
}
"""Calls by the id of their operation."""


@pytest.fixture
def scene() -> dict[str, Any]:
    """A study with a team, a rater and their flagged work, and everything that a row points to."""
    from labelwright.release import Format
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.review_links import make_review_link
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.editor.actions.corpus import keep_file
    from labelwright.server.editor.actions.edits import save_file
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links, make_open_link
    from labelwright.server.people.actions.roster import add_note
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.results.actions.export_files import request_export, write_export
    from labelwright.server.review.actions.queue import queue_marked_work
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_as_reviewer
    from labelwright.server.store.models import (
        Batch,
        ItemRow,
        Note,
        PersonalHit,
        Pool,
        Rater,
        ReviewCase,
        TaskItem,
        Teammate,
        Webhook,
    )
    from labelwright.server.studies.actions.loading import load_study
    from labelwright.server.tallies.actions.raters import count_marked_raters
    from labelwright.server.team.actions.invitations import invite_teammate
    from labelwright.server.team.actions.webhooks import add_webhook

    users = {name: add_user(f"{name}@example.org")[0] for name in (*ROLES, *OUTSIDE)}
    # Unpaid, because a study with paid work cannot be deleted.
    own = {"platform": "link", "raters": 4}
    text = study_text(items={"per_dialogue": 1}, pools={"own": own})
    study = load_study(parse(text), text, dialogues(2), NOW, users["owner"], opened=True).study
    for role in ROLES[:-1]:
        Teammate.objects.create(study=study, user=users[role], role=role, joined_at=NOW)
    other = study_text(name="other", items={"per_dialogue": 1})
    load_study(parse(other), other, dialogues(1), NOW, users["neighbour"])
    pool = Pool.objects.get(study=study)
    (link,) = make_links(study, pool, 1, 60, NOW)
    work = offer(get_visitor(link.token, NOW), NOW)
    submit(work.token, {"0": {"useful": 1, "comment": "Clear."}}, NOW + timedelta(seconds=5))
    second = offer(get_visitor(link.token, NOW), NOW)
    submit(second.token, {"0": {"useful": 1, "comment": "Too long."}}, NOW + timedelta(seconds=5))
    for job in (partial(flag_block, NOW), count_marked_raters, queue_marked_work):
        while job():
            pass
    open_case = ReviewCase.objects.get(assignment=work.assignment)
    decided = decide_as_reviewer(
        users["reviewer"], study.public_id, second.assignment, VerdictChoice.FINE, "", NOW
    )
    rater = Rater.objects.get(study=study)
    add_note(study, rater, "owner", "Reads fast.", NOW)
    make_review_link(study, "Ada", NOW)
    invite_teammate(study, "invited@example.org", "viewer", "owner", NOW)
    opened = make_open_link(study, pool, "owner", 5, 14, datetime.now(UTC))
    add_webhook(study, "https://hooks.example.org/first", ["full"], "owner", NOW)
    export = request_export(study, Format.JSONL, "owner", NOW)
    write_export(export.pk, NOW)
    hit = PersonalHit.objects.create(
        study=study, kind="email", key="k", text="a@b.org", places=1, source="answer", row=1, decision="keep"
    )
    save_file(users["owner"], study.public_id, text + "# edited\n", "1.0", NOW)
    keep_file(study, "dialogues.jsonl", corpus_of(dialogues(2)), "owner", NOW)
    changed = study_text(items={"per_dialogue": 1}, pools={"own": own}, title="Changed")
    return {
        "users": users, "study": study, "public_id": study.public_id, "pool": "own", "rater": rater.pseudonym,
        "pseudonym": rater.pseudonym, "work": work.assignment, "link": opened.pk, "note": Note.objects.get().pk,
        "run_number": 1,
        "batch": Batch.objects.filter(study=study).first().pk, "number": export.pk, "form": "csv", "name": "start",
        "hit": hit.pk,
        "item_id": ItemRow.objects.filter(study=study).first().pk, "place": 0, "email": "viewer@example.org",
        **_themed(users["reviewer"], study.public_id), "part": reported(study),
        "was": json.dumps([rater.pseudonym, "own", "paused"]),
        "rated_item": TaskItem.objects.get(task=open_case.assignment.task_id).item_id, "condition": open_case.condition,
        "case": open_case.pk, "group": open_case.group_id, "decision": decided.decision,
        "changed": changed, "file_name": "dialogues.jsonl", "webhook": Webhook.objects.get().pk,
        "dialogues": [
            {"key": d.key, "turns": [{"speaker": t.speaker, "text": t.text} for t in d.turns]} for d in dialogues(2)
        ],
    }  # fmt: skip


def reported(study: Any) -> str:
    """The name of a file of a report."""
    from labelwright.server.store.models import ReportFile, StudyReport

    StudyReport.objects.create(study=study, asked_by="owner", asked_at=NOW, state="ready", made_at=NOW)
    for name in ("report.html", "report.json"):
        ReportFile.objects.create(study=study, name=name, content=b"{}", bytes=2)
    return "report.json"


def _themed(reviewer: Any, public_id: str) -> dict[str, int]:
    """A theme, a text without it and a text with it."""
    from labelwright.server.reports.actions.themes import assign_theme, create_theme
    from labelwright.server.store.models import Answer

    text, marked = Answer.objects.filter(question="comment").order_by("id").values_list("pk", flat=True)
    theme = create_theme(reviewer, public_id, "Unclear", NOW)
    assign_theme(reviewer, public_id, theme.pk, [marked], NOW)
    return {"theme": theme.pk, "text": text, "marked": marked}


def filled(value: Any, scene: dict[str, Any]) -> Any:
    """A value of a row, with what it points to."""
    if isinstance(value, dict):
        return {key: filled(each, scene) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, scene) for each in value]
    if isinstance(value, str) and value.startswith("{"):
        return scene[value.strip("{}")]
    return value


def address(name: str, scene: dict[str, Any]) -> str:
    """The address of a page."""
    from django.urls import reverse

    (route,) = (route for route in routes() if route.name == name)
    wanted = dict(scene)
    if name == "preview-task":
        wanted["number"] = 0
    return reverse(name, kwargs={key: wanted[key] for key in route.pattern.converters})


def tried(send: Any, *, changes: bool = True) -> tuple[int, int]:
    """The status of a request, and the lines of the audit log that it wrote; nothing of it stays."""
    from django.db import transaction

    # Downloads use connections of their own, which a transaction would not let go.
    scope: AbstractContextManager[None] = transaction.atomic() if changes else nullcontext()
    with scope:
        before = rows("SELECT count(*)::int FROM audit")[0][0]
        answer = send()
        if answer.streaming:
            answer.close()
        lines = rows("SELECT count(*)::int FROM audit")[0][0] - before
        if changes:
            transaction.set_rollback(True)
    return answer.status_code, lines


def expected(lowest: str, who: str, good: tuple[int, ...]) -> tuple[int, ...]:
    """The statuses that somebody may get."""
    if who in OUTSIDE:
        return (404,)
    return good if ROLES.index(who) >= ROLES.index(lowest) else (403,)


def verbs_in_code() -> set[tuple[str, str]]:
    """The actions of forms in the code of views, with the name of the function that handles them."""
    found = set()
    for path in [*SERVER.glob("*/views.py"), *SERVER.glob("*/views/*.py")]:
        if path.is_relative_to(SERVER / "api"):
            continue  # Calls have rows of their own.
        module = ".".join(("labelwright.server", *path.relative_to(SERVER).with_suffix("").parts))
        for function in ast.walk(ast.parse(path.read_text())):
            if isinstance(function, ast.FunctionDef):
                found |= {
                    (f"{path.relative_to(SERVER).parts[0]}.{function.name}", verb)
                    for node in ast.walk(function)
                    for verb in verbs_of(node, module)
                }
    return found


def verbs_of(node: ast.AST, module: str) -> list[str]:
    """The actions in a dictionary, or in one made of the members of an enum of the module."""
    if isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        return [str(key.value) for key, value in pairs if isinstance(key, ast.Constant) and is_action(value)]
    if isinstance(node, ast.DictComp) and is_action(node.value):
        named = node.generators[0].iter
        # Other sources are dictionaries, whose actions are found where they are written.
        if isinstance(named, ast.Name):
            return [member.value for member in getattr(importlib.import_module(module), named.id)]
    return []


def is_action(value: ast.expr) -> bool:
    """Whether a value of a dictionary is something to run."""
    called = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "partial"
    return (
        called
        or isinstance(value, ast.Lambda)
        or getattr(value, "id", getattr(value, "attr", "")).startswith("do_")
    )


def test_every_page_form_and_call_has_a_row():
    from labelwright.server.api.views import api

    named = {route.name for route in routes() if "public_id" in str(route.pattern)}
    assert named == set(PAGES)
    assert {route.name for route in routes()} - named == set(WITHOUT_STUDY)
    # The forms of pages without a study: the account, tokens, invitations, raters and new studies.
    elsewhere = {"profile", "end", "end-others", "create", "revoke", "accept", "join"}
    elsewhere |= {"template", "file", "copy"}
    assert {verb for _, verb in verbs_in_code()} - {verb for _, verb in FORMS} - elsewhere == set()
    operations = {
        one["operationId"] for path in api.get_openapi_schema()["paths"].values() for one in path.values()
    }
    assert operations == set(CALLS)


def test_pages_open_to_the_right_roles(scene: dict[str, Any]):
    wrong = []
    clients = {who: client_of(f"{who}@example.org") for who in (*ROLES, *OUTSIDE)}
    for name, lowest in PAGES.items():
        where = address(name, scene)
        answer = client_of().get(where)
        if answer.status_code != 302 or not answer["Location"].startswith("/accounts/login/"):
            wrong.append((name, "nobody", answer.status_code))
        for who, client in clients.items():
            answer = client.get(where)
            if answer.streaming:
                answer.close()
            if answer.status_code not in expected(lowest, who, (200,)):
                wrong.append((name, who, answer.status_code))
    assert wrong == []


def test_forms_are_taken_from_the_right_roles_and_write_a_line(scene: dict[str, Any]):
    from labelwright.server.store.models import StudyRow

    wrong = []
    clients = {who: client_of(f"{who}@example.org") for who in (*ROLES, *OUTSIDE)}
    for (name, verb), row in FORMS.items():
        StudyRow.objects.filter(pk=scene["study"].pk).update(state=row.state)
        where, fields = address(name, scene), filled(row.fields, scene) | ({"do": verb} if verb else {})
        for who, client in clients.items():
            status, lines = tried(lambda c=client, w=where, f=fields: c.post(w, f))
            good = (row.good or (400 if row.unlogged else 303),)
            if status not in expected(row.role, who, good) or (bool(lines) != (status == 303)):
                wrong.append((name, verb, who, status, lines))
        if client_of().post(where, fields).status_code not in (302, 403):
            wrong.append((name, verb, "nobody", 0, 0))
    assert wrong == []


def calls(scene: dict[str, Any]) -> Iterator[tuple[str, str, str, str]]:
    """Every call: its id, method, address and body."""
    from labelwright.server.api.views import api

    for path, methods in api.get_openapi_schema()["paths"].items():
        for method, one in methods.items():
            body = CALLS[one["operationId"]].body
            sent = json.dumps(filled(body, scene)) if body is not None else ""
            yield one["operationId"], method.upper(), path.format(**scene), sent


def test_calls_are_taken_from_the_right_roles_and_write_a_line(scene: dict[str, Any]):
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.team.actions.tokens import create_token

    now, wrong = datetime.now(UTC), []
    tokens = {
        who: create_token(user, "all", list(Permission), 9, now) for who, user in scene["users"].items()
    }
    client = client_of()
    for place, (name, method, where, sent) in enumerate(calls(scene)):
        row = CALLS[name]
        # A network that guesses tokens is refused for a minute, and there are more calls than guesses.
        network = f"10.{place}.0.1"

        def send(
            token: str, method: str = method, where: str = where, sent: str = sent, network: str = network
        ) -> Any:
            headers = {"Authorization": f"Bearer {token}"}
            return client.generic(
                method, where, sent, content_type="application/json", headers=headers, REMOTE_ADDR=network
            )

        if (status := tried(lambda send=send: send("lw_none"))[0]) != 401:
            wrong.append((name, "nobody", status, 0))
        for who, token in tokens.items():
            status, lines = tried(lambda send=send, token=token: send(token), changes=method != "GET")
            good: tuple[int, ...] = (200, 400) if row.unlogged else (200,)
            allowed = good if row.role == ANYONE else expected(row.role, who, good)
            if name == "load_study" and who in OUTSIDE:
                # It names a study of somebody else, by a name that is taken.
                allowed = (400,)
            changes = method != "GET" and not row.unlogged and status == 200
            if name == "get_ranking" and status == 400:
                # This study has no qualification.
                continue
            if status not in allowed or bool(lines) != changes:
                wrong.append((name, who, status, lines))
    assert wrong == []


def test_clients_read_flags_and_missing_scopes_in_words(scene: dict[str, Any]):
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.store.models import ItemRow
    from labelwright.server.team.actions.tokens import create_token

    def ask(path: str, scope: Permission) -> Any:
        token = create_token(scene["users"]["owner"], "one", [scope], 9, datetime.now(UTC))
        headers = {"Authorization": f"Bearer {token}"}
        return client_of().get(f"/api/v1/studies/{scene['public_id']}{path}", headers=headers).json()

    (flag, *_) = ask("/flags", Permission.REVIEW)["flags"]
    assert set(flag["items"]) <= set(ItemRow.objects.values_list("key", flat=True))
    assert flag["items"]
    # The submission took 5 seconds.
    assert "5 s" in flag["evidence"] or "5.0 s" in flag["evidence"]
    refused = ask("/raters", Permission.REVIEW)["message"]
    assert 'the scope "See raters, messages and the audit log" (see_raters)' in refused


def test_a_study_is_archived_from_the_list_by_its_owner_alone(scene: dict[str, Any]):
    from labelwright.server.store.models import StudyRow

    StudyRow.objects.filter(pk=scene["study"].pk).update(state="closed")
    sent = {"do": "archive", "pick": scene["public_id"], "sure": "yes"}
    assert client_of("editor@example.org").post("/studies", sent).status_code == 403
    assert StudyRow.objects.get(pk=scene["study"].pk).state == "closed"
    assert client_of("owner@example.org").post("/studies", sent).status_code == 303
    assert StudyRow.objects.get(pk=scene["study"].pk).state == "archived"


def test_the_header_offers_what_the_role_allows(scene: dict[str, Any]):
    pages = {
        who: client_of(f"{who}@example.org").get(address("study-batches", scene)).content.decode()
        for who in ROLES
    }
    for shown, lowest in (("/raters", "reviewer"), ("/review", "reviewer")):
        link = f'href="/studies/{scene["public_id"]}{shown}"'
        assert [who for who in ROLES if link in pages[who]] == list(ROLES[ROLES.index(lowest) :])
    assert [who for who in ROLES if 'value="pause"' in pages[who]] == ["editor", "owner"]
    assert [who for who in ROLES if 'value="close"' in pages[who]] == ["owner"]


def test_home_and_overview_offer_what_the_role_allows_and_a_refusal_has_a_way_on(scene: dict[str, Any]):
    compute_all()
    root = f"/studies/{scene['public_id']}"
    for who in ROLES:
        client = client_of(f"{who}@example.org")
        needs = [client.get(page).content.decode().split("Studies</h2>")[0] for page in ("/studies", root)]
        # One rater of at least four, and flagged work.
        for offer, lowest in (("Invite raters", "editor"), (">Review<", "reviewer")):
            permitted = ROLES.index(who) >= ROLES.index(lowest)
            assert [offer in page for page in needs] == [permitted] * 2, (who, offer)
    refused = client_of("viewer@example.org").get(f"{root}/flagged")
    said = "Reviewers, editors and the owner of the study can open this page; you are a viewer."
    page = refused.content.decode()
    assert refused.status_code == 403
    assert said in page
    assert "Ask owner@example.org for another role in the study." in page
    assert f'href="{root}">Go to the overview</a>' in page
    assert "Switch study" in page
    # An error after a form is in the frame too, and leads back to its page.
    answered = client_of("reviewer@example.org").post(f"{root}/messages", {"text": "\x01"})
    assert answered.status_code == 400
    assert "Switch study" in answered.content.decode()
    assert f'href="{root}/messages">Back to the page</a>' in answered.content.decode()
    # Strangers do not learn whether the study exists.
    stranger = client_of("neighbour@example.org").get(f"{root}/flagged")
    assert stranger.status_code == 404
    assert "Switch study" not in stranger.content.decode()
    assert "Go to your studies" in stranger.content.decode()


def test_each_user_lists_the_studies_of_their_teams(scene: dict[str, Any]):
    for who in (*ROLES, *OUTSIDE):
        page = client_of(f"{who}@example.org").get("/studies").content.decode()
        assert (f"/studies/{scene['public_id']}" in page) == (who in ROLES)


def test_reviewers_see_raters_without_links_addresses_and_forms(scene: dict[str, Any]):
    """With a personal link, a reviewer could work as the rater."""
    for name in ("study-rater", "study-raters", "study-board"):
        for who in ("reviewer", "editor"):
            page = client_of(f"{who}@example.org").get(address(name, scene)).content.decode()
            main = page.split("<main")[1]
            assert ('method="post"' in main) == (who == "editor"), (name, who)
            assert ("/w/" in main) == (who == "editor" and name == "study-rater"), (name, who)


COMMANDS = (
    ("study", "links", "tiny", "--raters", "3"),
    ("study", "pause", "tiny"),
    ("study", "resume", "tiny"),
    ("study", "close", "tiny"),
    ("study", "archive", "tiny"),
    ("study", "restore", "tiny"),
    ("study", "open", "tiny"),
    ("pool", "invite", "tiny", "own"),
    ("pool", "open-link", "tiny", "own", "--most", "3"),
    ("pool", "pause", "tiny", "own", "{rater}"),
    ("pool", "resume", "tiny", "own", "{rater}"),
    ("pool", "exclude", "tiny", "own", "{rater}"),
    ("link", "revoke", "tiny", "--all"),
    ("link", "revoke", "tiny", "--rater", "{rater}"),
    ("context", "review-link", "tiny", "--reviewer", "Grace"),
    ("pool", "forget", "tiny", "{rater}", "--yes"),
    ("user", "add", "added@example.org"),
    ("user", "password", "added@example.org"),
    ("user", "remove", "added@example.org", "--yes"),
    ("user", "transfer", "owner@example.org", "editor@example.org", "--study", "tiny"),
    ("study", "delete", "tiny", "--yes"),
)
READING = {
    "pool list", "pool ranking", "link list", "context status", "user list", "study check", "study plan", "study schema",
    "study init", "study export", "study list", "task preview",
}  # fmt: skip
ELSEWHERE = {
    "study advance": "no stage is ready here; tested in test_stages",
    "study import": "an import of a study that is there is refused; tested in test_release",
    "study copy": "the copy is another installation's; this one does not change",
    "study load": "tested with its versions in test_api, through the same action",
    "pool qualify": "tested with its decisions in test_qualification",
    "context agree": "needs a language model; tested in test_generation",
    "context make": "the same",
}


def test_commands_that_change_something_write_a_line(scene: dict[str, Any]):
    from tests.integration.test_api import BY_COMMAND, NO_CALL

    of_studies = {name for name in (*BY_COMMAND, *NO_CALL) if name.split()[0] in ("study", "pool", "link", "context", "user", "task")}  # fmt: skip
    done = {" ".join(command[:2]) for command in COMMANDS}
    assert of_studies == done | READING | set(ELSEWHERE)
    for command in COMMANDS:
        before = rows("SELECT count(*)::int FROM audit")[0][0]
        result = run(*(filled(word, scene) for word in command))
        assert result.exit_code == 0, (command, result.output)
        assert rows("SELECT count(*)::int FROM audit")[0][0] > before, command
    assert rows("SELECT DISTINCT who FROM audit WHERE what = 'reset_password'") == [("command line",)]
