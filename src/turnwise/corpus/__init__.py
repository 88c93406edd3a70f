"""Logs in: dialogues, turns and the items made of them."""

from turnwise.corpus import readers
from turnwise.corpus.dialogues import BadRecord, Dialogue, Turn, tell
from turnwise.corpus.items import Item, ItemsPart, make_items
from turnwise.corpus.reading import CorpusPart, OnError, Reader, read_dialogues, reader_names

__all__ = [
    "BadRecord",
    "CorpusPart",
    "Dialogue",
    "Item",
    "ItemsPart",
    "OnError",
    "Reader",
    "Turn",
    "make_items",
    "read_dialogues",
    "reader_names",
    "readers",
    "tell",
]
