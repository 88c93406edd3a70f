"""Corpora: dialogues and turns from logs, and the items made from them."""

from labelwright.corpus import readers
from labelwright.corpus.categories import CategoriesPart, CategoryRule, classify
from labelwright.corpus.cues import Cue
from labelwright.corpus.dialogues import BadRecord, Dialogue, Turn, turn_records
from labelwright.corpus.drawing import DrawnDialogues, draw, draw_turns
from labelwright.corpus.items import Item, ItemsPart, make_items
from labelwright.corpus.normalisation import normalise
from labelwright.corpus.passages import NoPassageTexts, PassagesPart, select_passages
from labelwright.corpus.reading import (
    READERS,
    CorpusPart,
    OnError,
    Reader,
    iterate_dialogues,
    locate_corpus,
    missing_files,
    read_dialogues,
)
from labelwright.corpus.sampling import SamplePart, sample, sample_targets
from labelwright.corpus.sentences import Sentence, split_sentences
from labelwright.corpus.splitting import SplitPart, split
from labelwright.corpus.statistics import Statistics, measure_corpus
from labelwright.corpus.turns_table import ImportedCorpus, turns_of, write_turns

__all__ = [
    "READERS",
    "BadRecord",
    "CategoriesPart",
    "CategoryRule",
    "CorpusPart",
    "Cue",
    "Dialogue",
    "DrawnDialogues",
    "ImportedCorpus",
    "Item",
    "ItemsPart",
    "NoPassageTexts",
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
    "locate_corpus",
    "make_items",
    "measure_corpus",
    "missing_files",
    "normalise",
    "read_dialogues",
    "readers",
    "sample",
    "sample_targets",
    "select_passages",
    "split",
    "split_sentences",
    "turn_records",
    "turns_of",
    "write_turns",
]
