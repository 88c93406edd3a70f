"""Croissant metadata of a release, with the fields of its vocabulary for responsible AI.

https://docs.mlcommons.org/croissant/docs/croissant-spec-1.0.html and croissant-rai-spec-1.0.html
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa

from labelwright.release.checksums import sha256_of
from labelwright.release.data_sheet import LICENCE_ADDRESSES, authors_of
from labelwright.release.facts import ReleaseFacts
from labelwright.release.formats import Column, Format
from labelwright.release.split_table import PublishedTable

SPECIFICATION = "http://mlcommons.org/croissant/1.0"
RAI_SPECIFICATION = "http://mlcommons.org/croissant/RAI/1.0"
_TERMS = (
    *("citeAs", "column", "equivalentProperty", "extract", "field", "fileProperty", "fileObject", "fileSet"),
    *("format", "includes", "isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet"),
    *("references", "regex", "repeated", "replace", "samplingRate", "separator", "source", "subField", "transform"),
)  # fmt: skip
_CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "sc": "https://schema.org/",
    "conformsTo": "dct:conformsTo",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
}


def describe_in_croissant(facts: ReleaseFacts, folder: Path) -> dict[str, Any]:
    """The metadata, with a record set for each table and split; `folder` holds the files, whose checksums it lists."""
    files = [(table, split) for table in facts.tables for split, rows in table.rows.items() if rows]
    found: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": [SPECIFICATION, RAI_SPECIFICATION],
        "name": facts.title,
        "description": facts.sheet.stated("description"),
        "version": f"{facts.version}.0.0",
        "datePublished": facts.made_at.date().isoformat(),
        "inLanguage": facts.language,
        "keywords": ["human evaluation", "dialogue", "soft labels"],
        "url": facts.sheet["resources"]
        if facts.sheet["resources"].startswith("https://")
        else "https://example.invalid/",
        "license": LICENCE_ADDRESSES.get(facts.sheet["licence"], facts.sheet.stated("licence")),
        "citeAs": _citation(facts),
        "creator": [
            {"@type": "sc:Person", "name": f"{each.given} {each.family}".strip()}
            for each in authors_of(facts.sheet["authors"])
        ],
        **_responsible(facts),
        "distribution": [_file(table, split, folder) for table, split in files],
        "recordSet": [_record_set(table, split) for table, split in files],
    }
    return {name: value for name, value in found.items() if value}


def _citation(facts: ReleaseFacts) -> str:
    names = [f"{each.family}, {each.given}".rstrip(", ") for each in authors_of(facts.sheet["authors"])]
    fields = {
        "title": facts.title,
        "author": " and ".join(names) or facts.sheet.stated("authors"),
        "year": str(facts.made_at.year),
        "version": str(facts.version),
    }
    body = ", ".join(f"{name} = {{{_without_braces(value)}}}" for name, value in fields.items())
    return f"@misc{{{facts.name}, {body}}}"


def _without_braces(text: str) -> str:
    return " ".join(text.translate(str.maketrans("{}\\", "()/")).split())


def _responsible(facts: ReleaseFacts) -> dict[str, Any]:
    sheet = facts.sheet
    asked = dict.fromkeys(question.text for question in facts.questions)
    return {
        "rai:dataCollection": sheet.stated("sampling"),
        "rai:dataCollectionType": ["Human evaluation", "Crowdsourcing"],
        "rai:dataCollectionTimeframe": [
            f"{at:%Y-%m-%d}" for at in (facts.first_at, facts.last_at) if at is not None
        ],
        "rai:dataAnnotationProtocol": (
            f"Each item was to be rated {facts.redundancy} times under each of {len(facts.conditions)} conditions. "
            f"Questions: {' | '.join(asked)}"
        ),
        "rai:dataAnnotationPlatform": [f"Labelwright {facts.labelwright}"],
        "rai:dataAnnotationAnalysis": [
            "Every rating is published beside the label, with the distribution over raters. Excluded ratings are marked."
        ],
        "rai:annotationsPerItem": str(facts.redundancy),
        "rai:annotatorDemographics": [sheet.stated("recruitment"), f"{facts.raters:,} raters. {facts.pay}"],
        "rai:machineAnnotationTools": [f"{facts.models:,} language models, marked by rater_kind"]
        if facts.models
        else [],
        "rai:dataPreprocessingProtocol": [
            f"Free text was searched for mail addresses, phone numbers and platform IDs; {facts.hidden:,} are hidden.",
            "A person decided about each text that was found.",
        ],
        "rai:personalSensitiveInformation": [
            sheet.stated("personal_data_handling"),
            "Raters have pseudonyms, made with a secret key.",
        ],
        "rai:dataBiases": [sheet.stated("biases")],
        "rai:dataLimitations": [sheet.stated("limitations")],
        "rai:dataUseCases": [sheet.stated("uses")],
        "rai:dataSocialImpact": sheet.stated("impact_assessment"),
    }


def _file(table: PublishedTable, split: str, folder: Path) -> dict[str, Any]:
    path = table.path(split, Format.PARQUET)
    return {
        "@type": "cr:FileObject",
        "@id": path,
        "name": path,
        "contentUrl": path,
        "encodingFormat": "application/x-parquet",
        "contentSize": f"{(folder / path).stat().st_size} B",
        "sha256": sha256_of(folder / path),
    }


def _record_set(table: PublishedTable, split: str) -> dict[str, Any]:
    name = f"{table.name}-{split}"
    return {
        "@type": "cr:RecordSet",
        "@id": name,
        "name": name,
        "description": f"{table.about} ({split})",
        "field": list(_fields(table, split, name)),
    }


def _fields(table: PublishedTable, split: str, record_set: str) -> Iterator[dict[str, Any]]:
    for column in table.columns:
        described = {
            "@type": "cr:Field",
            "@id": f"{record_set}/{column.name}",
            "name": column.name,
            "description": column.about,
            "dataType": _data_type(column),
            "source": {
                "fileObject": {"@id": table.path(split, Format.PARQUET)},
                "extract": {"column": column.name},
            },
        }
        yield described | ({"repeated": True} if pa.types.is_list(column.type) else {})


def _data_type(column: Column) -> str:
    kind = column.type.value_type if pa.types.is_list(column.type) else column.type
    if pa.types.is_boolean(kind):
        return "sc:Boolean"
    if pa.types.is_integer(kind):
        return "sc:Integer"
    return "sc:Float" if pa.types.is_floating(kind) else "sc:Text"
