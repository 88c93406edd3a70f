"""The requester's frame: titles, header, tables, status line and time zone; home, whose numbers are all stored."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.figures import compute_all
from tests.integration.test_requester import addresses, mine  # noqa: F401  a fixture
from tests.rows import rows
from tests.smtp import MailServer
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]
FILE = re.compile(r"\.csv$|/export/|/files/")


@pytest.fixture
def me(mine: Any) -> Any:
    """The owner of the study, logged in, without a server in between."""
    return logged_in()


def logged_in(email: str = "mine@example.org") -> Any:
    from django.test import Client

    from labelwright.server.access.actions.users import get_user

    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(get_user(email), "allauth.account.auth_backends.AuthenticationBackend")
    return client


def title(page: Any) -> str:
    found = re.search(r"<title>(.*?)</title>", page.content.decode(), re.DOTALL)
    assert found
    return found[1]


def test_every_page_of_a_study_has_a_title_of_its_own_and_one_header(me: Any, mine: Any):
    pages = {address: me.get(address) for address in addresses(mine) if not FILE.search(address)}
    framed = {a: page for a, page in pages.items() if b'class="desk-main"' in page.content}
    titles = [title(page) for page in framed.values()]
    assert len(titles) >= 14
    assert all(name.endswith(" · Tiny study") for name in titles), titles
    assert len(set(titles)) == len(titles)
    headers = [a for a, page in framed.items() if b"Switch study" in page.content]
    # The preview shows raters' pages and has a way back instead.
    assert [a for a in framed if a not in headers] == [f"/studies/{mine.public_id}/preview"]
    assert b'aria-label="Breadcrumb"' in framed[f"/studies/{mine.public_id}/preview"].content


def test_the_tabs_count_what_is_stored_and_a_verdict_lowers_the_count(me: Any, mine: Any):
    from labelwright.server.review.actions.verdicts import VerdictChoice, decide_as_reviewer
    from labelwright.server.store.models import Flag

    def counts() -> dict[str, int]:
        compute_all()
        page = me.get(f"/studies/{mine.public_id}").content.decode()
        return {name: int(n) for name, n in re.findall(r'>(\w+) <span class="n">(\d+)', page)}

    flagged = set(
        Flag.objects.filter(study=mine).exclude(then="nothing").values_list("assignment", flat=True)
    )
    before = counts()
    # 6 dialogues with one item each, 4 raters with links.
    assert before == {"Items": 6, "Review": len(flagged), "Raters": 4}
    decide_as_reviewer(mine.owner, mine.public_id, flagged.pop(), VerdictChoice.FINE, "", NOW)
    assert counts()["Review"] == before["Review"] - 1


def test_times_are_in_the_zone_of_the_browser_or_of_the_profile_and_charts_agree_with_their_tables(
    me: Any, mine: Any
):
    address = f"/studies/{mine.public_id}"

    def shown() -> tuple[str, str, str]:
        page = me.get(address).content.decode()
        chart = page.split('<script id="over-time"')[1].split("</script>")[0]
        drawn = re.search(r'"at": "([^"]+)"', chart)
        assert drawn
        table = page.split('id="table-over-time"')[1]
        listed = re.search(r"<time[^>]*>(.*?)</time>", table)
        zone = re.search(r"Times in ([\w/]+)", page)
        assert listed
        assert zone
        return drawn[1], listed[1], zone[1]

    first = datetime.fromisoformat(rows("SELECT min(submitted_at)::text FROM assignment")[0][0]).astimezone(
        UTC
    )
    for cookie, chosen, hours in (
        ("", "", 0),
        ("Europe/Rome", "", 1),
        ("Europe/Rome", "Asia/Tokyo", 9),
        ("No/where", "", 0),
    ):
        me.cookies["labelwright_zone"] = cookie
        me.post("/accounts/", {"do": "profile", "name": "Ada", "time_zone": chosen})
        drawn, table, zone = shown()
        local = first + timedelta(hours=hours)
        assert drawn == local.replace(tzinfo=UTC).isoformat(), zone
        assert table == f"{local.day} {local:%b %H:%M}"
        assert zone == (chosen or {"Europe/Rome": cookie}.get(cookie, "UTC"))


def test_an_action_says_what_it_did_once_and_can_be_undone(me: Any, mine: Any):
    from labelwright.server.store.models import Member, Rater

    rater = Rater.objects.filter(study=mine).first()
    page = f"/studies/{mine.public_id}/raters/{rater.pseudonym}"
    done = me.post(page, {"do": "state", "pool": "own", "state": "paused"}, follow=True).content.decode()
    assert f"{rater.pseudonym} is paused in “own”." in done
    assert Member.objects.get(rater=rater).state == "paused"
    assert "is paused in" not in me.get(page).content.decode()
    form = re.search(r"data-status.*?</form>", done, re.DOTALL)[0]  # type: ignore[index]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
    assert fields["state"] == "active"
    me.post(page, {k: v for k, v in fields.items() if k != "csrfmiddlewaretoken"})
    assert Member.objects.get(rater=rater).state == "active"


def test_a_table_reads_its_address_and_never_counts_beyond_its_bound(database: str):
    from django.http import QueryDict

    from labelwright.server.web.desk.tables import (
        MOST_PAGES,
        FilterOption,
        Table,
        TableColumn,
        TableFilter,
        Total,
        bounded_total,
    )  # fmt: skip

    table = Table(
        "t", "row", "rows",
        (TableColumn("name", "Name", sort="n"), TableColumn("size", "Size", sort="m", descending=True)),
        default="name", search="Find", filters=(TableFilter("state", "State"),), on_a_page=2,
    )  # fmt: skip
    options = {"state": [FilterOption("on", "On")]}
    wanted = table.read(QueryDict("q=50%25_a&state=off&sort=password&page=99999999"), options)
    # Unknown values count as absent, and what the search means to LIKE is taken literally.
    assert (wanted.chosen, wanted.sort, wanted.page, wanted.pattern) == ({}, "name", MOST_PAGES, r"%50\%\_a%")
    wanted = table.read(QueryDict("state=on&sort=-size&page=2"), options)
    assert wanted.order_by == "ORDER BY m DESC NULLS LAST, id DESC LIMIT 3 OFFSET 2"
    shown = wanted.shown([1, 2, 3], Total(300))
    assert (shown.rows, shown.range, shown.has_next) == ([1, 2], "3 to 4 of 300", True)
    assert shown.later == "?state=on&sort=-size&page=3"
    assert shown.heads[1] == {
        "of": table.columns[1],
        "href": "?state=on&sort=size",
        "direction": "descending",
    }
    assert str(bounded_total("FROM generate_series(1, 5)", [], 10)) == "5"
    assert str(bounded_total("FROM generate_series(1, 5000000)", [], 1000)) == "more than 1,000"
    # The database stopped reading: a full count of five million rows would have read them all.
    plan = rows(
        "EXPLAIN (ANALYZE, FORMAT JSON) SELECT count(*) FROM (SELECT 1 FROM pg_class LIMIT 3) counted"
    )
    assert '"Actual Rows": 3' in json.dumps(plan[0][0])


# -- home ----------------------------------------------------------------------


@pytest.fixture
def many(mine: Any) -> Any:
    """Twelve studies of mine."""
    from labelwright.server.studies.actions.loading import load_study

    for n in range(11):
        text = study_text(name=f"study-{n}", title=f"Study {n}")
        load_study(parse(text), text, dialogues(1), NOW, mine.owner)
    compute_all()
    return mine


READS_WORK = re.compile(
    r"\b(FROM|JOIN) (\"?)(answer|assignment|place|flag|message|item_tally|draft|counted_answer)\b"
)


def statements_of(client: Any, address: str) -> list[str]:
    """The statements that a page sends, those of hand-written SQL included."""
    import psycopg

    sent: list[str] = []
    original = psycopg.Cursor.execute

    def listening(self: Any, query: Any, *rest: Any, **more: Any) -> Any:
        sent.append(query.decode() if isinstance(query, bytes) else str(query))
        return original(self, query, *rest, **more)

    psycopg.Cursor.execute = listening  # type: ignore[method-assign]
    try:
        assert client.get(address).status_code == 200
    finally:
        psycopg.Cursor.execute = original  # type: ignore[method-assign]
    return sent


def test_home_reads_no_work_and_as_few_rows_for_twelve_studies_as_for_one(me: Any, many: Any):
    me.get("/studies")
    sent = statements_of(me, "/studies")
    # Session, user, groups, page, total, figures to refresh, needs; a constant, whatever the number of studies.
    assert len(sent) <= 12, sent
    assert [s for s in sent if READS_WORK.search(s)] == []
    page = me.get("/studies").content.decode()
    assert "1 to 12 of 12" in page
    assert '24 <span class="dim">of' in page


def test_home_is_searched_sorted_filtered_and_archived(me: Any, many: Any):
    from labelwright.server.store.models import StudyRow

    def names(address: str) -> list[str]:
        return re.findall(r'dir="auto">([^<]+)</a><span class="sm', me.get(address).content.decode())

    assert names("/studies?q=study+1") == ["Study 1", "Study 10"]
    assert names("/studies?sort=-progress")[0] == "Tiny study"
    StudyRow.objects.filter(name="study-3").update(state="closed")
    assert names("/studies?state=closed") == ["Study 3"]
    ids = dict(StudyRow.objects.values_list("name", "public_id"))
    picked = {"do": "archive", "pick": [ids["study-3"], ids["tiny"]]}
    # The consequence first; nothing has happened yet.
    asked = me.post("/studies", picked)
    assert "Archive 2 studies?" in asked.content.decode()
    # What would be forgotten is named: 24 ratings of $0.40 are owed.
    assert re.search(
        r"Tiny study: \$9\.60 is owed to raters, and \d+ flagged tasks are undecided\.",
        asked.content.decode(),
    )
    assert StudyRow.objects.get(name="study-3").state == "closed"
    done = me.post("/studies", picked | {"sure": "yes"}, follow=True).content.decode()
    assert "1 study archived. Not archived, because their state does not allow it: Tiny study." in done
    assert names("/studies?state=archived") == ["Study 3"]
    assert "Study 3" not in names("/studies")
    me.post("/studies", {"do": "restore", "pick": [ids["study-3"]], "sure": "yes"})
    assert "Study 3" in names("/studies")
    # Another's study is not there to be archived, nor named.
    other = logged_in("other@example.org")
    assert "does not exist" in other.post("/studies", picked | {"sure": "yes"}).content.decode()
    assert StudyRow.objects.get(name="study-3").state == "closed"


# -- accounts ------------------------------------------------------------------


def test_users_see_and_end_their_own_sessions_only(me: Any, mine: Any):
    from labelwright.server.access.actions.users import get_user
    from labelwright.server.store.models import LoginSession

    second, other = logged_in(), logged_in("other@example.org")
    for client in (me, second, other):
        client.get("/studies")
    page = me.get("/accounts/").content.decode()
    assert page.count("This browser") == 1
    (name,) = re.findall(r'name="session" value="(\w+)"', page)
    # The page never holds a key, which would let its reader in.
    keys = LoginSession.objects.values_list("session_key", flat=True)
    assert not any(key in page for key in keys)
    other.post("/accounts/", {"do": "end", "session": name})
    assert second.get("/studies").status_code == 200
    me.post("/accounts/", {"do": "end", "session": name})
    assert second.get("/studies").status_code == 302
    logged_in().get("/studies")
    me.post("/accounts/", {"do": "end-others"})
    assert LoginSession.objects.filter(user=get_user("mine@example.org")).count() == 1
    assert other.get("/studies").status_code == 200


def test_a_forgotten_password_is_replaced_by_mail_or_the_page_says_whom_to_ask(mine: Any):
    from django.test import Client, override_settings

    from labelwright.server.access.actions.users import get_user

    client = Client(headers={"host": "127.0.0.1"})
    assert "Forgot your password?" in client.get("/accounts/login/").content.decode()
    assert "labelwright user password EMAIL" in client.get("/accounts/password/reset/").content.decode()
    with MailServer() as post:
        mail = {
            "MAIL_IS_SENT": True, "EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": post.port,
            "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "DEFAULT_FROM_EMAIL": "us@example.org",
        }  # fmt: skip
        with override_settings(**mail):
            for email in ("mine@example.org", "nobody@example.org"):
                done = client.post("/accounts/password/reset/", {"email": email}, follow=True)
                # The same answer, whether or not there is such an account.
                assert "Check your mail" in done.content.decode()
            (sent,) = post.mails
            link = re.search(r"http://127\.0\.0\.1(/\S+)", sent.get_payload(decode=True).decode())
            assert link
            page = client.get(link[1], follow=True)
            new = {"password1": "another long password", "password2": "another long password"}
            assert (
                "Your password is changed"
                in client.post(page.request["PATH_INFO"], new, follow=True).content.decode()
            )
        with override_settings(**mail | {"EMAIL_PORT": 9}):
            failed = client.post("/accounts/password/reset/", {"email": "mine@example.org"})
            assert failed.status_code == 503
            assert "could not be sent" in failed.content.decode()
    assert get_user("mine@example.org").check_password("another long password")
