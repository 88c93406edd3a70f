"""People behind raters: what is personal is sealed and apart, so that it can be deleted without a trace."""

from django.db import models
from django.db.models import F, Q


class Person(models.Model):
    """Somebody with an address or a platform's id. Not per study: the same person may rate in several."""

    platform = models.CharField(max_length=20)
    id_sealed = models.BinaryField()
    id_hmac = models.BinaryField(max_length=32, unique=True)

    class Meta:
        db_table = "person"

    def __str__(self) -> str:
        return f"person {self.pk}"


class Note(models.Model):
    """What a requester wrote down about a rater; the rater does not see it."""

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
    """A link for many: whoever follows it becomes a member of the pool, up to a limit."""

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


class Joining(models.Model):
    """That somebody joined by an open link; kept for an hour, to limit how many of one network do."""

    # A keyed hash: the network itself is stored nowhere, and who joined is not either.
    network = models.BinaryField(max_length=32)
    at = models.DateTimeField()

    class Meta:
        db_table = "joining"
        indexes = (models.Index("network", "at", name="joining_of_network"),)

    def __str__(self) -> str:
        return f"joined at {self.at}"


class Audit(models.Model):
    """Who did what to whose data. Append-only, and without anything personal."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    who = models.CharField(max_length=150)
    """A user's name, or "rater" with nothing else."""
    what = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)
    """A pseudonym, or the name of a pool."""
    before = models.JSONField(default=dict)
    after = models.JSONField(default=dict)
    at = models.DateTimeField()

    class Meta:
        db_table = "audit"
        indexes = (models.Index("study", "subject", "at", name="audit_of_subject"),)

    def __str__(self) -> str:
        return f"{self.who} {self.what} {self.subject}"
