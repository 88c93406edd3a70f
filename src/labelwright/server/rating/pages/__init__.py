"""What the templates of raters' pages are given: allow-listed values only."""
