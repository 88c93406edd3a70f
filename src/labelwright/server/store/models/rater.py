"""Pools and raters, and the constraints that keep a rater from seeing or doing too much."""

from django.db import models
from django.db.models import F, Q

from labelwright.crowd import MemberState


class Pool(models.Model):
    """Raters recruited together; its caps and pay stand in the study file."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    name = models.CharField(max_length=40)

    class Meta:
        db_table = "pool"
        constraints = (models.UniqueConstraint("study", "name", name="pool_once"),)

    def __str__(self) -> str:
        return self.name


class Rater(models.Model):
    """A person who judges in a study, known by a pseudonym and nothing else."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    pseudonym = models.CharField(max_length=32)
    kind = models.CharField(max_length=10, default="person")
    # Part of the rater's link; a new one revokes the links made before.
    nonce = models.CharField(max_length=24)
    link_expires_at = models.DateTimeField()
    consented_at = models.DateTimeField(null=True)
    # The version whose consent text was agreed to.
    consented_version = models.ForeignKey("store.StudyVersion", models.SET_NULL, null=True, db_index=False)
    # Known only where the rater, or who invited them, gave an address.
    person = models.ForeignKey("store.Person", models.SET_NULL, null=True)
    # When the person's data were deleted; the pseudonym and, if the study says so, the answers stay.
    forgotten_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "rater"
        constraints = (models.UniqueConstraint("study", "pseudonym", name="rater_once"),)

    def __str__(self) -> str:
        return self.pseudonym


class Member(models.Model):
    """A rater in a pool."""

    pk = models.CompositePrimaryKey("pool_id", "rater_id")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    pool = models.ForeignKey(Pool, models.CASCADE, db_index=False)
    rater = models.ForeignKey(Rater, models.CASCADE)
    # The order in which links were made, so that `links` prints the same list again.
    number = models.PositiveIntegerField()
    rater_group = models.CharField(max_length=40, default="", blank=True)
    state = models.CharField(max_length=10, default=MemberState.ACTIVE, db_default=MemberState.ACTIVE)
    joined_at = models.DateTimeField(null=True)
    # Of a pool with a qualification: what was decided, when, and the score it was decided on.
    qualified = models.BooleanField(null=True)
    decided_at = models.DateTimeField(null=True)
    score = models.FloatField(null=True)

    class Meta:
        db_table = "member"
        constraints = (models.UniqueConstraint("pool", "number", name="member_number_once"),)

    def __str__(self) -> str:
        return f"rater {self.rater_id} in pool {self.pool_id}"


class Exposure(models.Model):
    """What a rater has seen. The primary key is the promise that no item comes twice."""

    pk = models.CompositePrimaryKey("rater_id", "spoil_key")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey(Rater, models.CASCADE, db_index=False)
    spoil_key = models.CharField(max_length=300)

    class Meta:
        db_table = "exposure"

    def __str__(self) -> str:
        return f"{self.rater_id} saw {self.spoil_key}"


class RaterCount(models.Model):
    """How much a rater has done in a scope. The check is the promise that no cap is exceeded."""

    pk = models.CompositePrimaryKey("rater_id", "scope", "key")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey(Rater, models.CASCADE, db_index=False)
    scope = models.CharField(max_length=20)
    key = models.CharField(max_length=60)
    n = models.BigIntegerField(default=0)
    cap = models.BigIntegerField(null=True)
    # The rank of the place last taken in this scope: the next search starts behind it.
    last_rank = models.BigIntegerField(default=-1)

    class Meta:
        db_table = "rater_count"
        constraints = (
            models.CheckConstraint(
                condition=Q(n__gte=0) & (Q(cap=None) | Q(n__lte=F("cap"))), name="rater_count_cap"
            ),
        )

    def __str__(self) -> str:
        return f"{self.scope} {self.key}: {self.n}"
