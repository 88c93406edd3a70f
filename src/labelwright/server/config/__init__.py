"""Settings, environment, start-up: what the server is told and checks before it serves."""
