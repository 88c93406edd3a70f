"""Flagging work, and verdicts on it."""
