"""The people behind raters. Personal data is encrypted in tables that can be deleted completely."""

from django.db import models
from django.db.models import F, Q


class Person(models.Model):
    """A person with an address or a platform ID. Not tied to one study, because a person may rate in several."""

    platform = models.CharField(max_length=20)
    id_sealed = models.BinaryField()
    id_hmac = models.BinaryField(max_length=32, unique=True)

    class Meta:
        db_table = "person"

    def __str__(self) -> str:
        return f"person {self.pk}"


class Note(models.Model):
    """A requester's note about a rater; the rater cannot see it."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE)
    author = models.CharField(max_length=150)
    text_sealed = models.BinaryField()
    at = models.DateTimeField()

    class Meta:
        db_table = "note"

    def __str__(self) -> str:
        return f"note on rater {self.rater_id}"


class OpenLink(models.Model):
    """A shared link: everyone who follows it joins the pool, up to a limit."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False)
    nonce = models.CharField(max_length=24)
    most = models.PositiveIntegerField()
    used = models.PositiveIntegerField(default=0)
    expires_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True)
    made_at = models.DateTimeField()

    class Meta:
        db_table = "open_link"
        constraints = (
            models.CheckConstraint(condition=Q(used__lte=F("most")), name="open_link_within_limit"),
        )

    def __str__(self) -> str:
        return f"open link {self.pk}: {self.used} of {self.most}"


class WaitingAddress(models.Model):
    """An address of somebody who found all tasks taken; deleted when they are written to."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, db_index=False, db_constraint=False)
    # The link that they followed, and that they get again: a personal one or an open one.
    rater = models.ForeignKey("store.Rater", models.CASCADE, null=True, db_index=False, db_constraint=False)
    open_link = models.ForeignKey(OpenLink, models.CASCADE, null=True, db_index=False, db_constraint=False)
    address_sealed = models.BinaryField()
    address_hmac = models.BinaryField(max_length=32)
    given_at = models.DateTimeField()
    # Whether the next mail goes to them.
    chosen = models.BooleanField(default=False)

    class Meta:
        db_table = "waiting_address"
        constraints = (models.UniqueConstraint("study", "pool", "address_hmac", name="waiting_address_once"),)
        indexes = (
            models.Index("rater", condition=Q(rater__isnull=False), name="waiting_address_of_rater"),
            models.Index("open_link", condition=Q(open_link__isnull=False), name="waiting_address_of_link"),
        )

    def __str__(self) -> str:
        return f"address {self.pk} for pool {self.pool_id}"


class Joining(models.Model):
    """A record that someone joined through an open link; kept for an hour, to limit joins from one network."""

    # A keyed hash. Neither the network nor the person who joined is stored.
    network = models.BinaryField(max_length=32)
    at = models.DateTimeField()

    class Meta:
        db_table = "joining"
        indexes = (models.Index("network", "at", name="joining_of_network"),)

    def __str__(self) -> str:
        return f"joined at {self.at}"


class Audit(models.Model):
    """The audit log: who changed what. Append-only: the database refuses to change or delete lines."""

    # No constraint, because the lines stay when the study is deleted. 0 for what concerns no study.
    study = models.ForeignKey("store.StudyRow", models.DO_NOTHING, db_constraint=False)
    who = models.CharField(max_length=150)
    """A user name, or just "rater"."""
    what = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)
    """A pseudonym, or the name of a user, pool or study."""
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        db_table = "audit"
        indexes = (
            models.Index("study", "subject", "at", name="audit_of_subject"),
            models.Index("study", "id", name="audit_of_study"),
        )

    def __str__(self) -> str:
        return f"{self.who} {self.what} {self.subject}"


class Arrival(models.Model):
    """A visit of somebody whom a panel sent, by the panel's ids of the person and of the visit."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_constraint=False)
    person_sealed = models.BinaryField()
    person_hmac = models.BinaryField(max_length=32)
    session_sealed = models.BinaryField()
    session_hmac = models.BinaryField(max_length=32)
    arrived_at = models.DateTimeField()

    class Meta:
        db_table = "arrival"
        constraints = (models.UniqueConstraint("study", "session_hmac", name="arrival_once"),)
        indexes = (models.Index("study", "person_hmac", name="arrival_of_person"),)

    def __str__(self) -> str:
        return f"arrival of rater {self.rater_id}"
