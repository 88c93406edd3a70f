"""Background work: load, call an action, done. Each job can run twice without harm."""

from labelwright.server.jobs import batches, contexts, joins, leases, mail, quality, sweeper

__all__ = ["batches", "contexts", "joins", "leases", "mail", "quality", "sweeper"]
