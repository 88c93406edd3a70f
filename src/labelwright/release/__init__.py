"""Publishing of results: pseudonyms and file formats."""

from labelwright.release.formats import Column, Format, spreadsheet_cell, write_rows
from labelwright.release.pseudonyms import pseudonym

__all__ = ["Column", "Format", "pseudonym", "spreadsheet_cell", "write_rows"]
