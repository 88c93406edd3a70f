"""Ranking systems: scores, strengths from comparisons, and the ranks that the data support."""
