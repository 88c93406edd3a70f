"""Comparing conditions: differences, shifts and consistency, with tests and intervals."""
