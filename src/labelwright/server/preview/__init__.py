"""Tasks as raters would see them, for the requester; nothing is stored."""
