"""Batches, tasks and their places, and the number of ratings offered in each condition."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from labelwright.crowd import BatchState, PlaceState


class Batch(models.Model):
    """Tasks released together, with a release time and a deadline."""

    class Purpose(models.TextChoices):
        """The purpose of a batch."""

        COLLECT = "collect"
        QUALIFY = "qualify"
        """Decides which raters qualify; its answers are not part of the study's figures."""
        JUDGE = "judge"
        """Rated by a model; its answers are kept apart from those of people."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    # The newest version that it is part of: a version that keeps tasks of a batch takes the batch over.
    version = models.ForeignKey("store.StudyVersion", models.CASCADE)
    # Its position in the version's calendar; earlier batches are offered first.
    number = models.PositiveIntegerField(default=0)
    topic = models.CharField(max_length=200, default="", blank=True)
    state = models.CharField(max_length=10, default=BatchState.OPEN)
    items = models.PositiveIntegerField()
    # Maximum number of its tasks that a rater can be offered; a rater who did them all has completed the batch.
    tasks = models.PositiveIntegerField()
    # The same for each rater group, if there are groups.
    group_tasks = models.JSONField(default=dict)
    wanted = models.PositiveBigIntegerField()
    # The same for each condition.
    condition_wanted = models.JSONField(default=dict)
    # Planned release and deadline; without a deadline, it stays open until another version is loaded.
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField(null=True)
    # Actual release and close.
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    purpose = models.CharField(
        max_length=10, choices=Purpose, default=Purpose.COLLECT, db_default=Purpose.COLLECT
    )

    class Meta:
        db_table = "batch"
        indexes = (
            models.Index("study", condition=Q(state=BatchState.OPEN), name="batch_open"),
            models.Index("opens_at", condition=Q(state=BatchState.PLANNED), name="batch_to_open"),
            models.Index(
                "closes_at",
                condition=Q(state=BatchState.OPEN, closes_at__isnull=False),
                name="batch_to_close",
            ),
        )

    def __str__(self) -> str:
        return f"batch {self.pk}"


class BatchWork(models.Model):
    """A rater's progress in a batch; maintained by the block job, for the bonus for completing a batch."""

    pk = models.CompositePrimaryKey("batch_id", "rater_id")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    batch = models.ForeignKey(Batch, models.CASCADE, db_index=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE)
    done = models.PositiveIntegerField()
    # How many of them were gold tasks, which nobody needs to complete a batch.
    gold = models.PositiveIntegerField(default=0, db_default=0)
    first_offered_at = models.DateTimeField()
    last_submitted_at = models.DateTimeField()
    # The time of the submission that completed the batch.
    completed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "batch_work"

    def __str__(self) -> str:
        return f"{self.done} tasks of batch {self.batch_id} by rater {self.rater_id}"


class Task(models.Model):
    """Questions about items under a condition. Versions of a study that ask the same share their tasks."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    # What is asked, then the items; see `labelwright.study.content`.
    content = models.CharField(max_length=64)
    condition = models.CharField(max_length=40)
    items = models.PositiveSmallIntegerField()
    # Set if gold items were mixed into another task, whose places it shares.
    base = models.ForeignKey("self", models.CASCADE, null=True, db_index=False, db_constraint=False)

    class Meta:
        db_table = "task"
        constraints = (models.UniqueConstraint("study", "content", name="task_once"),)
        indexes = (models.Index("base", condition=Q(base__isnull=False), name="task_with_gold"),)

    def __str__(self) -> str:
        return f"task {self.pk}"


class TaskItem(models.Model):
    """An item at its position in a task."""

    class Role(models.TextChoices):
        """The role of an item in a task."""

        ITEM = "item"
        GOLD = "gold"
        """Its right answer is known."""

    pk = models.CompositePrimaryKey("task_id", "position")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    task = models.ForeignKey(Task, models.CASCADE, db_index=False)
    position = models.PositiveSmallIntegerField()
    item = models.ForeignKey("store.ItemRow", models.CASCADE)
    # A rater must not see the same key twice; two tasks that spoil each other share it.
    spoil_key = models.CharField(max_length=300)
    # Further keys that count as seen: an aspect that reveals the answer to another spoils it, but not vice versa.
    also_spoils = ArrayField(models.CharField(max_length=300), null=True)
    role = models.CharField(max_length=10, default=Role.ITEM)

    class Meta:
        db_table = "task_item"

    def __str__(self) -> str:
        return f"task {self.task_id}, position {self.position}"


class Place(models.Model):
    """One wanted rating of a task, by a pool or a group of it, or one rater's meeting with a gold task.

    Offering reads only the indexes.
    """

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    task = models.ForeignKey(Task, models.CASCADE, db_index=False, db_constraint=False)
    # Null for places of gold tasks, which are not counted.
    ordinal = models.PositiveSmallIntegerField(null=True)
    batch = models.ForeignKey(Batch, models.CASCADE, db_index=False, db_constraint=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    rater_group = models.CharField(max_length=40, default="", blank=True)
    condition = models.CharField(max_length=40)
    rank = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, default=PlaceState.OPEN)
    # Whether it closes, instead of opening to others, when its rater returns it or its data are excluded.
    closing = models.BooleanField(default=False, db_default=False)
    # A place of a gold task is not a wanted rating: it never counts for progress or balance.
    gold = models.BooleanField(default=False, db_default=False)

    class Meta:
        db_table = "place"
        constraints = (
            models.UniqueConstraint("task", "pool", "rater_group", "ordinal", "study", name="place_once"),
        )
        indexes = (
            models.Index(
                "batch",
                "pool",
                "rater_group",
                "condition",
                "rank",
                condition=Q(state=PlaceState.OPEN),
                name="place_open",
            ),
            models.Index(
                "batch",
                "pool",
                "rater_group",
                "condition",
                condition=Q(state=PlaceState.ON_DEMAND),
                name="place_on_demand",
            ),
        )

    def __str__(self) -> str:
        return f"place {self.ordinal} of task {self.task_id}"


class Offered(models.Model):
    """Number of offered or filled ratings of a condition, spread over slots.

    The count is the sum over the slots. With one row per condition, every offer would
    wait for the previous offer to commit.
    """

    SLOTS = 8
    """Number of rows that a count is spread over; offers wait for each other only within a slot."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    batch = models.ForeignKey(Batch, models.CASCADE, db_index=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False)
    rater_group = models.CharField(max_length=40, default="", blank=True)
    condition = models.CharField(max_length=40)
    slot = models.PositiveSmallIntegerField()
    n = models.BigIntegerField(default=0)

    class Meta:
        db_table = "offered"
        constraints = (
            models.UniqueConstraint(
                "batch", "pool", "rater_group", "condition", "slot", "study", name="offered_once"
            ),
        )

    def __str__(self) -> str:
        return f"{self.condition}: {self.n}"
