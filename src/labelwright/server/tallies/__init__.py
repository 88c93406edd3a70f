"""Usable answers and the counts kept of them."""
