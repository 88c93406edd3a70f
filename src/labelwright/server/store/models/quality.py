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
        constraints = (models.UniqueConstraint("assignment", "rule", "rule_version", name="flag_once"),)

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
            models.UniqueConstraint("assignment", "position", "question", name="gold_result_once"),
        )

    def __str__(self) -> str:
        return f"{self.question} of assignment {self.assignment_id}: {self.right}"


class Tally(models.Model):
    """Number of stored answers per condition, question and code; always equal to a full recount."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    batch = models.ForeignKey("store.Batch", models.CASCADE, db_index=False)
    condition = models.CharField(max_length=40)
    # Includes the name of the part if an answer contains several judgments.
    question = models.CharField(max_length=160)
    code = models.IntegerField()
    n = models.BigIntegerField()

    class Meta:
        db_table = "tally"
        constraints = (
            models.UniqueConstraint("study", "batch", "condition", "question", "code", name="tally_once"),
        )

    def __str__(self) -> str:
        return f"{self.condition} {self.question} {self.code}: {self.n}"


class ItemTally(models.Model):
    """The same counts per item, from which agreement between raters is computed."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    item = models.ForeignKey("store.ItemRow", models.CASCADE, db_index=False)
    condition = models.CharField(max_length=40)
    question = models.CharField(max_length=160)
    code = models.IntegerField()
    n = models.BigIntegerField()

    class Meta:
        db_table = "item_tally"
        constraints = (
            models.UniqueConstraint("study", "item", "condition", "question", "code", name="item_tally_once"),
        )

    def __str__(self) -> str:
        return f"item {self.item_id} {self.condition} {self.question} {self.code}: {self.n}"
