"""Models as raters: whether one may stand in for a person, what it is worth, and how it is biased."""

from labelwright.judging.agreement import ModelAgreement, agree_with_people
from labelwright.judging.alignment import Division, PromptHistory, PromptVersion, divide_items
from labelwright.judging.choice import Choice, NextItem, choose_next
from labelwright.judging.comparison import (
    Gathered,
    ScoreRow,
    ScoreTable,
    compare_systems,
    estimate,
    gather,
)
from labelwright.judging.errors import AlreadyOpened, NoModel, NotRandom, TooFew
from labelwright.judging.estimates import Evidence, MeanScore, ThreeScores, estimate_mean
from labelwright.judging.probes import (
    Bias,
    ProbeResult,
    ProposedCalls,
    family_bias,
    mean_bias,
    order_bias,
    paired_bias,
    propose_calls,
    repetition_bias,
    verbosity_bias,
)
from labelwright.judging.report import JudgeReport, JudgeRow, compare_models
from labelwright.judging.sides import Panel, PeopleAndModels, make_panel, split_sides
from labelwright.judging.stand_in import EPSILONS, ReplacedRater, StandIn, stand_in

__all__ = [
    "EPSILONS",
    "AlreadyOpened",
    "Bias",
    "Choice",
    "Division",
    "Evidence",
    "Gathered",
    "JudgeReport",
    "JudgeRow",
    "MeanScore",
    "ModelAgreement",
    "NextItem",
    "NoModel",
    "NotRandom",
    "Panel",
    "PeopleAndModels",
    "ProbeResult",
    "PromptHistory",
    "PromptVersion",
    "ProposedCalls",
    "ReplacedRater",
    "ScoreRow",
    "ScoreTable",
    "StandIn",
    "ThreeScores",
    "TooFew",
    "agree_with_people",
    "choose_next",
    "compare_models",
    "compare_systems",
    "divide_items",
    "estimate",
    "estimate_mean",
    "family_bias",
    "gather",
    "make_panel",
    "mean_bias",
    "order_bias",
    "paired_bias",
    "propose_calls",
    "repetition_bias",
    "split_sides",
    "stand_in",
    "verbosity_bias",
]
