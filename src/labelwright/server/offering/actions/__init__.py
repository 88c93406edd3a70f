"""Finding, leasing and releasing places."""
