"""New studies and the editor: creating, saving, checking, publishing; two people at once; hostile input."""

from __future__ import annotations

import json
import re
import threading
from typing import Any

import pytest

from labelwright.crowd import StudyState
from labelwright.study.templates import template, template_names
from tests.desk import client_of, get, post
from tests.rows import rows
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once, pytest.mark.usefixtures("database")]

ME, COLLEAGUE = "me@example.org", "colleague@example.org"


@pytest.fixture
def me() -> Any:
    """A client of mine; a colleague has an account too."""
    from labelwright.server.access.actions.users import add_user

    for email in (ME, COLLEAGUE):
        add_user(email)
    return client_of(ME)


def created(client: Any, name: str = "context-effects") -> str:
    """The address of the editor of a new study."""
    answer = post(client, "/new-study", do="template", template=name)
    assert answer.status_code == 303, answer.content.decode()
    return str(answer["Location"])


def loaded(owner: str = ME, *, opened: bool = True, **changes: Any) -> Any:
    """A study that the command line loaded."""
    from labelwright.server.store.models import User
    from labelwright.server.studies.actions.loading import load_study

    changes.setdefault("items", {"per_dialogue": 1})
    text = study_text(**changes)
    user = User.objects.get(username=owner)
    return load_study(parse(text), text, dialogues(2), NOW, user, opened=opened).study


def share(address: str, role: str = "editor") -> Any:
    """A client of the colleague, who is in the team of the study from now on."""
    from labelwright.server.store.models import StudyRow, Teammate, User

    study = StudyRow.objects.get(public_id=address.split("/")[2])
    Teammate.objects.create(study=study, user=User.objects.get(username=COLLEAGUE), role=role, joined_at=NOW)
    return client_of(COLLEAGUE)


def file_of(client: Any, address: str) -> str:
    return str(client.get(f"{address}/study.yaml").content.decode())


def read_of(client: Any, address: str) -> str:
    """What a page that is opened now will send back when it saves."""
    return get(client, address).split('name="read" value="')[1].split('"')[0]


def ask(client: Any, address: str, do: str, text: str, **more: Any) -> Any:
    answer = post(client, address, do=do, text=text, **more)
    assert answer.status_code == 200, answer.content.decode()
    return json.loads(answer.content)


# -- from nothing to raters -------------------------------------------------------------------------


@pytest.mark.parametrize("name", template_names())
def test_every_template_makes_a_study_that_can_be_planned_previewed_and_opened(me: Any, name: str):
    address = created(me, name)
    text = file_of(me, address)
    assert text == template(name).study_file.replace(f"name: {template(name).name}", f"name: {name}")
    assert [p for p in ask(me, address, "check", text)["problems"] if p["mistake"]] == []
    planned = ask(me, address, "plan", text)
    assert [p for p in planned["problems"] if p["mistake"]] == []
    assert planned["figures"][0]["label"].startswith("places, ")
    shown = me.post(address, {"do": "preview", "text": text, "condition": "1"})
    assert shown.status_code == 200
    assert "frame-ancestors 'self'" in shown["Content-Security-Policy"]
    effect = post(me, address, do="publish", text=text, read=read_of(me, address))
    assert effect.status_code == 200
    assert "Open to raters" in effect.content.decode()
    assert rows("SELECT count(*)::int FROM study_version") == [(0,)]
    done = post(me, address, do="publish", read=read_of(me, address), sure="yes", opens="yes")
    assert (done.status_code, done["Location"]) == (303, address.removesuffix("/editor"))
    assert rows("SELECT state, name FROM study") == [("open", name)]
    assert me.get(done["Location"]).status_code == 200


def test_a_study_without_a_version_leads_to_its_editor_and_cannot_be_opened(me: Any):
    from labelwright.crowd import StudyVerb
    from labelwright.server.access.actions.permission import NotLoaded
    from labelwright.server.profiles.actions.retention import apply_retention
    from labelwright.server.store.models import StudyRow
    from labelwright.server.studies.actions.life import change_state
    from labelwright.server.studies.actions.loading import get_study

    address = created(me)
    root = address.removesuffix("/editor")
    for page in ("", "/items", "/raters", "/state", "/preview", "/file"):
        answer = me.get(root + page)
        assert (answer.status_code, answer["Location"]) == (302, address), page
    assert me.get(f"{root}/settings").status_code == 200
    assert f'href="{root}"' in get(me, "/studies")
    study = StudyRow.objects.get()
    with pytest.raises(NotLoaded):
        change_state(study, StudyVerb.OPEN, "me", NOW)
    with pytest.raises(NotLoaded):
        get_study(study.name)
    assert apply_retention(NOW) == 0
    assert post(me, f"{root}/state", do="delete", name=study.name).status_code == 303
    assert rows("SELECT count(*)::int FROM study WHERE deleted_at IS NULL") == [(0,)]


def test_a_file_with_mistakes_is_kept_and_its_problems_have_lines_and_repairs(me: Any):
    address = created(me)
    wrong = file_of(me, address).replace("type: scale", "type: scael", 1)
    line = wrong.splitlines().index(next(each for each in wrong.splitlines() if "scael" in each)) + 1
    assert post(me, address, do="save", text=wrong, read=read_of(me, address)).status_code == 303
    assert file_of(me, address) == wrong
    (problem,) = ask(me, address, "check", wrong)["problems"]
    assert (problem["line"], problem["wrong"], problem["right"]) == (line, "scael", "scale")
    assert f'data-line="{line}"' in get(me, address)
    for do in ("publish", "rehearse"):
        refused = post(me, address, do=do, text=wrong, read=read_of(me, address))
        assert refused.status_code == 400
        assert f"study.yaml:{line}:" in refused.content.decode()
    assert rows("SELECT count(*)::int FROM study_version") == [(0,)]


def test_fields_are_described_at_their_line(me: Any):
    address = created(me)
    text = "labelwright: 1\nredundancy: 3\npools:\n  own: {platform: link}\n"
    fields = ask(me, address, "check", text)["fields"]
    assert fields["2"][0] == "redundancy"
    assert "number of ratings" in fields["2"][1]
    assert fields["4"][0] == "own"


def test_names_follow_the_file_until_it_is_loaded_and_are_unique(me: Any):
    first, second = created(me, "blank"), created(me, "blank")
    assert rows("SELECT name FROM study ORDER BY id") == [("blank",), ("blank-2",)]
    assert parse(file_of(me, second)).name == "blank-2"
    renamed = file_of(me, second).replace("name: blank-2", "name: mine")
    post(me, second, do="save", text=renamed, read=read_of(me, second))
    assert rows("SELECT name FROM study ORDER BY id") == [("blank",), ("mine",)]
    (problem,) = ask(me, first, "check", file_of(me, first).replace("name: blank", "name: mine"))["problems"]
    assert 'another study has the name "mine"' in problem["what"].lower()


def test_a_copy_has_the_file_and_the_items_and_no_raters(me: Any):
    study = loaded()
    answer = post(me, "/new-study", do="copy", study=study.public_id)
    address = answer["Location"]
    text = file_of(me, address)
    assert parse(text).name == "tiny-copy"
    assert parse(text).title == "Copy of Tiny study"
    post(me, address, do="publish", read=read_of(me, address), sure="yes")
    assert rows(
        """SELECT s.name, s.state, (SELECT count(*) FROM dialogue d WHERE d.study_id = s.id)::int,
                  (SELECT count(*) FROM rater r WHERE r.study_id = s.id)::int FROM study s ORDER BY s.id"""
    ) == [("tiny", "open", 2, 0), ("tiny-copy", "draft", 2, 0)]


def test_a_file_comes_with_its_corpus(me: Any):
    made = template("context-effects")
    text = made.study_file.replace("name: context-effects", "name: mine")
    address = post(me, "/new-study", do="file", text=text.replace("\n", "\r\n"))["Location"]
    assert file_of(me, address) == text
    (missing,) = [p for p in ask(me, address, "plan", text)["problems"] if p["mistake"]]
    assert "corpus" in missing["what"]
    for name, content in made.corpus.items():
        answer = me.post(f"{address}/corpus/{name}", content, content_type="application/octet-stream")
        assert answer.status_code == 200, answer.content
        assert me.get(f"{address}/corpus/{name}").content.decode() == content
    assert ask(me, address, "plan", text)["figures"]
    assert post(me, address, do="remove-file", file=name).status_code == 303
    assert ask(me, address, "plan", text)["figures"] == []


def test_every_file_of_the_corpus_must_be_there(me: Any):
    made = template("spans")
    address = post(me, "/new-study", do="file", text=made.study_file)["Location"]
    for name, content in made.corpus.items():
        if name != "passages.jsonl":
            me.post(f"{address}/corpus/{name}", content, content_type="application/octet-stream")
    (missing,) = ask(me, address, "plan", made.study_file)["problems"]
    assert missing["mistake"]
    assert "passages: passages.jsonl" in made.study_file.splitlines()[missing["line"] - 1]
    # Nothing of the server's folders or commands is in the sentence.
    assert (
        missing["what"] == 'The corpus file "passages.jsonl" is missing. Add the file, or correct its name.'
    )
    assert post(me, address, do="preview", text=made.study_file).status_code == 400


# -- changing a study that is there -----------------------------------------------------------------


def test_changing_an_open_study_shows_the_difference_and_the_effect_first(me: Any):
    study = loaded()
    address = f"/studies/{study.public_id}/editor"
    changed = file_of(me, address).replace("redundancy: 3", "redundancy: 4")
    page = post(me, address, do="publish", text=changed, read=read_of(me, address)).content.decode()
    assert "0 ratings stay; 0 new tasks." in page
    # 2 items in 2 conditions each get one more rating at $0.40.
    assert "2 more ratings of existing tasks, USD 0.80" in page
    assert '<tr class="removed"><td class="n">' in page
    assert '<td class="txt">redundancy: 4</td>' in page
    assert rows("SELECT count(*)::int FROM study_version") == [(1,)]
    done = post(me, address, do="publish", read=read_of(me, address), sure="yes")
    assert done.status_code == 303
    assert rows("SELECT n, text = %s FROM study_version ORDER BY n", [changed]) == [(1, False), (2, True)]
    assert rows("SELECT state FROM study") == [("open",)]
    assert rows("SELECT count(*)::int FROM edited_file") == [(0,)]


def test_edits_of_a_loaded_study_can_be_discarded(me: Any):
    study = loaded()
    address = f"/studies/{study.public_id}/editor"
    before = file_of(me, address)
    post(me, address, do="save", text=before + "# more\n", read=read_of(me, address))
    assert file_of(me, address) == before + "# more\n"
    post(me, address, do="discard")
    assert file_of(me, address) == before
    other = before.replace("name: tiny", "name: other")
    (problem,) = ask(me, address, "check", other)["problems"]
    assert "keeps its name" in problem["what"]


def test_a_title_that_names_a_system_is_a_warning_because_raters_read_it(me: Any):
    address = created(me, "blank")
    text = re.sub(r"(?m)^title: .*$", "title: Can your System 3 or Your System help?", file_of(me, address))
    (problem,) = ask(me, address, "plan", text)["problems"]
    assert not problem["mistake"]
    assert text.splitlines()[problem["line"] - 1].startswith("title: ")
    assert problem["what"].startswith(
        'Raters read the title, which contains the name of the system "your-system"'
    )


def test_the_preview_goes_through_the_tasks_and_an_upload_says_what_it_replaced(me: Any):
    address = created(me, "blank")
    text = file_of(me, address)
    first, second = (post(me, address, do="preview", text=text, condition=1, task=n) for n in (1, 2))
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.content != second.content
    beyond = post(me, address, do="preview", text=text, condition=1, task=999)
    assert "fewer than 999 tasks" in beyond.content.decode()
    content = template("blank").corpus["dialogues.jsonl"]
    for name, replaced in (("dialogues.jsonl", True), ("other.jsonl", False)):
        answer = me.post(f"{address}/corpus/{name}", content, content_type="application/octet-stream")
        assert json.loads(answer.content)["replaced"] is replaced


# -- two people -------------------------------------------------------------------------------------


def test_who_saves_second_sees_both_texts_and_overwrites_nothing(me: Any):
    address = created(me)
    colleague = share(address)
    text, read = file_of(me, address), read_of(me, address)
    theirs, mine = text + "# theirs\n", text + "# mine <b>\n"
    assert post(colleague, address, do="save", text=theirs, read=read).status_code == 303
    for do in ("save", "publish", "rehearse"):
        answer = post(me, address, do=do, text=mine, read=read)
        page = answer.content.decode()
        assert answer.status_code == 409, do
        assert "Your changes are not saved yet" in page
        assert COLLEAGUE in page
        assert '<td class="txt"># theirs</td>' in page
        assert '<td class="txt"># mine &lt;b&gt;</td>' in page
        assert file_of(me, address) == theirs
    assert "Two people changed this study file" in page
    again = page.split('name="read" value="')[1].split('"')[0]
    both = text + "# theirs\n# mine\n"
    assert post(me, address, do="save", text=both, read=again).status_code == 303
    assert file_of(me, address) == both
    # One person in two windows is not two people.
    alone = post(me, address, do="save", text=mine, read=read).content.decode()
    assert "You changed this study file twice" in alone
    assert "Two people" not in alone


def test_a_version_that_was_loaded_meanwhile_is_a_conflict_too(me: Any):
    study = loaded()
    address = f"/studies/{study.public_id}/editor"
    text, read = file_of(me, address), read_of(me, address)
    loaded(redundancy=5)
    answer = post(me, address, do="save", text=text + "# mine\n", read=read)
    assert answer.status_code == 409
    assert "loaded version 2" in answer.content.decode()
    assert post(me, address, do="publish", read=read, sure="yes").status_code == 409
    assert rows("SELECT count(*)::int FROM edited_file") == [(0,)]


def test_of_clients_that_race_exactly_one_saves(me: Any):
    from django.db import connections

    address = created(me)
    share(address)
    text, read = file_of(me, address), read_of(me, address)
    emails = [ME, COLLEAGUE] * 3
    barrier, statuses = threading.Barrier(len(emails)), []

    def save(number: int, email: str) -> None:
        try:
            client = client_of(email)
            barrier.wait()
            answer = post(client, address, do="save", text=f"{text}# {number}\n", read=read)
            statuses.append((answer.status_code, number))
        finally:
            connections.close_all()

    threads = [threading.Thread(target=save, args=each) for each in enumerate(emails)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(status for status, _ in statuses) == [303] + [409] * 5
    (winner,) = [number for status, number in statuses if status == 303]
    assert file_of(me, address) == f"{text}# {winner}\n"
    assert rows("SELECT revision FROM edited_file") == [(2,)]


# -- hostile input ----------------------------------------------------------------------------------


HOSTILE = {
    "a: &a [x, x]\nb: [*a, *a]\n": "Aliases (*name) are not supported",
    "[" * 5000: "nested too deeply",
    "x: " + "y" * 100_001: "longer than 100,000 characters",
    "a: !!python/object/apply:os.system [id]\n": "not valid YAML",
    "\t- : :\n": "not valid YAML",
    "": "The file is empty",
    "<script>alert(1)</script>": "not a study file",
}


def test_a_hostile_file_gets_a_plain_message(me: Any):
    address = created(me, "blank")
    for text, said in HOSTILE.items():
        (problem,) = ask(me, address, "check", text)["problems"]
        assert said in problem["what"]
        assert ask(me, address, "plan", text)["figures"] == []
        assert post(me, address, do="preview", text=text).status_code == 400
        answer = post(me, address, do="publish", text=text, read=read_of(me, address))
        assert answer.status_code == 400
        assert "<script>alert" not in answer.content.decode() + get(me, address)


def test_a_corpus_file_stays_in_its_folder(me: Any):
    address = created(me, "blank")
    before = rows("SELECT name FROM corpus_file")
    for name in (
        "../secret",
        "%2e%2e/secret",
        "/etc/passwd",
        "a/../../b",
        "a\\b",
        "-",
        ".hidden",
        "x" * 300,
        "a//b",
    ):
        answer = me.post(f"{address}/corpus/{name}", b"{}", content_type="application/octet-stream")
        assert answer.status_code in (301, 400, 404), name
    assert rows("SELECT name FROM corpus_file") == before


def test_a_study_file_reads_nothing_but_its_own_corpus(me: Any):
    address = created(me, "blank")
    for path in ("/etc/passwd", "../../../etc/passwd", "s3://bucket/key", "https://example.org/x"):
        text = file_of(me, address).replace("path: dialogues.jsonl", f"path: {path}")
        (problem,) = ask(me, address, "plan", text)["problems"]
        assert problem["mistake"]
        assert not re.search("root|/tmp|--", problem["what"]), problem["what"]


def test_a_corpus_has_a_largest_size(me: Any, monkeypatch: pytest.MonkeyPatch):
    from labelwright.server.editor.actions import corpus

    address = created(me, "blank")
    monkeypatch.setattr(corpus, "LARGEST_BYTES", 3000)
    answer = me.post(f"{address}/corpus/more.jsonl", b"x" * 2999, content_type="application/octet-stream")
    assert answer.status_code == 400
    assert "would be larger than" in answer.content.decode()
    answer = me.post(f"{address}/corpus/more.jsonl", b"x" * 3001, content_type="application/octet-stream")
    assert "would be larger than" in answer.content.decode()
    assert me.post(f"{address}/corpus/more.jsonl", {"a": "b"}).status_code == 400
    assert rows("SELECT count(*)::int FROM corpus_file") == [(1,)]


def test_others_can_neither_see_nor_change_a_draft(me: Any):
    address = created(me)
    stranger = client_of(COLLEAGUE)
    for send in (
        lambda: stranger.get(address),
        lambda: stranger.get(f"{address}/study.yaml"),
        lambda: stranger.get(f"{address}/corpus/dialogues.jsonl"),
        lambda: post(stranger, address, do="save", text="x", read="0.1"),
        lambda: post(stranger, address, do="check", text="x"),
        lambda: stranger.get(address.replace("/editor", "/rehearsal")),
    ):
        assert send().status_code == 404
    assert post(stranger, "/new-study", do="copy", study=address.split("/")[2]).status_code == 400
    viewer = share(address, "viewer")
    assert viewer.get(address).status_code == 403
    assert post(viewer, address, do="save", text="x", read="0.1").status_code == 403
    assert rows("SELECT state FROM study") == [(StudyState.DRAFT,)]


# -- rehearsals -------------------------------------------------------------------------------------


def test_a_rehearsal_waits_again_if_the_worker_stops_and_says_why_it_failed(
    me: Any, monkeypatch: pytest.MonkeyPatch
):
    from labelwright.server.editor.actions import rehearsals
    from labelwright.server.store.models import StudyRehearsal
    from labelwright.server.store.queue import stopping

    address = created(me, "blank")
    page = address.replace("/editor", "/rehearsal")
    assert "has not been rehearsed yet" in get(me, page)
    monkeypatch.setattr(rehearsals, "MOST_RATINGS", 1)
    assert "take too long to rehearse here" in post(me, address, do="rehearse").content.decode()
    monkeypatch.undo()
    assert post(me, address, do="rehearse")["Location"] == page
    # Asked again, the one that waits goes on.
    post(me, address, do="rehearse")
    assert rows("SELECT count(*)::int FROM procrastinate_jobs WHERE task_name = 'rehearse_study'") == [(1,)]
    assert "Waiting for the worker" in get(me, page)
    ((study,),) = rows("SELECT id FROM study")
    running = StudyRehearsal.objects.filter(study=study)
    running.update(state=StudyRehearsal.State.RUNNING)
    assert "A copy of the study is being prepared" in get(me, page)
    running.update(done=10)
    assert "10 of about" in get(me, page)
    stopping.set()
    try:
        assert rehearsals.run_rehearsal(study)
    finally:
        stopping.clear()
    assert rows("SELECT state FROM study_rehearsal") == [("waiting",)]
    monkeypatch.setattr(rehearsals, "LONGEST_SECONDS", 0)
    assert not rehearsals.run_rehearsal(study)
    assert "took longer than 0 minutes" in get(me, page)
