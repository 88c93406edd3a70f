"""SQL of paying."""
