"""Contract suites and stand-ins, for us and for authors of extensions."""
