"""Results of a study: figures, live agreement, items, export."""
