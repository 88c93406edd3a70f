"""SQL of releases."""
