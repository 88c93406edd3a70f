"""The documentation says what there is, and its pages can be built."""

from __future__ import annotations

import importlib.util
import re
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import pytest

from turnwise.agreement import names
from turnwise.analysis.audit.checks import CHECKS
from turnwise.quality.rules import RULES

ROOT = Path(__file__).parents[2]
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")


@pytest.fixture(scope="module")
def builder() -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_builder", ROOT / "scripts" / "docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_registered_measure_has_its_documentation() -> None:
    page = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")
    assert [name for name in names() if f"### {name}\n" not in page] == []


def test_every_quality_rule_has_its_documentation() -> None:
    page = (ROOT / "docs" / "tasks.md").read_text(encoding="utf-8")
    assert [name for name in RULES if f"| `{name}` |" not in page] == []


def test_every_kind_of_finding_has_its_documentation() -> None:
    page = (ROOT / "docs" / "audit.md").read_text(encoding="utf-8")
    modules = (ROOT / "src/turnwise/analysis/audit/checks").glob("*.py")
    source = "\n".join(module.read_text(encoding="utf-8") for module in modules)
    kinds = {line.strip().strip('",') for line, before in _after(source, "Finding(") if before}
    assert len(kinds) > len(CHECKS)
    assert [kind for kind in sorted(kinds) if f"`{kind}`" not in page] == []


def _after(text: str, mark: str) -> list[tuple[str, bool]]:
    lines = text.splitlines()
    return [(line, before.rstrip().endswith(mark)) for before, line in pairwise(lines)]


def test_a_marked_page_shows_what_its_blocks_print_and_return(builder: ModuleType) -> None:
    page = "<!-- run -->\n# T\n\n```python\nx = 20\nprint('printed')\nx + 1\n```\n"
    made = builder.run(page, Path("page.md"))
    assert '<pre class="out">printed\n</pre>' in made
    assert '<pre class="out">21</pre>' in made


def test_a_block_that_fails_ends_the_build(builder: ModuleType) -> None:
    with pytest.raises(ZeroDivisionError):
        builder.run("<!-- run -->\n\n```python\n1 / 0\n```\n", Path("page.md"))


def test_links_between_pages_lead_to_html(
    builder: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "one.md").write_text("# One\n\n[two](two.md#part)")
    (tmp_path / "docs" / "two.md").write_text("# Two <b>")
    (tmp_path / "docs" / "pictures").mkdir()
    (tmp_path / "docs" / "pictures" / "one.svg").write_text("<svg/>")
    monkeypatch.setattr(builder, "DOCS", tmp_path / "docs")
    first, _ = builder.build(tmp_path / "site")
    assert 'href="two.html#part"' in first.read_text()
    assert ">Two &lt;b&gt;</a>" in first.read_text()
    assert (tmp_path / "site" / "pictures" / "one.svg").is_file()


def test_every_link_and_picture_of_the_documents_is_there() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    linked = [(page, link) for page in pages for link in LINK.findall(page.read_text(encoding="utf-8"))]
    assert [f"{page.name}: {link}" for page, link in linked if not (page.parent / link).exists()] == []


def test_every_page_is_named_by_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = [page.name for page in sorted((ROOT / "docs").glob("*.md"))]
    assert [name for name in pages if f"docs/{name}" not in readme] == []
