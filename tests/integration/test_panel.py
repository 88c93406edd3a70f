"""People from a panel: let in once, sent back by the right way, paid from a list; the panel's ids appear nowhere else."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from labelwright.crowd.platform import PLATFORMS
from labelwright.outside.emulators.mturk import MturkEmulator
from labelwright.outside.emulators.web import EmulatorServer
from tests.at_once import at_once
from tests.desk import client_of
from tests.integration.test_payments import ME, loaded, run_jobs
from tests.mturk import turk_settings
from tests.processes import Server
from tests.rows import rows

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

PANEL = {
    "name": "Fair Panel",
    "person": "PID",
    "session": "SID",
    "completed": "https://panel.example.org/done?cc=C7K2&s={session}",
    "screened_out": "SCREENED9",
    "full": "https://panel.example.org/full?p={person}",
}
MARKED = "RAWID5F3A9C7E"


def panel_study(raters: int = 2, items: int = 2, tasks: int = 1, **changes: Any) -> Any:
    """A study whose raters a panel sends, each for one task."""
    panel = PANEL | changes.pop("panel", {})
    own = {"platform": "panel", "panel": panel, "raters": raters, "caps": {"tasks": tasks}}
    return loaded(items=items, pool=own, pay={"fee_percent": 30}, **changes)


def come(study: Any, person: str, session: str, **more: str) -> Any:
    """The answer to somebody who comes from the panel."""
    return client_of().get(f"/p/{study.public_id}/own", {"PID": person, "SID": session, **more})


def work_off(address: str) -> str:
    """Agrees, does every task, and returns the last page."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit

    client, token = client_of(), address.rsplit("/", 1)[1]
    client.post(f"{address}/consent", {"agree": "yes"})
    while True:
        now = datetime.now(UTC)
        held = offer(get_visitor(token, now), now)
        if not hasattr(held, "token"):
            return str(client.get(address).content.decode())
        submit(held.token, {"0": {"useful": 2}}, datetime.now(UTC))


def test_somebody_comes_works_goes_back_and_comes_again():
    study = panel_study()
    first = come(study, MARKED, "s1")
    assert first.status_code == 303
    assert MARKED not in first["Location"]
    assert come(study, MARKED, "s1")["Location"] == first["Location"]
    page = work_off(first["Location"])
    assert "https://panel.example.org/done?cc=C7K2&amp;s=s1" in page
    # A second visit of the same person is the same rater, who did nothing in it: no second completion.
    again = come(study, MARKED, "s2")
    assert again["Location"] == first["Location"]
    page = str(client_of().get(again["Location"]).content.decode())
    assert "C7K2" not in page
    assert f"panel.example.org/full?p={MARKED}" in page
    assert rows("SELECT count(*)::int FROM rater") == [(1,)]


def test_the_code_of_completion_is_on_no_page_before_the_last_task():
    study = panel_study(items=3, tasks=2)
    where = come(study, "p1", "s1")["Location"]
    client = client_of()
    pages = [client.get(where).content.decode()]
    client.post(f"{where}/consent", {"agree": "yes"})
    pages += [client.get(where).content.decode(), client.get(f"{where}/stopped").content.decode()]
    assert not any("C7K2" in page for page in pages)
    assert "C7K2" in work_off(where)


def test_a_full_study_sends_people_back_and_takes_no_more_than_it_needs():
    study = panel_study(raters=3, items=9)
    at_once(8, lambda: [come(study, f"p{n}", f"s{n}") for n in range(8)])
    assert rows("SELECT count(*)::int FROM rater") == [(3,)]
    late = come(study, "p99", "s99")
    assert late.status_code == 200
    assert "https://panel.example.org/full?p=p99" in late.content.decode()


def test_two_tabs_of_one_person_are_one_rater():
    study = panel_study(raters=9)
    at_once(8, lambda: come(study, "p1", "s1"))
    assert rows("SELECT count(*)::int FROM rater") == [(1,)]
    assert rows("SELECT count(*)::int FROM arrival") == [(1,)]


def test_an_address_without_ids_or_with_a_wrong_signature_lets_nobody_in(monkeypatch: pytest.MonkeyPatch):
    signature = {"parameter": "sig", "over": ["PID", "SID"], "secret": "FAIR"}
    study = panel_study(panel={"signature": signature})
    right = hmac.new(b"hush", b"p1|s1", hashlib.sha256).hexdigest()
    assert come(study, "p1", "s1", sig=right).status_code == 400
    monkeypatch.setenv("LABELWRIGHT_PANEL_SECRET_FAIR", "hush")
    assert come(study, "p1", "s1", sig=right).status_code == 303
    for person, given in (("p2", right), ("p1", ""), ("", right), ("{{%PROLIFIC_PID%}}", right)):
        assert come(study, person, "s1", sig=given).status_code == 400
    assert client_of().get(f"/p/{study.public_id}/none").status_code == 404
    assert client_of().get("/p/zzz/own").status_code == 404


def test_the_pay_list_holds_ids_only_for_those_who_ask_and_may():
    from labelwright.server.paying.actions.runs import hand_out, release

    study = panel_study()
    work_off(come(study, MARKED, "s1")["Location"])
    run_jobs()
    now = datetime.now(UTC)
    (made,) = release(study, ME, now)
    # A task of 0.40 and a fee of 30%.
    assert (made.cents, made.run) == (52, 1)
    assert [line.id for line in hand_out(study, 1, ME, now)] == [""]
    assert [line.id for line in hand_out(study, 1, ME, now, with_ids=True)] == [MARKED]
    assert rows("SELECT count(*)::int FROM audit WHERE what = 'pay_ids'") == [(1,)]


def test_deleting_a_rater_deletes_the_ids():
    from labelwright.server.profiles.actions.deletion import delete_personal_data
    from labelwright.server.store.models import Rater

    study = panel_study()
    come(study, MARKED, "s1")
    delete_personal_data(study, Rater.objects.get(study=study), ME, datetime.now(UTC))
    assert rows("SELECT count(*)::int FROM arrival") == [(0,)]


@pytest.mark.parametrize("platform", ["panel", "mturk"])
def test_a_planted_id_is_in_no_table_page_export_or_log(server: Server, tmp_path: Path, platform: str):
    """The id is searched for in everything that is written; only whoever asks for the pay list with ids finds it."""
    from labelwright.server.paying.actions.runs import get_payments, hand_out, release
    from labelwright.server.paying.jobs import send_next
    from tests.commands import run as command

    own: dict[str, Any] = {"platform": "mturk", "raters": 2, "caps": {"tasks": 1}}
    study = panel_study() if platform == "panel" else loaded(items=2, pool=own)
    ids = f"PID={MARKED}&SID=s-{MARKED}"
    if platform == "mturk":
        # Without settings, workers come from the public site.
        ids = f"workerId=A{MARKED}&assignmentId=3{MARKED}&turkSubmitTo=https://www.mturk.com"
    preview = f"workerId=A{MARKED}&assignmentId=ASSIGNMENT_ID_NOT_AVAILABLE&hitId=3{MARKED}"
    visits: list[Callable[[], httpx.Response]] = [
        lambda: httpx.get(f"{server.root}/p/{study.public_id}/own?{ids}"),
        lambda: httpx.get(f"{server.root}/p/{study.public_id}/own?{ids[: ids.index('&')]}"),
        lambda: httpx.get(f"{server.root}/p/{study.public_id}/own?{preview}"),
        lambda: httpx.get(f"{server.root}/p/none/own?{ids}"),
        lambda: httpx.post(f"{server.root}/p/{study.public_id}/own?{ids}"),
    ]
    answers = [visit() for visit in visits]
    where = answers[0].headers["Location"]
    assert MARKED not in "".join(answer.text + str(answer.headers) for answer in answers)
    page = work_off(where)
    run_jobs()
    now = datetime.now(UTC)
    release(study, ME, now)
    shown = [str(get_payments(study))]
    if platform == "panel":
        shown.append(str(hand_out(study, 1, ME, now)))
    else:
        with EmulatorServer(MturkEmulator()) as there:
            # It knows no such assignment, and says so with the id.
            to = PLATFORMS["mturk"].connect(turk_settings(there.address))
            assert send_next(now, lambda _: to) == 1
    client = client_of(ME)
    parts = ("", "/money", "/raters", "/audit", "/payments.csv")
    shown += [client.get(f"/studies/{study.public_id}{part}").content.decode() for part in parts]
    out = tmp_path / "answers.csv"
    assert command("study", "export", "tiny", str(out)).exit_code == 0
    shown.append(out.read_text())
    shown.append(server.log.read_text())
    assert [MARKED in text for text in shown] == [False] * len(shown)
    # On the way back, the address of the panel itself holds its own id of the visit.
    assert page.count(MARKED) == 1
    for table, name in rows(
        """SELECT table_name, column_name FROM information_schema.columns JOIN information_schema.tables
             USING (table_schema, table_name) WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"""
    ):
        found = rows(f'SELECT count(*)::int FROM "{table}" WHERE "{name}"::text LIKE %s', [f"%{MARKED}%"])
        assert found == [(0,)], (table, name)
