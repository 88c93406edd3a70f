"""Publishing of results: pseudonyms and file formats."""

from labelwright.release.formats import Column, Format, write_rows
from labelwright.release.pseudonyms import pseudonym

__all__ = ["Column", "Format", "pseudonym", "write_rows"]
