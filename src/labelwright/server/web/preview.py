"""The preview: raters' own pages, filled with tasks that nobody answers, and a frame that shows them side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from django.contrib.staticfiles.finders import get_finders
from django.template.loader import render_to_string
from django.templatetags.static import static

from labelwright.corpus import Dialogue
from labelwright.server.actions.before import Due, Part
from labelwright.server.actions.preview import PreviewItem, preview_tasks
from labelwright.server.actions.rater_page import Progress, ShownTask
from labelwright.server.web.language import speak
from labelwright.server.web.rater import around, pages
from labelwright.study import Study

Context = dict[str, Any]
SIZES = {"phone": "Phone", "laptop": "Laptop"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A rater's page: its template, and what it is given."""

    template: str
    context: Context


def views_of(study: Study) -> dict[str, str]:
    """What can be looked at besides tasks, by name; a part that the study does not have is left out."""
    parts = {
        "start": ("Start", True),
        "demographics": ("About the rater", bool(study.demographics)),
        "quiz": ("Quiz", study.quiz is not None),
        "familiarity": ("Topic of a batch", bool(study.familiarity)),
    }
    return {name: title for name, (title, there) in parts.items() if there}


def draw_task(study: Study, condition: str, items: Sequence[PreviewItem], now: datetime) -> Drawn:
    """A task under a condition, exactly as a rater would see it."""
    shown = ShownTask(
        version=0,
        condition=condition,
        lease_until=now + timedelta(minutes=study.pool.lease_minutes),
        items=[item.under(study, condition) for item in items],
        revision=0,
        answers={},
        progress=_progress(study),
    )
    context = pages.task(study, shown, "", "preview", now)
    context["page"] |= {"preview": True, "home": "", "stopped": ""}
    return _drawn(study, "rater/task.html", context)


def draw_view(study: Study, name: str) -> Drawn:
    """A page besides tasks."""
    if name == "start":
        design = study.design(study.first_condition)
        context = pages.start(study, design, _progress(study), "preview")
        context |= around.told(study, design) | around.agreed(study)
        return _drawn(study, "rater/start.html", context)
    part = Part(name)
    context = around.asked(study, Due(part, study.asked_before(part)), "preview")
    context["sheet"] |= {"preview": True}
    return _drawn(study, "rater/sheet.html", context)


def frame(study: Study, size: str, addresses: Context) -> Context:
    """The page that shows every condition side by side; `addresses` says where everything is."""
    return addresses | {
        "title": study.title,
        "size": size,
        "conditions": [
            {
                "name": name,
                "design": study.design(name).title,
                "aspects": _aspects(study, name),
                "address": addresses["conditions"][name],
            }
            for name in study.conditions
        ],
    }


def write_pages(study: Study, dialogues: Sequence[Dialogue], folder: Path, wanted: int) -> int:
    """Writes the preview of a study file as files that any web server can serve; how many tasks there are."""
    tasks = preview_tasks(study, dialogues, wanted)
    speak(study.language)
    now = datetime.now(UTC)
    for number, items in enumerate(tasks):
        for place, condition in enumerate(study.conditions):
            _write(folder / f"task-{number}-{place}.html", draw_task(study, condition, items, now))
    for name in views_of(study):
        _write(folder / f"{name}.html", draw_view(study, name))
    for size in SIZES:
        for number in range(len(tasks)):
            addresses = _file_addresses(study, size, number, len(tasks))
            _write(
                folder / _index(size, number), Drawn("requester/preview.html", frame(study, size, addresses))
            )
    _copy_static(folder)
    return len(tasks)


def _index(size: str, number: int) -> str:
    return "index.html" if (size, number) == ("phone", 0) else f"{size}-{number}.html"


def _file_addresses(study: Study, size: str, number: int, tasks: int) -> Context:
    return {
        "conditions": {name: f"task-{number}-{place}.html" for place, name in enumerate(study.conditions)},
        "others": [{"name": title, "href": f"{name}.html"} for name, title in views_of(study).items()],
        "sizes": [
            {"name": title, "href": _index(name, number), "current": name == size}
            for name, title in SIZES.items()
        ],
        "tasks": [{"name": n + 1, "href": _index(size, n), "current": n == number} for n in range(tasks)],
    }


def _write(path: Path, drawn: Drawn) -> None:
    path.write_text(render_to_string(drawn.template, drawn.context), encoding="utf-8")


def _copy_static(folder: Path) -> None:
    for name, data in _static_files():
        path = folder / static(name).lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def _static_files() -> Iterator[tuple[str, bytes]]:
    for finder in get_finders():
        for path, storage in finder.list([]):
            if "vendor" not in Path(path).parts:
                name = f"{storage.prefix}/{path}" if getattr(storage, "prefix", "") else path
                yield name, Path(storage.path(path)).read_bytes()


def _drawn(study: Study, template: str, context: Context) -> Drawn:
    return Drawn(template, context | pages.frame(study) | {"preview": True})


def _progress(study: Study) -> Progress:
    return Progress(0, study.pool.caps.tasks or 1, None)


def _aspects(study: Study, condition: str) -> list[str]:
    asked = [question.aspect for question in study.design(condition).questions if question.aspect]
    return [study.aspects[name].title for name in dict.fromkeys(asked)]
