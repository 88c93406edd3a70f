"""The demo study that comes with Labelwright, and the account of its requester."""

from __future__ import annotations

from pathlib import Path

import labelwright
from labelwright.errors import LabelwrightError

EMAIL = "demo@labelwright.example"


def demo_study() -> Path:
    """The study file that comes with Labelwright."""
    package = Path(labelwright.__file__).parent
    for folder in (package / "studies", package.parents[1] / "studies"):
        if (folder / "demo" / "study.yaml").exists():
            return folder / "demo" / "study.yaml"
    raise LabelwrightError("the demo study is missing.", do="Reinstall Labelwright.")
