"""What is published: pseudonyms and file formats."""

from turnwise.release.formats import Column, Format, write_rows
from turnwise.release.pseudonyms import pseudonym

__all__ = ["Column", "Format", "pseudonym", "write_rows"]
