"""Logs in: dialogues, turns and the items made of them."""

from turnwise.corpus import readers
from turnwise.corpus.categories import CategoriesPart, CategoryRule, classify
from turnwise.corpus.cues import Cue
from turnwise.corpus.dialogues import BadRecord, Dialogue, Turn, tell
from turnwise.corpus.drawing import Drawn, draw, draw_turns
from turnwise.corpus.items import Item, ItemsPart, make_items
from turnwise.corpus.normal import normalise
from turnwise.corpus.passages import PassagesPart, select_passages
from turnwise.corpus.reading import (
    CorpusPart,
    OnError,
    Reader,
    iterate_dialogues,
    read_dialogues,
    reader_names,
)
from turnwise.corpus.sampling import SamplePart, sample, sample_targets
from turnwise.corpus.sentences import Sentence, split_sentences
from turnwise.corpus.splitting import SplitPart, split
from turnwise.corpus.statistics import Statistics, measure
from turnwise.corpus.turns_table import Imported, turns_of, write_turns

__all__ = [
    "BadRecord",
    "CategoriesPart",
    "CategoryRule",
    "CorpusPart",
    "Cue",
    "Dialogue",
    "Drawn",
    "Imported",
    "Item",
    "ItemsPart",
    "OnError",
    "PassagesPart",
    "Reader",
    "SamplePart",
    "Sentence",
    "SplitPart",
    "Statistics",
    "Turn",
    "classify",
    "draw",
    "draw_turns",
    "iterate_dialogues",
    "make_items",
    "measure",
    "normalise",
    "read_dialogues",
    "reader_names",
    "readers",
    "sample",
    "sample_targets",
    "select_passages",
    "split",
    "split_sentences",
    "tell",
    "turns_of",
    "write_turns",
]
