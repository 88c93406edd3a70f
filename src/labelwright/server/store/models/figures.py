"""Figures of a study as its pages show them, and the note that they are out of date."""

from django.db import models


class StudyFigures(models.Model):
    """The newest figures of a study. A job computes them and pages only read them."""

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True, db_constraint=False)
    # When the newest computation began, also if it failed; the next one waits for a while after it.
    started_at = models.DateTimeField()
    # Null until the first computation is done.
    computed_at = models.DateTimeField(null=True)
    took_seconds = models.FloatField(null=True)
    # Judgments that they count.
    counted = models.BigIntegerField(default=0)
    # Raters at work when they were computed; another number means that they are out of date.
    at_work = models.IntegerField(default=0)
    # The release that computed them: another release may show other figures.
    release = models.CharField(max_length=40, default="", blank=True)
    # What each page shows, as JSON. The database never looks inside.
    pages = models.TextField(default="{}")

    class Meta:
        db_table = "study_figures"

    def __str__(self) -> str:
        return f"figures of study {self.study_id} at {self.computed_at}"


class StudyChange(models.Model):
    """Exists while a study has changed since its figures were computed.

    Rows are only inserted and deleted, so two changes of a study never wait for each other.
    """

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_constraint=False)

    class Meta:
        db_table = "study_change"

    def __str__(self) -> str:
        return f"change of study {self.study_id}"
