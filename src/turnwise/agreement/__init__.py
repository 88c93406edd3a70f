"""Pure measures over arrays and counts; they know no study and no other stage.

>>> from turnwise.agreement import Bootstrap, Counts, measure
>>> counts = Counts.of_table([[3, 0], [2, 1], [0, 3], [0, 3]], codes=(0, 1))
>>> found = measure(counts, ["percentage", "alpha_nominal"], Bootstrap(replicates=100, seed=7))
>>> found["percentage"].text
'0.83 [0.58, 1.00]'
"""

from turnwise.agreement.alpha import krippendorff_alpha
from turnwise.agreement.bootstrap import Bootstrap
from turnwise.agreement.counts import Counts
from turnwise.agreement.errors import UnknownCode, UnknownMeasure, UnknownOption
from turnwise.agreement.estimate import Estimate, Interval
from turnwise.agreement.fleiss import fleiss_kappa
from turnwise.agreement.gwet import gwet_ac1, gwet_ac2_linear, gwet_ac2_ordinal, gwet_ac2_quadratic
from turnwise.agreement.icc import icc1, icc1k, icc2, icc2k, icc3, icc3k
from turnwise.agreement.kappa import cohen_kappa, drop_one_kappa, kappa_of_tables
from turnwise.agreement.means import mean_estimate
from turnwise.agreement.measures import (
    CountMeasure,
    Measure,
    PairMeasure,
    count_measure,
    get,
    measure,
    names,
    pair_measure,
    register,
)
from turnwise.agreement.pairs import PairTables
from turnwise.agreement.percentage import percentage
from turnwise.agreement.ratings import Ratings
from turnwise.agreement.selections import response_scores, selection_jaccard, snippet_coverage
from turnwise.agreement.significance import (
    Significance,
    chi_squared_tests,
    correct,
    holm,
    paired_permutation_test,
    permutation_test,
)
from turnwise.agreement.spans import ReferenceScores, against_reference, cut_spans, jaccard, jaccard_k
from turnwise.agreement.tau import kendall_tau_b, tau_of_tables
from turnwise.agreement.weights import closeness

__all__ = [
    "Bootstrap",
    "CountMeasure",
    "Counts",
    "Estimate",
    "Interval",
    "Measure",
    "PairMeasure",
    "PairTables",
    "Ratings",
    "ReferenceScores",
    "Significance",
    "UnknownCode",
    "UnknownMeasure",
    "UnknownOption",
    "against_reference",
    "chi_squared_tests",
    "closeness",
    "cohen_kappa",
    "correct",
    "count_measure",
    "cut_spans",
    "drop_one_kappa",
    "fleiss_kappa",
    "get",
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
    "kappa_of_tables",
    "kendall_tau_b",
    "krippendorff_alpha",
    "mean_estimate",
    "measure",
    "names",
    "pair_measure",
    "paired_permutation_test",
    "percentage",
    "permutation_test",
    "register",
    "response_scores",
    "selection_jaccard",
    "snippet_coverage",
    "tau_of_tables",
]
