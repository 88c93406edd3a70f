"""Contract suites and in-memory implementations for tests, also for authors of extensions."""
