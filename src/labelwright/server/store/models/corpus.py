"""Dialogues and items: only what was sampled enters the store."""

from django.db import models


class DialogueRow(models.Model):
    """A dialogue as imported. A changed one is another row, so that old answers keep what was judged."""

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
    """One thing to be judged: the turn at `target` of a dialogue, the whole of it, or what answers it."""

    study = models.ForeignKey("store.StudyRow", models.CASCADE, db_index=False)
    key = models.CharField(max_length=220)
    kind = models.CharField(max_length=20)
    dialogue = models.ForeignKey(DialogueRow, models.CASCADE, db_index=False)
    target = models.PositiveIntegerField()
    system = models.CharField(max_length=200, default="", blank=True)
    # When it was first talked about with raters who were to judge it, or had.
    discussed_at = models.DateTimeField(null=True)
    # What the dialogue does not hold: the passage of a query, the candidates.
    payload = models.JSONField(default=dict)

    class Meta:
        db_table = "item"
        constraints = (models.UniqueConstraint("study", "key", "dialogue", name="item_once"),)

    def __str__(self) -> str:
        return self.key
