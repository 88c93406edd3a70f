"""Messages: a thread for each rater, a board for each pool, and the items that were talked about."""

from django.db import models
from django.db.models import Q


class Message(models.Model):
    """A text between requester and raters: with a rater it stands in a thread, without one on a pool's board."""

    class Kind(models.TextChoices):
        """What it is for."""

        NOTE = "note"
        """Something said, in either direction."""
        QUESTION = "question"
        """A rater asks about an item."""
        ANSWER = "answer"
        """The requester answers a question."""
        FEEDBACK = "feedback"
        """The rater's answers beside the others'."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    rater = models.ForeignKey("store.Rater", models.CASCADE, null=True, db_index=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, null=True, db_index=False)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.NOTE)
    # Empty where the rater wrote it.
    author = models.CharField(max_length=150, default="", blank=True)
    text = models.TextField()
    answers = models.ForeignKey(
        "self", models.SET_NULL, null=True, db_index=False, related_name="answered_by"
    )
    # The answer is shown, with this wording of the question, to all who meet the item.
    shown = models.BooleanField(default=False)
    question_shown = models.TextField(default="", blank=True)
    sent_at = models.DateTimeField()
    # When the other side opened it.
    read_at = models.DateTimeField(null=True)

    class Meta:
        db_table = "message"
        constraints = (
            models.CheckConstraint(
                condition=Q(rater=None, pool__isnull=False) | Q(rater__isnull=False, pool=None),
                name="message_in_thread_or_on_board",
            ),
        )
        indexes = (
            models.Index("rater", "id", condition=Q(pool=None), name="message_thread"),
            models.Index("pool", "id", condition=Q(rater=None), name="message_board"),
        )

    def __str__(self) -> str:
        return f"message {self.pk}"


class MessageItem(models.Model):
    """An item that a message is about, and the rater's own work on it where that is shown."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    message = models.ForeignKey(Message, models.CASCADE)
    item = models.ForeignKey("store.ItemRow", models.CASCADE)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, null=True, db_index=False)

    class Meta:
        db_table = "message_item"
        constraints = (models.UniqueConstraint("message", "item", name="message_item_once"),)

    def __str__(self) -> str:
        return f"item {self.item_id} in message {self.message_id}"


class Mail(models.Model):
    """A mail to be sent. Marked as sent before it is handed over: after a crash it is not sent twice."""

    class State(models.TextChoices):
        """How far it is."""

        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    rater = models.ForeignKey("store.Rater", models.CASCADE)
    message = models.ForeignKey(Message, models.CASCADE, null=True)
    # None for a message: an invitation.
    pool = models.ForeignKey("store.Pool", models.CASCADE, null=True, db_index=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    made_at = models.DateTimeField()

    class Meta:
        db_table = "mail"
        indexes = (models.Index("id", condition=Q(state="waiting"), name="mail_waiting"),)

    def __str__(self) -> str:
        return f"mail {self.pk}: {self.state}"
