"""Pools and raters, the constraints that keep a rater from seeing or doing too much, questionnaires and withdrawals."""

import secrets

from django.db import models
from django.db.models import F, Q

from labelwright.crowd import MemberState, RaterKind


def new_public_id() -> str:
    """An id for links. It begins with a letter; those of earlier releases are the number that their links hold."""
    return f"r{secrets.token_urlsafe(9)}"


class Pool(models.Model):
    """Raters recruited together. The pool's caps and pay are in the study file."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    name = models.CharField(max_length=40)
    # Names the pool in links.
    public_id = models.CharField(max_length=24, default=new_public_id)

    class Meta:
        db_table = "pool"
        constraints = (
            models.UniqueConstraint("study", "name", name="pool_once"),
            models.UniqueConstraint("study", "public_id", name="pool_public_id_once"),
        )

    def __str__(self) -> str:
        return self.name


class Rater(models.Model):
    """A rater in a study, known only by a pseudonym."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    pseudonym = models.CharField(max_length=32)
    # Names the rater in links, and stays when the study is copied to another database. The pseudonym would not do,
    # because it is published with the data.
    public_id = models.CharField(max_length=24, default=new_public_id)
    kind = models.CharField(max_length=10, default=RaterKind.PERSON)
    # Part of the rater's link; changing it revokes earlier links.
    nonce = models.CharField(max_length=24)
    link_expires_at = models.DateTimeField()
    consented_at = models.DateTimeField(null=True)
    # The version whose consent text the rater agreed to.
    consented_version = models.ForeignKey("store.StudyVersion", models.SET_NULL, null=True, db_index=False)
    # Set only if the rater, or the person who invited them, gave an address.
    person = models.ForeignKey("store.Person", models.SET_NULL, null=True)
    # When the personal data was deleted. The pseudonym stays, and so do the answers if the study keeps them.
    forgotten_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "rater"
        constraints = (
            models.UniqueConstraint("study", "pseudonym", name="rater_once"),
            models.UniqueConstraint("study", "public_id", name="rater_public_id_once"),
        )

    def __str__(self) -> str:
        return self.pseudonym


class Member(models.Model):
    """A rater in a pool."""

    pk = models.CompositePrimaryKey("pool_id", "rater_id")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    pool = models.ForeignKey(Pool, models.CASCADE, db_index=False)
    rater = models.ForeignKey(Rater, models.CASCADE)
    # The order in which links were created, so that `links` always prints the same list.
    number = models.PositiveIntegerField()
    rater_group = models.CharField(max_length=40, default="", blank=True)
    state = models.CharField(max_length=10, default=MemberState.ACTIVE, db_default=MemberState.ACTIVE)
    joined_at = models.DateTimeField(null=True)
    # In a pool with a qualification: the decision, its time, and the score it was based on.
    qualified = models.BooleanField(null=True)
    decided_at = models.DateTimeField(null=True)
    score = models.FloatField(null=True)

    class Meta:
        db_table = "member"
        constraints = (models.UniqueConstraint("pool", "number", "study", name="member_number_once"),)

    def __str__(self) -> str:
        return f"rater {self.rater_id} in pool {self.pool_id}"


class Exposure(models.Model):
    """What a rater has seen. The primary key guarantees that no rater sees an item twice."""

    pk = models.CompositePrimaryKey("rater_id", "spoil_key")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey(Rater, models.CASCADE, db_index=False)
    spoil_key = models.CharField(max_length=300)

    class Meta:
        db_table = "exposure"

    def __str__(self) -> str:
        return f"{self.rater_id} saw {self.spoil_key}"


class RaterCount(models.Model):
    """The amount of work a rater has done in a scope. The check constraint guarantees that no cap is exceeded."""

    pk = models.CompositePrimaryKey("rater_id", "scope", "key")
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey(Rater, models.CASCADE, db_index=False)
    scope = models.CharField(max_length=20)
    key = models.CharField(max_length=60)
    n = models.BigIntegerField(default=0)
    cap = models.BigIntegerField(null=True)
    # The rank of the last place taken in this scope; the next search starts after it.
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


class RaterSheet(models.Model):
    """A rater's answers to a part of the questionnaire, asked once or once per batch; kept separate from judgments."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    version = models.ForeignKey("store.StudyVersion", models.CASCADE, db_index=False, db_constraint=False)
    rater = models.ForeignKey("store.Rater", models.CASCADE, db_index=False)
    # demographics, familiarity or quiz
    part = models.CharField(max_length=20)
    # The batch, if the part is asked once per batch.
    key = models.CharField(max_length=40, default="", blank=True)
    # Answers by question name, without skipped questions.
    answers = models.JSONField(default=dict)
    tries = models.PositiveSmallIntegerField(default=1)
    # The share of right answers in the last attempt at a quiz.
    right_share = models.FloatField(null=True)
    passed = models.BooleanField(null=True)
    # True once the part is finished: answered, skipped, or no attempts left.
    closed = models.BooleanField(default=True)
    answered_at = models.DateTimeField()

    class Meta:
        db_table = "rater_sheet"
        constraints = (models.UniqueConstraint("rater", "part", "key", "study", name="rater_sheet_once"),)

    def __str__(self) -> str:
        return f"{self.part} of rater {self.rater_id}"


class Withdrawal(models.Model):
    """A rater's withdrawal from a study; submitted work is still paid."""

    rater = models.OneToOneField("store.Rater", models.CASCADE, primary_key=True)
    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False, db_constraint=False)
    # The rater's choice of what happens to the submitted data.
    data_use = models.CharField(max_length=10)
    at = models.DateTimeField()

    class Meta:
        db_table = "withdrawal"

    def __str__(self) -> str:
        return f"withdrawal of rater {self.rater_id}"
