"""Agreement measures over arrays and counts, independent of studies and of the other stages.

>>> from labelwright.agreement import Bootstrap, Counts, measure_ratings
>>> counts = Counts.of_table([[3, 0], [2, 1], [0, 3], [0, 3]] * 6, codes=(0, 1))
>>> found = measure_ratings(counts, ["percentage", "alpha_nominal"], Bootstrap(replicates=100, seed=7))
>>> found["percentage"]
percentage 0.833 [0.727, 0.920] (95% over items, seed 7; 24 items, 72 ratings)
>>> found["percentage"].interval.question
'95% intervals for these raters and other items.'
"""

from labelwright.agreement._arrays import Code, Floats, Ints
from labelwright.agreement.alpha import krippendorff_alpha
from labelwright.agreement.bootstrap import Bootstrap
from labelwright.agreement.counts import Counts, Sums
from labelwright.agreement.errors import NoOrder, UnknownCode, UnknownMeasure, UnknownOption
from labelwright.agreement.estimate import UNDEFINED, Estimate, Interval
from labelwright.agreement.fleiss import fleiss_kappa
from labelwright.agreement.gwet import gwet_ac1, gwet_ac2_linear, gwet_ac2_ordinal, gwet_ac2_quadratic
from labelwright.agreement.icc import icc1, icc1k, icc2, icc2k, icc3, icc3k
from labelwright.agreement.kappa import cohen_kappa, drop_one_kappa, kappa_of_sums, kappa_of_tables
from labelwright.agreement.means import mean_estimate
from labelwright.agreement.measures import (
    DEFAULT_BOOTSTRAP,
    MEASURES,
    CountMeasure,
    Measure,
    PairMeasure,
    count_measure,
    get_measure,
    measure_names,
    measure_ratings,
    pair_measure,
    register_measure,
)
from labelwright.agreement.one_rater import ChanceDistance, agreement_with_others
from labelwright.agreement.pairs import PairTables
from labelwright.agreement.percentage import percentage
from labelwright.agreement.ratings import Ratings
from labelwright.agreement.selections import response_scores, selection_jaccard, snippet_coverage
from labelwright.agreement.significance import (
    Significance,
    benjamini_hochberg,
    chi_squared_tests,
    correct_tests,
    holm,
    paired_permutation_test,
    permutation_test,
)
from labelwright.agreement.spans import (
    ReferenceScores,
    cut_spans,
    jaccard,
    jaccard_k,
    score_against_reference,
)
from labelwright.agreement.tau import kendall_tau_b, tau_of_tables
from labelwright.agreement.weights import closeness

__all__ = [
    "DEFAULT_BOOTSTRAP",
    "MEASURES",
    "UNDEFINED",
    "Bootstrap",
    "ChanceDistance",
    "Code",
    "CountMeasure",
    "Counts",
    "Estimate",
    "Floats",
    "Interval",
    "Ints",
    "Measure",
    "NoOrder",
    "PairMeasure",
    "PairTables",
    "Ratings",
    "ReferenceScores",
    "Significance",
    "Sums",
    "UnknownCode",
    "UnknownMeasure",
    "UnknownOption",
    "agreement_with_others",
    "benjamini_hochberg",
    "chi_squared_tests",
    "closeness",
    "cohen_kappa",
    "correct_tests",
    "count_measure",
    "cut_spans",
    "drop_one_kappa",
    "fleiss_kappa",
    "get_measure",
    "gwet_ac1",
    "gwet_ac2_linear",
    "gwet_ac2_ordinal",
    "gwet_ac2_quadratic",
    "holm",
    "icc1",
    "icc1k",
    "icc2",
    "icc2k",
    "icc3",
    "icc3k",
    "jaccard",
    "jaccard_k",
    "kappa_of_sums",
    "kappa_of_tables",
    "kendall_tau_b",
    "krippendorff_alpha",
    "mean_estimate",
    "measure_names",
    "measure_ratings",
    "pair_measure",
    "paired_permutation_test",
    "percentage",
    "permutation_test",
    "register_measure",
    "response_scores",
    "score_against_reference",
    "selection_jaccard",
    "snippet_coverage",
    "tau_of_tables",
]
