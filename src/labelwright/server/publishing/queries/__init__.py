"""SQL of publications."""
