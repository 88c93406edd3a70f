"""Assignments: one rater at one place, the visits to it, its draft and its answers."""

from datetime import timedelta
from uuid import uuid4

from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Q

from labelwright.crowd import AssignmentState, DataUse, PaidState
from labelwright.crowd.states import STORED


class Assignment(models.Model):
    """One rater at one place. Payment and data use are decided separately."""

    # The hot path's tables refer to study, version and task without a foreign key constraint: checking
    # it would lock the same parent row for every active rater.
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False, db_constraint=False)
    place = models.ForeignKey("store.Place", models.CASCADE, db_index=False)
    task = models.ForeignKey("store.Task", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_index=False)
    # What its receipt is made from: an id that no other database gives, and no restored one gives again.
    public_id = models.UUIDField(default=uuid4, db_default=RandomUUID())
    state = models.CharField(max_length=20, default=AssignmentState.OPEN)
    offered_at = models.DateTimeField()
    lease_until = models.DateTimeField()
    # How long the place was open to other raters between leases; this time does not count as held.
    free_for = models.DurationField(default=timedelta, db_default=timedelta())
    submitted_at = models.DateTimeField(null=True)
    # Time on the page as measured by the server, from the first page load to the submission.
    seconds = models.FloatField(null=True)
    # A rater holds one open assignment in each slot. People have slot 0; a model has as many as it rates at a time.
    slot = models.PositiveSmallIntegerField(default=0, db_default=0)
    # The newest visit; older ones become read-only.
    visit_hash = models.BinaryField(max_length=32)
    paid_state = models.CharField(max_length=10, default=PaidState.NONE)
    data_use = models.CharField(max_length=10, default=DataUse.NONE)
    # When the platform approves the work without asking; null if it never does.
    decide_by = models.DateTimeField(null=True)
    # Set on submission and cleared by the block job, which replaces one job per submission.
    unflagged = models.BooleanField(default=False)

    class Meta:
        db_table = "assignment"
        constraints = (
            models.UniqueConstraint(
                "place",
                "study",
                # If the data are excluded, the place is available to another rater.
                condition=Q(state__in=[AssignmentState.OPEN, *STORED]) & ~Q(data_use=DataUse.LEFT_OUT),
                name="assignment_one_live",
            ),
            models.UniqueConstraint(
                "rater",
                "slot",
                "study",
                condition=Q(state=AssignmentState.OPEN),
                name="assignment_one_open",
            ),
        )
        indexes = (
            models.Index("rater", "id", name="assignment_of_rater"),
            models.Index("lease_until", condition=Q(state=AssignmentState.OPEN), name="assignment_lease"),
            models.Index("id", condition=Q(unflagged=True), name="assignment_unflagged"),
            models.Index("study", "submitted_at", name="assignment_over_time"),
            models.Index("task", name="assignment_of_task"),
            # Deleting a place looks for its assignments, and `assignment_one_live` lacks those that ended.
            models.Index("place", name="assignment_of_place"),
        )

    def __str__(self) -> str:
        return f"assignment {self.pk}"


class Visit(models.Model):
    """One opening of a task page; only the hash of its token is stored."""

    token_hash = models.BinaryField(max_length=32, primary_key=True)
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    assignment = models.ForeignKey(Assignment, models.CASCADE)
    opened_at = models.DateTimeField()

    class Meta:
        db_table = "visit"

    def __str__(self) -> str:
        return f"visit to assignment {self.assignment_id}"


class Draft(models.Model):
    """Answers that are saved but not submitted."""

    assignment = models.OneToOneField(Assignment, models.CASCADE, primary_key=True)
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    revision = models.PositiveIntegerField()
    # The save that created this revision; sending it again changes nothing.
    save_id = models.CharField(max_length=64)
    answers = models.JSONField()
    saved_at = models.DateTimeField()

    class Meta:
        db_table = "draft"

    def __str__(self) -> str:
        return f"draft {self.revision} of assignment {self.assignment_id}"


class Answer(models.Model):
    """One rater's reply to one question."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    assignment = models.ForeignKey(Assignment, models.CASCADE, db_index=False)
    position = models.PositiveSmallIntegerField()
    # Includes the name of the part if an answer contains several judgments.
    question = models.CharField(max_length=160)
    aspect = models.CharField(max_length=40, default="", blank=True)
    value = models.JSONField()
    code = models.IntegerField(null=True)

    class Meta:
        db_table = "answer"
        constraints = (
            models.UniqueConstraint("assignment", "position", "question", "study", name="answer_once"),
        )

    def __str__(self) -> str:
        return f"{self.question} of assignment {self.assignment_id}"


class Verdict(models.Model):
    """A decision on an assignment. Append-only: the latest one applies, and earlier ones are kept."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    assignment = models.ForeignKey(Assignment, models.CASCADE)
    author = models.CharField(max_length=150)
    # Payment and data use are decided separately; null means that the verdict does not change the value.
    pay = models.BooleanField(null=True)
    data_use = models.CharField(max_length=10, default="", blank=True)
    # Visible to the rater.
    reason = models.CharField(max_length=2000, default="", blank=True)
    replaces = models.OneToOneField("self", models.CASCADE, null=True)
    at = models.DateTimeField()

    class Meta:
        db_table = "verdict"

    def __str__(self) -> str:
        return f"verdict on assignment {self.assignment_id}"
