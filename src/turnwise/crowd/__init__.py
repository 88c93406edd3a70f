"""Who works: pools, caps, pay, links, and which condition comes next."""

from turnwise.crowd.balance import order_conditions
from turnwise.crowd.consent import ConsentPart
from turnwise.crowd.links import BadLink, Link, read_link, sign_link
from turnwise.crowd.pools import Caps, LinkPool, Pay
from turnwise.crowd.qualification import QualificationPart
from turnwise.crowd.receipts import receipt
from turnwise.crowd.states import AssignmentState, DataUse, MemberState, PaidState, PlaceState

__all__ = [
    "AssignmentState",
    "BadLink",
    "Caps",
    "ConsentPart",
    "DataUse",
    "Link",
    "LinkPool",
    "MemberState",
    "PaidState",
    "Pay",
    "PlaceState",
    "QualificationPart",
    "order_conditions",
    "read_link",
    "receipt",
    "sign_link",
]
