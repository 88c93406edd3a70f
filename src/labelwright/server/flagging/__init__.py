"""Flagging: quality rules run on submitted work, again when others' work arrives, and on raters as a whole."""
