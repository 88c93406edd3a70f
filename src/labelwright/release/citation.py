"""How to cite a release, in the Citation File Format."""

from __future__ import annotations

import yaml

from labelwright.release.data_sheet import LICENCE_ADDRESSES, authors_of
from labelwright.release.facts import ReleaseFacts

# Identifiers of SPDX, where the Hugging Face Hub writes them in lower case.
_SPDX = {
    "cc-by-4.0": "CC-BY-4.0",
    "cc-by-sa-4.0": "CC-BY-SA-4.0",
    "cc-by-nc-4.0": "CC-BY-NC-4.0",
    "cc0-1.0": "CC0-1.0",
    "odc-by": "ODC-By-1.0",
}


def write_citation(facts: ReleaseFacts) -> str:
    """The file CITATION.cff; authors who are not stated yet are called so."""
    authors = [
        {"family-names": each.family, "given-names": each.given, "affiliation": each.affiliation}
        for each in authors_of(facts.sheet["authors"])
    ]
    found: dict[str, object] = {
        "cff-version": "1.2.0",
        "message": "If you use these data, please cite them as below.",
        "type": "dataset",
        "title": facts.title,
        "version": str(facts.version),
        "date-released": facts.made_at.date().isoformat(),
        "authors": [{name: value for name, value in each.items() if value} for each in authors]
        or [{"name": "The authors of the study (not stated yet)"}],
    }
    if facts.sheet["description"]:
        found["abstract"] = facts.sheet["description"]
    if (licence := facts.sheet["licence"]) in LICENCE_ADDRESSES:
        found["license"] = _SPDX[licence]
    if facts.sheet["resources"].startswith("https://"):
        found["url"] = facts.sheet["resources"]
    return yaml.safe_dump(found, sort_keys=False, allow_unicode=True)
