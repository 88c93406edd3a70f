"""Background work: load, call an action, done. Each job can run twice without harm."""

from turnwise.server.jobs import contexts, leases, mail, quality, sweeper

__all__ = ["contexts", "leases", "mail", "quality", "sweeper"]
