"""Raters as people: pools, joining, roster, qualification, messages, mail, personal data."""
