"""Dialogues and items; only sampled dialogues are stored."""

from django.db import models


class DialogueRow(models.Model):
    """A dialogue as imported. A changed dialogue gets a new row, so that old answers still refer to the judged text."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    key = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    turns = models.JSONField()
    meta = models.JSONField(default=dict)

    class Meta:
        db_table = "dialogue"
        constraints = (models.UniqueConstraint("study", "key", "sha256", name="dialogue_once"),)

    def __str__(self) -> str:
        return self.key


class ItemRow(models.Model):
    """Something to judge: the turn at `target` in a dialogue, the whole dialogue, or candidate replies to it."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    key = models.CharField(max_length=220)
    kind = models.CharField(max_length=20)
    dialogue = models.ForeignKey(DialogueRow, models.CASCADE, db_index=False)
    target = models.PositiveIntegerField()
    system = models.CharField(max_length=200, default="", blank=True)
    # When it was first discussed with raters who had judged it or were going to.
    discussed_at = models.DateTimeField(null=True)
    # How probable it is that people rate it, in the share for people and all draws after it, and when that was recorded;
    # null before the first draw.
    people_chance = models.FloatField(null=True)
    chance_at = models.DateTimeField(null=True)
    # Whether a draw sent it to people.
    drawn = models.BooleanField(default=False, db_default=False)
    # Content that is not in the dialogue: the passage for a query, or the candidates.
    payload = models.JSONField(default=dict)

    class Meta:
        db_table = "item"
        constraints = (models.UniqueConstraint("study", "key", "dialogue", name="item_once"),)
        indexes = (
            models.Index("dialogue", name="item_of_dialogue"),
            models.Index("study", condition=models.Q(discussed_at__isnull=False), name="item_discussed"),
        )

    def __str__(self) -> str:
        return self.key
