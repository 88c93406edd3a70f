"""Prolific: result files."""

from labelwright.outside.platforms.prolific.results import ProlificResult, read_results

__all__ = ["ProlificResult", "read_results"]
