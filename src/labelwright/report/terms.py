"""The glossary of a report: what each figure means, in a sentence or two, and where its reference is."""

from __future__ import annotations

from labelwright.agreement import get_measure

TERMS: dict[str, tuple[str, str]] = {
    "percentage": ("Percentage agreement", ""),
    "fleiss_kappa": ("Fleiss' κ", ""),
    "alpha_nominal": ("Krippendorff's α, nominal", ""),
    "alpha_ordinal": ("Krippendorff's α, ordinal", ""),
    "cohen_kappa": ("Cohen's κ", ""),
    "kendall_tau_b": ("Kendall's τ-b", ""),
    "interval": (
        "95% interval",
        (
            "A range that contains the true value in 95 of 100 such studies. The notes below a table say which "
            "items, dialogues or raters it speaks for."
        ),
    ),
    "p": (
        "p",
        (
            "How often a difference at least this large would occur if there were none. Corrected p-values take into "
            "account how many comparisons the table makes (Holm 1979), so that all of them together are wrong in at "
            "most 5 of 100 studies without a difference."
        ),
    ),
    "score": (
        "Score",
        "Labels as numbers from 0 (worst) to 1 (best): the mean over the ratings of an item, then over items.",
    ),
    "difference": (
        "Difference",
        "The figure of the second minus that of the first, on the items that both have.",
    ),
    "effect_size": (
        "Effect size",
        "Cohen's dz: the mean difference divided by the standard deviation of the items' differences.",
    ),
    "same_label": (
        "Same label",
        (
            "The share of items with the same majority label in both conditions. An item without a majority in one of "
            "them counts as different."
        ),
    ),
    "replicates": (
        "Replicates",
        (
            "The share expected if the same condition were repeated with other raters: no two conditions can "
            "share much more."
        ),
    ),
    "majority": ("Majority label", "The label that most raters of an item gave; a tie is no majority."),
    "seconds": ("Seconds", "Working time, as measured by the page or given in the file."),
    "per_item": ("Seconds per item", "The time of a task divided by the number of items in it."),
    "per_judgment": (
        "Seconds per judgment",
        "The time of a task divided by the number of judgments in it: the unit in which task designs are compared.",
    ),
    "excluded": ("Excluded", "Submitted work whose data are not used, by a person's decision or a rule."),
    "rank_range": (
        "Rank range",
        "The ranks that a system can have, given the corrected comparisons of all pairs.",
    ),
    "strength": (
        "Strength",
        (
            "By the model of Bradley and Terry (1952) with Davidson's ties (1970): leaving out ties, system a is preferred "
            "to system b with probability a / (a + b). Strengths of all systems sum to 1."
        ),
    ),
    "preferred": (
        "Preferred",
        "The probability that the first system is preferred to the second, leaving out ties; 50% if they are equal.",
    ),
    "jaccard": (
        "J and J_k",
        (
            "The characters that all raters (at least k raters) marked, divided by the characters that any rater marked; "
            "mean over texts. A text that nobody marked counts as 1 (Łajewska and Balog 2023)."
        ),
    ),
    "f1": (
        "F1",
        (
            "The harmonic mean of precision and recall of the marked characters, against experts; mean over experts "
            "and texts."
        ),
    ),
    "spearman": ("Spearman's ρ", "The rank correlation over items, from -1 to 1."),
    "planned": (
        "Planned",
        "The analysis is part of the plan that was fixed before the first rating. Everything else is exploratory.",
    ),
}
_MEASURED = ("percentage", "fleiss_kappa", "alpha_nominal", "alpha_ordinal", "cohen_kappa", "kendall_tau_b")


def term_name(key: str) -> str:
    """The name of a term as tables show it."""
    return TERMS[key][0] if key in TERMS else key


def glossary(keys: set[str]) -> list[dict[str, str]]:
    """The definitions of the given terms, in the order of the glossary."""
    return [
        {"key": key, "name": name, "about": get_measure(key).definition if key in _MEASURED else about}
        for key, (name, about) in TERMS.items()
        if key in keys
    ]
