"""What the templates of results are given: charts with their tables."""
