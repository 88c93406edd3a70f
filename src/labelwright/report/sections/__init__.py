"""The sections of a report, each a function of its sources."""
