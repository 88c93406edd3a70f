"""Registries: the extension points of Labelwright, by the names that study files and commands use.

There is one registry for each kind of extension: readers, question types, quality rules, measures and
contexts. A decorator registers a name. Another package registers one with the same decorator and an entry
point of the registry's group; the entry point has the registered name and points at what was decorated:

    [project.entry-points."labelwright.readers"]
    my_logs = "my_package.logs:read"

What a broken package can do:

- A plug-in is imported when its name is first used, so one that cannot be imported, or that gives the wrong
  kind of thing, fails only there. Everything else keeps working.
- A name of Labelwright's own is never replaced, so installing a package does not change a running study.
- Where two packages claim one name, neither is used: using the name fails.

`broken_plug_ins` lists every plug-in that cannot be used, with what is wrong and what to do; `labelwright
study check` prints that list.
"""

from __future__ import annotations

import importlib
import pkgutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Any, ClassVar, Generic, TypeVar, get_args

from pydantic import BaseModel, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationError
from pydantic_core import (
    InitErrorDetails,
    PydanticCustomError,
    PydanticKnownError,
    core_schema,
)

from labelwright.errors import LabelwrightError, did_you_mean

Thing = TypeVar("Thing")
Model = TypeVar("Model", bound=BaseModel)


class _NotFound(LabelwrightError, KeyError):
    """Also a KeyError, because a registry is a mapping."""

    # A KeyError would show its message in quotation marks.
    __str__ = Exception.__str__


class UnknownName(_NotFound):
    """A name that nothing is registered under."""

    code: ClassVar[str] = "unknown_name"


class NameTaken(LabelwrightError):
    """A name that something else is registered under."""

    code: ClassVar[str] = "name_taken"


class BrokenPlugIn(_NotFound):
    """A plug-in of another package that cannot be used; `package`, `entry_point` and `group` say which."""

    code: ClassVar[str] = "broken_plug_in"

    package: str
    entry_point: str
    group: str

    def __init__(self, point: EntryPoint, what: str, *, expected: str | None = None) -> None:
        package = _package(point)
        super().__init__(
            what,
            where=f'package "{package}", entry point "{point.name} = {point.value}" of {point.group}',
            expected=expected,
            do=f"Update the package, or remove it with `pip uninstall {package}`.",
            package=package,
            entry_point=point.name,
            group=point.group,
        )


@dataclass(frozen=True, slots=True)
class _Entry(Generic[Thing]):
    thing: Thing
    source: object
    """What was decorated; an entry point points at it."""
    module: str


class Registry(Mapping[str, Thing]):
    """Things of one kind by name: ours, and those of installed packages.

    As a mapping it holds everything that loads: iterating imports all plug-ins and leaves the broken ones out.
    `registry[name]` imports that one only, and raises UnknownName or BrokenPlugIn.

    >>> colours: Registry[str] = Registry("colour", "labelwright.colours", "a colour")
    >>> colours.register("red", "#f00", source="#f00", module="here")
    >>> colours["red"], colours.names()
    ('#f00', ['red'])
    >>> colours["rot"]
    Traceback (most recent call last):
    labelwright.registry.UnknownName: colour "rot" is not known. Expected one of: red.
    """

    def __init__(
        self,
        noun: str,
        group: str,
        expected: str,
        *,
        package: str | None = None,
        unknown: type[UnknownName] = UnknownName,
    ) -> None:
        self.noun = noun
        self.group = group
        self.expected = expected
        """What an entry point must point at, for the author of a package."""
        self.package = package
        """Our own modules of this kind; importing them registers them. Modules that start with `_` are left out."""
        self.unknown = unknown
        self._entries: dict[str, _Entry[Thing]] = {}
        self._ours_loaded = False
        self._ours_loading = False
        _REGISTRIES.append(self)

    def register(self, name: str, thing: Thing, *, source: object, module: str) -> None:
        """Makes a thing known by its name; raises NameTaken.

        A module may register a name again, as happens when it is reloaded or a notebook cell runs twice.
        """
        before = self._entries.get(name)
        if before is not None and before.module != module:
            raise NameTaken(
                f'{self.noun} "{name}" of {module} has a name that {before.module} uses already.',
                do="Choose another name.",
                name=name,
            )
        self._entries[name] = _Entry(thing, source, module)

    def unregister(self, name: str) -> None:
        """Forgets a name that was registered, for tests."""
        self._entries.pop(name, None)

    def names(self) -> list[str]:
        """Every name that can be used, in alphabetical order; plug-ins are not imported for it."""
        self._load_ours()
        return sorted({*self._entries, *self._points})

    def __getitem__(self, name: str) -> Thing:
        self._load_ours()
        if name not in self._entries and name in self._points:
            self._load(self._points[name])
        if name not in self._entries:
            names = self.names()
            raise self.unknown(
                f'{self.noun} "{name}" is not known.',
                expected=f"one of: {', '.join(names)}.",
                do=did_you_mean(name, names),
                name=name,
            )
        return self._entries[name].thing

    def __iter__(self) -> Iterator[str]:
        return (name for name in self.names() if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def broken(self) -> Iterator[BrokenPlugIn]:
        """The plug-ins that cannot be used, also those whose name is one of ours."""
        self._load_ours()
        for points in self._points.values():
            try:
                self._load(points)
            except BrokenPlugIn as broken:
                yield broken

    def check_name(self, name: str) -> str:
        """The name itself if it can be used; raises ValueError, as pydantic expects of a validator."""
        try:
            self[name]
        except LabelwrightError as error:
            raise ValueError(str(error)) from error
        return name

    @cached_property
    def _points(self) -> dict[str, list[EntryPoint]]:
        """The entry points of installed packages by name, read once."""
        found: dict[str, list[EntryPoint]] = {}
        for point in sorted(entry_points(group=self.group), key=lambda point: (_package(point), point.value)):
            same = found.setdefault(point.name, [])
            # A package that is on the path twice is listed twice.
            if (_package(point), point.value) not in [(_package(each), each.value) for each in same]:
                same.append(point)
        return found

    def _load_ours(self) -> None:
        if self.package is None or self._ours_loaded:
            return
        # Other threads wait until every module is registered. A module that asks for another one while it is
        # imported does so in this thread, and finds what is registered so far.
        with _LOADING:
            if self._ours_loaded or self._ours_loading:
                return
            self._ours_loading = True
            try:
                folder = importlib.import_module(self.package)
                for module in pkgutil.iter_modules(folder.__path__):
                    if not module.name.startswith("_"):
                        importlib.import_module(f"{self.package}.{module.name}")
            finally:
                self._ours_loading = False
            self._ours_loaded = True

    def _load(self, points: list[EntryPoint]) -> None:
        point = points[0]
        if len(points) > 1:
            other = _package(points[1])
            raise BrokenPlugIn(
                point, f'the {self.noun} "{point.name}" is also provided by the package "{other}".'
            )
        taken = self._entries.get(point.name)
        try:
            source = point.load()
        except LabelwrightError as error:
            raise BrokenPlugIn(point, f"it cannot be registered: {error}") from error
        # A package can fail in any way while it is imported, and that must not stop the others.
        except Exception as error:
            raise BrokenPlugIn(point, f"it cannot be imported: {type(error).__name__}: {error}.") from error
        entry = self._entries.get(point.name)
        if taken is not None and entry is not None and entry.source is not source:
            raise BrokenPlugIn(point, f'the name "{point.name}" is taken by a {self.noun} of {taken.module}.')
        if entry is None or entry.source is not source:
            raise BrokenPlugIn(
                point,
                f'it points at {source!r:.80}, which is not a {self.noun} registered as "{point.name}".',
                expected=f"{self.expected}, under the same name.",
            )


_REGISTRIES: list[Registry[Any]] = []
_LOADING = threading.RLock()


def broken_plug_ins() -> list[BrokenPlugIn]:
    """The plug-ins of all kinds that cannot be used; imports every plug-in to find out."""
    return [broken for registry in _REGISTRIES for broken in registry.broken()]


@dataclass(frozen=True)
class Tagged(Generic[Model]):
    """Lets pydantic find a model by the registered name in one of its fields.

    `Annotated[Question, Tagged(QUESTION_TYPES, "type")]` works like a union of all question types with the
    discriminator `type`, and errors have the same form. The model is looked up when a value is validated, so
    that nothing of another package is imported before a study names it.
    """

    registry: Registry[type[Model]]
    field: str

    def __get_pydantic_core_schema__(
        self, source: type[Model], handler: GetCoreSchemaHandler
    ) -> core_schema.CoreSchema:
        """A schema that looks the model up."""

        def validate(value: Any) -> Model:
            return value if isinstance(value, source) else self._validate(value)

        return core_schema.no_info_plain_validator_function(validate)

    def __get_pydantic_json_schema__(
        self, schema: core_schema.CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """That of a tagged union of all models that load."""
        choices = {name: _with_ref(model) for name, model in self.registry.items()}
        return handler(core_schema.tagged_union_schema(choices, self.field))

    def _validate(self, value: Any) -> Model:
        if not isinstance(value, dict):
            raise PydanticKnownError("model_attributes_type")
        if self.field not in value:
            raise PydanticKnownError("union_tag_not_found", {"discriminator": f"'{self.field}'"})
        tag = str(value[self.field])
        try:
            return self.registry[tag].model_validate(value)
        except BrokenPlugIn as broken:
            raise PydanticCustomError(
                BrokenPlugIn.code, "{message}", {"message": str(broken), "discriminator": self.field}
            ) from broken
        except self.registry.unknown as error:
            tags = ", ".join(f"'{name}'" for name in self.registry.names())
            context = {"discriminator": f"'{self.field}'", "tag": tag, "expected_tags": tags}
            raise PydanticKnownError("union_tag_invalid", context) from error
        except ValidationError as invalid:
            raise _inside(tag, invalid) from None


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist else "unknown"


_KNOWN_ERRORS = frozenset(get_args(core_schema.ErrorType))


def _inside(tag: str, invalid: ValidationError) -> ValidationError:
    """The same errors one step further in, where a tagged union puts them too."""
    details = [
        InitErrorDetails(
            type=error["type"]
            if error["type"] in _KNOWN_ERRORS
            else PydanticCustomError(error["type"], "{message}", {"message": error["msg"]}),
            loc=(tag, *error["loc"]),
            input=error["input"],
            ctx=error.get("ctx", {}),
        )
        for error in invalid.errors(include_url=False)
    ]
    return ValidationError.from_exception_data(invalid.title, details)


def _with_ref(model: type[BaseModel]) -> core_schema.CoreSchema:
    """The schema of a model with a name, so that a JSON Schema holds it once and refers to it elsewhere."""
    schema: Any = model.__pydantic_core_schema__
    name = f"{model.__module__}.{model.__qualname__}:{id(model)}"
    if schema["type"] == "definitions":
        return {**schema, "schema": {**schema["schema"], "ref": name}}
    return {**schema, "ref": name}
