"""Views of reports."""
