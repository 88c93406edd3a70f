"""Evidence for quality rules: made studies whose raters' behaviour is known, and what the rules find in them."""
