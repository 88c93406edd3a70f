"""What the templates of one rater's pages are given."""
