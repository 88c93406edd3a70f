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
