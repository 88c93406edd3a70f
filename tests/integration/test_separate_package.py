"""A question type, a reader, a measure and a quality rule of a separate installed package work end to end."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent

import httpx
import pytest
import yaml

from tests.processes import LABELWRIGHT, Process, Server
from tests.studies import corpus_of, dialogues, study_data

pytestmark = [pytest.mark.postgres, pytest.mark.once]

SOURCE = Path(__file__).parents[2] / "src"

PROJECT = """
    [build-system]
    requires = ["hatchling"]
    build-backend = "hatchling.build"

    [project]
    name = "acme-evaluation"
    version = "1.0"

    [project.entry-points."labelwright.questions"]
    stars = "acme_evaluation.stars:StarsQuestion"

    [project.entry-points."labelwright.readers"]
    piped = "acme_evaluation.logs:read"

    [project.entry-points."labelwright.measures"]
    unanimity = "acme_evaluation.agreement:unanimity"

    [project.entry-points."labelwright.rules"]
    straight_line = "acme_evaluation.doubts:StraightLine"
"""

STARS = '''
    from typing import Any, ClassVar, Literal

    import numpy as np

    from labelwright.scales import Point, Scale
    from labelwright.task import Asking, Line
    from labelwright.task.questions import BadAnswer, Question, compose_prompt, question_type


    @question_type
    class StarsQuestion(Question):
        """Asks for one to five stars."""

        EXAMPLES: ClassVar = ({"name": "rating", "type": "stars", "text": "How many stars?"},)

        type: Literal["stars"]
        stars: int = 5

        def check(self, value: Any, asking: Asking) -> int:
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= self.stars:
                raise BadAnswer("Choose one of the stars.")
            return value

        def code(self, value: int) -> int:
            return value

        def answer_scales(self, scales):
            return {"": Scale(points=[Point(code=n, name=f"{n} stars") for n in range(1, self.stars + 1)])}

        def words(self, value: int, asking: Asking) -> tuple[Line, ...]:
            return (Line((f"{value} stars",)),)

        def answer_schema(self, asking: Asking) -> dict[str, Any]:
            return {"type": "integer", "minimum": 1, "maximum": self.stars}

        def prompt(self, asking: Asking) -> str:
            return compose_prompt(self.text, [], f"Answer with 1 to {self.stars} stars.")

        def sample(self, asking: Asking, random: np.random.Generator) -> int:
            return int(random.integers(1, self.stars + 1))

        def missing(self) -> str:
            return "Choose one of the stars."

        def view(self, asking: Asking) -> dict[str, Any]:
            return super().view(asking) | {"stars": list(range(1, self.stars + 1))}
'''

TEMPLATE = """
    <fieldset class="q acme-stars" {% include "shared/root.html" %}>
      <legend>{% include "shared/legend.html" %}</legend>
      {% for star in question.stars %}<label><input type="radio" name="{{ question.id }}" value="{{ star }}">{{ star }}</label>{% endfor %}
    </fieldset>
"""

WIDGET = """
    import { choose, chosen } from "../shared/choosing.js";
    export const read = chosen;
    export const write = choose;
"""

LOGS = '''
    from collections.abc import Iterator
    from pathlib import Path

    from labelwright.corpus import BadRecord, Dialogue, Turn
    from labelwright.corpus.reading import ReaderOptions, reader


    class PipedOptions(ReaderOptions):
        mark: str = "|"


    @reader("piped", PipedOptions)
    def read(path: Path, options: PipedOptions) -> Iterator[Dialogue | BadRecord]:
        """A dialogue a line: user and system take turns, with a mark between them."""
        for number, line in enumerate(path.read_text().splitlines(), start=1):
            turns = [Turn(("user", "system")[n % 2], said) for n, said in enumerate(line.split(options.mark))]
            yield Dialogue(f"line{number}", tuple(turns), original=line)
'''

AGREEMENT = """
    import numpy as np

    from labelwright.agreement import count_measure


    @count_measure("unanimity", "Agreement of two ratings of an item that are drawn at random, of all such pairs.")
    def unanimity(sums):
        return np.trace(sums.pairs, axis1=-2, axis2=-1) / sums.items
"""

DOUBTS = '''
    from typing import Any, ClassVar, Literal

    from labelwright.quality import Rule, Work, quality_rule


    @quality_rule
    class StraightLine(Rule):
        """Flags work in which every answer has the same code."""

        reason: ClassVar[str] = "All answers in this task are the same."

        rule: Literal["straight_line"]
        answers: int = 2

        def find(self, work: Work) -> dict[str, Any] | None:
            codes = set(work.codes.values())
            return {"code": codes.pop()} if len(work.codes) >= self.answers and len(codes) == 1 else None
'''


CONTRACTS = """
    from acme_evaluation.agreement import unanimity
    from acme_evaluation.doubts import StraightLine
    from acme_evaluation.stars import StarsQuestion
    from labelwright.quality import Work
    from labelwright.testing.measures import MeasureContract
    from labelwright.testing.questions import QuestionContract
    from labelwright.testing.rules import RuleContract


    class TestStars(QuestionContract):
        question_type = StarsQuestion
        refused = {"unknown option": (0, 6, "3", 2.0, True)}
        cannot = {"too long": "an answer is one number"}


    class TestUnanimity(MeasureContract):
        measure = unanimity


    class TestStraightLine(RuleContract):
        rule = StraightLine(rule="straight_line")
        broken_by = (Work("C0", 60, {"0:rating": 3, "0:fit": 3}),)
        kept_by = (Work("C0", 60, {"0:rating": 3, "0:fit": 4}), Work("C0", 60, {"0:rating": 3}))
"""


def install(folder: Path, project: str, files: dict[str, str]) -> Path:
    """Installs a package as pip does, into a folder of its own, without an index; that folder."""
    source, target = folder / "source", folder / "installed"
    for name, text in {"pyproject.toml": project, **files}.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(dedent(text).lstrip("\n"), encoding="utf-8")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index",
         "--disable-pip-version-check", "--target", str(target), str(source)],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip
    return target


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the package is installed in."""
    return install(
        tmp_path_factory.mktemp("acme"),
        PROJECT,
        {
            "acme_evaluation/__init__.py": "",
            "acme_evaluation/stars/__init__.py": STARS,
            "acme_evaluation/stars/template.html": TEMPLATE,
            "acme_evaluation/stars/widget.js": WIDGET,
            "acme_evaluation/logs.py": LOGS,
            "acme_evaluation/agreement.py": AGREEMENT,
            "acme_evaluation/doubts.py": DOUBTS,
        },
    )


def path_with(package: Path) -> str:
    # A measured run has its own folders on the path, which every process needs.
    return os.pathsep.join([str(package), str(SOURCE), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)


@pytest.fixture
def run(package: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs a command where the package is installed."""

    def command(*arguments: str) -> subprocess.CompletedProcess[str]:
        environment = os.environ | {"PYTHONPATH": path_with(package)}
        return subprocess.run(
            [LABELWRIGHT, *arguments],
            capture_output=True, text=True, env=environment, check=False, timeout=60,
        )  # fmt: skip

    return command


def test_the_package_keeps_our_contracts_in_its_own_tests(package: Path, tmp_path: Path):
    (tmp_path / "test_acme.py").write_text(dedent(CONTRACTS), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_acme.py"],
        cwd=tmp_path, env=os.environ | {"PYTHONPATH": path_with(package)},
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed
    assert int(passed[1]) > 30


@pytest.fixture
def study_file(tmp_path: Path) -> Path:
    """A study that uses the type, the reader and the rule."""
    data = study_data(
        corpus={"reader": "piped", "path": "log.txt", "options": {"mark": "/"}},
        quality=[{"rule": "straight_line", "answers": 2}],
        conditions={"only": {}},
        redundancy=1,
    )
    data["designs"]["reply"]["questions"] = [
        {"name": "rating", "type": "stars", "text": "How many stars?", "aspect": "usefulness", "stars": 4},
        {"name": "fit", "type": "stars", "text": "How well does it fit?"},
    ]
    (tmp_path / "study.yaml").write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    (tmp_path / "log.txt").write_text("Hi/Hello/A film, please/Try Harbour Lights\n", encoding="utf-8")
    return tmp_path / "study.yaml"


def test_the_study_file_is_checked_with_the_type_and_the_rule(run, study_file: Path):
    done = run("study", "check", str(study_file))
    assert (done.returncode, done.stderr) == (0, "")
    assert "study.yaml: no mistakes." in done.stdout
    study_file.write_text(
        study_file.read_text().replace("stars: 4", "starz: 4").replace("answers: 2", "answers: x")
    )
    wrong = run("study", "check", str(study_file))
    assert wrong.returncode == 1
    assert '"starz" is not a valid field here. Valid fields: ' in wrong.stderr
    assert 'Did you mean "stars"?' in wrong.stderr
    assert '"answers" should be a whole number' in wrong.stderr
    schema = json.loads(run("study", "schema").stdout)
    assert {"StarsQuestion", "StraightLine"} <= set(schema["$defs"])


def test_the_reader_imports_a_corpus(run, study_file: Path, tmp_path: Path):
    done = run("corpus", "import", str(study_file), "--to", str(tmp_path / "corpus"))
    assert done.stdout.startswith("Wrote 1 dialogues with 4 turns to "), done.stderr
    assert "A dialogue a line: user and system take turns" in run("corpus", "readers").stdout


def test_the_measure_is_computed(run, tmp_path: Path):
    # Three items by two raters: two of the three pairs agree.
    rows = ["item,rater,label", "a,x,1", "a,y,1", "b,x,2", "b,y,2", "c,x,1", "c,y,2"]
    (tmp_path / "labels.csv").write_text("\n".join(rows), encoding="utf-8")
    done = run(
        "agreement", str(tmp_path / "labels.csv"), "--measure", "unanimity", "--replicates", "0", "--json"
    )
    assert '"unanimity"' in done.stdout, done.stderr
    assert "0.6667" in f"{_only_value(json.loads(done.stdout)):.4f}"
    assert "unanimity\n" in run("measures").stdout


def _only_value(found: object) -> float:
    values = [float(number) for number in re.findall(r'"value": ([0-9.]+)', json.dumps(found))]
    assert len(values) == 1, found
    return values[0]


@pytest.fixture
def server(package: Path, database: str, tmp_path: Path) -> Iterator[Server]:
    running = Server(tmp_path / "server.log", PYTHONPATH=path_with(package))
    running.start()
    yield running
    running.stop()


def test_the_question_is_asked_stored_and_flagged(
    run, server: Server, study_file: Path, package: Path, tmp_path: Path
):
    loaded = run("study", "load", str(study_file), "--open")
    assert loaded.returncode == 0, loaded.stderr
    link = run("study", "links", "tiny").stdout.splitlines()[0].rsplit("/", 1)[1]
    with httpx.Client(base_url=server.root, timeout=20) as http:
        page = _task_page(http, f"/w/{link}")
        assert 'class="q acme-stars"' in page
        assert page.count('data-type="stars"') == 2
        script = re.search(r'[^"]*questions/stars/widget[^"]*\.js', page)
        assert script
        assert "export const read" in http.get(script[0]).text
        embedded = re.search(r'<script[^>]*id="page"[^>]*>(.*?)</script>', page, re.DOTALL)
        assert embedded
        visit = json.loads(embedded[1])["visit"]
        headers = {"X-Labelwright-Visit": visit}
        refused = http.post("/t/submit", json={"answers": {"0": {"rating": 5, "fit": 1}}}, headers=headers)
        assert refused.status_code >= 400
        assert "Choose one of the stars." in refused.text
        taken = http.post("/t/submit", json={"answers": {"0": {"rating": 3, "fit": 3}}}, headers=headers)
        assert taken.status_code == 200, taken.text
    worker = Process("worker", log=tmp_path / "worker.log", PYTHONPATH=path_with(package))
    worker.start()
    try:
        assert _flag(tmp_path / "worker.log") == ("straight_line", {"code": 3})
    finally:
        worker.stop()
    exported = run("study", "export", "tiny", str(tmp_path / "out.jsonl"))
    assert exported.stdout.startswith("Wrote 2 answers to "), exported.stderr
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    told = {(row["question"], row["label"], row["name"], row["aspect"], row["flags"]) for row in rows}
    assert told == {
        ("rating", 3, "3 stars", "usefulness", "straight_line"),
        ("fit", 3, "3 stars", "", "straight_line"),
    }


def _task_page(http: httpx.Client, link: str) -> str:
    page = http.get(link, follow_redirects=True)
    if 'name="agree"' in page.text:
        points = re.findall(r'name="point" value="([^"]*)"', page.text)
        http.post(f"{link}/consent", data={"agree": "yes", "point": points}, follow_redirects=True)
        page = http.get(link, follow_redirects=True)
    assert page.status_code == 200, page.text
    return page.text


def _flag(log: Path) -> tuple[str, object]:
    """The flag that the worker stores when its next block is due."""
    from django.db import connection

    for _ in range(300):
        with connection.cursor() as cursor:
            cursor.execute("SELECT rule, evidence::text FROM flag")
            found = cursor.fetchall()
        if found:
            ((rule, evidence),) = found
            return rule, json.loads(evidence)
        time.sleep(0.1)
    raise AssertionError(f"nothing was flagged: {log.read_text()}")


def test_a_broken_package_says_what_to_do_and_harms_nothing_else(tmp_path: Path):
    project = PROJECT.replace("acme-evaluation", "acme-broken").replace("acme_evaluation", "acme_broken")
    files = {"acme_broken/__init__.py": "", "acme_broken/stars.py": "import acme_missing_dependency\n"}
    target = install(tmp_path, project, files)
    environment = os.environ | {"PYTHONPATH": path_with(target)}
    (tmp_path / "dialogues.jsonl").write_bytes(corpus_of(dialogues(3)))

    def check(**changes: object) -> subprocess.CompletedProcess[str]:
        (tmp_path / "study.yaml").write_text(yaml.safe_dump(study_data(**changes)), encoding="utf-8")
        command = [LABELWRIGHT, "study", "check", str(tmp_path / "study.yaml")]
        return subprocess.run(
            command, capture_output=True, text=True, env=environment, check=False, timeout=60
        )

    unrelated = check()
    assert unrelated.returncode == 0, unrelated.stderr
    broken = re.findall(
        r'^Warning: package "acme-broken", entry point "(\w+) = ', unrelated.stderr, re.MULTILINE
    )
    assert sorted(broken) == ["piped", "stars", "straight_line", "unanimity"]

    rule = check(quality=[{"rule": "straight_line"}])
    assert rule.returncode == 1
    assert "study.yaml:" in rule.stderr
    assert (
        'package "acme-broken", entry point "straight_line = acme_broken.doubts:StraightLine" of '
        "labelwright.rules: it cannot be imported: ModuleNotFoundError: No module named 'acme_broken.doubts'. "
        "Update the package, or remove it with `pip uninstall acme-broken`."
    ) in rule.stderr
    assert "Traceback" not in rule.stderr

    reader = check(corpus={"reader": "piped", "path": "x"})
    assert reader.returncode == 1
    assert 'package "acme-broken", entry point "piped = ' in reader.stderr
