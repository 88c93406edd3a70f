"""Labelwright: human evaluation of dialogue systems, from raw logs to labels that can be defended in print.

Use the library in a notebook, without a server:

    import labelwright

    labels = labelwright.Labels.read("labels.parquet")
    labelwright.measure_agreement(labels, ["alpha_ordinal"], by=["condition"])

Names are imported on first use, so `import labelwright` is fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "Bootstrap": "labelwright.agreement",
    "Counts": "labelwright.agreement",
    "Estimate": "labelwright.agreement",
    "ExpectedDesign": "labelwright.analysis.audit",
    "Labels": "labelwright.analysis",
    "LabelwrightError": "labelwright.errors",
    "MixedCodes": "labelwright.analysis",
    "Point": "labelwright.scales",
    "Ratings": "labelwright.agreement",
    "Scale": "labelwright.scales",
    "audit": "labelwright.analysis.audit",
    "bradley_terry": "labelwright.analysis",
    "consistency": "labelwright.analysis",
    "difference": "labelwright.analysis",
    "distributions": "labelwright.analysis",
    "get_measure": "labelwright.agreement",
    "measure_agreement": "labelwright.analysis",
    "measure_names": "labelwright.agreement",
    "measure_ratings": "labelwright.agreement",
    "normalised_scores": "labelwright.analysis",
    "positivity_shift": "labelwright.analysis",
    "rank_systems": "labelwright.analysis",
    "ranking_stability": "labelwright.analysis",
    "register_measure": "labelwright.agreement",
    "time_saved": "labelwright.analysis",
}
"""Each public name and the package that defines it under the same name."""

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604  the names are those of the table above


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'labelwright' has no attribute {name!r}")
    value = getattr(import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
