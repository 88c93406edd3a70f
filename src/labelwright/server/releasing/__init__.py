"""Releases: the folder that is published, personal data in its texts, and its data sheet."""
