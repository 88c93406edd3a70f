"""What a study says: figures, live agreement, items, export."""
