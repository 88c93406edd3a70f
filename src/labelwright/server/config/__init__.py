"""Settings, environment variables and start-up checks."""
