"""Turnwise: human evaluation of dialogue systems, from raw logs to labels that can be defended in print."""

__version__ = "0.1.0"
