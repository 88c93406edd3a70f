"""Editing, checking, planning, rehearsing and publishing a study file."""
