"""Template tags and filters of the requester's pages; known to every template."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from django import template
from django.http import HttpRequest
from django.template.base import FilterExpression, NodeList, Parser, Token, token_kwargs
from django.template.context import Context
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from labelwright.report.wording import decimal
from labelwright.server.web.desk import drawings, intervals, status, times
from labelwright.server.web.desk.states import STATES
from labelwright.server.web.language import text_direction

register = template.Library()


@register.filter
def moment(at: datetime | str | None) -> str:
    """A time in the user's time zone, such as "3 Nov 09:05"; a dash without one."""
    return _time(at, times.moment)


@register.filter
def ago(at: datetime | str | None) -> str:
    """How long ago a time is; a dash without one."""
    return _time(at, times.ago)


def _time(at: datetime | str | None, words: Any) -> str:
    if not at:
        return "–"
    given = datetime.fromisoformat(at) if isinstance(at, str) else at
    exact = f"{timezone.localtime(given):%Y-%m-%d %H:%M:%S} {times.zone_name()}"
    return format_html(
        '<time datetime="{}" title="{}">{}</time>', given.isoformat(), exact, words(given, datetime.now(UTC))
    )


@register.filter
def grouped(n: int | None) -> str:
    """A number with its thousands apart; a dash without one."""
    return "–" if n is None else f"{n:,}"


@register.simple_tag
def zone() -> str:
    """The name of the user's time zone."""
    return times.zone_name()


@register.simple_tag
def local_times(specs: Any) -> Any:
    """Specifications of charts with the times of their data as the user's clock shows them."""
    return times.with_wall_clocks(specs)


@register.simple_tag
def state(name: str, *, boxed: bool = False) -> SafeString:
    """A state as a shape and a word."""
    return STATES[name].html(boxed=boxed)


register.filter(times.clock)
register.filter(text_direction)
register.simple_tag(drawings.spark)
register.simple_tag(intervals.interval)
register.simple_tag(intervals.intervals)
register.simple_tag(intervals.intervals_key)
register.simple_tag(intervals.interval_axis)
register.filter(drawings.coefficient)
register.filter(decimal)


@register.simple_tag(takes_context=True)
def count_of(context: Context, name: str) -> int | None:
    """A stored number of the current study, for its tab; None if it is not known."""
    found = context.get("desk")
    summary = found.current.summary if found and found.current else {}
    return summary.get(name) if name else None


@register.inclusion_tag("web/desk/status.html", takes_context=True)
def status_line(context: Context) -> dict[str, Any]:
    """What the last action did, with Undo where it can be undone."""
    request = context.get("request")
    taken = status.take_status(request) if isinstance(request, HttpRequest) else None
    return {"status": taken, "csrf_token": context.get("csrf_token")}


@register.simple_tag(takes_context=True)
def pick(context: Context, value: object, name: object) -> SafeString:
    """The first cell of a row that can be selected."""
    return format_html(
        '<td class="pick"><input type="checkbox" form="bulk-{}" name="pick" value="{}" '
        'aria-label="Select {}" autocomplete="off"></td>',
        context["shown"].table.key,
        value,
        name,
    )


class _BlockNode(template.Node):
    """Renders a template of a component around the contents of a block."""

    def __init__(self, file: str, nodes: NodeList, values: dict[str, FilterExpression]) -> None:
        self._file, self._nodes, self._values = file, nodes, values

    def render(self, context: Context) -> SafeString:
        """The component with its contents as `contents`."""
        values = {name: expression.resolve(context) for name, expression in self._values.items()}
        with context.push(**values):
            contents = self._nodes.render(context)
            found = context.template.engine.get_template(self._file)  # type: ignore[union-attr]
            with context.push(contents=contents):
                return found.render(context)


@register.tag
def table(parser: Parser, token: Token) -> _BlockNode:
    """A table of the desk: `{% table shown %}` rows `{% endtable %}`."""
    _, shown = token.split_contents()
    nodes = parser.parse(("endtable",))
    parser.delete_first_token()
    return _BlockNode("web/desk/table.html", nodes, {"shown": parser.compile_filter(shown)})


@register.tag
def confirm(parser: Parser, token: Token) -> _BlockNode:
    """An action that cannot be undone: `{% confirm do="revoke" name="Revoke links" %}` consequence `{% endconfirm %}`.

    The button only opens the consequence; a second one inside acts. Hidden fields of the form can be part of the block.
    """
    values = token_kwargs(token.split_contents()[1:], parser)
    nodes = parser.parse(("endconfirm",))
    parser.delete_first_token()
    return _BlockNode("web/desk/confirm.html", nodes, values)
