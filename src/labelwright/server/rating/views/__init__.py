"""The rater's pages and the calls that they make."""
