"""Every maker of contexts keeps the contract."""

from __future__ import annotations

from labelwright.testing.contexts import MakerContract


class TestHeuristicNeed(MakerContract):
    name = "need:heuristic"


class TestExtractiveSummary(MakerContract):
    name = "summary:extractive"
