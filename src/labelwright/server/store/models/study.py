"""Studies and their versions, with the exact study file that raters worked with and its analysis plan; files in the making, and rehearsals."""

from django.db import models

from labelwright.crowd import StudyState


class StudyRow(models.Model):
    """A study; its content is in its versions."""

    name = models.CharField(max_length=60, unique=True)
    # That of the newest version.
    title = models.CharField(max_length=120, default="", db_default="", blank=True)
    owner = models.ForeignKey("store.User", models.PROTECT, null=True, related_name="studies")
    public_id = models.CharField(max_length=16, unique=True)
    # Part of the key ID in links. Changing it revokes every link of the study.
    link_key_number = models.PositiveIntegerField(default=1)
    # Raters are offered tasks only while it is open, whatever the state of its batches.
    state = models.CharField(max_length=10, default=StudyState.DRAFT, db_default=StudyState.DRAFT)
    created_at = models.DateTimeField()
    # Set when it is to be deleted; from then on nobody can reach it.
    deleted_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "study"

    def __str__(self) -> str:
        return self.name


class StudyVersion(models.Model):
    """A study file as it was loaded. Each answer belongs to the version it was given in."""

    study = models.ForeignKey(StudyRow, models.CASCADE, related_name="versions", db_index=False)
    n = models.PositiveIntegerField()
    text = models.TextField()
    sha256 = models.CharField(max_length=64)
    # The corpus is pinned too: the same text with different dialogues is a new version.
    corpus_sha256 = models.CharField(max_length=64)
    loaded_at = models.DateTimeField()
    # For each condition: the hash of what it asks, and the content under which its tasks are stored. The second is
    # that of an earlier version if the requester declared that its meaning is the same.
    contents = models.JSONField(default=dict)
    # Why the requester declared that changed wording has the same meaning; empty if they did not.
    same_meaning = models.CharField(max_length=2000, default="", blank=True)
    # What the version kept and what it made new, in ratings and money, as it was said before loading.
    change = models.JSONField(default=dict)

    class Meta:
        db_table = "study_version"
        constraints = (models.UniqueConstraint("study", "n", name="study_version_once"),)

    def __str__(self) -> str:
        return f"{self.study_id} v{self.n}"


class PlanRow(models.Model):
    """The analysis plan of a version, stored when the version was loaded. The database refuses to change a row.

    There is a row for every version whose plan differs from that of the version before.
    """

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False, db_constraint=False)
    # The plan as canonical JSON, whose hash it is; both are empty if the version has no plan any more.
    canonical = models.TextField(default="", blank=True)
    sha256 = models.CharField(max_length=64, default="", blank=True)
    registered_at = models.DateTimeField()
    # Submissions that were stored at that moment: 0 means that the plan is older than any rating.
    ratings_before = models.PositiveBigIntegerField()

    class Meta:
        db_table = "analysis_plan"
        constraints = (models.UniqueConstraint("version", "study", name="analysis_plan_once"),)

    def __str__(self) -> str:
        return f"plan of study {self.study_id}: {self.sha256[:8]}"


class EditedFile(models.Model):
    """A study file that is being edited. It may have mistakes; a version never has."""

    study = models.OneToOneField(StudyRow, models.CASCADE, primary_key=True)
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

    study = models.ForeignKey(StudyRow, models.CASCADE, db_index=False)
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

    study = models.OneToOneField(StudyRow, models.CASCADE, primary_key=True)
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
