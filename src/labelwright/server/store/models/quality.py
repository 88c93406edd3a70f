"""Flags, results on gold items, and the tallies that the block job maintains."""

from django.db import models


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
