"""Publications on platforms: made, opened and stopped by calls, read again and again, and compared with our own work."""
