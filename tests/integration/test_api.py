"""The API: tokens and their scopes, calls, and the same abilities as the command line."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import typer

from tests.desk import client_of, get, post
from tests.rows import rows
from tests.studies import NOW, dialogues, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

ME, OTHER = "me@example.org", "other@example.org"
BY_COMMAND = {
    "study list": "list_studies",
    "study open": "change_study_state",
    "study pause": "change_study_state",
    "study resume": "change_study_state",
    "study close": "change_study_state",
    "study archive": "change_study_state",
    "study restore": "change_study_state",
    "study check": "check_study",
    "study plan": "plan_study",
    "study schema": "study_schema",
    "study load": "load_study",
    "study links": "make_links",
    "study export": "export_study",
    "report": "make_report",
    "study advance": "advance_study",
    "study delete": "delete_study",
    "release": "release_study",
    "personal-data": "decide_personal_data",
    "data-sheet": "answer_data_sheet",
    "pool list": "list_raters",
    "pool invite": "invite_rater",
    "pool open-link": "make_open_link",
    "pool ranking": "get_ranking",
    "pool qualify": "qualify_raters",
    "pool exclude": "set_rater_state",
    "pool pause": "set_rater_state",
    "pool resume": "set_rater_state",
    "pool forget": "forget_rater",
    "pay plan": "plan_payments",
    "pay run": "run_payments",
    "pay list": "get_pay_list",
    "pay status": "get_money",
    "pay reconcile": "reconcile_payments",
    "pay budget": "set_budget",
    "pay bonus": "give_bonus",
    "publish preview": "preview_publication",
    "publish status": "get_publication",
    "publish start": "change_publication",
    "publish pause": "change_publication",
    "publish resume": "change_publication",
    "publish stop": "change_publication",
    "link list": "list_links",
    "link revoke": "revoke_links",
    "context agree": "agree_to_texts",
    "context status": "get_texts_status",
    "context review-link": "make_review_link",
    "user transfer": "transfer_study",
    "judge start": "start_model",
    "judge status": "list_models",
    "judge probe": "probe_model",
    "judge align": "align_model",
    "judge draw": "draw_items",
}
"""The call that does what each command does."""
_MACHINE = "works on the machine that the server runs on"
_EMULATOR = "a program of its own, which no server knows"
_FILES = "works on files; needs no server"
_ACCOUNTS = "accounts are made and removed by who runs the machine"
NO_CALL = {
    "migrate": _MACHINE, "serve": _MACHINE, "worker": _MACHINE, "metrics": _MACHINE, "doctor": _MACHINE,
    "divide": _MACHINE, "init": _MACHINE, "backup": _MACHINE, "restore": _MACHINE, "demo": _MACHINE, "up": _MACHINE,
    "study copy": "needs the other installation's database",
    "study import": "reads a folder of the machine that the server runs on",
    "user add": _ACCOUNTS, "user list": _ACCOUNTS, "user password": _ACCOUNTS, "user remove": _ACCOUNTS,
    "context make": "generates in the foreground; the worker does it after agree_to_texts",
    "task preview": "draws pages from a local file; the pages of the server have a preview",
    "simulate": "starts a server and a database",
    "emulate prolific": _EMULATOR, "emulate mturk": _EMULATOR,
    "corpus import": _FILES, "corpus readers": _FILES, "corpus stats": _FILES, "corpus classify": _FILES,
    "corpus sample": _FILES, "study init": _FILES, "agreement": _FILES, "measures": _FILES, "audit": _FILES,
    "judge compare": _FILES, "estimate": _FILES,
}  # fmt: skip
"""Commands without a call, each with the reason."""


@pytest.fixture
def me() -> Any:
    """A user."""
    from labelwright.server.access.actions.users import add_user

    user, _ = add_user(ME)
    return user


def token_of(user: Any, *scopes: str) -> str:
    """A token of a user, with these scopes or all."""
    from labelwright.server.access.actions.permission import Permission
    from labelwright.server.team.actions.tokens import create_token

    return create_token(user, "test", scopes or list(Permission), 30, datetime.now(UTC))


def call(token: str, method: str, path: str, body: Any = None) -> tuple[int, Any]:
    """The status and the JSON of a call."""
    answer = client_of().generic(
        method,
        f"/api/v1{path}",
        json.dumps(body) if body is not None else "",
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    return answer.status_code, answer.json()


def material(**changes: Any) -> dict[str, Any]:
    """A study with its corpus, as a client sends it."""
    sent = [
        {"key": d.key, "turns": [{"speaker": t.speaker, "text": t.text, "system": t.system} for t in d.turns]}
        for d in dialogues(3)
    ]
    return {"text": study_text(items={"per_dialogue": 1}, **changes), "dialogues": sent}


def commands(app: Any, path: str = "") -> list[str]:
    """Every command of the command line."""
    found: list[str] = []
    for name, command in app.commands.items():
        full = f"{path} {name}".strip()
        found += commands(command, full) if hasattr(command, "commands") else [full]
    return found


def test_every_command_has_its_call_or_a_reason_why_not():
    from labelwright.cli import register_commands
    from labelwright.server.api.views import api

    there = commands(typer.main.get_command(register_commands()))
    assert sorted(there) == sorted([*BY_COMMAND, *NO_CALL])
    offered = {
        one["operationId"] for path in api.get_openapi_schema()["paths"].values() for one in path.values()
    }
    assert set(BY_COMMAND.values()) - offered == set()


def test_a_study_is_checked_planned_loaded_and_changed_without_overwriting(me: Any):
    token = token_of(me)
    assert call(token, "POST", "/study-checks", {"text": "labelwright: 1"})[1]["mistakes"]
    assert call(token, "POST", "/study-plans", material())[1]["ratings"] == 18
    status, dry = call(token, "POST", "/studies", material() | {"dry_run": True})
    assert (status, dry["version"], rows("SELECT count(*)::int FROM study")) == (200, 1, [(0,)])
    status, loaded = call(token, "POST", "/studies", material() | {"expected_version": 0})
    # 3 items under 2 conditions with 3 ratings each.
    assert (status, loaded["version"], loaded["ratings"]) == (200, 1, 18)
    study = f"/studies/{loaded['id']}"
    assert call(token, "GET", study)[1]["wanted"] == 18
    assert call(token, "GET", study)[1]["ratings"] == 0
    file = call(token, "GET", f"{study}/file")[1]
    changed = material(title="Mine") | {"expected_version": file["version"]}
    assert call(token, "POST", "/studies", changed)[1]["version"] == 2
    # Somebody else read version 1 too.
    theirs = material(title="Theirs") | {"expected_version": 1}
    status, problem = call(token, "POST", "/studies", theirs)
    assert (status, problem["code"]) == (409, "version_conflict")
    assert rows("SELECT max(n)::int FROM study_version") == [(2,)]
    assert rows("SELECT who, after->>'version' FROM audit WHERE what = 'load' ORDER BY id") == [
        (ME, "1"),
        (ME, "2"),
    ]


def test_raters_are_invited_paused_and_forgotten_and_links_revoked(me: Any):
    token = token_of(me)
    study = f"/studies/{call(token, 'POST', '/studies', material())[1]['id']}"
    invited = call(token, "POST", f"{study}/pools/own/raters", {})[1]
    assert [one["rater"] for one in call(token, "GET", f"{study}/raters?pool=own")[1]["raters"]] == [
        invited["rater"]
    ]
    state = f"{study}/pools/own/raters/{invited['rater']}/state"
    assert call(token, "PUT", state, {"state": "paused", "reason": "Asked for it."})[0] == 200
    assert call(token, "GET", f"{study}/raters")[1]["raters"][0]["state"] == "paused"
    assert len(call(token, "POST", f"{study}/links", {"raters": 3})[1]) == 3
    assert "/j/" in call(token, "POST", f"{study}/pools/own/open-links", {"most": 5})[1]["address"]
    (link,) = call(token, "GET", f"{study}/links")[1]["open_links"]
    assert call(token, "POST", f"{study}/links/revocation", {"open_link": link["number"]})[0] == 200
    assert call(token, "POST", f"{study}/links/revocation", {})[0] == 400
    assert call(token, "GET", f"{study}/links")[1]["open_links"] == []
    assert call(token, "DELETE", f"{study}/raters/{invited['rater']}/personal-data")[0] == 200
    assert call(token, "GET", f"{study}/log")[1][0]["what"] == "forget"
    assert call(token, "POST", f"{study}/exports", {"format": "csv"})[1]["state"] == "waiting"
    assert call(token, "DELETE", study)[0] == 200
    assert call(token, "GET", study)[0] == 404


def test_a_study_is_opened_closed_and_archived(me: Any):
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import StudyRow, Teammate

    token = token_of(me)
    study = f"/studies/{call(token, 'POST', '/studies', material())[1]['id']}"
    assert call(token, "GET", study)[1]["state"] == "draft"
    colleague, _ = add_user(OTHER)
    Teammate.objects.create(study=StudyRow.objects.get(), user=colleague, role="editor", joined_at=NOW)
    theirs = token_of(colleague)
    assert call(theirs, "PUT", f"{study}/state", {"verb": "open"})[1]["message"] == '"tiny" is open.'
    assert call(theirs, "PUT", f"{study}/state", {"verb": "close"})[0] == 403
    status, problem = call(token, "PUT", f"{study}/state", {"verb": "archive"})
    assert (status, problem["code"]) == (400, "wrong_state")
    for verb in ("close", "archive"):
        assert call(token, "PUT", f"{study}/state", {"verb": verb})[0] == 200
    assert call(token, "GET", "/studies")[1] == []
    assert [one["state"] for one in call(token, "GET", "/studies?archived=true")[1]] == ["archived"]


def test_a_token_does_no_more_than_its_scopes_and_its_user(me: Any):
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.store.models import StudyRow, Teammate

    other, _ = add_user(OTHER)
    study = f"/studies/{call(token_of(me), 'POST', '/studies', material())[1]['id']}"
    reading = token_of(me, "view")
    assert call(reading, "GET", study)[0] == 200
    assert call(reading, "GET", f"{study}/raters")[1]["code"] == "not_permitted"
    assert call(reading, "POST", "/studies", material(title="Other"))[0] == 403
    # All scopes of somebody outside the team open nothing.
    assert call(token_of(other), "GET", study)[0] == 404
    assert call(token_of(other), "POST", "/studies", material())[1]["code"] == "not_yours"
    Teammate.objects.create(study=StudyRow.objects.get(), user=other, role="viewer", joined_at=NOW)
    assert call(token_of(other), "GET", study)[1]["role"] == "viewer"
    assert call(token_of(other), "DELETE", study)[0] == 403


def test_a_token_is_shown_once_stored_as_a_hash_and_ends(me: Any):
    from labelwright.server.team.actions.tokens import find_user

    browser = client_of(ME)
    sent = {"do": "create", "name": "notebook", "scope": ["view", "see_raters"], "days": "30"}
    assert post(browser, "/account/tokens", **sent).status_code == 303
    page = get(browser, "/account/tokens")
    token = re.search(r"lw_[\w-]{40,}", page).group()
    assert token not in get(browser, "/account/tokens")
    assert rows("SELECT count(*)::int FROM api_token t WHERE t::text LIKE %s", [f"%{token}%"]) == [(0,)]
    now = datetime.now(UTC)
    assert find_user(token, now).scopes == {"view", "see_raters"}
    assert find_user(token, now + timedelta(days=31)) is None
    assert find_user(token[:-1], now) is None
    post(browser, "/account/tokens", do="revoke", token=rows("SELECT id FROM api_token")[0][0])
    assert find_user(token, now) is None
    assert call(token, "GET", "/studies")[0] == 401
    assert [what for (what,) in rows("SELECT what FROM audit ORDER BY id")] == [
        "token_create",
        "token_revoke",
    ]
    assert post(browser, "/account/tokens", do="create", name="x", scope=["root"]).status_code == 400
