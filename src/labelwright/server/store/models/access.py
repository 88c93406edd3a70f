"""Access: sessions, attempts at a second factor, links of reviewers, and which keys the database was first used with."""

from importlib import import_module

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models


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
