"""The table of the requester's pages: search, filters and order in the address, pages, and selection.

A page declares a `Table`, reads what the address asks for with `read`, has its query return one row more than a page
holds, and gives the result to its template, which writes the rows inside `{% table %}`. Nothing here counts the rows of
a table: a total is a stored number, or it ends at a bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar
from urllib.parse import urlencode

from django.http import QueryDict

from labelwright.server.store.rows import Values, value
from labelwright.server.web.requests import number

ON_A_PAGE = 50
MOST_PAGES = 200
"""Later pages are not offered: nobody pages through ten thousand rows, and the database would read all before them."""
MOST_COUNTED = 1_000
LONGEST_SEARCH = 200
Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table."""

    key: str
    name: str
    sort: str = ""
    """The SQL expression that orders by this column; empty if the table cannot be ordered by it."""
    descending: bool = False
    """Whether the first click orders from high to low."""
    css: str = ""
    """`l` for text, `c` for centred; numbers are flush right."""
    axis: bool = False
    """Whether its head is the axis that the intervals of all rows share; only screen readers are told its name then."""


@dataclass(frozen=True, slots=True)
class FilterOption:
    """One value of a filter, with the number of its rows if that is known."""

    value: str
    name: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class TableFilter:
    """A filter of a table: a few values in a row, or a list to choose from."""

    key: str
    name: str
    every: str = "All"
    """The choice that filters nothing."""
    in_row: bool = False


@dataclass(frozen=True, slots=True)
class BulkAction:
    """Something that can be done to the selected rows; the page's form gets `do` and the values `pick`."""

    do: str
    name: str


@dataclass(frozen=True, slots=True)
class BulkChoice:
    """A value that the actions on selected rows need; the page's form gets it under its key."""

    key: str
    name: str
    options: tuple[FilterOption, ...]


@dataclass(frozen=True, slots=True)
class SelectionSum:
    """A number of the selected rows that the bulk bar adds up, from the attribute `data-KEY` of each row."""

    key: str
    one: str
    many: str
    sign: str = ""
    """The sign of a currency, if the number is cents."""


@dataclass(frozen=True, slots=True)
class Total:
    """How many rows there are, or that there are more than were counted."""

    n: int
    more: bool = False

    def __str__(self) -> str:
        return f"more than {self.n:,}" if self.more else f"{self.n:,}"


def bounded_total(sql: str, values: Values, most: int = MOST_COUNTED) -> Total:
    """The number of rows of a statement; the database stops reading after `most`."""
    # `sql` is a constant of the caller.
    n = int(value(f"SELECT count(*) FROM (SELECT 1 {sql} LIMIT {most + 1:d}) counted", values))  # noqa: S608
    return Total(min(n, most), n > most)


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it shows, and by what it can be searched, filtered and ordered."""

    key: str
    """Names its elements on the page."""
    one: str
    many: str
    """What a row is, such as rater and raters."""
    columns: tuple[TableColumn, ...]
    default: str
    """The order of the address without one: the key of a column, with a minus for descending."""
    search: str = ""
    """The name of the search field; empty if the table has none."""
    filters: tuple[TableFilter, ...] = ()
    bulk: tuple[BulkAction, ...] = ()
    choice: BulkChoice | None = None
    sums: tuple[SelectionSum, ...] = ()
    tie: str = "id"
    """The SQL expression that orders equal rows."""
    on_a_page: int = ON_A_PAGE

    def read(
        self, address: QueryDict, options: Mapping[str, Sequence[FilterOption]] | None = None
    ) -> TableQuery:
        """What an address asks for; unknown values count as absent."""
        offered = dict(options or {})
        chosen = {each.key: address.get(each.key, "") for each in self.filters}
        known = {
            key: value for key, value in chosen.items() if value in {o.value for o in offered.get(key, ())}
        }
        asked = address.get("sort", self.default)
        keys = {column.key for column in self.columns if column.sort}
        return TableQuery(
            self,
            address.get("q", "").strip()[:LONGEST_SEARCH] if self.search else "",
            known,
            asked if asked.removeprefix("-") in keys else self.default,
            number(address.get("page"), MOST_PAGES),
            offered,
        )


@dataclass(frozen=True, slots=True)
class TableQuery:
    """What somebody wants to see of a table."""

    table: Table
    search: str
    chosen: Mapping[str, str]
    sort: str
    page: int
    options: Mapping[str, Sequence[FilterOption]] = field(default_factory=dict)

    @property
    def pattern(self) -> str | None:
        """The search as a pattern for ILIKE; None without a search."""
        if not self.search:
            return None
        escaped = self.search.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
        return f"%{escaped}%"

    @property
    def is_filtered(self) -> bool:
        """Whether rows may be left out."""
        return bool(self.search or self.chosen)

    @property
    def order_by(self) -> str:
        """The end of the statement: its order and the rows of this page, and one more that tells whether there is a next."""
        column = next(c for c in self.table.columns if c.key == self.sort.removeprefix("-"))
        way = "DESC" if self.sort.startswith("-") else "ASC"
        return (
            f"ORDER BY {column.sort} {way} NULLS LAST, {self.table.tie} {way} "
            f"LIMIT {self.table.on_a_page + 1:d} OFFSET {self.window.start:d}"
        )

    @property
    def window(self) -> slice:
        """The same rows of a queryset that has its order already."""
        start = (self.page - 1) * self.table.on_a_page
        return slice(start, start + self.table.on_a_page + 1)

    def address(self, **changes: str | int) -> str:
        """The address of this table with changes; the first page, unless one is given."""
        present = {"q": self.search, **self.chosen, "sort": self.sort} | changes
        if present["sort"] == self.table.default:
            del present["sort"]
        return "?" + urlencode({key: value for key, value in present.items() if value})

    def shown(self, rows: Sequence[Row], total: Total | None = None) -> ShownTable[Row]:
        """A page of the table, from the rows that `order_by` asks for; `total` is left out where nobody knows it."""
        most = self.table.on_a_page
        return ShownTable(self, list(rows[:most]), len(rows) > most, total)


@dataclass(frozen=True, slots=True)
class ShownTable(Generic[Row]):
    """A page of a table, as its template is given it."""

    query: TableQuery
    rows: list[Row]
    has_next: bool
    total: Total | None

    @property
    def table(self) -> Table:
        """The table that this is a page of."""
        return self.query.table

    @property
    def range(self) -> str:
        """The place of this page among all rows, such as "1 to 50 of 300"."""
        start = self.query.window.start
        if not self.rows:
            return f"No {self.table.many}"
        numbers = f"{start + 1:,} to {start + len(self.rows):,}"
        return f"{numbers} of {self.total}" if self.total else numbers

    @property
    def heads(self) -> list[dict[str, object]]:
        """The head of each column with the address that orders by it."""
        return [self._head(column) for column in self.table.columns]

    def _head(self, column: TableColumn) -> dict[str, object]:
        up, down = column.key, f"-{column.key}"
        first, second = (down, up) if column.descending else (up, down)
        direction = {up: "ascending", down: "descending"}.get(self.query.sort, "")
        href = self.query.address(sort=second if self.query.sort == first else first) if column.sort else ""
        return {"of": column, "href": href, "direction": direction}

    @property
    def filters(self) -> list[dict[str, object]]:
        """The filters with their options, of which one is current."""
        return [self._filter(each) for each in self.table.filters if self.query.options.get(each.key)]

    def _filter(self, each: TableFilter) -> dict[str, object]:
        current = self.query.chosen.get(each.key, "")
        offered = [FilterOption("", each.every), *self.query.options[each.key]]
        return {
            "of": each,
            "options": [
                {
                    "of": option,
                    "current": option.value == current,
                    "href": self.query.address(**{each.key: option.value}),
                }
                for option in offered
            ],
        }

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What the search form sends along: the order, and filters that are not part of the form."""
        in_form = {each.key for each in self.table.filters if not each.in_row}
        kept = {key: value for key, value in self.query.chosen.items() if key not in in_form}
        if self.query.sort != self.table.default:
            kept["sort"] = self.query.sort
        return list(kept.items())

    @property
    def earlier(self) -> str:
        """The address of the page before; empty on the first."""
        return self.query.address(page=self.query.page - 1) if self.query.page > 1 else ""

    @property
    def later(self) -> str:
        """The address of the next page; empty on the last."""
        more = self.has_next and self.query.page < MOST_PAGES
        return self.query.address(page=self.query.page + 1) if more else ""

    @property
    def cut(self) -> bool:
        """Whether there are rows after the last page that is offered."""
        return self.has_next and self.query.page >= MOST_PAGES

    @property
    def unfiltered(self) -> str:
        """The address without search and filters."""
        return self.query.address(q="", **dict.fromkeys(self.query.chosen, ""))
