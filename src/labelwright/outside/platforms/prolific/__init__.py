"""Prolific: result files, and the adapter of its API."""

from labelwright.outside.platforms.prolific.adapter import ProlificPlatform
from labelwright.outside.platforms.prolific.results import ProlificResult, read_results

__all__ = ["ProlificPlatform", "ProlificResult", "read_results"]
