"""Sentences for the script of a task's page, in the language of the page."""

from __future__ import annotations

from django.utils.translation import gettext as _


def page_texts() -> dict[str, str]:
    """Each sentence by the name that the script uses; the script replaces names in braces with values."""
    return {
        "answered": _("{n} of {total} answered"),
        "openOne": _("1 question needs an answer or a correction."),
        "openMany": _("{n} questions need an answer or a correction."),
        "next": _("Next"),
        "submit": _("Submit"),
        "stepDone": _("{n}, answered"),
        "saving": _("Saving"),
        "sending": _("Sending"),
        "savedNow": _("Saved just now"),
        "savedSeconds": _("Saved {n} s ago"),
        "savedMinutes": _("Saved {n} min ago"),
        "offline": _("Offline, kept here"),
        "notSaved": _("Not saved"),
        "notSent": _("Not sent"),
        "notSentYet": _("Not sent yet"),
        "readOnly": _("Read-only"),
        "minutes": _("{n} min"),
        "seconds": _("{n} s"),
        "timeUp": _("Time is up"),
        "noSubmit": _(
            "Your answers are kept on this page. The server is not responding; press Submit again in a moment."
        ),
        "noStop": _(
            "Your answers are kept on this page. The server is not responding; press Stop again in a moment."
        ),
        "newer": _("Newer answers were saved on another page. This page shows them now."),
        "goOn": _("Continue"),
    }
