"""What the API is sent and what it answers: one definition for the server, its document and the client."""

from __future__ import annotations

import enum
from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from labelwright.crowd import StudyVerb

LONGEST_FILE = 400_000
"""Characters of a study file."""
MOST_DIALOGUES = 20_000


def _storable(text: str) -> str:
    """The text, if a database can store it.

    >>> _storable("naïve")
    'naïve'
    """
    if "\x00" in text or any(0xD800 <= ord(letter) < 0xE000 for letter in text):
        raise ValueError("the text has characters that cannot be stored")
    return text


Words = Annotated[str, AfterValidator(_storable)]
"""Text without NUL and without halves of characters."""
Name = Annotated[str, AfterValidator(_storable), Field(min_length=1, max_length=150)]


class Sent(BaseModel):
    """A body of a request. Unknown fields are refused, because they are mistyped ones."""

    model_config = ConfigDict(extra="forbid")


class Answered(BaseModel):
    """A body of an answer. A newer server may add fields, which an older client ignores."""

    model_config = ConfigDict(frozen=True)


class CallProblem(Answered):
    """Why a call failed."""

    code: str
    """Stable; programs can rely on it."""
    message: str
    """What happened, what was expected, and what to do next."""


class FileMistake(Answered):
    """A mistake in a study file."""

    line: int
    what: str


class StudyFile(Sent):
    """A study file."""

    text: Words = Field(max_length=LONGEST_FILE)


class CheckedFile(Answered):
    """The result of checking a study file."""

    mistakes: list[FileMistake]
    """Empty if the file has none."""


class SentPassage(BaseModel):
    """A passage that is judged as an answer to a turn."""

    id: str = Field(max_length=100)
    level: int


class SentCandidate(BaseModel):
    """A reply that could continue a dialogue."""

    text: str = Field(min_length=1)
    system: str | None = Field(default=None, max_length=200)


class TurnFacts(BaseModel):
    """The facts about a turn that studies use; others are kept as they are."""

    turn_id: str | int | None = None
    passages: list[SentPassage] = []


class DialogueFacts(BaseModel):
    """The facts about a dialogue that studies use; others are kept as they are."""

    category: str | None = None
    sample_weight: float = Field(default=1, gt=0, le=1e9)
    candidates: list[SentCandidate] | None = Field(default=None, max_length=100)


class SentTurn(Sent):
    """One turn of a dialogue."""

    speaker: Name
    text: Words
    system: Words | None = Field(default=None, max_length=200)
    meta: dict[str, Any] = {}
    """Further facts; those that studies use have a fixed form."""

    @model_validator(mode="after")
    def _checked(self) -> SentTurn:
        TurnFacts.model_validate(self.meta)
        return self


class SentDialogue(Sent):
    """A dialogue of the corpus."""

    key: Name
    turns: list[SentTurn] = Field(min_length=1, max_length=5_000)
    meta: dict[str, Any] = {}
    """Further facts; those that studies use have a fixed form."""

    @model_validator(mode="after")
    def _checked(self) -> SentDialogue:
        DialogueFacts.model_validate(self.meta)
        return self


class StudyMaterial(StudyFile):
    """A study file with its corpus."""

    dialogues: list[SentDialogue] = Field(max_length=MOST_DIALOGUES)
    drawn: bool = False
    """Whether these dialogues are already split, classified and sampled as the study file says."""


class PlanRequest(StudyMaterial):
    """A study to plan."""

    left_out: float = Field(default=0, ge=0, le=0.9)
    """Expected share of work that will be excluded."""


class StudyPlan(Answered):
    """Whether raters can complete a study under its rules."""

    completes: bool
    items: int
    ratings: int
    raters: int
    raters_needed: int
    sentences: list[str]
    """The plan in words."""


class LoadRequest(StudyMaterial):
    """A study to load as a new version."""

    expected_version: int | None = Field(default=None, ge=0, le=1_000_000)
    """The newest version that the sender has read, 0 for none; another one on the server refuses the load."""
    dry_run: bool = False
    """Only say what loading would change."""
    fresh: bool = False
    """Start anew: collect every rating again."""
    same_meaning: Words = Field(default="", max_length=2000)
    """Why changed wording has the same meaning; keeps the tasks."""


class LoadedStudy(Answered):
    """The result of loading a study."""

    id: str
    """Empty after a dry run of a new study."""
    version: int
    changed: bool
    items: int
    ratings: int
    """Ratings that are wanted."""
    sentences: list[str]
    """What the new version keeps and makes new, in words."""


class StudyListed(Answered):
    """A study in the list of studies."""

    id: str
    name: str
    title: str
    role: str
    """What you are in its team: owner, editor, reviewer or viewer."""
    state: str
    """draft, open, paused, closed or archived."""
    version: int
    created_at: datetime


class StudyDetail(StudyListed):
    """One study."""

    judgments: int
    """Single answers to questions that counted when the figures were last computed; a rating has several."""
    ratings: int
    """Ratings stored when the figures were last computed, to compare with `wanted`."""
    wanted: int
    """Ratings wanted in the newest version."""
    pools: list[str]


class StudyStateRequest(Sent):
    """What to do to the state of a study."""

    verb: StudyVerb


class StudyText(Answered):
    """The study file of a version, as it was loaded."""

    version: int
    text: str


class OpenedStage(Answered):
    """Items of a later stage."""

    stage: str
    items: int
    ratings: int
    waiting: int
    """Items of earlier stages that still need ratings."""


class LinksRequest(Sent):
    """Personal links for the raters of a pool."""

    pool: Name | None = None
    """The pool that does the main work, if none is named."""
    raters: int | None = Field(default=None, ge=1, le=10_000)
    """As many as the study file says, if no number is given."""


class PersonalLink(Answered):
    """A rater and their personal link."""

    rater: str
    address: str


class OpenLinkListed(Answered):
    """An open link."""

    number: int
    pool: str
    joined: int
    most: int
    expires_at: datetime
    address: str


class StudyLinks(Answered):
    """The links of a study that many people can follow, and the reviewers who got one."""

    open_links: list[OpenLinkListed]
    reviewers: list[str]


class RevokeRequest(Sent):
    """The links to revoke: exactly one field says which."""

    rater: Name | None = None
    pool: Name | None = None
    open_link: int | None = Field(default=None, ge=1, le=2**53)
    reviewer: Name | None = None
    everything: Literal[True] | None = None


class ChangeMade(Answered):
    """A change was made."""

    message: str


class ExportFormat(enum.StrEnum):
    """Formats of exports."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


class ExportRequest(Sent):
    """An export to write."""

    format: ExportFormat


class ExportListed(Answered):
    """A file with the answers of a study."""

    number: int
    format: str
    state: str
    """waiting, writing, ready or failed."""
    asked_at: datetime
    expires_at: datetime | None
    bytes: int | None


class PersonalHitListed(Answered):
    """A text that may be personal data, however often it occurs."""

    number: int
    kind: str
    """email, phone or platform_id."""
    text: str
    around: str
    """The text around the place where it was found first."""
    source: str
    places: int
    decision: str
    """keep, replace or leave_out; empty until somebody decides."""


class PersonalDataFound(Answered):
    """What the search for personal data has found so far."""

    scanned_at: datetime | None
    texts: int
    """Texts that were searched."""
    found: int
    open: int
    """Texts that nobody has decided about."""
    hits: list[PersonalHitListed]


class HitDecisionSent(enum.StrEnum):
    """What becomes of a text that may be personal data."""

    KEEP = "keep"
    REPLACE = "replace"
    LEAVE_OUT = "leave_out"
    OPEN = "open"
    """Takes an earlier decision back."""


class DecisionRequest(Sent):
    """A decision about texts that may be personal data."""

    numbers: Annotated[list[Annotated[int, Field(ge=1, le=2**53)]], Field(min_length=1, max_length=10_000)]
    decision: HitDecisionSent


class SheetAnswered(Answered):
    """The data sheet of a study."""

    answers: dict[str, str]
    """By field."""
    open: list[str]
    """The fields without an answer."""


class SheetRequest(Sent):
    """Answers to fields of the data sheet; other fields keep theirs."""

    answers: Annotated[dict[Words, Annotated[Words, Field(max_length=5_000)]], Field(max_length=100)]


class ReportPart(enum.StrEnum):
    """Files of a report."""

    PAGE = "report.html"
    NUMBERS = "report.json"
    ARCHIVE = "report.zip"


class ReportState(Answered):
    """The newest report of a study."""

    state: str
    """none, waiting, making, ready or failed."""
    step: str
    """What the worker is doing."""
    error: str
    """Why it failed."""
    asked_at: datetime | None
    made_at: datetime | None
    """When the stored files were made."""
    judgments: int
    """The judgments that they were made from."""
    outdated: bool
    """Whether the data have changed since."""


class RaterListed(Answered):
    """A rater in a pool."""

    rater: str
    """The pseudonym."""
    pool: str
    state: str
    submitted: int
    flags: int
    score: float | None
    qualified: bool | None


class ListPage(Answered):
    """A page of a long list."""

    next: str | None
    """What to give as `after` for the next page; none on the last."""


class RaterPage(ListPage):
    """A page of the raters of a study."""

    raters: list[RaterListed]


class InviteRequest(Sent):
    """A rater to invite."""

    email: Words = Field(default="", max_length=254)
    """The link is mailed to this address, if there is one."""


class OpenLinkRequest(Sent):
    """An open link to create."""

    most: int = Field(ge=1, le=100_000)
    days: int = Field(default=14, ge=1, le=730)


class ApplicantListed(Answered):
    """An applicant of a qualification."""

    rater: str
    place: int | None
    score: float | None
    answered: int
    qualified: bool | None
    picked: bool
    """Whether the rule of the study file would admit them now."""


class QualifyRequest(Sent):
    """The applicants who qualify; None lets the rule of the study file decide."""

    raters: list[Name] | None = Field(default=None, max_length=10_000)


class QualifiedPools(Answered):
    """The pools that gained members."""

    pools: list[str]


class RaterState(enum.StrEnum):
    """Whether a rater gets work in a pool."""

    ACTIVE = "active"
    PAUSED = "paused"
    EXCLUDED = "excluded"


class StateRequest(Sent):
    """Another state for a rater."""

    state: RaterState
    reason: Words = Field(default="", max_length=500)


class TextsStatus(Answered):
    """How far the generation of texts is, and what the rest can cost."""

    ready: int
    pending: int
    to_write: int
    not_needed: int
    requests: int
    most_microcents: int
    agreed: bool
    sentences: list[str]


class ModelRaterStatus(Answered):
    """A model that rates, how far it is, and what the rest can cost."""

    name: str
    model: str
    tasks: int
    rated: int
    calls: int
    lost: int
    spent_microcents: int
    requests: int
    most_microcents: int
    sentences: list[str]


class AgreeRequest(Sent):
    """The cost that you saw and agree to."""

    requests: int = Field(ge=0, le=2**31 - 1)
    most_microcents: int = Field(ge=0, le=2**53)


class ProbeRequest(Sent):
    """A bias probe. Without `seen` it is proposed with its cost; with the cost that you saw, it starts."""

    kind: Literal["order", "length", "scale_position", "repetition"]
    smallest: float = Field(default=0.1, gt=0.01, le=10)
    """The bias, in points, that is found in 95% of cases."""
    seen: AgreeRequest | None = None


class AlignRequest(Sent):
    """A version of a model's instructions. Without `seen` it is proposed with its cost; with it, it starts."""

    instructions: Annotated[Words, Field(max_length=8000)] = ""
    change: Annotated[Words, Field(max_length=200)] = ""
    """What is new, in a few words."""
    open_held_out: bool = False
    """Whether to open the held-out items of a declared version, which is possible once."""
    items: int = Field(default=200, ge=20, le=10_000)
    seen: AgreeRequest | None = None


class DrawRequest(Sent):
    """Further items for people. Without `seen` they are proposed; with the number of items that you saw, they are drawn."""

    question: Annotated[Words, Field(max_length=200)]
    """The name of the question whose scores are to be certain enough."""
    wanted: float = Field(ge=0.001, le=1000)
    """How far an interval may reach to each side."""
    seen: int | None = Field(default=None, ge=0, le=2**31 - 1)


class DrawProposed(Answered):
    """About how many items are drawn for people, and what they are paid for them."""

    sentence: str
    tasks: int
    items: int
    ratings: int
    pay_cents: int
    currency: str
    started: bool


class RunProposed(Answered):
    """Requests to a model that belong together, and what they cost at most."""

    sentence: str
    items: int
    requests: int
    most_microcents: int
    started: bool


class FigureEnds(Answered):
    """A figure with the ends of its 95% interval; null where it is undefined."""

    value: float | None
    low: float | None
    high: float | None


class ScoreFound(Answered):
    """The score of a system, or the difference of two, in three ways."""

    name: str
    people: FigureEnds
    model: FigureEnds
    combined: FigureEnds
    excess: FigureEnds | None = None
    """How much higher the model scores the items that people rated than people do; None in figures of an earlier release."""
    rated: int
    items: int


class QuestionFound(Answered):
    """What a model's labels of one question are worth."""

    name: str
    question: str
    people: FigureEnds
    """People's agreement with each other."""
    judge: FigureEnds
    """The model's agreement with people."""
    compared: str
    verdict: str
    refused: str
    """Why the stand-in test was refused; empty if it was not."""
    winning_rate: float | None
    worth: int | None
    """How many more human labels the model is worth; null if that is not known."""
    scores: list[ScoreFound]


class BiasFound(Answered):
    """What a probe found about one question."""

    kind: str
    question: str
    judge: FigureEnds
    people: FigureEnds | None
    presence: str


class VersionFound(Answered):
    """The agreement of a version of the instructions with people, on one question."""

    number: int
    change: str
    name: str
    question: str
    development: FigureEnds | None
    held_out: FigureEnds | None


class ModelFindings(Answered):
    """What is known about a model that rates."""

    computed_at: datetime | None
    questions: list[QuestionFound]
    probes: list[BiasFound]
    versions: list[VersionFound]


class ReviewLinkRequest(Sent):
    """A reviewer of generated texts."""

    reviewer: Name


class LinkAddress(Answered):
    """An address to send to somebody."""

    address: str


class TeamMember(Answered):
    """A person in the team of a study."""

    email: str
    role: str


class TeamInviteRequest(Sent):
    """A person to invite into the team."""

    email: Name
    role: Literal["editor", "reviewer", "viewer"]


class TransferRequest(Sent):
    """The new owner: somebody in the team."""

    email: Name


class FlagListed(Answered):
    """Flagged work."""

    work: int
    rater: str
    items: list[str]
    """The keys of the items that the work is about."""
    rule: str
    evidence: str
    """What the rule found, in words."""
    found_at: datetime
    pay: str
    data_use: str


class FlagPage(ListPage):
    """A page of flagged work, the newest first."""

    flags: list[FlagListed]


class VerdictRequest(Sent):
    """A verdict on submitted work."""

    choice: Literal["fine", "leave_out", "reject"]
    """Pay and use the data; pay and exclude the data; do neither."""
    reason: Words = Field(default="", max_length=500)
    """For the rater; needed unless the choice is `fine`."""


class VerdictMade(ChangeMade):
    """A verdict was recorded."""

    decision: UUID
    """What it is taken back by."""


class ReviewGroupListed(Answered):
    """Work of one rater that waits for a decision under one rule."""

    group: int
    rater: str
    kind: str
    """`first`, or why somebody has to decide again: `second` opinion, `difference` of opinions, or `dispute`."""
    rule: str
    """Empty for work without flags."""
    open: int
    decide_by: datetime | None
    """When the platform approves the first of them without asking."""


class ReviewQueueListed(Answered):
    """The review queue of a study: what is most urgent first, then what is most doubtful."""

    open: int
    """Work that waits for a decision."""
    groups: list[ReviewGroupListed]
    """The first groups."""


class EstimateFound(Answered):
    """A number with its 95% interval; nothing where too little is known."""

    value: float | None
    low: float | None
    high: float | None


class ReviewerAgreementFound(Answered):
    """How well reviewers agree on verdicts that two of them made without knowing of each other."""

    repeated: int
    """The number of second opinions; the newest 2,000 are counted."""
    percentage: EstimateFound
    """The share of second opinions that were the same as the verdict, from 0 to 1."""
    alpha: EstimateFound
    """Krippendorff's alpha of the three choices."""


class DiscussedItemListed(Answered):
    """An item without a clear label that is drawn for discussion."""

    item: int
    key: str
    condition: str
    raters: int
    discussed_at: datetime | None


class DiscussRequest(Sent):
    """A remark on an item."""

    to: Literal["raters", "all"]
    """The raters of the item, each next to their own answers, or everybody in the pool."""
    condition: Words = Field(default="", max_length=60)
    """The condition whose raters are meant; needed for `raters`."""
    text: Words = Field(min_length=1, max_length=5000)


class GroupVerdictRequest(Sent):
    """One verdict on all work of a group. Work is rejected one by one, with `decide`."""

    choice: Literal["fine", "leave_out"]
    reason: Words = Field(default="", max_length=500)
    """For the rater; needed unless the choice is `fine`."""


class LogLine(Answered):
    """A line of the audit log."""

    number: int
    at: datetime
    who: str
    what: str
    subject: str
    before: dict[str, Any]
    after: dict[str, Any]


class MoneyParts(Answered):
    """What a study costs in one currency, in cents, fees included."""

    currency: str
    paid: int
    sent: int
    """On a pay list or sent to a platform, and not confirmed."""
    approved: int
    """Can be paid now, or is released and not sent."""
    held: int
    """Waits for a check or a review."""
    at_work: int
    open: int
    """Places that nobody has taken."""
    limit: int | None
    """The budget of the study; null if it has none."""
    left: int | None
    """What nothing is planned for."""


class OpenPaymentListed(Answered):
    """A payment that was sent and is not confirmed."""

    payment: str
    rater: str
    cents: int
    currency: str
    sent_at: datetime
    said: str
    """What the platform said; empty for a pay list."""


class PaymentRunListed(Answered):
    """A payment run."""

    run: int
    made_at: datetime
    made_by: str
    payments: int
    cents: int
    currency: str
    not_confirmed: int


class MoneyStatus(Answered):
    """What a study costs, and what somebody has to look up."""

    parts: list[MoneyParts]
    runs: list[PaymentRunListed]
    unresolved: list[OpenPaymentListed]


class PaymentsPlanned(Answered):
    """How many payments were planned."""

    tasks: int
    batch_bonuses: int


class RunReleased(Answered):
    """What a payment run released."""

    run: int | None
    """Its number; null if nothing could be released."""
    payments: int
    cents: int
    currency: str
    over_budget: int
    """Payments that do not fit a budget and stay planned."""


class PaymentListed(Answered):
    """One line of a pay list."""

    payment: str
    """Whoever pays must not pay the same one twice."""
    rater: str
    kind: str
    receipt: str
    decision: str
    amount: str
    currency: str
    reason: str
    state: str
    run: int
    id: str
    """The panel's id of the rater, if you asked for it."""


class PayListRequest(Sent):
    """What a pay list holds."""

    with_ids: bool = False
    """Whether it holds the ids that the panel knows raters by."""


class PaymentConfirmed(Sent):
    """What somebody says about one payment."""

    payment: Words = Field(max_length=40)
    paid: bool
    amount: Words = Field(default="", max_length=20)
    """In units of the currency, such as 1.50. If given, it must be equal to ours."""


class ConfirmationsRequest(Sent):
    """Confirmations of a pay list, and what a person found out about single payments."""

    confirmations: list[PaymentConfirmed] = Field(default=[], max_length=20_000)
    settled: list[PaymentConfirmed] = Field(default=[], max_length=1_000)
    """Payments without a confirmation, whose outcome you looked up."""


class LedgerDifference(Answered):
    """A place where ledger, payments and budgets do not agree. There is none unless something is broken."""

    what: str
    of: str
    ledger_cents: int
    kept_cents: int


class PaymentsReconciled(Answered):
    """How confirmations and the ledger compare."""

    confirmed: int
    failed: int
    repeated: int
    differences: list[str]
    """What does not agree, and was not changed."""
    imbalances: list[LedgerDifference]


class DifferenceListed(Answered):
    """Something about which the platform and the server say different things."""

    id: str
    kind: str
    of: str
    """A rater, or what was asked of the platform."""
    what: str
    to_do: str


class PublicationStatus(Answered):
    """A pool on its platform: its newest publication, or why it cannot be published."""

    publication: int | None
    """Its number; null if the pool was never published."""
    state: str
    """What is wanted: made, open, paused, full, stopped or refused; empty if the pool was never published."""
    status: str
    """What the platform says, in its own word."""
    places: int
    visits: dict[str, int]
    """By what the platform says of them."""
    needed: int
    """Visits that are missing beside those who are at work."""
    obstacle: str
    """Why it cannot be published now; empty if it can, or is."""
    differences: list[DifferenceListed]


class PublicationCost(Answered):
    """What a publication would cost, as the platform says."""

    places: int
    tasks: int
    """In a visit."""
    minutes: float
    cents: int
    """The pay of a visit."""
    total_cents: int
    """With fees and taxes."""
    currency: str
    balance_cents: int | None


class PublicationRequest(Sent):
    """A change of a publication."""

    do: Literal["start", "pause", "resume", "stop"]
    total_cents: int | None = Field(default=None, ge=0, lt=2**53)
    """For `start`: the total of the preview. If the cost has changed since, nothing is published."""


class BudgetRequest(Sent):
    """A budget to set. Without a batch or a rater, it is that of each one in the scope."""

    scope: Literal["study", "batch", "rater"] = "study"
    batch: int | None = Field(default=None, ge=0, le=1_000_000)
    rater: Words = Field(default="", max_length=32)
    limit_cents: int | None = Field(default=None, ge=0, lt=2**53)
    """Null takes the limit away."""


class BudgetListed(Answered):
    """A budget, fees included."""

    scope: str
    of: str
    """The number of a batch or the pseudonym of a rater; empty for the study, and for each batch or rater."""
    currency: str
    limit_cents: int | None
    released_cents: int


class BonusRequest(Sent):
    """A bonus for one rater."""

    id: UUID
    """An id of your own: sent again, it gives nothing twice."""
    cents: int = Field(ge=1, le=1_000_000)
    reason: Words = Field(min_length=5, max_length=500)
    """The rater reads it."""


class BonusPlanned(Answered):
    """A planned bonus."""

    payment: str
    cents: int
    currency: str
