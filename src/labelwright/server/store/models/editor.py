"""Studies in the making: the study file as somebody edits it, the files of its corpus, and its rehearsal."""

from django.db import models


class EditedFile(models.Model):
    """A study file that is being edited. It may have mistakes; a version never has."""

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True)
    text = models.TextField()
    # Raised by every change, so that of two people who save, the second learns of the first.
    revision = models.PositiveIntegerField(default=1)
    # The template that it began with; empty for none.
    template = models.CharField(max_length=60, default="", blank=True)
    changed_by = models.CharField(max_length=150)
    changed_at = models.DateTimeField()

    class Meta:
        db_table = "edited_file"

    def __str__(self) -> str:
        return f"file of study {self.study_id}, revision {self.revision}"


class CorpusFile(models.Model):
    """A file that a study file names: its corpus, by its path relative to the study file."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    name = models.CharField(max_length=200)
    content = models.BinaryField()
    sha256 = models.CharField(max_length=64)
    bytes = models.PositiveIntegerField()
    # Whether it holds dialogues as another study drew them, whatever the study file says about its corpus.
    drawn = models.BooleanField(default=False)
    added_at = models.DateTimeField()

    class Meta:
        db_table = "corpus_file"
        constraints = (models.UniqueConstraint("study", "name", name="corpus_file_once"),)

    def __str__(self) -> str:
        return f"{self.name} of study {self.study_id}"


class StudyRehearsal(models.Model):
    """The newest rehearsal of a study file, with simulated raters in a database of its own."""

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting"
        RUNNING = "running"
        READY = "ready"
        FAILED = "failed"

    study = models.OneToOneField("store.StudyRow", models.CASCADE, primary_key=True)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    # The file that is rehearsed, which may have changed since.
    text = models.TextField()
    asked_by = models.CharField(max_length=150)
    asked_at = models.DateTimeField()
    # Ratings that are wanted, and tasks that simulated raters have ended so far.
    wanted = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    figures = models.JSONField(default=dict)
    # Why it failed, for the requester.
    error = models.TextField(default="", blank=True)

    class Meta:
        db_table = "study_rehearsal"

    def __str__(self) -> str:
        return f"rehearsal of study {self.study_id}: {self.state}"
