"""SQL of offering: the hot path."""
