"""Template contexts of reports."""
