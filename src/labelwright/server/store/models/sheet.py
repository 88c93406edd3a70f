"""What raters say outside their tasks: about themselves, in a quiz, and that they withdraw."""

from django.db import models


class RaterSheet(models.Model):
    """A rater's answers to a part that is asked once, or once a batch; never mixed with judgments."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_index=False)
    # demographics, familiarity or quiz
    part = models.CharField(max_length=20)
    # The batch, where a part is asked for each.
    key = models.CharField(max_length=40, default="", blank=True)
    # By the name of the question; those that were passed over are not there.
    answers = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=1)
    # The share of right answers in the last try of a quiz.
    right_share = models.FloatField(null=True)
    passed = models.BooleanField(null=True)
    # Whether nothing more is asked: answered, passed over, or out of tries.
    closed = models.BooleanField(default=True)
    answered_at = models.DateTimeField()

    class Meta:
        db_table = "rater_sheet"
        constraints = (models.UniqueConstraint("rater", "part", "key", name="rater_sheet_once"),)

    def __str__(self) -> str:
        return f"{self.part} of rater {self.rater_id}"


class Withdrawal(models.Model):
    """A rater who takes no further part; what was submitted stays owed."""

    rater = models.OneToOneField("store.Rater", models.CASCADE, primary_key=True)
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    # The rater's own choice on what was submitted.
    data_use = models.CharField(max_length=10)
    at = models.DateTimeField()

    class Meta:
        db_table = "withdrawal"

    def __str__(self) -> str:
        return f"withdrawal of rater {self.rater_id}"
