"""Files of exports that the worker writes, and how far each has come."""

from django.db import models


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
