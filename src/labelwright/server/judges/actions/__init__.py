"""What can happen to models as raters."""
