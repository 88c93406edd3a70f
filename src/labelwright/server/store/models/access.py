"""Access: teams of studies, attempts at a second factor, links of reviewers, and keys of the installation."""

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.db.models import Q


class LoginSession(AbstractBaseSession):
    """A session, and whose it is."""

    # Null before the login, and for sessions of earlier releases until they are used again.
    user = models.ForeignKey("store.User", models.CASCADE, null=True)
    # In words, such as "Firefox on Linux".
    browser = models.CharField(max_length=60, default="", blank=True)
    started_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)

    class Meta(AbstractBaseSession.Meta):
        abstract = False
        db_table = "login_session"

    def __str__(self) -> str:
        return f"session of user {self.user_id}"

    @classmethod
    def get_session_store_class(cls) -> type[SessionBase]:
        """The engine that reads and writes sessions."""
        store: type[SessionBase] = import_module(settings.SESSION_ENGINE).SessionStore
        return store


class CodeAttempt(models.Model):
    """An attempt at a user's second factor; kept for a day, to limit guessing."""

    user = models.ForeignKey("store.User", models.CASCADE, db_index=False)
    at = models.DateTimeField()

    class Meta:
        db_table = "code_attempt"
        indexes = (models.Index("user", "at", name="code_attempt_of_user"),)

    def __str__(self) -> str:
        return f"attempt of user {self.user_id} at {self.at}"


class ReviewerLink(models.Model):
    """A person who got a link to the review queue of a study."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    reviewer = models.CharField(max_length=150)
    # Part of the link. Changing it revokes every link of this reviewer.
    number = models.PositiveIntegerField(default=1)
    made_at = models.DateTimeField()

    class Meta:
        db_table = "reviewer_link"
        constraints = (models.UniqueConstraint("study", "reviewer", name="reviewer_link_once"),)

    def __str__(self) -> str:
        return self.reviewer


class Teammate(models.Model):
    """A user in the team of a study, besides its owner."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    user = models.ForeignKey("store.User", models.CASCADE)
    # The names are those of `StudyRole`, without the owner, whom the study itself names.
    role = models.CharField(max_length=10)
    joined_at = models.DateTimeField()

    class Meta:
        db_table = "teammate"
        constraints = (models.UniqueConstraint("study", "user", name="teammate_once"),)

    def __str__(self) -> str:
        return f"{self.role} {self.user_id} of study {self.study_id}"


class TeamInvitation(models.Model):
    """An invitation into the team of a study, until it is accepted or withdrawn."""

    class Mailed(models.TextChoices):
        """What became of the mail; marked as sent before the mail server gets it."""

        NONE = ""
        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    email = models.CharField(max_length=254)
    role = models.CharField(max_length=10)
    # Part of the signed link; not a secret.
    nonce = models.CharField(max_length=24)
    invited_by = models.CharField(max_length=150)
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    mailed = models.CharField(max_length=10, choices=Mailed, default=Mailed.NONE, blank=True)

    class Meta:
        db_table = "team_invitation"
        constraints = (models.UniqueConstraint("study", "email", name="team_invitation_once"),)
        indexes = (models.Index("id", condition=Q(mailed="waiting"), name="team_invitation_waiting"),)

    def __str__(self) -> str:
        return f"invitation into study {self.study_id} as {self.role}"


class ApiToken(models.Model):
    """A token with which a program acts for a user; only its hash is stored."""

    user = models.ForeignKey("store.User", models.CASCADE)
    name = models.CharField(max_length=80)
    token_hash = models.BinaryField(max_length=32, unique=True)
    # The last characters, by which the user recognises it.
    ending = models.CharField(max_length=4)
    # Names of permissions; the token may do nothing else, whatever the user may.
    scopes = models.JSONField()
    made_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    # Stored once a minute at most.
    last_used_at = models.DateTimeField(null=True)
    revoked_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "api_token"

    def __str__(self) -> str:
        return f"token {self.name} of user {self.user_id}"


class Webhook(models.Model):
    """An address outside that is told when something happens in a study."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    address = models.CharField(max_length=500)
    secret_sealed = models.BinaryField()
    # Names of `WebhookEvent`.
    events = models.JSONField()
    made_at = models.DateTimeField()
    # What it was last told: judgments, the version that was full, and the newest flag.
    seen_judgments = models.BigIntegerField(default=0)
    seen_full = models.BigIntegerField(null=True)
    seen_flag = models.BigIntegerField(default=0)

    class Meta:
        db_table = "webhook"

    def __str__(self) -> str:
        return f"webhook {self.pk} of study {self.study_id}"


class WebhookDelivery(models.Model):
    """One message to a webhook, tried until it arrives or the attempts are used up."""

    class State(models.TextChoices):
        """How far it has come."""

        WAITING = "waiting"
        ARRIVED = "arrived"
        FAILED = "failed"

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    webhook = models.ForeignKey(Webhook, models.CASCADE, db_constraint=False)
    event = models.CharField(max_length=20)
    body = models.JSONField()
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    # Set before each attempt, so that a crash means another attempt, never none.
    next_at = models.DateTimeField()
    # The HTTP status of the last attempt; null without an answer.
    status = models.PositiveSmallIntegerField(null=True)
    error = models.CharField(max_length=200, default="", blank=True)
    made_at = models.DateTimeField()

    class Meta:
        db_table = "webhook_delivery"
        indexes = (
            models.Index("next_at", condition=Q(state="waiting"), name="webhook_delivery_due"),
            models.Index("study", "id", name="webhook_delivery_of_study"),
        )

    def __str__(self) -> str:
        return f"delivery {self.pk} of {self.event}"


class KeyCheck(models.Model):
    """A hash made with a key, by which a wrong key is noticed. The key cannot be derived from it."""

    name = models.CharField(max_length=60, primary_key=True)
    """The environment variable."""
    proof = models.BinaryField()
    recorded_at = models.DateTimeField()

    class Meta:
        db_table = "key_check"

    def __str__(self) -> str:
        return f"check of {self.name}"
