"""Template contexts of the result pages: charts and their tables."""
