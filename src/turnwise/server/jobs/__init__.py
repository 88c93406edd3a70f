"""Background work: load, call an action, done. Each job can run twice without harm."""

from turnwise.server.jobs import leases, quality, sweeper

__all__ = ["leases", "quality", "sweeper"]
