"""The pages about publications in words."""
