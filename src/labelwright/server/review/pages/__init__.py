"""What the templates of review are given."""
