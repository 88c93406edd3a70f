"""Every figure that our code recomputes, by its id in published-figures.json."""

from __future__ import annotations

from functools import cache
from statistics import mean

import numpy as np

from labelwright.agreement import Counts, get_measure, jaccard, score_against_reference
from labelwright.agreement.fleiss import fleiss_kappa
from labelwright.agreement.spans import jaccard_of_choices
from labelwright.analysis import consistency
from tests.reproduction.context_study import ASPECTS, CONDITIONS, harmonised
from tests.reproduction.published import figure
from tests.reproduction.snippet_study import SETS, Text, expert_spans_in, large_scale, paragraphs


@cache
def recomputed_here() -> dict[str, float]:
    """Ids with our values; percentages between conditions in percent, as printed."""
    return {
        **_agreement(),
        **_between_conditions(),
        **_spans(),
        **_against_experts(),
        **_large_scale(),
        **_examples(),
    }


def _agreement() -> dict[str, float]:
    found = {}
    for aspect in ASPECTS:
        for condition in CONDITIONS:
            ratings = harmonised().where(aspect=aspect, condition=condition).ratings()
            found[f"siro.tau.{aspect}.{condition}"] = get_measure("kendall_tau_b")(ratings, None).value
            found[f"siro.kappa.{aspect}.{condition}"] = get_measure("cohen_kappa")(ratings, None).value
    return found


def _between_conditions() -> dict[str, float]:
    pairs = [("C_0", "C_3"), ("C_0", "C_7"), ("C_3", "C_7")]
    more = [("C_0-heu", "C_0-llm"), ("C_0-llm", "C_0-sum"), ("C_0-heu", "C_0-sum")]
    found = {}
    for matrix in consistency(harmonised(), bootstrap=None):
        for one, two in pairs + (more if matrix.aspect == "relevance" else []):
            found[f"siro.cross.{matrix.aspect}.{one}~{two}"] = 100 * matrix.get(one, two).value
    return found


def _raters(texts: dict[str, Text]) -> list[tuple[list[tuple[int, int]], ...]]:
    return [text.raters for text in texts.values()]


def _spans() -> dict[str, float]:
    found = {}
    for name, read in SETS.items():
        five = "paragraph" in name and "Expert" not in name
        for k in (None, 4, 3, 2) if five else (None, 2):
            key = f"cast.table2.{'J' if k is None else f'J_{k}'}.{name}"
            found[key] = jaccard(_raters(read()), k, bootstrap=None).value
    return found


def _against_experts() -> dict[str, float]:
    found = {}
    for name, read in SETS.items():
        if name.startswith("Expert"):
            continue
        texts = read()
        if "sentence" in name:
            experts = [expert_spans_in(key, text) for key, text in texts.items()]
        else:
            experts = [list(paragraphs("expert")[key].raters) for key in texts]
        for combine in ("mean", "majority", "similarity"):
            scores = score_against_reference(_raters(texts), experts, combine, bootstrap=None)
            found[f"cast.table3.F1_{combine}.{name}"] = scores.f1.value
    return found


def _large_scale() -> dict[str, float]:
    two, every = large_scale("topics_1-2"), large_scale()
    experts = [list(paragraphs("expert")[key].raters) for key in two]
    rows = [(text.text, spans) for text in every.values() for spans in text.raters]
    return {
        "cast.6.2.J.large_scale_topics_132_133": jaccard(_raters(two), bootstrap=None).value,
        "cast.6.2.J_2.large_scale_topics_132_133": jaccard(_raters(two), 2, bootstrap=None).value,
        "cast.6.2.F1_mean.large_scale": score_against_reference(
            _raters(two), experts, bootstrap=None
        ).f1.value,
        "cast.repo.J.large_scale_all": jaccard(_raters(every), bootstrap=None).value,
        "cast.repo.J_2.large_scale_all": jaccard(_raters(every), 2, bootstrap=None).value,
        "cast.table4.snippets_per_annotation": mean(len(spans) for _, spans in rows),
        "cast.table4.snippet_length": mean(
            sum(len(text[a:b].split()) for a, b in spans) for text, spans in rows
        ),
    }


def _examples() -> dict[str, float]:
    found = {}
    for example in "abcd":
        chosen = np.repeat([3, 2, 1, 0], figure(f"cast.fig1.{example}")["words_chosen_by_3_2_1_0"])
        counts = Counts.of_table(np.stack([3 - chosen, chosen], axis=1), (0, 1))
        found[f"cast.fig1.{example} fleiss"] = fleiss_kappa(counts, None).value
        found[f"cast.fig1.{example} J"] = jaccard_of_choices(chosen, 3)
        found[f"cast.fig1.{example} J_2"] = jaccard_of_choices(chosen, 3, 2)
    return found
