"""The catalogues of raters' texts, by the script that keeps them."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

SCRIPT = Path(__file__).parents[1] / "scripts" / "messages.py"


def messages() -> ModuleType:
    """The script as a module; it is no part of the package."""
    spec = importlib.util.spec_from_file_location("messages_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compile_what_is_old() -> None:
    """A server speaks what it finds compiled at its start."""
    script = messages()
    sources = [script.LOCALE / language / "LC_MESSAGES" / "django.po" for language in script.LANGUAGES]
    if not all(_is_newer(source.with_suffix(".mo"), source) for source in sources):
        script.compile_all()


def _is_newer(compiled: Path, source: Path) -> bool:
    return compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime
