"""Turnwise: human evaluation of dialogue systems, from raw logs to labels that can be defended in print.

The library in a notebook, without any server:

    import turnwise

    labels = turnwise.Labels.read("labels.parquet")
    turnwise.measure_agreement(labels, ["alpha_ordinal"], by=["condition"])

Names are imported when they are first used, so that `import turnwise` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_PUBLIC = {
    "Bootstrap": ("turnwise.agreement", "Bootstrap"),
    "Counts": ("turnwise.agreement", "Counts"),
    "Estimate": ("turnwise.agreement", "Estimate"),
    "Labels": ("turnwise.analysis", "Labels"),
    "MixedCodes": ("turnwise.analysis", "MixedCodes"),
    "Point": ("turnwise.scales", "Point"),
    "Ratings": ("turnwise.agreement", "Ratings"),
    "Scale": ("turnwise.scales", "Scale"),
    "TurnwiseError": ("turnwise.errors", "TurnwiseError"),
    "audit": ("turnwise.analysis.audit", "audit"),
    "bradley_terry": ("turnwise.analysis", "bradley_terry"),
    "consistency": ("turnwise.analysis", "consistency"),
    "difference": ("turnwise.analysis", "difference"),
    "distributions": ("turnwise.analysis", "distributions"),
    "measure": ("turnwise.agreement", "measure"),
    "measure_agreement": ("turnwise.analysis", "agreement"),
    "measures": ("turnwise.agreement", "names"),
    "normalised_scores": ("turnwise.analysis", "normalised_scores"),
    "positivity_shift": ("turnwise.analysis", "positivity_shift"),
    "rank_systems": ("turnwise.analysis", "rank_systems"),
    "ranking_stability": ("turnwise.analysis", "ranking_stability"),
    "time_saved": ("turnwise.analysis", "time_saved"),
}

__all__ = ["__version__", *_PUBLIC]  # noqa: PLE0604  the names are those of the table above


def __getattr__(name: str) -> Any:
    if name not in _PUBLIC:
        raise AttributeError(f"module 'turnwise' has no attribute {name!r}")
    module, attribute = _PUBLIC[name]
    value = getattr(import_module(module), attribute)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
