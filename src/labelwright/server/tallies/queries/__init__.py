"""SQL of tallies."""
