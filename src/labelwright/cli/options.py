"""Options that several commands share."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from labelwright.scales import Scale

JSON = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
CorpusRoot = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        help="Allow the corpus to be anywhere in this folder. Default: the folder of the study file.",
    ),
]


def declared_scales(given: Sequence[str] | None) -> dict[str | None, Scale]:
    """The scale of each aspect, from options such as `poor, fair, good`, or from study files and scales of exports.

    A list can name its aspect in front (`fit: poor, good`); otherwise it is the scale of all aspects that have no
    other.

    >>> list(declared_scales(["fit: poor, good", "no, yes"]))
    ['fit', None]
    """
    from labelwright.scales import parse_scale

    found: dict[str | None, Scale] = {}
    for entry in given or ():
        if entry.endswith((".yaml", ".yml", ".json")):
            found |= _scales_in(Path(entry))
            continue
        aspect, colon, points = entry.partition(":")
        named = bool(colon) and aspect.strip() != "unordered"
        found[aspect.strip() if named else None] = parse_scale(points if named else entry)
    return found


def _scales_in(path: Path) -> dict[str | None, Scale]:
    if path.suffix == ".json":
        from labelwright.analysis.data.exports import ExportedScales

        return ExportedScales(json.loads(path.read_text())).aspects
    from labelwright.study import read_study

    study, _ = read_study(path)
    return {
        judged.aspect: judged.scale
        for design in study.designs.values()
        for judged in design.judgments(study.scales)
    }


def renamed_columns(given: Sequence[str] | None) -> dict[str, str]:
    """A mapping from our column names to those of the file, from options such as `item=dialogue_id`.

    >>> renamed_columns(["item=dialogue_id"])
    {'item': 'dialogue_id'}
    """
    pairs = [entry.partition("=") for entry in given or ()]
    wrong = [name for name, equals, _ in pairs if not equals]
    if wrong:
        raise typer.BadParameter(f"{wrong[0]!r} does not have the form item=dialogue_id.")
    return {ours: theirs for ours, _, theirs in pairs}
