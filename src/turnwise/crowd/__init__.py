"""Who works: pools, caps, groups, batches, pay, links, and which condition comes next."""

from turnwise.crowd.balance import order_conditions
from turnwise.crowd.calendar import BatchesPart
from turnwise.crowd.consent import ConsentPart
from turnwise.crowd.demand import Demand
from turnwise.crowd.layout import LaidBatch, Unit, lay_out
from turnwise.crowd.links import BadLink, Link, read_link, sign_link
from turnwise.crowd.orders import counterbalanced, order_candidates
from turnwise.crowd.planner import Plan, make_plan, tell_plan
from turnwise.crowd.pools import Caps, Group, LinkPool, Pay
from turnwise.crowd.qualification import QualificationPart
from turnwise.crowd.receipts import receipt
from turnwise.crowd.rules import AssignmentPart, Spoil, spoil_rules
from turnwise.crowd.sets import BadLayout, ItemSet
from turnwise.crowd.states import AssignmentState, BatchState, DataUse, MemberState, PaidState, PlaceState

__all__ = [
    "AssignmentPart",
    "AssignmentState",
    "BadLayout",
    "BadLink",
    "BatchState",
    "BatchesPart",
    "Caps",
    "ConsentPart",
    "DataUse",
    "Demand",
    "Group",
    "ItemSet",
    "LaidBatch",
    "Link",
    "LinkPool",
    "MemberState",
    "PaidState",
    "Pay",
    "PlaceState",
    "Plan",
    "QualificationPart",
    "Spoil",
    "Unit",
    "counterbalanced",
    "lay_out",
    "make_plan",
    "order_candidates",
    "order_conditions",
    "read_link",
    "receipt",
    "sign_link",
    "spoil_rules",
    "tell_plan",
]
