"""Raters' input outside tasks: answers about themselves, quiz answers, and withdrawals."""

from django.db import models


class RaterSheet(models.Model):
    """A rater's answers to a part of the questionnaire, asked once or once per batch; kept separate from judgments."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_index=False)
    # demographics, familiarity or quiz
    part = models.CharField(max_length=20)
    # The batch, if the part is asked once per batch.
    key = models.CharField(max_length=40, default="", blank=True)
    # Answers by question name, without skipped questions.
    answers = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=1)
    # The share of right answers in the last attempt at a quiz.
    right_share = models.FloatField(null=True)
    passed = models.BooleanField(null=True)
    # True once the part is finished: answered, skipped, or no attempts left.
    closed = models.BooleanField(default=True)
    answered_at = models.DateTimeField()

    class Meta:
        db_table = "rater_sheet"
        constraints = (models.UniqueConstraint("rater", "part", "key", "study", name="rater_sheet_once"),)

    def __str__(self) -> str:
        return f"{self.part} of rater {self.rater_id}"


class Withdrawal(models.Model):
    """A rater's withdrawal from a study; submitted work is still paid."""

    rater = models.OneToOneField("store.Rater", models.CASCADE, primary_key=True)
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    # The rater's choice of what happens to the submitted data.
    data_use = models.CharField(max_length=10)
    at = models.DateTimeField()

    class Meta:
        db_table = "withdrawal"

    def __str__(self) -> str:
        return f"withdrawal of rater {self.rater_id}"
