"""Flagging of work and of raters."""
