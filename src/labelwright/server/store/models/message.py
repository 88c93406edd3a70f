"""Messages: a thread for each rater, a board for each pool, and the items that they discuss."""

from django.db import models
from django.db.models import Q


class Message(models.Model):
    """A message between requester and raters: in a rater's thread, or on the pool's board if it has no rater."""

    class Kind(models.TextChoices):
        """The purpose of a message."""

        NOTE = "note"
        """A message in either direction."""
        QUESTION = "question"
        """A rater asks about an item."""
        ANSWER = "answer"
        """The requester answers a question."""
        FEEDBACK = "feedback"
        """A comparison of the rater's answers with other raters' answers."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    rater = models.ForeignKey("store.Rater", models.CASCADE, null=True, db_index=False)
    pool = models.ForeignKey("store.Pool", models.CASCADE, null=True, db_index=False)
    kind = models.CharField(max_length=10, choices=Kind, default=Kind.NOTE)
    # Empty if the rater wrote the message.
    author = models.CharField(max_length=150, default="", blank=True)
    text = models.TextField()
    answers = models.ForeignKey(
        "self", models.SET_NULL, null=True, db_index=False, related_name="answered_by"
    )
    # The answer is shown, with this wording of the question, to every rater who gets the item.
    shown = models.BooleanField(default=False)
    question_shown = models.TextField(default="", blank=True)
    sent_at = models.DateTimeField()
    # When the recipient opened it.
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
            models.Index("rater", "id", condition=Q(rater__isnull=False), name="message_thread"),
            models.Index("pool", "id", condition=Q(pool__isnull=False), name="message_board"),
            models.Index("answers", condition=Q(answers__isnull=False), name="message_answer"),
        )

    def __str__(self) -> str:
        return f"message {self.pk}"


class MessageItem(models.Model):
    """An item that a message is about, and the rater's work on it, if the message shows it."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    message = models.ForeignKey(Message, models.CASCADE)
    item = models.ForeignKey("store.ItemRow", models.CASCADE)
    assignment = models.ForeignKey("store.Assignment", models.CASCADE, null=True, db_index=False)

    class Meta:
        db_table = "message_item"
        constraints = (models.UniqueConstraint("message", "item", "study", name="message_item_once"),)
        indexes = (
            models.Index("assignment", condition=Q(assignment__isnull=False), name="message_item_of_work"),
        )

    def __str__(self) -> str:
        return f"item {self.item_id} in message {self.message_id}"


class Mail(models.Model):
    """An outgoing mail. Marked as sent before it is handed to the mail server, so that a crash never sends it twice."""

    class State(models.TextChoices):
        """The state of a mail."""

        WAITING = "waiting"
        SENT = "sent"
        FAILED = "failed"

    study = models.ForeignKey("store.StudyRow", models.CASCADE)
    rater = models.ForeignKey("store.Rater", models.CASCADE)
    message = models.ForeignKey(Message, models.CASCADE, null=True)
    # Null for an invitation, which has no message.
    pool = models.ForeignKey("store.Pool", models.CASCADE, null=True, db_index=False)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    made_at = models.DateTimeField()

    class Meta:
        db_table = "mail"
        indexes = (models.Index("id", condition=Q(state="waiting"), name="mail_waiting"),)

    def __str__(self) -> str:
        return f"mail {self.pk}: {self.state}"
