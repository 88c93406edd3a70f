"""The job queue: procrastinate on the same PostgreSQL; a job is deferred by its name."""

from __future__ import annotations

from procrastinate.contrib.django import app

__all__ = ["app"]
