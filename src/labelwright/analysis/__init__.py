"""Analysis of labels: agreement, effects of conditions, comparison of systems, and audits."""

from labelwright.analysis.aggregation import Aggregated, Convergence, majority
from labelwright.analysis.agreement import DEFAULT_MEASURES, measure_agreement, significance
from labelwright.analysis.comparing.conditions import (
    Consistency,
    LabelDistribution,
    consistency,
    distributions,
)
from labelwright.analysis.comparing.contrasts import Contrast, ContrastTable
from labelwright.analysis.comparing.differences import difference
from labelwright.analysis.comparing.exclusion import ExcludedShare, Exclusion, exclusion_by_condition
from labelwright.analysis.comparing.movement import Movement, measure_movement
from labelwright.analysis.comparing.replicates import replicate_agreement
from labelwright.analysis.comparing.shifts import positivity_shift, time_saved
from labelwright.analysis.correlation import correlate_with_agreement
from labelwright.analysis.data.candidates import (
    Comparisons,
    candidate_labels,
    preferences,
    rank_preferences,
)
from labelwright.analysis.data.counting import REASONS, UnknownReason, counted_rows, reason_left_out
from labelwright.analysis.data.exports import read_export, read_labels
from labelwright.analysis.data.labels import Labels
from labelwright.analysis.errors import MixedCodes, NothingShared, NotLabels, SeveralQuestions
from labelwright.analysis.ranking.strengths import Strength, Strengths, bradley_terry
from labelwright.analysis.ranking.systems import Ranking, Stability, rank_systems, ranking_stability
from labelwright.analysis.rater_models import dawid_skene, mace, one_coin
from labelwright.analysis.results import EstimateRow, EstimateTable
from labelwright.analysis.scores import (
    agreement_by_item,
    item_means,
    item_scores,
    item_weights,
    normalised_scores,
)

__all__ = [
    "DEFAULT_MEASURES",
    "REASONS",
    "Aggregated",
    "Comparisons",
    "Consistency",
    "Contrast",
    "ContrastTable",
    "Convergence",
    "EstimateRow",
    "EstimateTable",
    "ExcludedShare",
    "Exclusion",
    "LabelDistribution",
    "Labels",
    "MixedCodes",
    "Movement",
    "NotLabels",
    "NothingShared",
    "Ranking",
    "SeveralQuestions",
    "Stability",
    "Strength",
    "Strengths",
    "UnknownReason",
    "agreement_by_item",
    "bradley_terry",
    "candidate_labels",
    "consistency",
    "correlate_with_agreement",
    "counted_rows",
    "dawid_skene",
    "difference",
    "distributions",
    "exclusion_by_condition",
    "item_means",
    "item_scores",
    "item_weights",
    "mace",
    "majority",
    "measure_agreement",
    "measure_movement",
    "normalised_scores",
    "one_coin",
    "positivity_shift",
    "preferences",
    "rank_preferences",
    "rank_systems",
    "ranking_stability",
    "read_export",
    "read_labels",
    "reason_left_out",
    "replicate_agreement",
    "significance",
    "time_saved",
]
