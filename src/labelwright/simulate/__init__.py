"""Simulated raters: their behaviour, without I/O. `outside.crowd` connects them to a server."""

from labelwright.simulate.answering import (
    Answering,
    CannotAnswer,
    KnownAnswers,
    PageAnswers,
    accepted,
    item_name,
    truth,
)
from labelwright.simulate.behaviour import (
    BadBehaviour,
    Behaviour,
    Habit,
    default_behaviour,
    read_behaviour,
    read_mix,
)
from labelwright.simulate.outcome import KindFigures, RehearsalOutcome, StoredWork, make_outcome
from labelwright.simulate.raters import Pace, SimulatedRater, crowd, opening
from labelwright.simulate.timeline import (
    Act,
    End,
    Event,
    NoTask,
    SimulatedTask,
    Timeline,
    WorkRecord,
    simulated_task,
)

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
    "KnownAnswers",
    "NoTask",
    "Pace",
    "PageAnswers",
    "RehearsalOutcome",
    "SimulatedRater",
    "SimulatedTask",
    "StoredWork",
    "Timeline",
    "WorkRecord",
    "accepted",
    "crowd",
    "default_behaviour",
    "item_name",
    "make_outcome",
    "opening",
    "read_behaviour",
    "read_mix",
    "simulated_task",
    "truth",
]
