"""Batches, tasks and their places; and how many ratings each condition was offered."""

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from labelwright.crowd import BatchState, PlaceState


class Batch(models.Model):
    """Tasks released together, at a time and up to a deadline."""

    class Purpose(models.TextChoices):
        """What its answers are for."""

        COLLECT = "collect"
        QUALIFY = "qualify"
        """To find out who may work; its answers are no part of the study's figures."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE)
    # Its place in the calendar of its version; earlier ones are offered first.
    number = models.PositiveIntegerField(default=0)
    topic = models.CharField(max_length=200, default="", blank=True)
    state = models.CharField(max_length=10, default=BatchState.OPEN)
    items = models.PositiveIntegerField()
    # How many tasks a rater can be offered of it at most; a rater who did them all did the whole batch.
    tasks = models.PositiveIntegerField()
    # The same for each group of raters, where there are groups.
    group_tasks = models.JSONField(default=dict)
    wanted = models.PositiveBigIntegerField()
    # When it shall be released, and its deadline; none where it is open until another version is loaded.
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField(null=True)
    # When it was released and closed.
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
    """How far a rater is with a batch; kept by the block job, for the bonus on a whole batch."""

    pk = models.CompositePrimaryKey("batch_id", "rater_id")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    batch = models.ForeignKey(Batch, models.CASCADE, db_index=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE)
    done = models.PositiveIntegerField()
    first_offered_at = models.DateTimeField()
    last_submitted_at = models.DateTimeField()
    # The time of the submission that made the batch whole.
    completed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "batch_work"

    def __str__(self) -> str:
        return f"{self.done} tasks of batch {self.batch_id} by rater {self.rater_id}"


class Task(models.Model):
    """A task design filled with items under a condition."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False, db_constraint=False)
    batch = models.ForeignKey(Batch, models.CASCADE)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    design = models.CharField(max_length=40)
    condition = models.CharField(max_length=40)
    items = models.PositiveSmallIntegerField()
    # The seeded order in which the tasks of a condition are offered.
    rank = models.PositiveBigIntegerField()

    class Meta:
        db_table = "task"

    def __str__(self) -> str:
        return f"task {self.pk}"


class TaskItem(models.Model):
    """An item at its position in a task."""

    class Role(models.TextChoices):
        """What the item is there for."""

        ITEM = "item"
        GOLD = "gold"
        """Its right answer is known."""

    pk = models.CompositePrimaryKey("task_id", "position")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    task = models.ForeignKey(Task, models.CASCADE, db_index=False)
    position = models.PositiveSmallIntegerField()
    item = models.ForeignKey("store.ItemRow", models.CASCADE)
    # What a rater must not meet twice; two tasks that spoil each other share it.
    spoil_key = models.CharField(max_length=300)
    # What is met as well: an aspect that reveals the answer to another spoils it, but not the other way round.
    also_spoils = ArrayField(models.CharField(max_length=300), null=True)
    role = models.CharField(max_length=10, default=Role.ITEM)

    class Meta:
        db_table = "task_item"

    def __str__(self) -> str:
        return f"task {self.task_id}, position {self.position}"


class Place(models.Model):
    """One wanted rating of a task. The offer reads only the index of open places."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    task = models.ForeignKey(Task, models.CASCADE, db_index=False, db_constraint=False)
    ordinal = models.PositiveSmallIntegerField()
    batch = models.ForeignKey(Batch, models.CASCADE, db_index=False, db_constraint=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    rater_group = models.CharField(max_length=40, default="", blank=True)
    condition = models.CharField(max_length=40)
    rank = models.PositiveBigIntegerField()
    state = models.CharField(max_length=10, default=PlaceState.OPEN)

    class Meta:
        db_table = "place"
        constraints = (models.UniqueConstraint("task", "ordinal", name="place_once"),)
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
        )

    def __str__(self) -> str:
        return f"place {self.ordinal} of task {self.task_id}"


class Offered(models.Model):
    """How many ratings of a condition are offered or filled, in slots.

    The sum over the slots is the count. One row per condition would make every
    offer wait for the commit of the one before it.
    """

    SLOTS = 8
    """Rows over which a count is spread; offers wait for each other only within one."""

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
            models.UniqueConstraint("batch", "pool", "rater_group", "condition", "slot", name="offered_once"),
        )

    def __str__(self) -> str:
        return f"{self.condition}: {self.n}"
