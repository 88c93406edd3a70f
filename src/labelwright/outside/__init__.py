"""The world outside: our own pages as a client sees them, language models, engines."""
