"""User: a requester or reviewer who logs in. Raters have no account."""

from django.contrib.auth.models import AbstractUser


class User(AbstractUser):
    """Django's user, as a table of our own, because it cannot be exchanged later."""

    class Meta:
        db_table = "user_account"
