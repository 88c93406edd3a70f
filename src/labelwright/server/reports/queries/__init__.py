"""SQL of reports."""
