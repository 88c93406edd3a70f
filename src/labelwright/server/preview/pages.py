"""The preview's pages: raters' own pages with sample tasks, and a frame that shows them side by side."""

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
from labelwright.server.preview.actions import PreviewItem, preview_tasks
from labelwright.server.rating.actions.questionnaire import Due, SheetPart
from labelwright.server.rating.actions.task_page import Progress, ShownTask
from labelwright.server.rating.pages import start as start_pages
from labelwright.server.rating.pages import task as task_pages
from labelwright.server.rating.pages.questionnaire import questionnaire
from labelwright.server.web.language import speak
from labelwright.server.web.responses import language_frame
from labelwright.study import Study

Context = dict[str, Any]
SIZES = {"phone": "Phone", "laptop": "Laptop"}


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """A page: its template, and its context."""

    template: str
    context: Context


def views_of(study: Study) -> dict[str, str]:
    """The pages besides tasks, by name; parts that the study does not have are left out."""
    parts = {
        "start": ("Start", True),
        "demographics": ("About the rater", bool(study.demographics)),
        "quiz": ("Quiz", study.quiz is not None),
        "familiarity": ("Topic of a batch", bool(study.familiarity)),
    }
    return {name: title for name, (title, there) in parts.items() if there}


def draw_task(study: Study, condition: str, items: Sequence[PreviewItem], now: datetime) -> DrawnPage:
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
    context = task_pages.task(study, shown, "", "preview", now)
    context["page"] |= {"preview": True, "home": "", "stopped": ""}
    return _drawn(study, "rating/task.html", context)


def draw_view(study: Study, name: str) -> DrawnPage:
    """A page besides tasks."""
    if name == "start":
        design = study.design(study.first_condition)
        context = start_pages.start(study, design, _progress(study), "preview")
        context |= start_pages.instructions(study, design) | start_pages.consent(study)
        return _drawn(study, "rating/start.html", context)
    part = SheetPart(name)
    context = questionnaire(study, Due(part, study.asked_before(part)), "preview")
    context["sheet"] |= {"preview": True}
    return _drawn(study, "rating/questionnaire.html", context)


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
    """Writes the preview of a study file as static files; returns how many tasks it shows."""
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
                folder / _index(size, number),
                DrawnPage("preview/preview.html", frame(study, size, addresses)),
            )
    _copy_static(folder)
    return len(tasks)


def write_task_pages(
    study: Study, items: Sequence[PreviewItem], folder: Path, conditions: Sequence[str], now: datetime
) -> list[str]:
    """Writes a task under some conditions as static files; returns the names of the pages, without their ending."""
    speak(study.language)
    names = [f"task-{place}-{condition}" for place, condition in enumerate(conditions, start=1)]
    for name, condition in zip(names, conditions, strict=True):
        _write(folder / f"{name}.html", draw_task(study, condition, items, now))
    _copy_static(folder)
    return names


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


def _write(path: Path, drawn: DrawnPage) -> None:
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


def _drawn(study: Study, template: str, context: Context) -> DrawnPage:
    return DrawnPage(template, context | language_frame(study) | {"preview": True})


def _progress(study: Study) -> Progress:
    return Progress(0, study.pool.caps.tasks or 1, None)


def _aspects(study: Study, condition: str) -> list[str]:
    asked = [question.aspect for question in study.design(condition).questions if question.aspect]
    return [study.aspects[name].title for name in dict.fromkeys(asked)]
