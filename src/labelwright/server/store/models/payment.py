"""Payments and platforms: what is to be paid and for what, the ledger, budgets, calls to platforms, and publications."""

from django.db import models
from django.db.models import F, Q

from labelwright.crowd import CallState, LedgerState, PaymentKind
from labelwright.crowd.publication import PublicationState


class PaymentRun(models.Model):
    """Payments that somebody released together."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    number = models.PositiveIntegerField()
    platform = models.CharField(max_length=20)
    made_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    # When its list was first handed out; from then on its payments cannot be stopped.
    listed_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "payment_run"
        constraints = (models.UniqueConstraint("study", "number", name="payment_run_once"),)

    def __str__(self) -> str:
        return f"payment run {self.number}"


class PlatformCall(models.Model):
    """A call to a platform, written before it is made. Its state says what is known of the call, not of the money."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    # Made from what the call is about, so that the same call cannot be planned twice.
    key = models.CharField(max_length=160)
    platform = models.CharField(max_length=20)
    kind = models.CharField(max_length=40)
    # Names raters by pseudonym or public id; ids of the platform are filled in when it is sent.
    request = models.JSONField(default=dict)
    state = models.CharField(max_length=10, default=CallState.PLANNED)
    # Until when its sender holds it.
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    # What the platform said, in words.
    said = models.CharField(max_length=300, default="", blank=True)
    # What it answered: ids of what was made, fees.
    facts = models.JSONField(default=dict)
    made_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    # Null until the platform or a person has said how it ended.
    settled_at = models.DateTimeField(null=True)
    # The next time at which it is sent or looked up.
    next_at = models.DateTimeField()

    class Meta:
        db_table = "platform_call"
        constraints = (models.UniqueConstraint("study", "key", name="platform_call_once"),)
        indexes = (models.Index("next_at", condition=Q(settled_at__isnull=True), name="platform_call_due"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class Payment(models.Model):
    """Something to be paid, once. Its keys make a second payment for the same thing impossible."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    # What it is for. A one-off bonus has an id of its own in its key.
    key = models.CharField(max_length=160)
    # Names it on pay lists.
    code = models.CharField(max_length=19)
    kind = models.CharField(max_length=12)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_index=False, db_constraint=False)
    assignment = models.ForeignKey(
        "store.Assignment", models.CASCADE, null=True, db_index=False, db_constraint=False
    )
    batch = models.ForeignKey("store.Batch", models.CASCADE, null=True, db_index=False, db_constraint=False)
    run = models.ForeignKey(PaymentRun, models.SET_NULL, null=True, db_index=False, db_constraint=False)
    # The call that pays it now; a call that was refused is followed by another one.
    call = models.ForeignKey(PlatformCall, models.SET_NULL, null=True, db_index=False, db_constraint=False)
    platform = models.CharField(max_length=20)
    cents = models.PositiveBigIntegerField()
    fee_cents = models.PositiveBigIntegerField(default=0)
    currency = models.CharField(max_length=3)
    # Why a person gave a bonus; visible to the rater.
    reason = models.CharField(max_length=500, default="", blank=True)
    # The newest line of the ledger.
    state = models.CharField(max_length=10, default=LedgerState.PLANNED)
    # How often it was released; each time is another call.
    round = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        db_table = "payment"
        constraints = (
            models.UniqueConstraint("study", "key", name="payment_key_once"),
            models.UniqueConstraint("study", "code", name="payment_code_once"),
            models.UniqueConstraint(
                "assignment", "study", condition=Q(kind=PaymentKind.TASK), name="payment_task_once"
            ),
            models.UniqueConstraint(
                "batch",
                "rater",
                "study",
                condition=Q(kind=PaymentKind.BATCH_BONUS),
                name="payment_batch_once",
            ),
            models.CheckConstraint(condition=Q(cents__gt=0), name="payment_of_something"),
        )
        indexes = (
            models.Index("study", "state", "id", name="payment_by_state"),
            models.Index("rater", name="payment_of_rater"),
            models.Index("assignment", condition=Q(assignment__isnull=False), name="payment_of_assignment"),
            models.Index("batch", condition=Q(batch__isnull=False), name="payment_of_batch"),
            models.Index("run", condition=Q(run__isnull=False), name="payment_of_run"),
            models.Index("call", condition=Q(call__isnull=False), name="payment_of_call"),
        )

    def __str__(self) -> str:
        return f"{self.code}: {self.cents} {self.currency} {self.state}"


class LedgerLine(models.Model):
    """One line of the ledger: a payment reached a state. The database refuses to change or delete lines."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    payment = models.ForeignKey(Payment, models.CASCADE, db_constraint=False)
    state = models.CharField(max_length=10)
    cents = models.PositiveBigIntegerField()
    fee_cents = models.PositiveBigIntegerField()
    currency = models.CharField(max_length=3)
    who = models.CharField(max_length=150)
    # In our own words; what people wrote about a rater is with the payment or the verdict, where it can be deleted.
    why = models.CharField(max_length=60, default="", blank=True)
    at = models.DateTimeField()

    class Meta:
        db_table = "ledger_line"
        constraints = (
            models.UniqueConstraint(
                "payment", "study", condition=Q(state=LedgerState.CONFIRMED), name="ledger_line_paid_once"
            ),
            # Nobody's pay is taken away by nobody, or for no reason.
            models.CheckConstraint(
                condition=~Q(state=LedgerState.REVERSED) | ~Q(who="") & ~Q(why=""), name="ledger_line_reason"
            ),
        )

    def __str__(self) -> str:
        return f"payment {self.payment_id}: {self.state}"


class PaymentBudget(models.Model):
    """The most that may be paid, fees included, and what is released of it. The check makes it a limit.

    A study has one, and may have one for each batch and for each rater. A row without a batch or a rater in these scopes
    holds the limit that new ones get.
    """

    class Scope(models.TextChoices):
        """What a budget is for."""

        STUDY = "study"
        BATCH = "batch"
        RATER = "rater"

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    scope = models.CharField(max_length=5, choices=Scope)
    batch = models.ForeignKey("store.Batch", models.CASCADE, null=True, db_index=False, db_constraint=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, null=True, db_index=False, db_constraint=False)
    currency = models.CharField(max_length=3)
    limit_cents = models.PositiveBigIntegerField(null=True)
    committed_cents = models.PositiveBigIntegerField(default=0, db_default=0)

    class Meta:
        db_table = "payment_budget"
        constraints = (
            models.UniqueConstraint(
                fields=["study", "scope", "currency", "batch", "rater"],
                nulls_distinct=False,
                name="payment_budget_once",
            ),
            models.CheckConstraint(
                condition=Q(limit_cents=None) | Q(committed_cents__lte=F("limit_cents")),
                name="payment_budget_kept",
            ),
        )
        indexes = (
            models.Index("batch", condition=Q(batch__isnull=False), name="payment_budget_of_batch"),
            models.Index("rater", condition=Q(rater__isnull=False), name="payment_budget_of_rater"),
        )

    def __str__(self) -> str:
        return f"{self.scope}: {self.committed_cents} of {self.limit_cents} {self.currency}"


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
                condition=~Q(state=PublicationState.STOPPED) & ~Q(state=PublicationState.REFUSED),
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
