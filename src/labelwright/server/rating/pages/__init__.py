"""Template contexts of the raters' pages: allow-listed values only."""
