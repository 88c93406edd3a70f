"""KeyCheck: which keys this database was first used with."""

from django.db import models


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
