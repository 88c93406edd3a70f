"""Raters and their work: pools, caps, groups, batches, pay, links, and the assignment of conditions."""

from labelwright.crowd.balance import order_conditions
from labelwright.crowd.calendar import BatchesPart
from labelwright.crowd.consent import ConsentPart
from labelwright.crowd.demand import Demand, EarlierWork
from labelwright.crowd.gold import GoldPlan, GoldSchedule
from labelwright.crowd.item_sets import BadLayout, ItemSet
from labelwright.crowd.layout import LaidBatch, Unit, lay_out
from labelwright.crowd.ledger import COMMITTED, CallState, LedgerState, PaymentKind
from labelwright.crowd.links import BadLink, Link, RevokedLink, read_link, sign_link
from labelwright.crowd.orders import counterbalanced, order_candidates
from labelwright.crowd.planner import Plan, describe_plan, make_plan
from labelwright.crowd.pools import AnyPool, BatchBonus, Caps, Group, LinkPool, ModelPool, Pay, PoolPay
from labelwright.crowd.qualification import QualificationPart
from labelwright.crowd.receipts import receipt
from labelwright.crowd.retention import RetentionPart
from labelwright.crowd.rules import AssignmentPart, Spoil, spoil_rules
from labelwright.crowd.states import (
    STORED,
    AssignmentState,
    BatchState,
    CountScope,
    DataUse,
    MemberState,
    PaidState,
    PlaceState,
    RaterKind,
    StudyState,
    StudyVerb,
)

__all__ = [
    "COMMITTED",
    "STORED",
    "AnyPool",
    "AssignmentPart",
    "AssignmentState",
    "BadLayout",
    "BadLink",
    "BatchBonus",
    "BatchState",
    "BatchesPart",
    "CallState",
    "Caps",
    "ConsentPart",
    "CountScope",
    "DataUse",
    "Demand",
    "EarlierWork",
    "GoldPlan",
    "GoldSchedule",
    "Group",
    "ItemSet",
    "LaidBatch",
    "LedgerState",
    "Link",
    "LinkPool",
    "MemberState",
    "ModelPool",
    "PaidState",
    "Pay",
    "PaymentKind",
    "PlaceState",
    "Plan",
    "PoolPay",
    "QualificationPart",
    "RaterKind",
    "RetentionPart",
    "RevokedLink",
    "Spoil",
    "StudyState",
    "StudyVerb",
    "Unit",
    "counterbalanced",
    "describe_plan",
    "lay_out",
    "make_plan",
    "order_candidates",
    "order_conditions",
    "read_link",
    "receipt",
    "sign_link",
    "spoil_rules",
]
