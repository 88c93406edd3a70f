"""Simulated raters, as behaviour without I/O; how they reach a server is in `outside.crowd`."""

from turnwise.simulate.answering import Answering, CannotAnswer, accepted, item_name, truth
from turnwise.simulate.behaviour import (
    BadBehaviour,
    Behaviour,
    Habit,
    default_behaviour,
    read_behaviour,
    read_mix,
)
from turnwise.simulate.life import Act, End, Event, Life, Nothing, Shown, Worked
from turnwise.simulate.outcome import KindFigures, Outcome, StoredWork, make_outcome
from turnwise.simulate.raters import Pace, SimulatedRater, crowd

__all__ = [
    "Act",
    "Answering",
    "BadBehaviour",
    "Behaviour",
    "CannotAnswer",
    "End",
    "Event",
    "Habit",
    "KindFigures",
    "Life",
    "Nothing",
    "Outcome",
    "Pace",
    "Shown",
    "SimulatedRater",
    "StoredWork",
    "Worked",
    "accepted",
    "crowd",
    "default_behaviour",
    "item_name",
    "make_outcome",
    "read_behaviour",
    "read_mix",
    "truth",
]
