"""What raters never learn is in no byte that they are sent: conditions, aims, aspects, scores, categories, gold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from labelwright.corpus import Dialogue
from labelwright.outside.rater_browser import read_page
from tests.processes import Server
from tests.studies import dialogue, pool

pytestmark = [pytest.mark.postgres, pytest.mark.once]

SCORES = (0.137, 0.731)
SECRETS = (
    "SECRETCONDITION", "secret-aim", "secretaspect", "Secret aspect", "secret-question-aim", "secretdesign",
    "0.137", "0.731", "SecretCategory", "secret-gold-reason", "gold", "secret-system", "d0#4", "d1#4", "secretlabel",
    "secret-quiz-reason",
)  # fmt: skip


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.root, timeout=20) as client:
        yield client


def secretive() -> dict[str, Any]:
    """A study whose every secret has a name that stands out."""
    scale = {
        "points": [
            {"code": 1, "name": "No", "score": SCORES[0]},
            {"code": 2, "name": "Yes", "score": SCORES[1]},
            {"code": 3, "name": "Both", "mixed": True},
        ]
    }
    question = {
        "name": "useful",
        "type": "scale",
        "scale": "useful",
        "aspect": "secretaspect",
        "aim": "secret-question-aim",
        "text": "How useful is it?",
    }
    attention = {"name": "look", "type": "attention", "asks": "turns_shown", "text": "How many turns?"}
    label = {
        "name": "secretlabel",
        "scale": "useful",
        "rules": [{"code": 1, "when": [{"question": "useful", "is": 1}]}],
    }
    design = {
        "title": "Judge",
        "lead": "Judge it.",
        "instructions": "Read.",
        "questions": [question, attention],
        "feedback": [{"name": "said", "type": "text", "text": "Unclear?", "required": False}],
        "guidelines": {"version": "1", "text": "Long."},
        "labels": [label],
    }
    quiz = {
        "ask": question | {"name": "quizzed"},
        "right": {"answer": 2, "reason": "secret-quiz-reason"},
    }
    return {
        "scales": {"useful": scale},
        "aspects": {"secretaspect": {"title": "Secret aspect", "aim": "secret-aim"}},
        "designs": {"secretdesign": design},
        "conditions": {
            "SECRETCONDITION0": {"context": {"turns_before": 0}, "instructions": "Use what is there."},
            "SECRETCONDITION3": {"context": {"turns_before": 3}},
        },
        "gold": {"d0#4": {"useful": {"answer": 2, "reason": "secret-gold-reason"}}, "d1#4": {"useful": 1}},
        "tasks": {"gold_one_in": 2},
        "quiz": {"questions": [quiz]},
        "demographics": [question | {"name": "age"}],
        "familiarity": [question | {"name": "known"}],
        "debriefing": "Thanks.",
        "pools": pool(pay={"cents": 5}),
        "quality": [],
    }


def corpus() -> list[Dialogue]:
    made = [dialogue(f"d{n}") for n in range(4)]
    return [
        Dialogue(
            each.key,
            tuple(
                type(turn)(
                    turn.speaker, turn.text, turn.system and "secret-system", {"category": "SecretCategory"}
                )
                for turn in each.turns
            ),
            {"category": "SecretCategory"},
        )
        for each in made
    ]


def pages_of_a_rater() -> list[str]:
    """What stands behind a rater's link: every route that names nothing but the link."""
    from tests.routes import routes as every_route

    routes = [str(route.pattern) for route in every_route()]
    found = [route.removeprefix("w/<str:token>") for route in routes if route.startswith("w/<str:token>")]
    plain = [page for page in found if "<" not in page]
    assert {"", "/stopped", "/instructions", "/withdraw"} <= set(plain)
    return plain


class Listener:
    """A rater's browser that keeps every byte it is sent, headers too."""

    def __init__(self, http: httpx.Client, link: str) -> None:
        self.http, self.link, self.heard = http, link, ""

    def __call__(self, method: str, address: str, **more: Any) -> httpx.Response:
        response = self.http.request(method, address, follow_redirects=True, **more)
        self.heard += f"{response.text}\n{json.dumps(dict(response.headers))}\n"
        return response

    def say(self, part: str, answers: Any, key: str = "") -> None:
        token = self.link.rsplit("/", 1)[1]
        self("POST", "/t/before", json={"link": token, "part": part, "key": key, "answers": answers})


def test_no_secret_is_in_any_byte_that_a_rater_is_sent(http: httpx.Client, study: Callable[..., list[str]]):
    from labelwright.server.store.models import Batch, Place, TaskItem

    (link, *_) = study(corpus=corpus(), **secretive())
    assert TaskItem.objects.filter(role="gold").count() == 4
    rater = Listener(http, link)
    rater("GET", link)
    rater("POST", f"{link}/consent", data={"agree": "yes"})
    rater.say("demographics", {"0": {"age": 1}})
    rater("GET", link)
    rater.say("quiz", {"0": {"quizzed": 2}})
    rater("GET", link)
    rater.say("familiarity", {"0": {"known": 1}}, str(Batch.objects.get().pk))
    done = 0
    while (task := read_page(rater("GET", link).text).task) is not None:
        headers = {"X-Labelwright-Visit": task["visit"]}
        answers = {"0": {"useful": 1, "look": 1}}
        rater("PUT", "/t/save", json={"answers": answers, "save_id": "a", "revision": 0}, headers=headers)
        rater("GET", "/t/draft", headers=headers)
        rater("POST", "/t/submit", json={"answers": {"0": {"useful": 9}}}, headers=headers)
        assert rater("POST", "/t/submit", json={"answers": answers}, headers=headers).status_code == 200
        rater("POST", "/t/submit", json={"answers": answers}, headers=headers)
        done += 1
    # Two items that are not gold, and gold in every other task.
    assert (done, Place.objects.filter(gold=True, state="filled").count()) in {(3, 1), (4, 2)}
    for page in pages_of_a_rater():
        rater("GET", f"{link}{page}")
    rater("POST", f"{link}/withdraw", data={"data_use": "used"})
    told = [secret for secret in SECRETS if secret.lower() in rater.heard.lower()]
    assert told == []


def test_a_rater_learns_nothing_of_a_model_that_rated_the_same_items(http: httpx.Client, database: str):
    pytest.importorskip("openai", reason="the extra `llm` is not installed")
    from labelwright.server.people.actions.joining import make_links
    from labelwright.server.people.actions.pools import get_pool
    from labelwright.testing.llm_endpoint import LlmEmulator, completion
    from tests.integration.test_model_raters import load, rate, start

    said = {"item_1": {"useful": 3, "comment": "SECRETREASON of the model"}}
    with LlmEmulator(lambda _body, _before: completion(json.dumps(said))) as endpoint:
        study = load(endpoint.address, 2, conditions={"one": {}}, model={"name": "secret-model"})
        assert rate(start(study)) == "none_left"
    now = datetime.now(UTC)
    [made] = make_links(study, get_pool(study, "own"), 1, 60, now)
    link = f"/w/{made.token}"
    rater = Listener(http, link)
    rater("GET", link)
    rater("POST", f"{link}/consent", data={"agree": "yes"})
    done = 0
    while (task := read_page(rater("GET", link).text).task) is not None:
        headers = {"X-Labelwright-Visit": task["visit"]}
        rater("GET", "/t/draft", headers=headers)
        rater("POST", "/t/submit", json={"answers": {"0": {"useful": 1}}}, headers=headers)
        done += 1
    for page in pages_of_a_rater():
        rater("GET", f"{link}{page}")
    assert done == 2
    # Neither its words, nor its name, nor its pool.
    assert [
        told for told in ("SECRETREASON", "secret-model", "model_call", "judge:") if told in rater.heard
    ] == []
