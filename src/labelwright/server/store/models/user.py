"""User: a requester or reviewer who logs in. Raters have no account."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """Django's user in our own table, because the user model cannot be swapped later."""

    # The zone in which pages show times; empty for that of the browser.
    time_zone = models.CharField(max_length=40, default="", db_default="", blank=True)
    scopes: frozenset[str] | None = None
    """What the API token of this request may be used for; None if the user is logged in."""

    class Meta:
        db_table = "user_account"
