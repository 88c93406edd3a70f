"""Publishing of results: pseudonyms and file formats."""

from labelwright.release.formats import Column, Format, spreadsheet_cell, spreadsheet_text, write_rows
from labelwright.release.pseudonyms import draw_pseudonyms

__all__ = ["Column", "Format", "draw_pseudonyms", "spreadsheet_cell", "spreadsheet_text", "write_rows"]
