"""Logs as JSON lines, without personal data and without link or visit tokens."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime

# Libraries may log addresses, and the token in an address is a credential.
_TOKEN = re.compile(
    r"v1\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)?"
    # A reviewer's token, signed by Django.
    r"|(?<=/c/)[^/\s\"']+"
)
_QUERY = re.compile(r"\?[^\s\"']+")


def without_tokens(text: str) -> str:
    """Removes link tokens and query strings from a text.

    >>> without_tokens("GET /w/v1.k1.abc.def?PROLIFIC_PID=9 200")
    'GET /w/(link) 200'
    >>> without_tokens("Internal Server Error: /c/eyJzIjox:1vabc:x-Y_z/7")
    'Internal Server Error: /c/(link)/7'
    """
    return _QUERY.sub("", _TOKEN.sub("(link)", text))


class JsonFormatter(logging.Formatter):
    """Writes one JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        """The record as JSON, with tokens removed from the message and the traceback."""
        entry = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": without_tokens(record.getMessage()),
        }
        if record.exc_info:
            entry["traceback"] = without_tokens(self.formatException(record.exc_info))
        return json.dumps(entry, ensure_ascii=False)
