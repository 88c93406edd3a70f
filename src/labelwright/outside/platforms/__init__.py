"""Crowd platforms, each in a package of its own."""
