"""Valid field names at a location in a pydantic model."""

from __future__ import annotations

import types
from collections.abc import Iterable
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel

from labelwright.registry import Tagged


def fields_at(model: type[BaseModel], location: Iterable[Any]) -> list[str]:
    """The field names of the model at the location of a validation error.

    >>> from labelwright.study.model import Study
    >>> fields_at(Study, ("aspects", "useful"))
    ['title', 'aim', 'redundancy']
    """
    here: Any = model
    for part in location:
        here = _step(here, part)
    here = _plain(here)
    if not _is_model(here):
        return []
    return [field.alias or name for name, field in here.model_fields.items()]


def _step(here: Any, part: Any) -> Any:
    tagged = _tagged(here)
    if tagged is not None:
        return tagged.registry.get(part)
    here = _plain(here)
    if _is_model(here):
        return _field(here, part)
    origin, arguments = get_origin(here), get_args(here)
    if origin is dict:
        return arguments[1]
    if origin in (tuple, list):
        return arguments[0]
    if origin in (Union, types.UnionType):
        return _member(arguments, part)
    return None


def _field(model: type[BaseModel], name: Any) -> Any:
    field = model.model_fields.get(name)
    if field is None:
        return None
    # Pydantic takes the annotations of a field apart; a tag is one of them.
    return Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation


def _tagged(here: Any) -> Tagged[Any] | None:
    """How a model is found by a registered name, where it is."""
    found = [each for each in get_args(here)[1:] if isinstance(each, Tagged)]
    return found[0] if get_origin(here) is Annotated and found else None


def _plain(here: Any) -> Any:
    while get_origin(here) is Annotated:
        here = get_args(here)[0]
    if get_origin(here) in (Union, types.UnionType):
        members = [member for member in get_args(here) if member is not type(None)]
        return _plain(members[0]) if len(members) == 1 else here
    return here


def _member(members: tuple[Any, ...], tag: Any) -> Any:
    """The member of a tagged union. Pydantic includes the tag in the location."""
    for member in members:
        plain = _plain(member)
        if _is_model(plain) and any(
            tag in get_args(field.annotation) for field in plain.model_fields.values()
        ):
            return plain
    return None


def _is_model(here: Any) -> bool:
    return isinstance(here, type) and issubclass(here, BaseModel)
