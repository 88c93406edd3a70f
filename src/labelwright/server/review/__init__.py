"""Doubts about submitted work, and decisions on them: flags and verdicts."""
