"""Simulated raters, as behaviour without I/O; how they reach a server is in `outside.client`."""

from turnwise.simulate.raters import Asked, Kind, SimulatedRater, crowd

__all__ = ["Asked", "Kind", "SimulatedRater", "crowd"]
