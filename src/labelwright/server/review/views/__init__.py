"""Pages of review."""
