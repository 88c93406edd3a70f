"""Publications: what platforms offer to people on behalf of a study, and what they say of those who came."""

from django.db import models
from django.db.models import Q

from labelwright.crowd.publication import PublicationState


class Publication(models.Model):
    """A pool as it was published on its platform. A pool has one that is not stopped at most."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    number = models.PositiveIntegerField()
    platform = models.CharField(max_length=20)
    # The platform's id of it; empty until the platform has made it.
    external_id = models.CharField(max_length=80, default="", blank=True)
    # What we want of it. What the platform says is in `status`.
    state = models.CharField(max_length=10, default=PublicationState.MADE)
    # How many visits are wanted in all, and how many tasks one visit has at most.
    places = models.PositiveIntegerField()
    tasks = models.PositiveIntegerField()
    # For one visit.
    minutes = models.FloatField()
    cents = models.PositiveBigIntegerField()
    currency = models.CharField(max_length=3)
    # The same with fees, as the platform said before it was published.
    cost_cents = models.PositiveBigIntegerField()
    # The ways back that were made for it, by outcome.
    ways_back = models.JSONField(default=dict)
    # The number of the newest change of what we want; each is another call.
    step = models.PositiveIntegerField(default=0, db_default=0)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    # In the platform's own word.
    status = models.CharField(max_length=40, default="", blank=True)
    is_open = models.BooleanField(default=False, db_default=False)
    # How many places the platform offers.
    offered = models.PositiveIntegerField(default=0, db_default=0)
    read_at = models.DateTimeField(null=True)
    # The next time at which it is read; null for one that nothing can change.
    next_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "publication"
        constraints = (
            models.UniqueConstraint("study", "number", name="publication_once"),
            models.UniqueConstraint(
                "pool",
                "study",
                condition=~Q(state__in=[PublicationState.STOPPED, PublicationState.REFUSED]),
                name="publication_one_live",
            ),
        )
        indexes = (
            models.Index("next_at", condition=Q(next_at__isnull=False), name="publication_due"),
            models.Index("pool", name="publication_of_pool"),
        )

    def __str__(self) -> str:
        return f"publication {self.number}: {self.state}"


class PlatformVisitRow(models.Model):
    """A visit as the platform lists it. Its arrival here, if there is one, has the same keyed hash of its id."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    publication = models.ForeignKey(Publication, models.CASCADE, db_index=False, db_constraint=False)
    session_hmac = models.BinaryField(max_length=32)
    state = models.CharField(max_length=10)
    # By which way the person went back: an outcome, `none` without a code, or `other`.
    code = models.CharField(max_length=20, default="", blank=True)
    began_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField()
    # Who dealt with a difference between the platform and us, and when; a new state needs another look.
    settled_by = models.CharField(max_length=150, default="", blank=True)
    settled_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "platform_visit"
        constraints = (models.UniqueConstraint("study", "session_hmac", name="platform_visit_once"),)
        indexes = (models.Index("publication", name="platform_visit_of"),)

    def __str__(self) -> str:
        return f"visit {self.pk}: {self.state}"


class PlatformEvent(models.Model):
    """An event that a platform sent, by its id there, so that it is heard once. It says only that something changed."""

    platform = models.CharField(max_length=20)
    event = models.CharField(max_length=80)
    received_at = models.DateTimeField()

    class Meta:
        db_table = "platform_event"
        constraints = (models.UniqueConstraint("platform", "event", name="platform_event_once"),)
        indexes = (models.Index("received_at", name="platform_event_by_age"),)

    def __str__(self) -> str:
        return f"event {self.pk} of {self.platform}"
