"""An emulator of Prolific: its API (version 1), its participants' pages, its ledger and its webhooks.

Where Prolific's documentation contradicts itself or is silent, `ProlificSettings` says what the emulator does.
"""

from labelwright.outside.emulators.prolific.api import ProlificEmulator
from labelwright.outside.emulators.prolific.model import ProlificSettings

__all__ = ["ProlificEmulator", "ProlificSettings"]
