"""The drawing of the time that a rater took for each task, with flagged tasks marked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from statistics import fmean

from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from labelwright.server.profiles.queries.raters import TaskTime
from labelwright.server.web.desk.times import clock

WIDE, NARROW, HEIGHT = 800, 356, 176
"""Drawn twice, because a drawing that is scaled down cannot be read on a phone."""
START, TOP, FLOOR = 44, 20, 146
AVERAGED = 5
"""Tasks that one point of the line is the mean of."""
STEPS = (5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14400, 43200, 86400)
NARROWEST_DAY = 44
"""Days that take less room on the axis have no name."""


def draw_times(tasks: Sequence[TaskTime], limit: float | None) -> SafeString:
    """The drawing for a wide and for a narrow window; empty for fewer than two tasks."""
    if len(tasks) < 2:
        return SafeString("")
    return SafeString(_draw(tasks, limit, WIDE, "w") + _draw(tasks, limit, NARROW, "n"))


def _draw(tasks: Sequence[TaskTime], limit: float | None, width: int, css: str) -> SafeString:
    highest = max([*(task.seconds for task in tasks), limit or 0])
    step = next((step for step in STEPS if highest <= 4 * step), STEPS[-1])
    top = step * max(1, -(-highest // step))
    across = (width - START - 16) / (len(tasks) - 1)
    points = [(START + 8 + n * across, _y(task.seconds, top)) for n, task in enumerate(tasks)]
    return format_html(
        '<svg class="vg {}" role="img" aria-label="{}" width="{w}" height="{h}" viewBox="0 0 {w} {h}">{}{}{}{}{}</svg>',
        css,
        in_words(tasks),
        _grid(top, step, width),
        _limit(limit, top, width),
        format_html('<path d="{}" class="line" opacity=".45"/>', _line(tasks, points, top)),
        format_html_join(
            "", "{}", ((_mark(x, y, task),) for (x, y), task in zip(points, tasks, strict=True))
        ),
        _days(tasks, points),
        w=width,
        h=HEIGHT,
    )


def in_words(tasks: Sequence[TaskTime]) -> str:
    """What the drawing shows, for those who cannot see it."""
    flagged = sum(bool(task.rules) for task in tasks)
    return (
        f"Time per task over {len(tasks)} tasks, from {clock(tasks[0].seconds)} to {clock(tasks[-1].seconds)} minutes. "
        f"{flagged} of them {'is' if flagged == 1 else 'are'} flagged."
    )


def _y(seconds: float, top: float) -> float:
    return FLOOR - (FLOOR - TOP) * seconds / top


def _grid(top: float, step: int, width: int) -> SafeString:
    return format_html_join(
        "",
        '<line x1="{0}" x2="{1}" y1="{2}" y2="{2}" class="{3}"/><text x="{4}" y="{5}" class="ax" text-anchor="end">{6}</text>',
        (
            (
                START - 4,
                width,
                f"{_y(at, top):.1f}",
                "dom" if at == 0 else "grid",
                START - 10,
                f"{_y(at, top) + 4:.1f}",
                clock(at),
            )
            for at in range(0, int(top) + 1, step)
        ),
    )


def _limit(limit: float | None, top: float, width: int) -> SafeString:
    if limit is None:
        return SafeString("")
    y = _y(limit, top)
    return format_html(
        '<line x1="{0}" x2="{1}" y1="{2}" y2="{2}" class="goal"/><text x="{3}" y="{4}" class="ax halo">limit {5}</text>',
        START - 4,
        width,
        f"{y:.1f}",
        START,
        f"{y - 5:.1f}",
        clock(limit),
    )


def _line(tasks: Sequence[TaskTime], points: Sequence[tuple[float, float]], top: float) -> str:
    """The mean of the tasks around each one."""
    half = AVERAGED // 2
    means = [
        fmean(task.seconds for task in tasks[max(0, n - half) : n + half + 1]) for n in range(len(tasks))
    ]
    return "M" + " L".join(f"{x:.1f},{_y(mean, top):.1f}" for (x, _), mean in zip(points, means, strict=True))


def _mark(x: float, y: float, task: TaskTime) -> SafeString:
    said = f"{clock(task.seconds)}, {timezone.localtime(task.submitted_at):%-d %b %H:%M}"
    if task.rules:
        cross = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
        return format_html('<path d="{}" class="flagged"><title>{}, flagged</title></path>', cross, said)
    return format_html(
        '<circle cx="{}" cy="{}" r="3.5" class="dot"><title>{}</title></circle>', f"{x:.1f}", f"{y:.1f}", said
    )


def _days(tasks: Sequence[TaskTime], points: Sequence[tuple[float, float]]) -> SafeString:
    """The days under the axis, in the time zone of the user."""
    placed = [(timezone.localtime(task.submitted_at), x) for task, (x, _) in zip(tasks, points, strict=True)]
    spans: list[tuple[str, str, str, str]] = []
    for _, group in groupby(placed, key=lambda each: each[0].date()):
        day = list(group)
        first, last = day[0][1] - 3, day[-1][1] + 3
        name = f"{day[0][0]:%a %-d}" if last - first >= NARROWEST_DAY or not spans else ""
        spans.append((f"{first:.1f}", f"{last:.1f}", f"{max((first + last) / 2, START + 16):.1f}", name))
    return format_html_join(
        "",
        '<line x1="{0}" x2="{1}" y1="154" y2="154" class="dom"/><text x="{2}" y="169" class="ax" text-anchor="middle">{3}</text>',
        spans,
    )
