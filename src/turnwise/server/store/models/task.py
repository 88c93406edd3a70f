"""Batches, tasks and their places; and how many ratings each condition was offered."""

from django.db import models
from django.db.models import Q

from turnwise.crowd import PlaceState


class Batch(models.Model):
    """Tasks released together."""

    class Purpose(models.TextChoices):
        """What its answers are for."""

        COLLECT = "collect"
        QUALIFY = "qualify"
        """To find out who may work; its answers are no part of the study's figures."""

    study = models.ForeignKey("store.Study", models.CASCADE, db_index=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE)
    items = models.PositiveIntegerField()
    # How many tasks a rater can be offered of it at most, since no item comes twice.
    tasks = models.PositiveIntegerField()
    wanted = models.PositiveBigIntegerField()
    opened_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    purpose = models.CharField(
        max_length=10, choices=Purpose, default=Purpose.COLLECT, db_default=Purpose.COLLECT
    )

    class Meta:
        db_table = "batch"
        indexes = (models.Index("study", condition=Q(closed_at=None), name="batch_open"),)

    def __str__(self) -> str:
        return f"batch {self.pk}"


class Task(models.Model):
    """A task design filled with items under a condition."""

    study = models.ForeignKey("store.Study", models.CASCADE, db_index=False, db_constraint=False)
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

    pk = models.CompositePrimaryKey("task_id", "position")
    study = models.ForeignKey("store.Study", models.CASCADE, db_index=False, db_constraint=False)
    task = models.ForeignKey(Task, models.CASCADE, db_index=False)
    position = models.PositiveSmallIntegerField()
    item = models.ForeignKey("store.Item", models.CASCADE)
    # What a rater must not meet twice; two tasks that spoil each other share it.
    spoil_key = models.CharField(max_length=220)
    role = models.CharField(max_length=10, default="item")

    class Meta:
        db_table = "task_item"

    def __str__(self) -> str:
        return f"task {self.task_id}, position {self.position}"


class Place(models.Model):
    """One wanted rating of a task. The offer reads only the index of open places."""

    study = models.ForeignKey("store.Study", models.CASCADE, db_index=False, db_constraint=False)
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

    study = models.ForeignKey("store.Study", models.CASCADE, db_index=False, db_constraint=False)
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
