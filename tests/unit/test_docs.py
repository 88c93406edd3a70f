"""The documentation says what there is, and its pages can be built."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from bench.calibration.rows import rows
from bench.calibration.runs import RUNS_AGAIN
from bench.calibration.table import PAGE, read, with_table
from bench.figures import PAGE as SCALE_PAGE
from bench.figures import with_figures
from labelwright.agreement import measure_names
from labelwright.analysis.audit.checks import CHECKS
from labelwright.quality.rules import RULES
from labelwright.study import json_schema
from scripts.docs.__main__ import Site
from scripts.docs.api import documentation, public_modules, public_names, write_api
from scripts.docs.blocks import run
from scripts.docs.links import broken, place_in_site
from scripts.docs.pages import read_navigation, title_of
from scripts.stored_data import PAGE as STORED_DATA
from scripts.stored_data import with_tables
from scripts.study_file import PAGE as STUDY_FILE
from scripts.study_file import with_keys

ROOT = Path(__file__).parents[2]
DECISIONS = ROOT / "docs" / "decisions"


def test_every_registered_measure_has_its_documentation() -> None:
    page = (ROOT / "docs" / "reference" / "measures.md").read_text(encoding="utf-8")
    assert [name for name in measure_names() if f"### {name}\n" not in page] == []


def test_the_calibration_page_shows_every_row_as_it_was_measured() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == with_table(page, read())
    assert [row.name for row in read()] == [row.name for row in rows([])]
    # A row outside its limits counts only after it was run again.
    short = [row for row in read() if row.holds is False and row.runs >= RUNS_AGAIN]
    assert [row.name for row in short if not row.warned] == []


def test_the_page_on_stored_data_shows_the_inventory_of_the_database() -> None:
    page = STORED_DATA.read_text(encoding="utf-8")
    assert page == with_tables(page)


def test_the_page_on_the_study_file_shows_every_key_of_the_schema() -> None:
    page = STUDY_FILE.read_text(encoding="utf-8")
    assert page == with_keys(page), "run python -m scripts.study_file"


def test_every_key_of_a_study_file_has_a_description() -> None:
    schema = json_schema()
    parts = {"Study": schema, **schema["$defs"]}
    keys = {f"{n}.{key}": value for n, part in parts.items() for key, value in part["properties"].items()}
    assert [key for key, value in keys.items() if not value.get("description")] == []
    assert [name for name, part in parts.items() if ">>>" in part["description"]] == []
    # An alias of a field, a field of a base class, and a key that a subclass narrows.
    assert keys["When.is"]["description"].startswith("The code of an option")
    assert keys["TextQuestion.type"]["description"] == "The type of the question."


def test_the_figures_of_the_scale_page_are_those_of_the_benchmarks() -> None:
    page = SCALE_PAGE.read_text(encoding="utf-8")
    results = json.loads((ROOT / "bench" / "results.json").read_text())
    assert page == with_figures(page, results)
    assert page.count(" ms |") >= 4


def test_every_quality_rule_has_its_documentation() -> None:
    page = (ROOT / "docs" / "reference" / "tasks.md").read_text(encoding="utf-8")
    assert [name for name in RULES if f"| `{name}` |" not in page] == []


def test_every_kind_of_finding_has_its_documentation() -> None:
    page = (ROOT / "docs" / "reference" / "audit.md").read_text(encoding="utf-8")
    modules = (ROOT / "src/labelwright/analysis/audit/checks").glob("*.py")
    source = "\n".join(module.read_text(encoding="utf-8") for module in modules)
    kinds = {line.strip().strip('",') for line, before in _after(source, "Finding(") if before}
    assert len(kinds) > len(CHECKS)
    assert [kind for kind in sorted(kinds) if f"`{kind}`" not in page] == []


def _after(text: str, mark: str) -> list[tuple[str, bool]]:
    lines = text.splitlines()
    return [(line, before.rstrip().endswith(mark)) for before, line in pairwise(lines)]


def test_a_marked_page_shows_what_its_blocks_print_and_return() -> None:
    page = "<!-- run -->\n# T\n\n```python\nx = 20\nprint('printed')\nx + 1\n```\n"
    made = run(page, Path("page.md"))
    assert '<pre class="out">printed\n</pre>' in made
    assert '<pre class="out">21</pre>' in made


def test_a_block_that_fails_ends_the_build() -> None:
    with pytest.raises(ZeroDivisionError):
        run("<!-- run -->\n\n```python\n1 / 0\n```\n", Path("page.md"))


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A start page, one page, and beside them a picture, a study and a page of the root."""
    files = {
        "docs/index.md": "# Start\n\n## Pages\n- [One <b>](one.md): a page\n- [Root](../ROOT.md)",
        "docs/one.md": "# One\n\n## `A` part, or two\n\n![](pictures/one.svg) [studies](../studies)",
        "docs/pictures/one.svg": "<svg/>",
        "studies/study.yaml": "name: <study>",
        "ROOT.md": "# Root\n\n[a part](docs/one.md#a-part-or-two)",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_site_holds_all_that_its_pages_link_to(repository: Path) -> None:
    site = repository / "site"
    Site(repository, site).build()
    assert broken(site) == []
    one = (site / "one.html").read_text()
    assert 'href="studies/index.html"' in one
    assert '<a href="one.html" aria-current="page">One &lt;b&gt;</a>' in one
    assert 'href="one.html#a-part-or-two"' in (site / "ROOT.html").read_text()
    assert 'href="study.yaml.html"' in (site / "studies" / "index.html").read_text()
    assert "name: &lt;study&gt;" in (site / "studies" / "study.yaml.html").read_text()
    assert (site / "pictures" / "one.svg").is_file()


@pytest.mark.parametrize("link", ["[x](gone.md)", "[x](one.md#gone)", "[x](#gone)", "![](gone.png)"])
def test_a_link_that_leads_nowhere_is_found(repository: Path, link: str) -> None:
    with (repository / "docs" / "one.md").open("a") as page:
        page.write(f"\n\n{link}")
    Site(repository, repository / "site").build()
    assert len(broken(repository / "site")) == 1


def test_the_navigation_leads_to_every_page() -> None:
    sections = read_navigation(ROOT / "docs" / "index.md", ROOT)
    shown = [entry.page for section in sections for entry in section.entries]
    records = set(DECISIONS.glob("0*.md"))
    sources = {*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")} - records
    assert sorted([Path("index.html"), *shown]) == sorted(place_in_site(page, ROOT) for page in sources)


def test_decision_records_are_numbered_without_gaps_and_listed() -> None:
    records = sorted(DECISIONS.glob("0*.md"))
    assert [int(record.name[:4]) for record in records] == list(range(1, len(records) + 1))
    listed = re.findall(
        r"^\| (\d+) \| \[(.+)\]\((.+)\) \|$", (DECISIONS / "index.md").read_text(), re.MULTILINE
    )
    assert listed == [(record.name[:4], _title(record), record.name) for record in records]


def _title(record: Path) -> str:
    number, _, title = title_of(record).partition(". ")
    assert int(number) == int(record.name[:4]), record.name
    return title


# These two say nothing about themselves yet; do not add to the list.
def test_every_public_name_is_in_the_api_reference_and_has_a_docstring() -> None:
    reference = write_api()
    names = [(module, name) for module in public_modules() for name in public_names(module)]
    assert [name for module, name in names if f"\n### {module.__name__}.{name}\n" not in reference] == []
    undocumented = {f"{module.__name__}.{name}" for module, name in names if not documentation(module, name)}
    assert undocumented == set()


def test_the_api_reference_is_the_same_in_every_build_and_shows_nothing_private() -> None:
    reference = write_api()
    assert reference == write_api()
    assert " object at 0x" not in reference
    shown = re.findall(r"^### (\S+)$", reference, re.MULTILINE)
    assert [name for name in shown if any(part.startswith("_") for part in name.split("."))] == []
