"""Amazon Mechanical Turk: result files."""

from labelwright.outside.platforms.mturk.results import MturkResult, read_results

__all__ = ["MturkResult", "read_results"]
