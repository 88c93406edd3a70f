"""Logs as JSON lines, without personal data and without link or visit tokens."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

# Whatever a library prints of an address, the token in it is a credential.
_TOKEN = re.compile(
    r"v1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)?"
    # A reviewer's, as Django signs it.
    r"|(?<=/c/)[^/\s\"']+"
)
_QUERY = re.compile(r"\?[^\s\"']+")


def without_tokens(text: str) -> str:
    """The text with link tokens and query strings left out.

    >>> without_tokens("GET /w/v1.k1.abc.def?PROLIFIC_PID=9 200")
    'GET /w/(link) 200'
    >>> without_tokens("Internal Server Error: /c/eyJzIjox:1vabc:x-Y_z/7")
    'Internal Server Error: /c/(link)/7'
    """
    return _QUERY.sub("", _TOKEN.sub("(link)", text))


class JsonFormatter(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON; tokens are left out of message and traceback alike."""
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_tokens(record.getMessage()),
        }
        if record.exc_info:
            entry["traceback"] = without_tokens(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)
