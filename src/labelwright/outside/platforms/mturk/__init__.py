"""Amazon Mechanical Turk: result files, and the adapter of its protocol."""

from labelwright.outside.platforms.mturk.adapter import MTurkPlatform
from labelwright.outside.platforms.mturk.results import MturkResult, read_results

__all__ = ["MTurkPlatform", "MturkResult", "read_results"]
