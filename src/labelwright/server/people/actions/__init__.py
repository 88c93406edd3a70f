"""Everything that happens to raters outside their tasks."""
