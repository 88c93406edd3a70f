"""Flags, results on gold items, the tallies that the block job maintains, and the review of doubtful work."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q


class Flag(models.Model):
    """A quality rule's finding on an assignment, with its evidence."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, db_index=False)
    rule = models.CharField(max_length=40)
    rule_version = models.CharField(max_length=12)
    then = models.CharField(max_length=10)
    evidence = models.JSONField()
    found_at = models.DateTimeField()

    class Meta:
        db_table = "flag"
        constraints = (
            models.UniqueConstraint("assignment", "rule", "rule_version", "study", name="flag_once"),
        )

    def __str__(self) -> str:
        return f"{self.rule} on assignment {self.assignment_id}"


class GoldResult(models.Model):
    """Whether an answer to a gold item is right, by the rules of the study version it was given in."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, db_index=False)
    position = models.PositiveSmallIntegerField()
    question = models.CharField(max_length=160)
    right = models.BooleanField()

    class Meta:
        db_table = "gold_result"
        constraints = (
            models.UniqueConstraint("assignment", "position", "question", "study", name="gold_result_once"),
        )

    def __str__(self) -> str:
        return f"{self.question} of assignment {self.assignment_id}: {self.right}"


class Tally(models.Model):
    """Number of submitted answers with a code; always equal to a full recount of the view `counted_answer`."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False)
    rater_kind = models.CharField(max_length=10)
    condition = models.CharField(max_length=40)
    # Includes the name of the part if an answer contains several judgments.
    question = models.CharField(max_length=160)
    code = models.IntegerField()
    # Why the answers do not count; empty if they do.
    left_out = models.CharField(max_length=20, default="", blank=True)
    n = models.BigIntegerField()

    class Meta:
        db_table = "tally"
        constraints = (
            models.UniqueConstraint(
                "study",
                "version",
                "rater_kind",
                "condition",
                "question",
                "code",
                "left_out",
                name="tally_once",
            ),
        )

    def __str__(self) -> str:
        return f"{self.condition} {self.question} {self.code}: {self.n}"


class ItemTally(models.Model):
    """The answers that count, and those of models, per item; agreement between raters is computed from them."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    item = models.ForeignKey("store.ItemRow", models.CASCADE, db_index=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False)
    rater_kind = models.CharField(max_length=10)
    condition = models.CharField(max_length=40)
    question = models.CharField(max_length=160)
    code = models.IntegerField()
    n = models.BigIntegerField()

    class Meta:
        db_table = "item_tally"
        constraints = (
            models.UniqueConstraint(
                "study",
                "item",
                "condition",
                "question",
                "code",
                "version",
                "rater_kind",
                name="item_tally_once",
            ),
        )

    def __str__(self) -> str:
        return f"item {self.item_id} {self.condition} {self.question} {self.code}: {self.n}"


class RuleMark(models.Model):
    """Exists until the rules that look at others have run again on an assignment.

    Rows are only inserted and deleted, so two changes that concern an assignment never wait for each other.
    """

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_constraint=False)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, db_index=False, db_constraint=False)

    class Meta:
        db_table = "rule_mark"

    def __str__(self) -> str:
        return f"rules to run again on assignment {self.assignment_id}"


class PaceTally(models.Model):
    """Number of submitted tasks of a condition by duration, in steps of 5%: enough for a median of any number of tasks."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    condition = models.CharField(max_length=40)
    step = models.IntegerField()
    n = models.BigIntegerField()

    class Meta:
        db_table = "pace_tally"
        constraints = (models.UniqueConstraint("study", "condition", "step", name="pace_tally_once"),)

    def __str__(self) -> str:
        return f"{self.condition} step {self.step}: {self.n}"


class TextPrint(models.Model):
    """A fingerprint of a free text, by which the same text of other raters is found."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_constraint=False)
    # Position and question.
    place = models.CharField(max_length=170)
    fingerprint = models.CharField(max_length=32)

    class Meta:
        db_table = "text_print"
        constraints = (models.UniqueConstraint("assignment", "place", "study", name="text_print_once"),)
        indexes = (models.Index("study", "fingerprint", "rater", name="text_print_same"),)

    def __str__(self) -> str:
        return f"{self.place} of assignment {self.assignment_id}"


class TypingRecord(models.Model):
    """How the free texts of an assignment were typed; only in studies that record it, and never the text itself."""

    assignment = models.OneToOneField(
        "store.Assignment", models.CASCADE, primary_key=True, db_constraint=False
    )
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    facts = models.JSONField()

    class Meta:
        db_table = "typing_record"

    def __str__(self) -> str:
        return f"typing of assignment {self.assignment_id}"


class RaterFinding(models.Model):
    """A figure of a rater over all their work, as rules look at it: the agreement, or a finding of the audit."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_index=False, db_constraint=False)
    kind = models.CharField(max_length=20)
    figures = models.JSONField()
    found_at = models.DateTimeField()

    class Meta:
        db_table = "rater_finding"
        constraints = (models.UniqueConstraint("rater", "kind", "study", name="rater_finding_once"),)

    def __str__(self) -> str:
        return f"{self.kind} of rater {self.rater_id}"


class RaterAudit(models.Model):
    """When the raters of a study were last compared, and the newest submission that this included."""

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True, db_constraint=False)
    seen_until = models.DateTimeField()
    audited_at = models.DateTimeField()

    class Meta:
        db_table = "rater_audit"

    def __str__(self) -> str:
        return f"audit of study {self.study_id} at {self.audited_at}"


class CaseKind(models.TextChoices):
    """Why somebody has to decide."""

    FIRST = "first"
    """Nobody has decided yet."""
    SECOND = "second"
    """Another reviewer repeats the verdict, without seeing it."""
    DIFFERENCE = "difference"
    """Two reviewers came to different verdicts."""
    DISPUTE = "dispute"
    """The rater has answered a rejection."""


class CaseState(models.TextChoices):
    """How far a case has come."""

    OPEN = "open"
    DECIDED = "decided"
    CLOSED = "closed"
    """Decided elsewhere, or no longer in doubt."""


class ReviewGroup(models.Model):
    """The open cases of one rater under one rule; always equal to a full recount of them."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_index=False, db_constraint=False)
    kind = models.CharField(max_length=10, choices=CaseKind, default=CaseKind.FIRST)
    # Empty for work without flags.
    rule = models.CharField(max_length=40, default="", blank=True)
    open = models.PositiveIntegerField(default=0)
    # The sums and the minimum of its open cases.
    weight = models.PositiveIntegerField(default=0)
    decide_by = models.DateTimeField(null=True)

    class Meta:
        db_table = "review_group"
        constraints = (models.UniqueConstraint("rater", "kind", "rule", "study", name="review_group_once"),)
        indexes = (
            models.Index(
                F("study"), F("decide_by").asc(nulls_last=True), F("weight").desc(), F("id"),
                condition=Q(open__gt=0), name="review_group_queue",
            ),
            models.Index("study", "kind", "rule", "open", condition=Q(open__gt=0), name="review_group_by_rule"),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.open} of rater {self.rater_id}: {self.rule}"


class ReviewCase(models.Model):
    """Work that a reviewer decides on. One reviewer at a time holds it, for a limited time."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    group = models.ForeignKey(ReviewGroup, models.CASCADE, db_index=False, db_constraint=False)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, db_index=False, db_constraint=False)
    kind = models.CharField(max_length=10, choices=CaseKind, default=CaseKind.FIRST)
    state = models.CharField(max_length=10, choices=CaseState, default=CaseState.OPEN)
    condition = models.CharField(max_length=40)
    # The rules that flagged it, the weightiest first.
    rules = ArrayField(models.CharField(max_length=40), default=list)
    weight = models.PositiveIntegerField(default=0)
    decide_by = models.DateTimeField(null=True)
    # A reviewer who must not decide it: the author of the first verdict, or somebody who asked for a second opinion.
    away_from = models.CharField(max_length=150, default="", blank=True)
    claimed_by = models.CharField(max_length=150, default="", blank=True)
    claimed_until = models.DateTimeField(null=True)
    decided_by = models.CharField(max_length=150, default="", blank=True)
    decided_at = models.DateTimeField(null=True)
    choice = models.CharField(max_length=10, default="", blank=True)
    # Only of a second opinion, which is no verdict; those of verdicts are with them.
    reason = models.CharField(max_length=2000, default="", blank=True)
    # Cases that were decided in one step share it, and are taken back together.
    decision = models.UUIDField(null=True)
    # The states of the assignment before the verdict, for taking it back.
    before = models.JSONField(default=dict)
    # What was written to the rater about the verdict.
    message = models.ForeignKey(
        "store.Message", models.SET_NULL, null=True, db_index=False, db_constraint=False
    )

    class Meta:
        db_table = "review_case"
        constraints = (models.UniqueConstraint("assignment", "kind", "study", name="review_case_once"),)
        indexes = (
            models.Index(
                F("group"), F("decide_by").asc(nulls_last=True), F("weight").desc(), F("id"),
                condition=Q(state="open"), name="review_case_open",
            ),
            models.Index("group", name="review_case_of_group"),
            models.Index("study", "claimed_by", condition=Q(state="open") & ~Q(claimed_by=""), name="review_case_held"),
            models.Index(
                "study", "decided_by", "decided_at", condition=Q(state="decided"), name="review_case_decided"
            ),
            models.Index(
                "study", "decided_at", condition=Q(kind="second", state="decided"), name="review_case_repeated"
            ),
            models.Index("decision", condition=Q(decision__isnull=False), name="review_case_decision"),
            models.Index("message", condition=Q(message__isnull=False), name="review_case_message"),
        )  # fmt: skip

    def __str__(self) -> str:
        return f"{self.state} case of assignment {self.assignment_id}"


class CaseChange(models.Model):
    """Exists until work that was flagged, or could be drawn for review, is put into the queue.

    Rows are only inserted and deleted, so two changes never wait for each other.
    """

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_constraint=False)
    # Null for all undecided work of the study.
    assignment = models.ForeignKey(
        "store.Assignment", models.CASCADE, null=True, db_index=False, db_constraint=False
    )

    class Meta:
        db_table = "case_change"

    def __str__(self) -> str:
        return f"change of assignment {self.assignment_id}"


class Dispute(models.Model):
    """A rater's answer to a rejection; there is one at most."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, db_index=False, db_constraint=False)
    text = models.CharField(max_length=1000)
    at = models.DateTimeField()

    class Meta:
        db_table = "dispute"
        constraints = (models.UniqueConstraint("assignment", "study", name="dispute_once"),)

    def __str__(self) -> str:
        return f"dispute on assignment {self.assignment_id}"
