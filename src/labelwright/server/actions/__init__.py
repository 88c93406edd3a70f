"""One function per thing that can happen; each owns its transaction, its locks and its permission."""
