"""Pools, the roster and deletion: who comes in, who is offered work, and what is left of a person."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from labelwright.crowd import AssignmentState, BadLink, MemberState
from tests.at_once import at_once
from tests.studies import NOW, dialogues, parse, study_text

pytestmark = [pytest.mark.postgres, pytest.mark.once]


@pytest.fixture
def load(database: str) -> Callable[..., Any]:
    """Loads a study; its row."""

    def loaded(size: int = 4, **changes: Any) -> Any:
        from labelwright.server.studies.actions.loading import load_study

        text = study_text(items={"per_dialogue": 1, "turns_before": 3}, **changes)
        return load_study(parse(text), text, dialogues(size), NOW, opened=True).study

    return loaded


def tokens(study: Any, n: int, pool: str = "own") -> list[str]:
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool

    return [link.token for link in make_links(study, get_pool(study, pool), n, 60, NOW)]


def answer(token: str, code: int = 2, **more: Any) -> int:
    """Does one task; its assignment."""
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import offer
    from labelwright.server.rating.actions.answers import submit

    offered = offer(get_visitor(token, NOW), NOW)
    submit(offered.token, {"0": {"useful": code, **more}}, NOW + timedelta(seconds=20))
    return offered.assignment


def rater_of(token: str) -> Any:
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.store.models import Rater

    return Rater.objects.get(pk=get_visitor(token, NOW).rater)


def test_of_twenty_who_follow_an_open_link_at_once_ten_come_in(load: Callable[..., Any]):

    from labelwright.server.access.actions.links import get_visitor, open_address
    from labelwright.server.people.actions.joining import PoolFull, close_open_link, join, make_open_link
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.models import Member

    study = load()
    link = make_open_link(study, get_pool(study, "own"), "me", 10, 14, NOW)
    token = open_address(study, link).rsplit("/", 1)[1]
    came_in: list[str] = []
    refused: list[PoolFull] = []

    def follow() -> None:
        try:
            came_in.append(join(token, NOW, "192.0.2.7/32"))
        except PoolFull as full:
            refused.append(full)

    at_once(20, follow)
    assert len(set(came_in)) == 10
    assert len(refused) == 10
    assert sorted(Member.objects.values_list("number", flat=True)) == list(range(10))
    visitor = get_visitor(came_in[0].rsplit("/", 1)[1], NOW)
    assert visitor.consented
    # Neither kind of link passes for the other, and a closed one lets nobody in.
    with pytest.raises(BadLink):
        get_visitor(token, NOW)
    with pytest.raises(BadLink):
        join(came_in[0].rsplit("/", 1)[1], NOW, "")
    close_open_link(study, link.pk, "me", NOW)
    with pytest.raises(BadLink):
        join(token, NOW, "")


def test_of_one_network_thirty_an_hour_join_at_however_many_servers(load: Callable[..., Any]):
    from labelwright.server.access.actions.links import open_address
    from labelwright.server.people.actions.join_limit import MOST_JOINS, TooManyJoins, delete_old_joins
    from labelwright.server.people.actions.joining import PoolFull, join, make_open_link
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.store.models import Joining, Member

    study, here, there = load(), "192.0.2.7/32", "198.51.100.1/32"
    # Two links, so that only the network is common to all.
    links = [make_open_link(study, get_pool(study, "own"), "me", 20, 14, NOW) for _ in range(2)]
    doors = itertools.cycle([open_address(study, link).rsplit("/", 1)[1] for link in links])
    refused: list[TooManyJoins] = []

    def follow() -> None:
        for _ in range(4):
            try:
                join(next(doors), NOW, here)
            except TooManyJoins as many:
                refused.append(many)

    # Each thread has a connection of its own, as each server has.
    at_once(9, follow)
    assert (Member.objects.count(), len(refused)) == (MOST_JOINS, 36 - MOST_JOINS)
    assert here.encode() not in b"".join(bytes(row.network) for row in Joining.objects.all())
    join(next(doors), NOW, there)
    later = NOW + timedelta(hours=1)
    join(next(doors), later, here)
    assert delete_old_joins(later) == MOST_JOINS + 1
    assert Joining.objects.count() == 1
    # Who finds the pool full has not joined.
    full = make_open_link(study, get_pool(study, "own"), "me", 0, 14, NOW)
    with pytest.raises(PoolFull):
        join(open_address(study, full).rsplit("/", 1)[1], later, there)
    assert Joining.objects.count() == 1


def test_an_excluded_rater_gives_up_what_is_open_and_a_paused_one_finishes_it(load: Callable[..., Any]):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import WorkEnded, expire_leases, offer
    from labelwright.server.offering.actions.search import NoWork
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.profiles.actions.standing import set_member_state
    from labelwright.server.rating.actions.answers import submit
    from labelwright.server.store.models import Assignment, Audit, Place

    study = load(redundancy=1)
    pool = get_pool(study, "own")
    paused, excluded, late = tokens(study, 3)
    held = {token: offer(get_visitor(token, NOW), NOW) for token in (paused, excluded, late)}
    expire_leases(NOW + timedelta(hours=1))
    assert offer(get_visitor(paused, NOW), NOW).assignment == held[paused].assignment
    assert offer(get_visitor(excluded, NOW), NOW).assignment == held[excluded].assignment

    # Seen before the change, as a request that waits for the rater's lock has seen it.
    before = get_visitor(excluded, NOW)
    set_member_state(study, pool, rater_of(paused), MemberState.PAUSED, "me", "holiday", NOW)
    set_member_state(study, pool, rater_of(excluded), MemberState.EXCLUDED, "me", "", NOW)
    set_member_state(study, pool, rater_of(late), MemberState.EXCLUDED, "me", "", NOW)
    assert offer(before, NOW) == NoWork.NONE_LEFT
    # Neither what was open nor what had lapsed can be handed in any more; the places are free.
    for token in (excluded, late):
        with pytest.raises(WorkEnded):
            submit(held[token].token, {"0": {"useful": 1}}, NOW)
        assert Assignment.objects.get(pk=held[token].assignment).state == AssignmentState.RETURNED
    assert Place.objects.filter(state="leased").count() == 1

    again = offer(get_visitor(paused, NOW), NOW)
    assert again.assignment == held[paused].assignment
    submit(again.token, {"0": {"useful": 1}}, NOW)
    assert offer(get_visitor(paused, NOW), NOW) == NoWork.NONE_LEFT
    set_member_state(study, pool, rater_of(paused), MemberState.ACTIVE, "me", "", NOW)
    assert hasattr(offer(get_visitor(paused, NOW), NOW), "token")
    assert list(
        Audit.objects.filter(what="member_state").order_by("id").values_list("after__reason", flat=True)
    ) == ["holiday", "", "", ""]


def recount() -> dict[tuple[str, str, int], int]:
    from tests.rows import rows

    found = rows(
        """SELECT t.condition, a.question, a.code, count(*) FROM answer a
           JOIN assignment s ON s.id = a.assignment_id JOIN task t ON t.id = s.task_id
           WHERE a.code IS NOT NULL GROUP BY 1, 2, 3"""
    )
    return {(condition, question, code): n for condition, question, code, n in found}


def tallied() -> dict[tuple[str, str, int], int]:
    from labelwright.server.store.models import Tally

    found: Counter[tuple[str, str, int]] = Counter()
    for tally in Tally.objects.filter(left_out=""):
        found[tally.condition, tally.question, tally.code] += tally.n
    return {key: n for key, n in found.items() if n}


@pytest.mark.parametrize("policy", ["keep", "delete"])
def test_a_person_is_forgotten_as_the_consent_said(load: Callable[..., Any], policy: str):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.flagging.actions.blocks import flag_block
    from labelwright.server.people.actions import messages, roster
    from labelwright.server.people.actions.addresses import change_address
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.profiles.actions import deletion, standing
    from labelwright.server.rating.actions.consent import record_consent
    from labelwright.server.results.actions.export import get_answers
    from labelwright.server.store.models import Audit, Mail, Message, Note, Person, Place, Rater, Tally
    from labelwright.server.studies.actions.loading import load_study

    study = load(consent={"text": "We keep little.", "answers_on_deletion": policy})
    leaving, staying = tokens(study, 2)
    for token in (leaving, staying):
        record_consent(get_visitor(token, NOW), NOW)
        change_address(get_visitor(token, NOW), f"{token[-6:]}@example.org", NOW)
        messages.write_as_rater(get_visitor(token, NOW), "My name is Ada.", NOW)
        messages.write_to_rater(study, "me", rater_of(token), "Hello Ada.", NOW)
        roster.add_note(study, rater_of(token), "me", "Ada is thorough.", NOW)
        answer(token, comment="as Ada said")
    # What was agreed to counts, not what a later version says.
    other = {"keep": "delete", "delete": "keep"}[policy]
    text = study_text(items={"per_dialogue": 1}, consent={"answers_on_deletion": other})
    load_study(parse(text), text, dialogues(4), NOW)
    while flag_block(NOW):
        pass
    # One more that the block job has not seen.
    answer(leaving)
    rater = rater_of(leaving)
    asked = messages.write_as_rater(get_visitor(leaving, NOW), "Ada asks.", NOW, position=0)
    messages.write_to_rater(
        study, "me", rater, "Yes.", NOW, question=asked.pk, shown=messages.PublicQuestion("Is it so?")
    )
    standing.set_member_state(
        study, get_pool(study, "own"), rater, MemberState.PAUSED, "me", "Ada is away", NOW
    )
    deletion.delete_personal_data(study, rater, "me", NOW)
    deletion.delete_personal_data(study, rater, "me", NOW)

    with pytest.raises(BadLink):
        get_visitor(leaving, NOW)
    gone = Rater.objects.get(pk=rater.pk)
    assert (gone.person, gone.forgotten_at) == (None, NOW)
    for kept in (Person, Note):
        assert kept.objects.count() == 1
    # What others read at the item stays, and nothing else of the thread.
    assert Message.objects.filter(rater=None).values_list("text", "question_shown").get() == (
        "Yes.",
        "Is it so?",
    )
    assert set(Message.objects.values_list("rater_id", flat=True)) == {None, rater_of(staying).pk}
    assert messages.get_board([get_pool(study, "own").pk]) == []
    assert not Mail.objects.filter(rater=gone).exists()
    (told,) = Audit.objects.filter(what="forget").values_list("after", flat=True)
    assert told["answers"] == policy
    assert not [line for line in Audit.objects.filter(subject=gone.pseudonym) if "Ada" in str(line.after)]

    while flag_block(NOW):
        pass
    # Places whose answers are gone are offered to others again.
    assert Place.objects.filter(state="filled").count() == (3 if policy == "keep" else 1)
    mine = [row for row in get_answers(study) if row["rater"] == gone.pseudonym]
    assert len(mine) == (3 if policy == "keep" else 0)
    assert tallied() == recount()
    # Deleted answers are not counted as left out either.
    assert sum(Tally.objects.exclude(left_out="").values_list("n", flat=True)) == 0


def test_a_page_that_is_open_dies_with_the_data_of_its_rater(load: Callable[..., Any]):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.offering.actions.leases import UnknownVisit, offer
    from labelwright.server.profiles.actions.deletion import delete_personal_data
    from labelwright.server.rating.actions.answers import get_saved, save, submit

    study = load()
    (leaving,) = tokens(study, 1)
    visit = offer(get_visitor(leaving, NOW), NOW).token
    save(visit, {"0": {"comment": "as Ada said"}}, "a", 0, NOW)
    delete_personal_data(study, rater_of(leaving), "me", NOW)
    for call in (
        lambda: get_saved(visit),
        lambda: save(visit, {"0": {"comment": "as Ada said"}}, "b", 1, NOW),
        lambda: submit(visit, {"0": {"useful": 1}}, NOW),
    ):
        with pytest.raises(UnknownVisit):
            call()


def test_a_rater_changes_the_address_within_a_limit_and_can_always_remove_it(load: Callable[..., Any]):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.addresses import (
        MOST_CHANGES_A_DAY,
        TooManyAddresses,
        change_address,
        get_address,
    )
    from labelwright.server.store.models import Audit, Person

    (token,) = tokens(load(), 1)
    rater = get_visitor(token, NOW)
    changes = [f"ada{n}@example.org" for n in range(MOST_CHANGES_A_DAY)]
    for address in changes:
        # What changes nothing is neither recorded nor counted.
        for _ in range(3):
            change_address(rater, address, NOW)
    with pytest.raises(TooManyAddresses):
        change_address(rater, "one@example.org", NOW)
    assert get_address(rater_of(token)) == changes[-1]
    for _ in range(3):
        change_address(rater, "", NOW)
    assert (Audit.objects.filter(what="address").count(), Person.objects.count()) == (
        MOST_CHANGES_A_DAY + 1,
        0,
    )
    with pytest.raises(TooManyAddresses):
        change_address(rater, changes[0], NOW)
    change_address(rater, changes[0], NOW + timedelta(days=1))
    assert get_address(rater_of(token)) == changes[0]


def test_raters_who_take_and_leave_one_address_at_once_are_not_refused(
    load: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions import addresses
    from labelwright.server.store.models import Person

    # The race is about the locks; the limit would end it early.
    monkeypatch.setattr(addresses, "MOST_CHANGES_A_DAY", 10_000)
    raters = [get_visitor(token, NOW) for token in tokens(load(), 4)]
    turns = itertools.count()

    def swap() -> None:
        rater = raters[next(turns) % len(raters)]
        for n in range(40):
            addresses.change_address(rater, f"ada{(n + rater.number) % 2}@example.org" if n % 3 else "", NOW)

    at_once(len(raters), swap)
    assert Person.objects.filter(rater=None).count() == 0


def test_nothing_personal_is_readable_in_the_database(load: Callable[..., Any]):
    from labelwright.server.access.actions.links import get_visitor
    from labelwright.server.people.actions.addresses import change_address, get_address
    from labelwright.server.people.actions.joining import invite
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.server.people.actions.roster import add_note, get_notes
    from labelwright.server.store.models import Note, Person, Rater

    study = load()
    pool = get_pool(study, "own")
    first = invite(study, pool, "me", NOW, " Ada@Example.org ")
    change_address(get_visitor(tokens(study, 2)[1], NOW), "ada@example.org", NOW)
    rater = Rater.objects.get(pseudonym=first.pseudonym)
    add_note(study, rater, "me", "speaks Basque", NOW)
    person = Person.objects.get()
    sealed = bytes(person.id_sealed) + bytes(person.id_hmac) + bytes(Note.objects.get().text_sealed)
    assert b"ada" not in sealed.lower()
    assert b"Basque" not in sealed
    assert get_address(rater) == "ada@example.org"
    assert [note.text for note in get_notes([rater.pk])] == ["speaks Basque"]
