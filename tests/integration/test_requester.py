"""The requester's pages over HTTP: nobody sees another's study, and the numbers are those of the export."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import yaml

from tests.figures import compute_all
from tests.integration.test_roles import reported
from tests.processes import Server
from tests.routes import routes
from tests.studies import NOW, dialogues, parse, study_data, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]

PASSWORD = "a long password of a test"
ROUTES_OF_A_STUDY = (
    "study", "study-items", "study-item", "study-flagged", "study-batches", "study-completed-batches",
    "study-file", "study-versions", "study-export", "study-exports", "study-export-file", "study-preview",
    "preview-task", "preview-view", "study-raters", "study-rater", "study-qualification", "study-board",
    "study-messages", "study-stored-data", "study-state", "study-settings", "study-audit",
    "study-editor", "editor-file", "editor-corpus", "study-rehearsal", "study-review", "study-review-next",
    "study-review-groups", "study-review-group", "study-reviewers", "study-discussion",
    "study-report", "study-report-page", "study-report-file", "study-themes", "study-release", "study-release-file",
    "study-personal-data", "study-data-sheet", "study-money", "study-payments", "study-judge",
    "study-publication", "study-reconciliation",
)  # fmt: skip


@pytest.fixture
def mine(database: str) -> Any:
    """A study of mine with some answers, and another user."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user("mine@example.org", PASSWORD)
    add_user("other@example.org", PASSWORD)
    text = study_text(items={"per_dialogue": 1})
    loaded = load_study(parse(text), text, dialogues(6), NOW, owner, opened=True)
    for number, link in enumerate(make_links(loaded.study, Pool.objects.get(), 4, 60, NOW)):
        visitor = get_visitor(link.token, NOW)
        for task in range(6):
            answers = {"0": {"useful": 1 + (number * task) % 3}}
            submit(offer(visitor, NOW).token, answers, NOW + timedelta(seconds=10 * (number + 1)))
    while flag_block(NOW):
        pass
    compute_all()
    return loaded.study


def login(server: Server, email: str, password: str = PASSWORD) -> httpx.Client:
    client = httpx.Client(base_url=server.root, follow_redirects=True, timeout=20)
    page = client.get("/accounts/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert token
    client.post(
        "/accounts/login/",
        data={"login": email, "password": password, "csrfmiddlewaretoken": token[1]},
        headers={"Referer": f"{server.root}/accounts/login/"},
    )
    return client


@pytest.fixture
def me(server: Server, mine: Any) -> Iterator[httpx.Client]:
    with closing(login(server, "mine@example.org")) as client:
        yield client


@pytest.fixture
def other(server: Server, mine: Any) -> Iterator[httpx.Client]:
    with closing(login(server, "other@example.org")) as client:
        yield client


def addresses(study: Any) -> list[str]:
    """Every route that names a study, filled in; a new route that this does not know fails the test."""
    from django.urls import reverse

    from labelwright.release import Format
    from labelwright.server.editor.actions.corpus import keep_file
    from labelwright.server.results.actions.export_files import request_export, write_export
    from labelwright.server.store.models import ItemRow, Rater, ReviewGroup

    keep_file(study, "dialogues.jsonl", b"{}", "me", NOW)
    file = request_export(study, Format.CSV, "me", NOW)
    write_export(file.pk, NOW)
    named = [route.name for route in routes() if "public_id" in str(route.pattern)]
    assert sorted(named) == sorted(ROUTES_OF_A_STUDY)
    item = ItemRow.objects.filter(study=study).first()
    extra: dict[str | None, dict[str, Any]] = {
        "study-item": {"item_id": item.pk},
        "study-export": {"form": "csv"},
        "study-export-file": {"number": file.pk},
        "study-release-file": {"number": file.pk},
        "study-report-file": {"part": reported(study)},
        "study-rater": {"pseudonym": Rater.objects.filter(study=study).first().pseudonym},
        "study-qualification": {"pool": "own"},
        "study-board": {"pool": "own"},
        "study-review-group": {"group": ReviewGroup.objects.filter(study=study).first().pk},
        "preview-task": {"place": 0, "number": 0},
        "preview-view": {"name": "start"},
        "editor-corpus": {"file_name": "dialogues.jsonl"},
    }
    return [reverse(name, kwargs={"public_id": study.public_id, **extra.get(name, {})}) for name in named]


def test_another_user_sees_and_changes_nothing(
    me: httpx.Client, other: httpx.Client, mine: Any, server: Server
):
    for address in addresses(mine):
        assert me.get(address).status_code == 200, address
        assert other.get(address).status_code == 404, address
        assert other.post(address).status_code in (403, 404, 405), address
        stranger = httpx.get(server.root + address)
        assert stranger.status_code == 302, address
        assert stranger.headers["location"].startswith("/accounts/login/")
    assert "Tiny study" in me.get("/studies").text
    assert "Tiny study" not in other.get("/studies").text


def test_a_preview_is_the_page_that_a_rater_gets(me: httpx.Client, mine: Any, server: Server):
    """Byte for byte, but for the frame around it and the values of the visit."""
    from labelwright.outside.rater_browser import read_page
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.store.models import Assignment, Pool, Task

    address = make_links(mine, Pool.objects.get(), 5, 60, datetime.now(UTC))[-1].address
    link = f"{server.root}/w/{address.rsplit('/', 1)[1]}"
    httpx.post(f"{link}/consent", data={"agree": "yes"})
    page = httpx.get(link).text
    assert read_page(page).task
    task = Task.objects.get(pk=Assignment.objects.get(state="open").task_id)
    conditions = ["SECRET0", "SECRET3"]
    numbers = list(
        Task.objects.filter(study=mine, condition=conditions[0], place__ordinal=0)
        .order_by("place__rank", "id")
        .values_list("taskitem__item_id", flat=True)
    )
    number = numbers.index(task.taskitem_set.get().item_id)
    place = conditions.index(task.condition)
    shown = me.get(f"/studies/{mine.public_id}/preview/{place}/{number}").text

    def reading(text: str) -> str:
        return text[text.index('<main class="panes">') : text.index("</main>")]

    assert reading(page) == reading(shown)
    # Every task is reached, by its number or one after the other.
    last = me.get(f"/studies/{mine.public_id}/preview?number=6").text
    assert 'max="6" value="6"' in last
    assert f"/studies/{mine.public_id}/preview/0/5" in last
    assert f'href="/studies/{mine.public_id}/preview?size=phone&amp;task=4">Previous' in last
    assert ">Next<" not in last
    assert me.get(f"/studies/{mine.public_id}/preview?number=0").status_code == 404
    assert me.get(f"/studies/{mine.public_id}/preview/9/0").status_code == 404
    assert me.get(f"/studies/{mine.public_id}/preview/0/99").status_code == 404
    assert me.get(f"/studies/{mine.public_id}/preview/nothing").status_code == 404


def test_the_numbers_on_the_page_are_those_of_the_export(me: httpx.Client, mine: Any):
    root = f"/studies/{mine.public_id}"
    rows = [json.loads(line) for line in me.get(f"{root}/export/jsonl").text.splitlines()]
    judged = [row for row in rows if row["question"] == "useful"]
    page = me.get(root).text
    stored = re.search(r'data-figure="stored">([\d,]+)<', page)
    assert stored
    assert int(stored[1]) == len(judged) == 24
    table = page[page.index('id="table-labels-useful"') :]
    table = table[: table.index("</table>")]
    for condition in ("SECRET0", "SECRET3"):
        cells = re.search(rf'<th scope="row">{condition}</th>(.*?)</tr>', table, re.DOTALL)
        assert cells
        shown = [int(n) for n in re.findall(r"<a [^>]*>(\d+)</a>", cells[1])]
        assert shown == [
            sum(row["condition"] == condition and row["label"] == code for row in judged)
            for code in (1, 2, 3)
        ]
    flagged = {row["rater"] for row in rows if row["flags"]}
    # The first rater took 10 s and the rule asks for 15.
    assert len(flagged) == 1
    assert f"{sum(bool(row['flags']) for row in judged)} tasks to review" in page


def test_agreement_on_the_page_is_that_of_the_library_on_the_export(me: httpx.Client, mine: Any):
    from labelwright.agreement import Counts, Ratings, measure_ratings

    root = f"/studies/{mine.public_id}"
    rows = [json.loads(line) for line in me.get(f"{root}/export/jsonl").text.splitlines()]
    rows = [row for row in rows if row["condition"] == "SECRET0" and row["question"] == "useful"]
    ratings = Ratings.of([row["item"] for row in rows], [row["label"] for row in rows], codes=(1, 2, 3))
    expected = measure_ratings(Counts.of_ratings(ratings), ["alpha_ordinal", "percentage"])
    page = me.get(root).text
    table = page[page.index('id="table-agreement-useful"') :]
    cells = re.search(r'<th scope="row">SECRET0</th><td>([^<]+)</td><td>([^<]+)</td>', table)
    assert cells
    assert (cells[1], cells[2]) == (expected["alpha_ordinal"].text, expected["percentage"].text)


def test_a_verdict_on_flagged_work_leaves_its_data_out_and_opens_its_place(
    me: httpx.Client, mine: Any, server: Server
):
    from labelwright.server.store.models import Assignment, Flag, Verdict

    where = f"/studies/{mine.public_id}/flagged"
    page = me.get(where).text
    assert "10 s; expected at least 15 s" in page
    assert "Proposed" not in page
    Flag.objects.update(then="propose")
    page = me.get(where).text
    assert "Proposed: exclude data" in page
    assert 'value="The task was submitted faster than it can be read."' in page
    work = re.search(r'name="work" value="([0-9]+)"', page)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
    assert work
    assert token
    form = {"csrfmiddlewaretoken": token[1], "work": work[1], "choice": "leave_out", "reason": "  "}
    assert "has no reason" in me.post(where, data=form).text
    assert me.post(where, data=form | {"choice": "burn"}).status_code == 400
    assert "Data excluded" in me.post(where, data=form | {"reason": "Far too fast."}).text
    row = Assignment.objects.select_related("place").get(pk=work[1])
    assert (row.data_use, row.paid_state, row.place.state) == ("left_out", "owed", "open")
    assert Verdict.objects.get().author == "mine@example.org"
    with closing(login(server, "other@example.org")) as other:
        mine_as_other = {**form, "csrfmiddlewaretoken": other.cookies["csrftoken"], "reason": "x"}
        assert other.post(where, data=mine_as_other).status_code == 404
    assert Verdict.objects.count() == 1


def test_the_items_behind_a_number_are_listed(me: httpx.Client, mine: Any):
    root = f"/studies/{mine.public_id}/items"
    for query, fits in (
        ("", 12),
        ("?condition=SECRET0", 6),
        # As everywhere, a value that no filter offers filters nothing.
        ("?condition=nothing", 12),
        ("?question=useful&code=1", None),
        ("?question=useful&label=1", None),
        # The work of the first rater is too fast, and they judged each of the six items once.
        ("?show=flagged", 6),
        ("?show=open", None),
        ("?q=d3", 2),
        ("?q=nothing+like+this", 0),
    ):
        page = me.get(root + query)
        assert page.status_code == 200
        if fits is not None:
            assert page.text.count("</tr>") - (1 if fits else 0) == fits, query
    for garbage in (
        "?page=-1",
        "?page=99999999999",
        "?code=abc",
        "?code=--5",
        "?code=9999999999999",
        "?page=",
    ):
        assert me.get(root + garbage).status_code == 200, garbage
    assert me.get(f"{root}/999999999").status_code == 404
    assert me.get(f"{root}?condition=%00").status_code == 400
    assert me.get("/studies/%00").status_code == 400
    assert me.get(f"/studies/{mine.public_id}/export/exe").status_code == 404


def test_a_wrong_password_is_refused_and_many_are_locked_out(server: Server, mine: Any):
    from labelwright.server.access.actions.users import add_user

    # A user of this test's own: the server remembers who failed too often.
    add_user("guessed@example.org", PASSWORD)
    for _ in range(12):
        with closing(login(server, "guessed@example.org", "wrong")) as client:
            assert client.get("/studies").url.path == "/accounts/login/"
    with closing(login(server, "guessed@example.org")) as client:
        assert client.get("/studies").url.path == "/accounts/login/"
    # Only the one who was guessed at; a colleague at the same address gets in.
    with closing(login(server, "mine@example.org")) as client:
        assert client.get("/studies").url.path == "/studies"


def test_nobody_signs_up_and_a_form_from_elsewhere_is_refused(server: Server, mine: Any):
    signup = httpx.post(
        f"{server.root}/accounts/signup/", data={"email": "x@example.org", "password1": PASSWORD}
    )
    assert signup.status_code in (403, 404)
    for closed in ("signup", "email"):
        assert httpx.get(f"{server.root}/accounts/{closed}/").status_code == 404
    with closing(login(server, "mine@example.org")) as client:
        forged = client.post("/accounts/logout/", headers={"Origin": "https://evil.example"})
        assert forged.status_code == 403
        assert client.get("/studies").url.path == "/studies"
        assert "frame-ancestors 'none'" in client.get("/studies").headers["content-security-policy"]


def test_a_second_factor_can_be_switched_on(me: httpx.Client):
    page = me.get("/accounts/2fa/totp/activate/", headers={"Referer": str(me.base_url)})
    # Allauth asks for the password once more before it shows the secret.
    assert page.status_code == 200
    assert "reauthenticate" in str(page.url) or "Authenticator" in page.text


def test_a_new_version_changes_nothing_of_what_is_owed(me: httpx.Client, mine: Any):
    from labelwright.server.studies.actions.loading import load_study

    before = me.get(f"/studies/{mine.public_id}").text
    # 24 submissions at 40 cents.
    assert "$9.60" in before
    pools = {"own": {"platform": "link", "raters": 4, "pay": {"cents": 5, "currency": "EUR"}}}
    text = study_text(items={"per_dialogue": 1}, pools=pools)
    load_study(parse(text), text, dialogues(6), NOW, opened=True)
    compute_all()
    after = me.get(f"/studies/{mine.public_id}").text
    assert "$9.60" in after


def test_another_user_cannot_load_a_version_of_my_study(mine: Any):
    from labelwright.server.access.actions.users import get_user
    from labelwright.server.studies.actions.loading import NotYours, load_study

    text = study_text(title="Taken over")
    with pytest.raises(NotYours):
        load_study(parse(text), text, dialogues(2), NOW, get_user("other@example.org"))
    assert mine.versions.count() == 1


def test_submissions_are_counted_also_where_no_question_is_required(database: str, server: Server):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.access.actions.users import add_user
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.results.actions.overview import measure_overview
    from labelwright.server.store.models import Pool
    from labelwright.server.studies.actions.loading import load_study

    owner, _ = add_user("mine@example.org", PASSWORD)
    data = study_data()
    data["designs"]["reply"]["questions"][0]["required"] = False
    text = yaml.safe_dump(data)
    loaded = load_study(parse(text), text, dialogues(2), NOW, owner, opened=True)
    link, *_ = make_links(loaded.study, Pool.objects.get(), 1, 60, NOW)
    submit(offer(get_visitor(link.token, NOW), NOW).token, {}, NOW + timedelta(seconds=20))
    flag_block(NOW)
    assert measure_overview(loaded.study).stored == 1
