"""Connections to the outside: our own pages as seen by raters, language models, engines, platforms."""
