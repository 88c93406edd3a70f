"""Messages: threads, boards, questions at an item, mails, and what the rater's own page shows of it all."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from tests.desk import anyones_reviewer
from tests.integration.test_qualification import answers_with_mistakes, links_of, load, qualifying, work
from tests.integration.test_requester import login
from tests.processes import Server
from tests.smtp import MailServer
from tests.studies import NOW

pytestmark = [pytest.mark.postgres, pytest.mark.once]

HOSTILE = '<script>alert(1)</script> "quoted" {{ 7 }} =1+1'


@pytest.fixture
def study(database: str) -> Any:
    return load().study


def visitor_of(token: str) -> Any:
    from labelwright.server.access.actions.links import get_visitor

    return get_visitor(token, NOW)


def rater_of(token: str) -> Any:
    from labelwright.server.store.models import Rater

    return Rater.objects.get(pk=visitor_of(token).rater)


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.root, timeout=20, follow_redirects=True) as client:
        yield client


def test_an_answer_to_a_question_is_shown_to_all_who_meet_the_item_and_marks_it(
    study: Any, server: Server, http: httpx.Client
):
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.people.actions.inbox import get_inbox
    from labelwright.server.people.actions.messages import PublicQuestion, write_to_rater
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.store.models import Message, TaskItem

    (asker, one), (_, two) = links_of(study, "own", 2)
    for token in (one, two):
        http.post(f"/w/{token}/consent", data={"agree": "yes"})
    held = offer(visitor_of(one), NOW)
    item = TaskItem.objects.get(task__assignment=held.assignment).item
    http.post(f"/w/{one}/messages", data={"text": f"I, Ada Quince, ask: {HOSTILE}", "about": "0"})
    question = Message.objects.get()
    assert question.kind == "question"
    (waiting,) = get_inbox(study).unanswered
    assert (waiting.pseudonym, waiting.key) == (asker, item.key)
    with closing(login(server, "mine@example.org")) as requester:
        page = requester.get(f"/studies/{study.public_id}/messages").text
        assert asker in page
        assert HOSTILE not in page
        assert "&lt;script&gt;" in page
    write_to_rater(
        study,
        "me",
        rater_of(one),
        f"Yes. {HOSTILE}",
        NOW,
        question=question.pk,
        shown=PublicQuestion("Does it count?"),
    )
    assert get_inbox(study).unanswered == []
    submit(held.token, {"0": {"useful": 1}}, NOW)

    met = False
    for _ in range(6):
        page = http.get(f"/w/{two}").text
        visit = re.search(r'"visit": "([^"]+)"', page)
        assert visit
        if "Does it count?" in page:
            met = True
            assert "&lt;script&gt;alert(1)" in page
            assert "<script>alert" not in page
            assert asker not in page
            assert "Quince" not in page
        http.post(
            "/t/submit", json={"answers": {"0": {"useful": 2}}}, headers={"X-Labelwright-Visit": visit[1]}
        )
    assert met
    discussed = {row["item"] for row in get_answers(study) if row["discussed"]}
    assert discussed == {item.key}
    assert {row["discussed_at"] for row in get_answers(study)} == {None, NOW.isoformat()}


def test_feedback_shows_own_answers_beside_the_others_and_never_who_they_are(study: Any, http: httpx.Client):
    from labelwright.server.people.actions.messages import BadMessage, give_feedback
    from labelwright.server.store.models import Assignment, ItemRow

    links = links_of(study, "own", 3)
    for n, (_, token) in enumerate(links):
        work(token, lambda key, n=n: 1 + n)
    assignment = Assignment.objects.filter(rater=rater_of(links[0][1])).earliest("id")
    mates = Assignment.objects.filter(task=assignment.task).exclude(pk=assignment.pk)
    give_feedback(study, "me", rater_of(links[0][1]), [assignment.pk], "Look again.", NOW)
    page = http.get(f"/w/{links[0][1]}/me").text
    assert "Look again." in page
    assert re.search(r'dir="auto">Not useful</(b|span)>', page)
    for mate in mates:
        assert mate.rater.pseudonym not in page
    assert ("Others:" in page) == mates.exists()
    assert "SECRET" not in page
    assert ItemRow.objects.filter(discussed_at=NOW).count() == 1
    # Somebody else's work cannot be told to this rater.
    with pytest.raises(BadMessage):
        give_feedback(study, "me", rater_of(links[1][1]), [assignment.pk], "Look again.", NOW)


def test_a_rater_writes_within_limits_and_reads_only_what_is_theirs(study: Any, http: httpx.Client):
    from labelwright.server.people.actions.messages import BadMessage, write_to_pool, write_to_rater
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.models import Message

    (_, one), (_, two) = links_of(study, "own", 2)
    write_to_rater(study, "me", rater_of(one), "For one alone.", NOW)
    write_to_pool(study, "me", get_pool(study, "own"), f"For all. {HOSTILE}", NOW, ["d1#4"])
    with pytest.raises(BadMessage, match="d9#9"):
        write_to_pool(study, "me", get_pool(study, "own"), "For all.", NOW, ["d9#9"])
    mine, theirs = http.get(f"/w/{one}/me"), http.get(f"/w/{two}/me")
    assert "For one alone." in mine.text
    assert "For one alone." not in theirs.text
    for page in (mine, theirs):
        assert "For all. &lt;script&gt;" in page.text
        assert "d1#4" not in page.text
        assert "set-cookie" not in page.headers
        assert page.headers["cache-control"] == "no-store"
        assert page.headers["referrer-policy"] == "no-referrer"
    assert Message.objects.get(text="For one alone.").read_at is not None

    for refused in ("", " \n ", "\x00\x07", "x" * 1001):
        page = http.post(f"/w/{two}/messages", data={"text": refused})
        assert page.status_code == 400, refused
        assert 'role="alert"' in page.text
    for n in range(5):
        assert (
            http.post(
                f"/w/{two}/messages", data={"text": f"message {n} \u202e\x07", "about": "77"}
            ).status_code
            == 200
        )
    sixth = http.post(f"/w/{two}/messages", data={"text": "kept in the form"})
    assert sixth.status_code == 400
    assert "kept in the form" in sixth.text
    assert Message.objects.filter(author="").count() == 5
    assert http.post("/w/v1.x.y.z/messages", data={"text": "hello"}).status_code == 410


def test_mail_goes_to_who_gave_an_address_and_a_refused_one_is_told(database: str, settings_of_mail: Any):
    from labelwright.server.people.actions.addresses import change_address
    from labelwright.server.people.actions.inbox import get_inbox
    from labelwright.server.people.actions.joining import invite
    from labelwright.server.people.actions.messages import write_to_pool, write_to_rater
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.jobs import send_mails
    from labelwright.server.store.models import Mail
    from labelwright.server.store.queue import app
    from tests.rows import rows

    study = load(title="A study\nBcc: everybody@example.org").study
    invited = invite(study, get_pool(study, "own"), "me", NOW, "ada@example.org")
    (_, silent), (_, gone) = links_of(study, "own", 3)[1:]
    change_address(visitor_of(gone), "refused@example.org", NOW)
    write_to_pool(study, "me", get_pool(study, "own"), "To everybody.", NOW)
    write_to_rater(study, "me", rater_of(silent), "No mail for this.", NOW)
    # One job waits, however many mails there are.
    assert rows("SELECT count(*) FROM procrastinate_jobs WHERE task_name = 'send_mails'")[0][0] == 1
    assert app.tasks["send_mails"] is send_mails
    with MailServer(refused="refused@example.org") as server:
        settings_of_mail.EMAIL_PORT = server.port
        send_mails()
        send_mails()
    assert [mail["To"] for mail in server.mails] == ["ada@example.org", "ada@example.org"]
    invitation, message = (mail.get_payload(decode=True).decode() for mail in server.mails)
    assert invited.address in invitation
    assert "To everybody." in message
    assert f"{invited.address}/me" in message
    assert server.mails[0]["Subject"] == "Invitation: A study Bcc: everybody@example.org"
    assert server.mails[0]["Bcc"] is None
    assert sorted(Mail.objects.values_list("state", flat=True)) == ["failed", "sent", "sent"]
    assert get_inbox(study).failed_mails == 1


def test_an_address_that_no_mail_can_carry_is_refused_and_holds_nobody_up(
    database: str, settings_of_mail: Any, caplog: pytest.LogCaptureFixture
):
    from labelwright.server.people.actions.addresses import BadAddress, change_address, check_address
    from labelwright.server.people.actions.messages import write_to_pool
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.jobs import send_mails
    from labelwright.server.store.models import Mail, Person
    from labelwright.server.store.secrets import seal

    for hostile in (
        "a@\uffff.org",
        "a@" + "ü" * 60 + ".org",
        '"a\x01b"@example.org',
        "a@example.org\r\nBcc: all@example.org",
        "a@example.org, b@example.org",
        "a\x00@example.org",
        "x" * 250 + "@example.org",
    ):
        with pytest.raises(BadAddress):
            check_address(hostile)
    assert check_address("Ada@Bücher.example") == "ada@bücher.example"
    study = load().study
    for (_, token), address in zip(
        links_of(study, "own", 2), ("first@example.org", "b@example.org"), strict=True
    ):
        change_address(visitor_of(token), address, NOW)
    # One that an older release let in.
    Person.objects.filter(rater=rater_of(links_of(study, "own", 2)[0][1])).update(
        id_sealed=seal("a@\uffff.org")
    )
    write_to_pool(study, "me", get_pool(study, "own"), "To everybody.", NOW)
    with MailServer(refused="") as server:
        settings_of_mail.EMAIL_PORT = server.port
        send_mails()
    assert [mail["To"] for mail in server.mails] == ["b@example.org"]
    assert list(Mail.objects.order_by("id").values_list("state", flat=True)) == ["failed", "sent"]
    assert "\uffff" not in caplog.text


@pytest.fixture
def settings_of_mail(database: str) -> Iterator[Any]:
    from django.conf import settings

    names = ("MAIL_IS_SENT", "EMAIL_HOST", "EMAIL_PORT", "DEFAULT_FROM_EMAIL", "EMAIL_TIMEOUT")
    before = {name: getattr(settings, name) for name in names}
    settings.MAIL_IS_SENT, settings.EMAIL_HOST = True, "127.0.0.1"
    settings.DEFAULT_FROM_EMAIL, settings.EMAIL_TIMEOUT = "study@example.org", 5
    yield settings
    for name, value in before.items():
        setattr(settings, name, value)


def test_the_own_page_tells_work_earnings_and_the_result_of_the_qualification(
    database: str, http: httpx.Client
):
    from labelwright.server.people.actions.qualification import let_rule_decide
    from labelwright.server.review.actions.verdicts import decide
    from labelwright.server.store.models import Assignment

    study = load(**qualifying(rule={"at_least": 0.9})).study
    (_, good), (_, bad) = links_of(study, "applicants", 2)
    for token, mistakes in ((good, 1), (bad, 4)):
        assert "Go to the next task" in http.get(f"/w/{token}/me").text
        begun = http.post(f"/w/{token}/consent", data={"agree": "yes"})
        assert begun.status_code == 200
        assert "Judge the marked reply." in begun.text
        assert "Continue where you left off" in http.get(f"/w/{token}/me").text
        work(token, answers_with_mistakes(mistakes))
        page = http.get(f"/w/{token}/me").text
        # Nothing of the reference before it is decided.
        assert "reason-0" not in page
        assert "$2.50" in page
    let_rule_decide(study, "applicants", "me", datetime.now(UTC))
    one = Assignment.objects.filter(rater=rater_of(bad)).latest("id").pk
    decide(
        one,
        pay=False,
        data_use=None,
        reason="Nothing was read.",
        author=anyones_reviewer(),
        now=datetime.now(UTC),
    )
    assert re.search(
        r"Not accepted</span> <span dir=\"auto\">Nothing was read\.", http.get(f"/w/{bad}/me").text
    )
    chosen, refused = http.get(f"/w/{good}/me").text, http.get(f"/w/{bad}/me").text
    assert "Qualified" in chosen
    assert "9 of 10" in chosen
    assert "Not selected this time" in refused
    assert "reason-3" in refused
    onward = re.findall(r'class="btn" href="(/w/[^"]+)"', chosen)
    assert len(onward) == 1
    assert "1</b> of 6" in http.get(onward[0]).text
    assert re.findall(r'class="btn" href="(/w/[^"]+)"', refused) == []


def test_the_data_are_deleted_only_when_the_rater_is_sure(study: Any, http: httpx.Client):
    from labelwright.server.store.models import Audit

    ((_, token),) = links_of(study, "own", 1)
    assert http.post(f"/w/{token}/address", data={"address": "no address"}).status_code == 400
    assert "ada@example.org" in http.post(f"/w/{token}/address", data={"address": "Ada@example.org"}).text
    refused = [http.post(f"/w/{token}/address", data={"address": f"a{n}@example.org"}) for n in range(12)][-1]
    assert refused.status_code == 400
    assert "many times today. You can remove it now" in refused.text
    http.post(f"/w/{token}/forget", data={})
    assert http.get(f"/w/{token}/me").status_code == 200
    assert "deleted" in http.post(f"/w/{token}/forget", data={"sure": "yes"}).text
    assert http.get(f"/w/{token}/me").status_code == 410
    assert Audit.objects.get(what="forget").who == "rater"


def test_an_open_link_leads_to_a_personal_one(study: Any, server: Server, http: httpx.Client):
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.people.actions.joining import make_open_link
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.models import Member

    link = make_open_link(study, get_pool(study, "own"), "me", 1, 14, datetime.now(UTC))
    path = "/j/" + open_address(study, link).rsplit("/", 1)[1]
    assert "Before you start" in http.get(path).text
    assert http.post(path, data={}).status_code == 200
    assert Member.objects.count() == 0
    joined = http.post(path, data={"agree": "yes"})
    assert joined.url.path.startswith("/w/")
    assert "Judge one reply" in joined.text
    assert "set-cookie" not in joined.headers
    assert "Thank you for your interest" in http.get(path).text
    assert "Thank you for your interest" in http.post(path, data={"agree": "yes"}).text
    assert Member.objects.count() == 1
    assert http.get(path[:-2] + "zz").status_code == 410


def test_who_joins_again_and_again_is_told(study: Any, http: httpx.Client):
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.people.actions.join_limit import MOST_JOINS
    from labelwright.server.people.actions.joining import make_open_link
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.models import Member

    link = make_open_link(study, get_pool(study, "own"), "me", 100, 14, datetime.now(UTC))
    path = "/j/" + open_address(study, link).rsplit("/", 1)[1]
    sent = [
        http.post(path, data={"agree": "yes"}, follow_redirects=False).status_code for _ in range(MOST_JOINS)
    ]
    assert set(sent) == {303}
    refused = http.post(path, data={"agree": "yes"})
    assert refused.status_code == 429
    assert (
        "too many people have joined from your network in the last hour. Try again in an hour."
        in refused.text
    )
    assert Member.objects.count() == MOST_JOINS


def test_the_forms_of_the_desk_do_what_they_say(study: Any, server: Server):
    from labelwright.server.store.models import Member, Message, Note, OpenLink, Rater

    root = f"/studies/{study.public_id}"
    with closing(login(server, "mine@example.org")) as me:

        def send(path: str, **form: Any) -> httpx.Response:
            token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', me.get(path).text)
            assert token
            data = form | {"csrfmiddlewaretoken": token[1]}
            return me.post(path, data=data, headers={"Referer": server.root + path})

        page = send(f"{root}/raters", do="invite", pool="own", email="")
        rater = Rater.objects.get()
        assert page.url.path == f"{root}/raters/{rater.pseudonym}"
        one = page.url.path
        # The link is not folded away, and the page says that no mail takes it to them.
        assert re.search(r'<p class="mono small link" id="link-own">http[^<]+/w/', page.text)
        assert 'data-copy="link-own"' in page.text
        assert "Send them the personal link below." in page.text
        other = send(f"{root}/raters", do="invite", pool="own", email="other@example.org")
        assert "Nothing was mailed, because this server sends no mail." in other.text
        Member.objects.filter(rater__pseudonym=other.url.path.rpartition("/")[2]).delete()
        Rater.objects.filter(pseudonym=other.url.path.rpartition("/")[2]).delete()
        # Everything that can be written to raters is on the page of messages.
        assert f'action="{root}/pools/own/board"' in me.get(f"{root}/messages").text
        assert f'href="{root}/messages#write">Message all' in me.get(f"{root}/raters").text
        assert send(f"{root}/raters", do="invite", pool="own", email="nonsense").status_code == 400
        assert send(f"{root}/raters", do="invite", pool="nowhere").status_code == 400
        send(f"{root}/raters", do="open", pool="own", most="5", days="3")
        send(f"{root}/raters", do="close", link=str(OpenLink.objects.get().pk))
        assert OpenLink.objects.get().closed_at is not None
        send(one, do="note", text=HOSTILE)
        assert "&lt;script&gt;" in me.get(one).text
        send(one, do="delete-note", note=str(Note.objects.get().pk))
        assert not Note.objects.exists()
        send(one, do="message", text="Hello.")
        assert Message.objects.get().author == "mine@example.org"
        assert send(one, do="feedback", text="Nothing ticked.").status_code == 400
        send(one, do="state", pool="own", state="paused", reason="asked for it")
        assert send(one, do="state", pool="own", state="nonsense").status_code == 400
        assert Member.objects.get().state == "paused"
        send(f"{root}/pools/own/board", do="write", text="To all", about="d1#4, d2#4")
        assert Message.objects.filter(pool__isnull=False).get().messageitem_set.count() == 2
        assert (
            send(f"{root}/pools/own/board", do="write", text="To all", about="nothing#1\x00").status_code
            == 400
        )
        assert send(one, do="unheard of").status_code == 400
        send(one, do="forget")
        assert Rater.objects.get().forgotten_at is None
        send(one, do="forget", sure="yes")
        assert Rater.objects.get().forgotten_at is not None
        assert me.get(f"{root}/raters/rnobody").status_code == 404
        assert me.get(f"{root}/pools/nothing/board").status_code == 404
        for hostile in (f"{root}/pools/%00/board", f"{root}/raters/%00", f"{root}/pools/%00/qualification"):
            assert me.get(hostile).status_code == 400, hostile
        assert me.get(f"{root}/raters?pool=%00&page=999999999999").status_code == 400


def test_a_mail_is_in_the_language_of_the_study(database: str, settings_of_mail: Any):
    from labelwright.server.people.actions.joining import invite
    from labelwright.server.people.actions.mail import plan_mail
    from labelwright.server.people.actions.pools import get_pool

    study = load(title="Uno studio {n}", language="it").study
    invited = invite(study, get_pool(study, "own"), "me", NOW, "ada@example.org")
    letter = plan_mail()
    assert letter is not None
    assert letter.subject == "Invito: Uno studio {n}"
    assert letter.text.startswith("Ti invitiamo a partecipare a uno studio.")
    assert invited.address in letter.text
