"""The emulated Prolific over HTTP: each test is one or more of the behaviours that platforms.md (5.11) asks for."""

from __future__ import annotations

import base64
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import httpx
import pytest

from labelwright.outside.emulators.prolific import ProlificEmulator, ProlificSettings
from labelwright.outside.emulators.prolific.hooks import signature
from labelwright.outside.emulators.web import EmulatorServer
from tests.prolific import Prolific, study_fields

REASON = (
    "The same option was chosen in all 24 dialogues, in 4 seconds each, although the replies differ a lot. "
    * 2
)
DAY = 86400


@pytest.fixture
def settings() -> ProlificSettings:
    return ProlificSettings()


@pytest.fixture
def prolific(settings: ProlificSettings) -> Iterator[Prolific]:
    with EmulatorServer(ProlificEmulator(settings)) as server:
        running = Prolific(server.address, settings.token)
        yield running
        running.close()


def problems(answer: httpx.Response) -> Any:
    assert answer.status_code == 400, answer.text
    return answer.json()["error"]["detail"]


def test_only_the_token_of_the_workspace_opens_the_api(prolific: Prolific) -> None:
    for wrong in ("Bearer emulated-token", "Token other", ""):
        answer = prolific.site.get("/api/v1/users/me/", headers={"authorization": wrong})
        assert answer.status_code == 401
        assert answer.json()["error"]["status"] == 401
    assert prolific.read("users/me/")["id"]


def test_paths_end_with_a_slash(prolific: Prolific) -> None:
    assert prolific.api.get("studies").status_code == 404
    with EmulatorServer(ProlificEmulator(ProlificSettings(redirect_missing_slash=True))) as server:
        other = Prolific(server.address, "emulated-token")
        assert other.api.get("studies").headers["location"] == "/api/v1/studies/"
        other.close()
    study = prolific.study(publish=False)["id"]
    assert prolific.api.post(f"studies/{study}/test-study").status_code == 201


def test_a_study_is_refused_with_the_problems_of_each_field(prolific: Prolific) -> None:
    assert set(problems(prolific.api.post("studies/", json={"name": 7}))) >= {"name", "reward", "description"}
    codes = [{"code": "A", "code_type": "COMPLETED"}, {"code": "A", "code_type": "OTHER"}]
    both = [{"action": "AUTOMATICALLY_APPROVE"}, {"action": "MANUALLY_REVIEW"}]
    wrong: dict[str, Any] = {
        "reward": 0,
        "prolific_id_option": "cookie",
        "external_study_url": "ftp://host/",
        "maximum_allowed_time": 28,  # 2 + 2 * 10 + 2 * sqrt(10) = 28.3 minutes are the least
        "filters": [{"filter_id": "shoe-size", "selected_values": ["44"]}],
    }
    for name, value in wrong.items():
        assert list(problems(prolific.api.post("studies/", json=study_fields(**{name: value})))) == [name]
    for value in (codes, [{"code": "A", "code_type": "COMPLETED", "actions": both}], [{"code": "A"}]):
        answer = prolific.api.post("studies/", json=study_fields(completion_codes=value))
        assert "completion_codes" in problems(answer)
    kept = prolific.study(publish=False, completion_code="OLD")
    assert "completion_code" not in kept


def test_a_study_moves_only_as_its_states_permit(prolific: Prolific) -> None:
    study = prolific.study(publish=False)["id"]
    assert prolific.move(study, "PAUSE").status_code == 400
    assert prolific.move(study, "PUBLISH").json()["status"] == "PUBLISHING"
    prolific.control("clock", seconds=1)
    assert prolific.read(f"studies/{study}/")["status"] == "ACTIVE"
    assert prolific.move(study, "PUBLISH").status_code == 400
    assert prolific.move(study, "PAUSE").json()["status"] == "PAUSED"
    assert prolific.move(study, "START").json()["status"] == "ACTIVE"
    assert prolific.move(study, "STOP").json()["status"] == "COMPLETED"
    assert prolific.api.delete(f"studies/{study}/").status_code == 400


def test_places_can_only_be_added_after_publication(prolific: Prolific) -> None:
    study = prolific.study(total_available_places=1)["id"]
    prolific.take_part(study, prolific.people()[0])
    assert prolific.read(f"studies/{study}/")["status"] == "AWAITING REVIEW"
    assert problems(prolific.api.patch(f"studies/{study}/", json={"reward": 300}))
    assert problems(prolific.api.patch(f"studies/{study}/", json={"total_available_places": 0}))
    raised = prolific.api.patch(f"studies/{study}/", json={"total_available_places": 2})
    assert raised.json()["status"] == "ACTIVE"


@pytest.mark.parametrize("settings", [ProlificSettings(balance_cents=1680, fee_percent=33.3, vat_percent=20)])
def test_money_is_locked_spent_and_released(prolific: Prolific) -> None:
    # A place costs 240 + 80 fee + 16 VAT = 336 cents, so the balance of 1680 is exactly five places.
    assert (
        prolific.api.post("study-cost-calculator/", json={"reward": 240, "total_available_places": 5}).json()[
            "total_cost"
        ]
        == 1680
    )
    too_many = prolific.study(publish=False, total_available_places=6)["id"]
    assert prolific.move(too_many, "PUBLISH").status_code == 400
    assert prolific.read(f"studies/{too_many}/")["status"] == "UNPUBLISHED"
    study = prolific.study()["id"]
    balance = "workspaces/workspace-1/balance/"
    assert prolific.read(balance)["available_balance"] == 0
    prolific.decide(prolific.take_part(study, prolific.people()[0]), "APPROVE")
    assert prolific.read(balance)["total_balance"] == 1680 - 336
    prolific.move(study, "STOP")
    assert prolific.read(balance)["available_balance"] == 1680 - 336
    assert [(each["kind"], each["cents"], each["fee"], each["vat"]) for each in prolific.ledger()] == [
        ("reward", 240, 80, 16)
    ]


def test_places_are_freed_by_return_rejection_and_time(prolific: Prolific) -> None:
    study = prolific.study(total_available_places=3)["id"]
    people = prolific.people(7)
    slow = prolific.take_part(study, people[0], code=None)
    rejected = prolific.take_part(study, people[1])
    returned = prolific.take_part(study, people[2])
    assert prolific.visitor(people[3]).post(f"/studies/{study}/reserve").status_code == 400
    assert prolific.reject(rejected, REASON).json()["status"] == "REJECTED"
    prolific.visitor(people[2]).post(f"/submissions/{returned}/return")
    prolific.control("clock", seconds=60 * 60)
    assert prolific.status(slow) == "TIMED-OUT"
    counts = prolific.read(f"studies/{study}/submissions/counts/")
    assert (counts["REJECTED"], counts["RETURNED"], counts["TIMED-OUT"], counts["TOTAL"]) == (1, 1, 1, 3)
    for person in people[4:7]:
        prolific.take_part(study, person)
    assert prolific.read(f"studies/{study}/")["status"] == "AWAITING REVIEW"


def test_a_late_participant_completes_unless_they_were_replaced(prolific: Prolific) -> None:
    study = prolific.study(total_available_places=2)["id"]
    people = prolific.people(3)
    late = [prolific.take_part(study, person, code=None) for person in people[:2]]
    prolific.control("clock", seconds=60 * 60)
    prolific.take_part(study, people[2])
    visitor = [prolific.visitor(person) for person in people[:2]]
    assert visitor[0].get("/submissions/complete", params={"cc": "DONE1234"}).status_code == 400
    assert visitor[1].get("/submissions/complete", params={"cc": "DONE1234"}).status_code == 302
    assert [prolific.status(each) for each in late] == ["TIMED-OUT", "AWAITING REVIEW"]


def test_participants_come_back_with_a_code_a_wrong_one_or_none(prolific: Prolific) -> None:
    study = prolific.study()["id"]
    people = prolific.people(4)
    right, wrong, declined = (
        prolific.take_part(study, person, code)
        for person, code in zip(people[:3], ("DONE1234", "GUESSED", "NOCON"), strict=True)
    )
    none = prolific.take_part(study, people[3], code=None)
    prolific.visitor(people[3]).post(f"/submissions/{none}/finish")
    entered = [
        prolific.read(f"submissions/{each}/")["entered_code"] for each in (right, wrong, declined, none)
    ]
    assert entered == ["DONE1234", "GUESSED", "NOCON", "NOCODE"]
    assert {prolific.status(each) for each in (right, wrong, declined, none)} == {"AWAITING REVIEW"}
    assert prolific.read(f"submissions/{declined}/")["return_requested"]


def test_the_address_names_participant_and_submission(prolific: Prolific) -> None:
    study, person = prolific.study()["id"], prolific.people()[0]
    visitor = prolific.visitor(person)
    place = visitor.post(f"/studies/{study}/reserve").headers["location"]
    session = place.rsplit("/", 1)[1]
    address = visitor.post(f"{place}/start").headers["location"]
    assert address == f"http://127.0.0.1:9/enter?PROLIFIC_PID={person}&SESSION_ID={session}"
    assert "Open study again" in visitor.get(place).text
    assert prolific.visitor(prolific.people()[0]).get(place).status_code == 404


def test_a_reservation_and_an_undecided_submission_end_by_themselves(prolific: Prolific) -> None:
    study = prolific.study()["id"]
    people = prolific.people(2)
    reserved = (
        prolific.visitor(people[0]).post(f"/studies/{study}/reserve").headers["location"].rsplit("/", 1)[1]
    )
    waiting = prolific.take_part(study, people[1])
    prolific.control("clock", seconds=601)
    assert prolific.status(reserved) == "TIMED-OUT"
    prolific.control("clock", seconds=20 * DAY)
    assert prolific.status(waiting) == "AWAITING REVIEW"
    prolific.control("clock", seconds=1 * DAY)
    assert prolific.status(waiting) == "APPROVED"
    assert len(prolific.ledger()) == 1


def test_a_rejection_needs_a_category_and_a_hundred_characters(prolific: Prolific) -> None:
    study = prolific.study()["id"]
    one, two = (prolific.take_part(study, person) for person in prolific.people(2))
    assert "message" in problems(
        prolific.decide(one, "REJECT", message="Bad.", rejection_category="LOW_EFFORT")
    )
    for category in (None, ["LOW_EFFORT"], "LAZY"):
        answer = prolific.decide(one, "REJECT", message=REASON, rejection_category=category)
        assert "rejection_category" in problems(answer)
    assert [prolific.reject(one, REASON).status_code, prolific.reject(one, REASON).status_code] == [200, 200]
    assert prolific.decide(one, "APPROVE").status_code == 400
    # Five places and a share of 20%: one rejection is the limit.
    assert "limit" in problems(prolific.reject(two, REASON))
    assert prolific.decide(one, "UNREJECT").status_code == 400
    assert prolific.ledger() == []


@pytest.mark.parametrize("settings", [ProlificSettings(deciding_seconds=60)])
def test_a_decision_can_be_in_processing(prolific: Prolific) -> None:
    study = prolific.study()["id"]
    one = prolific.take_part(study, prolific.people()[0])
    assert prolific.decide(one, "APPROVE").json()["status"] == "PROCESSING"
    assert prolific.decide(one, "APPROVE").status_code == 200
    prolific.control("clock", seconds=61)
    assert prolific.status(one) == "APPROVED"
    assert len(prolific.ledger()) == 1


def test_lists_come_in_pages_and_spell_their_filter_differently(prolific: Prolific) -> None:
    study = prolific.study(total_available_places=25)["id"]
    for person in prolific.people(21):
        prolific.take_part(study, person)
    first = prolific.read(f"studies/{study}/submissions/")
    assert (len(first["results"]), first["meta"]["count"]) == (20, 21)
    second = prolific.site.get(first["_links"]["next"]["href"], headers=prolific.api.headers).json()
    assert (len(second["results"]), second["_links"]["next"]["href"]) == (1, None)
    assert prolific.read("submissions/", study=study, status="AWAITING_REVIEW")["meta"]["count"] == 21
    assert prolific.api.get("submissions/", params={"status": "AWAITING REVIEW"}).status_code == 400


def test_bulk_approval_takes_effect_later_and_all_or_none(prolific: Prolific) -> None:
    study = prolific.study()["id"]
    ones = [prolific.take_part(study, person) for person in prolific.people(2)]
    assert problems(
        prolific.api.post("submissions/bulk-approve/", json={"submission_ids": [*ones, "stranger"]})
    )
    assert prolific.api.post("submissions/bulk-approve/", json={"submission_ids": ones}).status_code == 200
    prolific.control("clock", seconds=1)
    assert [prolific.status(each) for each in ones] == ["APPROVED", "APPROVED"]
    assert len(prolific.ledger()) == 2


def test_bonuses_are_set_up_in_units_and_every_pay_pays_again(prolific: Prolific) -> None:
    study = prolific.study()["id"]
    person = prolific.people()[0]
    one = prolific.take_part(study, person)

    def set_up(text: str) -> httpx.Response:
        return prolific.api.post("submissions/bonus-payments/", json={"study_id": study, "csv_bonuses": text})

    assert "stranger" in str(problems(set_up(f"{one},2\nstranger,1")))
    for text in ("", "nonsense", f"{one},-1", f"{one},0.001", f"{one},1,2"):
        assert problems(set_up(text))
    made = set_up(f"{one},2.00\n{person},0.30").json()
    assert (made["amount"], made["total_amount"]) == (230, made["amount"] + made["fees"] + made["vat"])
    assert prolific.ledger() == []
    pay = f"bulk-bonus-payments/{made['id']}/pay/"
    assert prolific.api.post(pay).status_code == 202
    prolific.control("clock", seconds=1)
    assert prolific.read(f"submissions/{one}/")["bonus_payments"] == [200, 30]
    prolific.api.post(pay)
    prolific.control("clock", seconds=1)
    assert sum(each["cents"] for each in prolific.ledger()) == 460


def test_groups_and_history_decide_who_is_offered_a_study(prolific: Prolific) -> None:
    inside, outside, weak = prolific.people(2) + prolific.people(1, approval_rate=80)
    told = {"workspace_id": "workspace-1", "name": "Qualified", "participant_ids": [inside]}
    group = prolific.api.post("participant-groups/", json=told).json()["id"]
    allow = {"filter_id": "participant_group_allowlist", "selected_values": [group]}
    good = {"filter_id": "approval_rate", "selected_range": {"lower": 98, "upper": 100}}
    study = prolific.study(filters=[allow, good])["id"]

    def offered(person: str) -> bool:
        return "Reserve a place" in prolific.visitor(person).get("/studies/").text

    assert (offered(inside), offered(outside)) == (True, False)
    members = f"participant-groups/{group}/participants/"
    for _ in range(2):
        prolific.api.post(members, json={"participant_ids": [outside, weak]})
    assert len(prolific.read(members)["results"]) == 3
    assert (offered(outside), offered(weak)) == (True, False)
    prolific.api.request("DELETE", members, json={"participant_ids": [outside]})
    assert not offered(outside)
    prolific.take_part(study, inside)
    block = {"filter_id": "previous_studies_blocklist", "selected_values": [study]}
    prolific.study(filters=[block], name="Second study")
    assert not offered(inside)
    assert prolific.api.delete(f"participant-groups/{group}/").status_code == 204
    assert prolific.read("participant-groups/")["results"] == []


def test_one_participant_comes_as_often_as_the_study_says(prolific: Prolific) -> None:
    person = prolific.people()[0]
    limits = {"max_submissions_per_participant": 2, "max_concurrent_submissions": -1}
    study = prolific.study(submissions_config=limits)["id"]
    sessions = {prolific.take_part(study, person), prolific.take_part(study, person)}
    assert len(sessions) == 2
    assert prolific.visitor(person).post(f"/studies/{study}/reserve").status_code == 400
    single = prolific.study(name="Once")["id"]
    prolific.take_part(single, person)
    assert prolific.visitor(person).post(f"/studies/{single}/reserve").status_code == 400


@pytest.mark.parametrize("settings", [ProlificSettings(small_studies_per_hour=2)])
def test_many_small_studies_are_refused(prolific: Prolific) -> None:
    for _ in range(2):
        prolific.study(total_available_places=2)
    third = prolific.study(publish=False, total_available_places=2)["id"]
    refused = prolific.move(third, "PUBLISH")
    assert refused.status_code == 429
    assert "retry-after" not in refused.headers
    prolific.control("clock", seconds=3601)
    assert prolific.move(third, "PUBLISH").status_code == 200


class Receiver:
    """Takes webhooks and answers with the next of some statuses."""

    def __init__(self, *statuses: int) -> None:
        self.taken: list[tuple[dict[str, str], bytes]] = []
        self.statuses = list(statuses)
        receiver = self

        class Taking(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                receiver.taken.append(({k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(receiver.statuses.pop(0) if receiver.statuses else 200)
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Taking)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    def wait(self, count: int) -> None:
        deadline = time.monotonic() + 10
        while len(self.taken) < count and time.monotonic() < deadline:
            time.sleep(0.02)
        assert len(self.taken) == count


def test_webhooks_are_confirmed_signed_repeated_and_logged(prolific: Prolific) -> None:
    receiver = Receiver(500)
    try:
        prolific.api.post("hooks/secrets/", json={"workspace_id": "workspace-1"})
        secret = prolific.api.post("hooks/secrets/", json={"workspace_id": "workspace-1"}).json()["value"]
        address = f"http://127.0.0.1:{receiver.server.server_address[1]}/hook"
        told = {
            "workspace_id": "workspace-1",
            "event_type": "submission.status.change",
            "target_url": address,
        }
        made = prolific.api.post("hooks/subscriptions/", json=told)
        name = made.json()["id"]
        study = prolific.study()["id"]
        prolific.take_part(study, prolific.people()[0], code=None)
        assert receiver.taken == []  # not confirmed yet
        confirm = f"hooks/subscriptions/{name}/"
        assert prolific.api.post(confirm, json={"secret": "wrong"}).status_code == 400
        assert prolific.api.post(confirm, json={"secret": made.headers["X-Hook-Secret"]}).status_code == 200
        prolific.visitor(prolific.people()[0]).post(f"/studies/{study}/reserve")
        receiver.wait(1)
        headers, body = receiver.taken[0]
        signed = signature(secret, headers["x-prolific-request-timestamp"], body)
        assert headers["x-prolific-request-signature"] == signed
        assert json.loads(body)["status"] == "RESERVED"
        time.sleep(0.2)  # the answer 500 arrives
        prolific.control("clock", seconds=61)
        receiver.wait(2)
        prolific.site.post(f"/_emu/deliveries/{headers['x-event-id']}/")
        receiver.wait(3)
        assert {taken["x-event-id"] for taken, _ in receiver.taken} == {headers["x-event-id"]}
        time.sleep(0.2)
        log = prolific.read(f"hooks/subscriptions/{name}/events/")["results"]
        assert log[0]["attempts"] == [500, 200, 200]
    finally:
        receiver.close()


def test_faults_hit_as_many_requests_as_they_are_told(prolific: Prolific) -> None:
    study = prolific.study()["id"]
    one, two = (prolific.take_part(study, person) for person in prolific.people(2))
    path = "submissions/.*/transition/"
    for fault in (
        {"kind": "refuse", "path": path, "status": 429},
        {"kind": "drop", "path": path},
        {"kind": "lose", "path": path},
        {"kind": "fail", "path": path, "status": 502},
    ):
        prolific.control("faults", **fault)
    assert prolific.decide(one, "APPROVE").status_code == 429
    with pytest.raises(httpx.RemoteProtocolError):
        prolific.decide(one, "APPROVE")
    assert prolific.ledger() == []
    with pytest.raises(httpx.RemoteProtocolError):
        prolific.decide(one, "APPROVE")
    assert len(prolific.ledger()) == 1
    assert prolific.decide(two, "APPROVE").status_code == 502
    assert len(prolific.ledger()) == 2
    prolific.control("faults", kind="rename", path=f"submissions/{one}/$")
    prolific.control("faults", kind="add", path=f"submissions/{one}/$")
    assert prolific.status(one) == "UNHEARD OF"
    assert prolific.read(f"submissions/{one}/")["field_of_next_year"]
    prolific.control("faults", kind="hold", path="users/me", seconds=0.3)
    before = time.monotonic()
    prolific.read("users/me/")
    assert time.monotonic() - before >= 0.3
    asked = prolific.site.get("/_emu/requests/").json()["requests"]
    assert [each["fault"] for each in asked if each["path"].endswith("/transition/") and each["fault"]] == [
        "refuse",
        "drop",
        "lose",
        "fail",
    ]


@pytest.mark.parametrize("settings", [ProlificSettings(secure_addresses=True, wrap_errors=False)])
def test_secure_addresses_carry_a_token_that_the_public_keys_verify(prolific: Prolific) -> None:
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import padding, rsa

    study, person = prolific.study()["id"], prolific.people()[0]
    visitor = prolific.visitor(person)
    place = visitor.post(f"/studies/{study}/reserve").headers["location"]
    address, token = visitor.post(f"{place}/start").headers["location"].split("&prolific_token=")
    key = prolific.site.get("/.well-known/study/jwks.json").json()["keys"][0]

    def decoded(text: str) -> bytes:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    numbers = rsa.RSAPublicNumbers(*(int.from_bytes(decoded(key[part]), "big") for part in ("e", "n")))
    message, signed = token.rsplit(".", 1)
    numbers.public_key().verify(decoded(signed), message.encode(), padding.PKCS1v15(), hashes.SHA256())
    claims = json.loads(decoded(message.split(".")[1]))
    assert (claims["aud"], claims["sub"]) == (address, place.rsplit("/", 1)[1])
    assert claims["exp"] - claims["iat"] == 120
    assert "error" not in prolific.api.get("submissions/nobody/").json()


def test_messages_are_kept_in_the_outbox(prolific: Prolific) -> None:
    person = prolific.people()[0]
    told = {"recipient_id": person, "body": "Thank you.", "study_id": "s"}
    assert prolific.api.post("messages/", json=told).status_code == 204
    assert prolific.api.post("messages/", json={"recipient_id": person}).status_code == 400
    assert [each["to"] for each in prolific.site.get("/_emu/outbox/").json()["messages"]] == [person]


def test_codes_approve_and_change_groups_by_themselves(prolific: Prolific) -> None:
    told = {"workspace_id": "workspace-1", "name": "Qualified"}
    group, left = (prolific.api.post("participant-groups/", json=told).json()["id"] for _ in range(2))
    person = prolific.people()[0]
    prolific.api.post(f"participant-groups/{left}/participants/", json={"participant_ids": [person]})
    actions = [
        {"action": "AUTOMATICALLY_APPROVE"},
        {"action": "ADD_TO_PARTICIPANT_GROUP", "participant_group": group},
        {"action": "REMOVE_FROM_PARTICIPANT_GROUP", "participant_group": left},
    ]
    code = {"code": "DONE1234", "code_type": "COMPLETED", "actions": actions}
    study = prolific.study(completion_codes=[code])["id"]
    assert prolific.status(prolific.take_part(study, person)) == "APPROVED"
    sizes = {
        each["id"]: each["participant_count"] for each in prolific.read("participant-groups/")["results"]
    }
    assert (sizes[group], sizes[left]) == (1, 0)
    stranger = [{"action": "ADD_TO_PARTICIPANT_GROUP", "participant_group": "nobody"}]
    answer = prolific.api.post(
        "studies/", json=study_fields(completion_codes=[{**code, "actions": stranger}])
    )
    assert "completion_codes" in problems(answer)


def test_a_draft_changes_freely_is_scheduled_and_deleted(prolific: Prolific) -> None:
    study = prolific.study(publish=False)["id"]
    path = f"studies/{study}/"
    assert prolific.api.patch(path, json={"reward": 300}).json()["reward"] == 300
    assert "reward" in problems(prolific.api.patch(path, json={"reward": -1}))
    assert prolific.read(f"{path}cost/")["rewards"] == 5 * 300
    bad = prolific.api.post(f"{path}transition/", json={"action": "SCHEDULE_PUBLISH", "publish_at": "soon"})
    assert "publish_at" in problems(bad)
    for action, status in (("SCHEDULE_PUBLISH", "SCHEDULED"), ("CANCEL_PUBLISH", "UNPUBLISHED")):
        told = {"action": action, "publish_at": "2030-01-01T00:00:00"}
        assert prolific.api.post(f"{path}transition/", json=told).json()["status"] == status
    told = {"action": "SCHEDULE_PUBLISH", "publish_at": "2020-01-01T00:00:00+00:00"}
    prolific.api.post(f"{path}transition/", json=told)
    prolific.control("clock", seconds=2)
    assert prolific.read(path)["status"] == "ACTIVE"
    draft = prolific.study(publish=False)["id"]
    assert prolific.api.delete(f"studies/{draft}/").status_code == 204
    assert prolific.api.get(f"studies/{draft}/").status_code == 404
    assert [each["id"] for each in prolific.read("studies/", state="ACTIVE")["results"]] == [study]


def test_a_return_is_asked_for_and_only_the_participant_returns(prolific: Prolific) -> None:
    study, person = prolific.study()["id"], prolific.people()[0]
    one = prolific.take_part(study, person)
    path = f"submissions/{one}/request-return/"
    assert problems(prolific.api.post(path, json={}))
    asked = prolific.api.post(path, json={"request_return_reasons": ["Withdrew consent."]}).json()
    assert (asked["status"], bool(asked["return_requested"])) == ("AWAITING REVIEW", True)
    prolific.visitor(person).post(f"/submissions/{one}/return")
    assert prolific.status(one) == "RETURNED"
    assert problems(prolific.api.post(path, json={"request_return_reasons": ["Again."]}))
    assert prolific.visitor(person).post(f"/submissions/{one}/return").status_code == 400


def test_a_researcher_completes_and_bulk_approval_knows_participants(prolific: Prolific) -> None:
    study, person = prolific.study()["id"], prolific.people()[0]
    one = prolific.take_part(study, person, code=None)
    assert prolific.decide(one, "COMPLETE", completion_code="DONE1234").json()["entered_code"] == "DONE1234"
    told = {"study_id": study, "participant_ids": [person]}
    assert prolific.api.post("submissions/bulk-approve/", json=told).status_code == 200
    prolific.control("clock", seconds=1)
    assert prolific.status(one) == "APPROVED"
    assert "action" in problems(prolific.decide(one, "APPLAUD"))
    assert (
        prolific.visitor(person).get("/submissions/complete", params={"cc": "X"}).headers["location"]
        == "/studies/"
    )


@pytest.mark.parametrize("settings", [ProlificSettings(undo_rejection=True, partial_bulk_approval=True)])
def test_what_the_documentation_leaves_open_can_be_set(prolific: Prolific) -> None:
    study, person = prolific.study()["id"], prolific.people()[0]
    one = prolific.take_part(study, person)
    prolific.reject(one, REASON)
    assert prolific.decide(one, "UNREJECT").json()["status"] == "AWAITING REVIEW"
    told = {"submission_ids": [one, "stranger"]}
    assert prolific.api.post("submissions/bulk-approve/", json=told).status_code == 200
    prolific.control("clock", seconds=1)
    assert prolific.status(one) == "APPROVED"


def test_garbage_is_refused_in_the_envelope(prolific: Prolific) -> None:
    headers = {"content-type": "application/json"}
    for body in (b"{", b"[1]", b""):
        answer = prolific.api.post("studies/", content=body, headers=headers)
        assert (answer.status_code, answer.json()["error"]["status"]) == (400, 400)
    for path in ("studies/x/", "submissions/x/", "participant-groups/x/participants/", "nothing/"):
        assert prolific.api.get(path).status_code == 404
    assert prolific.api.post("bulk-bonus-payments/x/pay/").status_code == 404
    assert prolific.api.get("studies/", params={"page": "one"}).status_code == 400
    assert problems(prolific.api.post("study-cost-calculator/", json={"reward": "1"}))
    assert problems(prolific.api.post("participant-groups/", json={}))
    told = {
        "workspace_id": "workspace-1",
        "event_type": "submission.status.change",
        "target_url": "http://h/",
    }
    assert problems(prolific.api.post("hooks/subscriptions/", json=told))  # the workspace has no secret
    assert len(prolific.read("filters/")["results"]) >= 5
    assert prolific.api.post("eligibility-count/", json={"filters": []}).json()["count"] == 0
    prolific.people(25)
    assert prolific.api.post("eligibility-count/", json={"filters": []}).json()["count"] == 25
