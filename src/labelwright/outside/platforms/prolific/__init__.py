"""Prolific: result files of studies that were run through it."""

from labelwright.outside.platforms.prolific.results import ProlificResult, read_results

__all__ = ["ProlificResult", "read_results"]
