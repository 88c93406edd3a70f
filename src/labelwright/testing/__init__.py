"""Contract suites and in-memory stand-ins, for us and for authors of extensions."""
