"""Draws a random sample of texts from pages, errors and documentation, for a person to review.

Usage: .venv/bin/python -m scripts.sample_texts [seed] [number]
"""

from __future__ import annotations

import ast
import random
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "labelwright"
SHORTEST = 25
"""Shorter texts are labels, which are not worth reviewing."""
TAGS = re.compile(r"{%\s*(?:block)?translate[^%]*%}|{%[^%]*%}|{{[^}]*}}|<[^>]+>")


def texts() -> Iterator[tuple[str, str]]:
    """Every text with the file it is in."""
    for path in sorted(SOURCE.rglob("*.html")):
        quoted = re.findall(r'{% translate "([^"]+)" %}', path.read_text())
        bare = [" ".join(part.split()) for part in TAGS.split(path.read_text())]
        yield from ((str(path.relative_to(ROOT)), text) for text in [*quoted, *bare])
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
                for value in [*node.exc.args, *(keyword.value for keyword in node.exc.keywords)]:
                    if isinstance(value, ast.Constant | ast.JoinedStr):
                        yield str(path.relative_to(ROOT)), ast.unparse(value).strip("f'\"")
    for path in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for paragraph in path.read_text().split("\n\n"):
            if re.match(r"[A-Z]", paragraph):
                yield str(path.relative_to(ROOT)), re.split(r"(?<=[.:])\s", paragraph)[0]


def main() -> None:
    """Prints the sample."""
    seed, number = (int(word) for word in [*sys.argv[1:], "10", "10"][:2])
    found = sorted({(path, text) for path, text in texts() if len(text) >= SHORTEST and " " in text})
    for path, text in random.Random(seed).sample(found, number):
        sys.stdout.write(f"{path}: {text}\n")


if __name__ == "__main__":
    main()
