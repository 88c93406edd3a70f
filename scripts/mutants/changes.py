"""The small changes that are made to a module, each of which a test should notice."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
OPPOSITES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one module."""

    path: str
    """Relative to src/labelwright."""
    within: str
    """The function or class around it, with dots; empty at the top of the module."""
    line: int
    first: int
    """Where the replaced text begins and ends, in bytes of the file."""
    last: int
    before: str
    after: str
    nth: int = 0
    """Tells apart equal changes within one function."""

    @property
    def package(self) -> str:
        return self.path.split("/", 1)[0]

    @property
    def where(self) -> str:
        return f"{self.path}: {self.within}" if self.within else self.path

    @property
    def change(self) -> str:
        return f"{self.before} -> {self.after}" + (f" ({self.nth + 1})" if self.nth else "")

    def applied_to(self, source: bytes) -> bytes:
        return source[: self.first] + self.after.encode() + source[self.last :]


def find_mutants(root: Path, path: Path) -> list[Mutant]:
    """All changes of one module, in the order of its lines.

    Left alone: texts, annotations (but not the limits that a pydantic field declares in them), what stands
    inside an f-string, where Python 3.11 does not know its place, the sizes and distances of a chart, and the
    examples that a question type gives.
    """
    finder = _Finder(path.relative_to(root).as_posix(), path.read_bytes())
    finder.visit(ast.parse(finder.source))
    counted: dict[tuple[str, str, str], int] = {}
    numbered = []
    for mutant in sorted(finder.found, key=lambda m: (m.first, m.last, m.after)):
        same = (mutant.within, mutant.before, mutant.after)
        counted[same] = counted.get(same, -1) + 1
        numbered.append(Mutant(**{name: getattr(mutant, name) for name in _FIELDS[:-1]}, nth=counted[same]))
    return numbered


_FIELDS = tuple(Mutant.__dataclass_fields__)


@dataclass
class _Finder(ast.NodeVisitor):
    path: str
    source: bytes
    found: list[Mutant] = field(default_factory=list)
    _names: list[str] = field(default_factory=list)
    _starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._starts = [0]
        for line in self.source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def _replace(self, node: ast.expr, after: ast.expr) -> None:
        self._add(node, ast.unparse(node), f"({ast.unparse(after)})")

    def _add(self, node: ast.expr, before: str, after: str) -> None:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        first = self._starts[node.lineno - 1] + node.col_offset
        last = self._starts[node.end_lineno - 1] + node.end_col_offset
        self.found.append(Mutant(self.path, ".".join(self._names), node.lineno, first, last, before, after))

    # What is left alone.

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        """An f-string is a text."""

    def _annotation(self, node: ast.expr | None) -> None:
        for inner in ast.walk(node) if node else ():
            if isinstance(inner, ast.Call):  # Field(ge=1, le=200)
                self.visit(inner)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if isinstance(node.target, ast.Name) and node.target.id == "EXAMPLES":
            return
        self._annotation(node.annotation)
        if node.value:
            self.visit(node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._names.append(node.name)
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default:
                self.visit(default)
        for statement in node.body:
            self.visit(statement)
        self._names.pop()

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._names.append(node.name)
        for statement in node.body:
            self.visit(statement)
        self._names.pop()

    # What is changed.

    def visit_Compare(self, node: ast.Compare) -> None:
        for place, operator in enumerate(node.ops):
            changed = copy.deepcopy(node)
            changed.ops[place] = COMPARISONS[type(operator)]()
            self._replace(node, changed)
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        if type(node.op) in ARITHMETIC and not any(_is_text(side) for side in (node.left, node.right)):
            changed = copy.deepcopy(node)
            changed.op = ARITHMETIC[type(node.op)]()
            self._replace(node, changed)
        self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        changed = copy.deepcopy(node)
        changed.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
        self._replace(node, changed)
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub | ast.Invert):
            self._replace(node, node.operand)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            return
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if self.path.endswith("charts.py"):
            return
        for value in _neighbours(node.value):
            self._replace(node, ast.Constant(value))

    def visit_Slice(self, node: ast.Slice) -> None:
        for bound in (node.lower, node.upper):
            if bound is not None:
                self._add(bound, f"[{ast.unparse(node)}]", "None")
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Name) and node.func.id in OPPOSITES:
            changed = copy.deepcopy(node)
            assert isinstance(changed.func, ast.Name)
            changed.func.id = OPPOSITES[node.func.id]
            self._replace(node, changed)
        self.generic_visit(node)

    def visit_Return(self, node: ast.Return) -> None:
        if node.value and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            self._add(node.value, f"return {ast.unparse(node.value)}", "None")
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return
        self._negate(node.test)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._negate(node.test)
        self.generic_visit(node)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for condition in node.ifs:
            self._replace(condition, ast.Constant(True))
        self.generic_visit(node)

    def _negate(self, test: ast.expr) -> None:
        # A comparison or a `not` is changed where it stands.
        if not isinstance(test, ast.Compare | ast.UnaryOp):
            self._replace(test, ast.UnaryOp(ast.Not(), test))


def _is_text(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    if isinstance(node, ast.IfExp):
        return _is_text(node.body) or _is_text(node.orelse)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _neighbours(value: object) -> Iterator[object]:
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
        if value:
            yield value - 1
    elif isinstance(value, float):
        yield value + 1.0
