"""Results: figures as pages show them, the note that they are out of date, and files of exports."""

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
    # The numbers that the header and the list of studies show.
    summary = models.JSONField(default=dict, db_default={})
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


class PreparedExport(models.Model):
    """A file with the answers of a study, in the export folder of the installation until it expires."""

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting"
        WRITING = "writing"
        READY = "ready"
        FAILED = "failed"

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    form = models.CharField(max_length=10)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    asked_by = models.CharField(max_length=150)
    asked_at = models.DateTimeField()
    # The number of answers that it will hold, counted when the writing starts, and the number written so far.
    total = models.PositiveBigIntegerField(default=0)
    written = models.PositiveBigIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(null=True)
    # When the file, or the line about a failure, is deleted.
    expires_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "prepared_export"

    def __str__(self) -> str:
        return f"export {self.pk} of study {self.study_id}"
