"""A service that speaks the protocol of Mechanical Turk; the public one is closed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any, ClassVar
from urllib.parse import urlsplit

from labelwright.crowd.ledger import PaymentKind
from labelwright.crowd.mturk import MTurkPart, mturk_fee
from labelwright.crowd.panel import BadArrival, PanelArrival, Return
from labelwright.crowd.platform import (
    CallKind,
    DuePayment,
    PayCall,
    PayRoute,
    Platform,
    PlatformFrame,
    platform,
)
from labelwright.crowd.pools import LinkPool
from labelwright.outside.platforms.mturk.connection import MTurkConnection
from labelwright.outside.platforms.mturk.marks import RECEIPT_FIELD, read_session, session_name
from labelwright.outside.platforms.mturk.service import LOOPBACK, MTurkService, check_address

SHORTEST_REASON, LONGEST_REASON = 20, 1000
ID = re.compile(r"[A-Z0-9]{1,64}")
PUBLIC_SITE, SANDBOX_SITE = "https://www.mturk.com", "https://workersandbox.mturk.com"
"""Where workers of the public service were."""


@platform
class MTurkPlatform(Platform):
    """The reward of a HIT is the pay of all tasks in one assignment."""

    name: ClassVar[str] = "mturk"
    pay_route: ClassVar[PayRoute] = PayRoute.CALLS
    publishes: ClassVar[bool] = True
    rejection_frees_place: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = (
        "LABELWRIGHT_MTURK_ADDRESS",
        "LABELWRIGHT_MTURK_KEY",
        "LABELWRIGHT_MTURK_SECRET",
    )
    notice: ClassVar[str] = (
        "Amazon closed Mechanical Turk on 30 September 2026: nobody can be recruited there. This platform works with the "
        "emulator, and with services that speak the same protocol."
    )
    calls: ClassVar[tuple[CallKind, ...]] = (
        CallKind("create", moves_money=True, repeatable=True),
        CallKind("places", moves_money=True, repeatable=True),
        *(CallKind(name, moves_money=False, repeatable=True) for name in ("open", "pause", "resume", "stop")),
        CallKind("approve", moves_money=True, repeatable=True),
        CallKind("reject", moves_money=True, repeatable=True),
        CallKind("bonus", moves_money=True, repeatable=True),
        CallKind("group", moves_money=False, repeatable=True),
        CallKind("grant", moves_money=False, repeatable=True),
        CallKind("message", moves_money=False, repeatable=False, readable=False),
    )

    def connect(self, settings: Mapping[str, str]) -> MTurkConnection:
        """A connection with the keys of the environment; raises MTurkUnusable for a live service that is not allowed."""
        allowed = settings.get("LABELWRIGHT_MTURK_ALLOW_LIVE", "") == "1"
        address = check_address(settings.get("LABELWRIGHT_MTURK_ADDRESS", ""), allow_live=allowed)
        key, secret = settings.get("LABELWRIGHT_MTURK_KEY", ""), settings.get("LABELWRIGHT_MTURK_SECRET", "")
        return MTurkConnection(MTurkService(address, key, secret))

    def pay_calls(self, payments: Sequence[DuePayment]) -> list[PayCall]:
        """One approval for the tasks of each visit, and one call for each bonus."""
        tasks = sorted((p for p in payments if p.kind == PaymentKind.TASK), key=lambda p: (p.session, p.id))
        approvals = [
            PayCall(
                "approve", f"approve|{due[0].code}|{due[0].round}", _named(due[0]), tuple(p.id for p in due)
            )
            for due in (list(group) for _, group in groupby(tasks, key=lambda p: p.session))
        ]
        return approvals + [
            PayCall(
                "bonus",
                f"bonus|{p.code}|{p.round}",
                _named(p)
                | {"cents": p.cents, "reason": p.reason or "A bonus for your work.", "mark": p.code},
                (p.id,),
            )
            for p in payments
            if p.kind != PaymentKind.TASK
        ]

    def rejection_problem(self, reason: str) -> str | None:
        """What a reason lacks: the worker reads it, so it must say something, and not too much for the service."""
        if SHORTEST_REASON <= len(reason.strip()) <= LONGEST_REASON:
            return None
        return f"Workers read the reason. It needs {SHORTEST_REASON} characters at least and {LONGEST_REASON} at most."

    def frame(self, settings: Mapping[str, str]) -> PlatformFrame:
        """Workers see the task in a frame, and their browser posts a form at the end, to one site only."""
        address = settings.get("LABELWRIGHT_MTURK_ADDRESS", "")
        public = SANDBOX_SITE if "sandbox" in address else PUBLIC_SITE
        local = urlsplit(address).hostname in LOOPBACK
        site = settings.get("LABELWRIGHT_MTURK_WORKER_SITE") or (address if local else public)
        parts = urlsplit(site)
        return PlatformFrame(
            preview="ASSIGNMENT_ID_NOT_AVAILABLE",
            submit_parameter="turkSubmitTo",
            origin=f"{parts.scheme}://{parts.netloc}",
            embed_origins=("https://*.mturk.com", f"{parts.scheme}://{parts.netloc}"),
        )

    def session_of(self, came: PanelArrival) -> str:
        """One assignment can have two workers, one after the other: the visit is both. Raises BadArrival."""
        if not (ID.fullmatch(came.session) and ID.fullmatch(came.person)):
            raise BadArrival("these are not ids of the service.")
        return session_name(came.session, came.person)

    def return_form(self, session: str, receipt: str, settings: Mapping[str, str]) -> Return:
        """The form that submits an assignment. The answers are stored here; it carries only the receipt."""
        assignment, _ = read_session(session)
        address = f"{self.frame(settings).origin}/mturk/externalSubmit"
        return Return(address=address, fields=(("assignmentId", assignment), (RECEIPT_FIELD, receipt)))

    def wishes(self, pool: LinkPool, group: str = "") -> Mapping[str, Any]:
        """The part `mturk` of the pool, and the qualification of raters who qualified."""
        return _part(pool).model_dump(mode="json") | ({"group": group} if group else {})

    def fee_cents(self, pool: LinkPool, cents: int, kind: PaymentKind = PaymentKind.TASK) -> int:
        """The fee of the published price list, whatever the study file says."""
        return mturk_fee(cents, _part(pool), kind)


def _part(pool: LinkPool) -> MTurkPart:
    return pool.mturk or MTurkPart()


def _named(payment: DuePayment) -> dict[str, Any]:
    return {"raters": [payment.rater], "sessions": [payment.session]}
