"""What the pages about money are given."""
