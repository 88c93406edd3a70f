"""The profile of a user: their name and time zone."""

from __future__ import annotations

from typing import ClassVar

from labelwright.errors import LabelwrightError
from labelwright.server.store.models import User
from labelwright.server.web.desk.times import zone_names

LONGEST_NAME = 100


class UnknownZone(LabelwrightError):
    """A time zone that does not exist."""

    code: ClassVar[str] = "unknown_zone"


def change_profile(user: User, name: str, time_zone: str) -> None:
    """Stores the name and the time zone of a user; an empty zone means that of the browser. Raises UnknownZone."""
    if time_zone and time_zone not in zone_names():
        raise UnknownZone(
            f"there is no time zone “{time_zone}”.", do="Choose one from the list, such as Europe/Rome."
        )
    first, _, last = " ".join(name.split())[:LONGEST_NAME].partition(" ")
    user.first_name, user.last_name, user.time_zone = first, last, time_zone
    user.save(update_fields=["first_name", "last_name", "time_zone"])
