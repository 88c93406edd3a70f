"""An emulator of Mechanical Turk: its API, its workers' pages and its ledger.

The public service closed on 30 September 2026. The emulator serves tests, and the published studies that ran there.
"""

from labelwright.outside.emulators.mturk.api import MturkEmulator
from labelwright.outside.emulators.mturk.model import MturkSettings

__all__ = ["MturkEmulator", "MturkSettings"]
