"""A rater's page, standing and personal data."""
