"""Labelwright: human evaluation of dialogue systems, from raw logs to labels that can be defended in print.

The library in a notebook, without any server:

    import labelwright

    labels = labelwright.Labels.read("labels.parquet")
    labelwright.measure_agreement(labels, ["alpha_ordinal"], by=["condition"])

Names are imported when they are first used, so that `import labelwright` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "Bootstrap": ("labelwright.agreement", "Bootstrap"),
    "Counts": ("labelwright.agreement", "Counts"),
    "Estimate": ("labelwright.agreement", "Estimate"),
    "Labels": ("labelwright.analysis", "Labels"),
    "MixedCodes": ("labelwright.analysis", "MixedCodes"),
    "Point": ("labelwright.scales", "Point"),
    "Ratings": ("labelwright.agreement", "Ratings"),
    "Scale": ("labelwright.scales", "Scale"),
    "LabelwrightError": ("labelwright.errors", "LabelwrightError"),
    "audit": ("labelwright.analysis.audit", "audit"),
    "bradley_terry": ("labelwright.analysis", "bradley_terry"),
    "consistency": ("labelwright.analysis", "consistency"),
    "difference": ("labelwright.analysis", "difference"),
    "distributions": ("labelwright.analysis", "distributions"),
    "measure": ("labelwright.agreement", "measure"),
    "measure_agreement": ("labelwright.analysis", "agreement"),
    "measures": ("labelwright.agreement", "names"),
    "normalised_scores": ("labelwright.analysis", "normalised_scores"),
    "positivity_shift": ("labelwright.analysis", "positivity_shift"),
    "rank_systems": ("labelwright.analysis", "rank_systems"),
    "ranking_stability": ("labelwright.analysis", "ranking_stability"),
    "time_saved": ("labelwright.analysis", "time_saved"),
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604  the names are those of the table above


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'labelwright' has no attribute {name!r}")
    module, attribute = _PUBLIC[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
