"""What raters do."""
