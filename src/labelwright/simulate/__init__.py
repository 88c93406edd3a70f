"""Simulated raters, as behaviour without I/O; how they reach a server is in `outside.crowd`."""

from labelwright.simulate.answering import Answering, Answers, CannotAnswer, Known, accepted, item_name, truth
from labelwright.simulate.behaviour import (
    BadBehaviour,
    Behaviour,
    Habit,
    default_behaviour,
    read_behaviour,
    read_mix,
)
from labelwright.simulate.outcome import KindFigures, Outcome, StoredWork, make_outcome
from labelwright.simulate.raters import Pace, SimulatedRater, crowd, opening
from labelwright.simulate.timeline import Act, End, Event, Life, Nothing, Shown, Worked, shown_task

__all__ = [
    "Act",
    "Answering",
    "Answers",
    "BadBehaviour",
    "Behaviour",
    "CannotAnswer",
    "End",
    "Event",
    "Habit",
    "KindFigures",
    "Known",
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
    "opening",
    "read_behaviour",
    "read_mix",
    "shown_task",
    "truth",
]
