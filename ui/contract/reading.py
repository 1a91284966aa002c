"""Answers and search results from the bodies that a server sent: the inverse of `ui.contract.answer`.

By the types of the values' own fields, without pydantic, which takes longer to import than a running server takes to
answer.
"""

from collections.abc import Mapping
from dataclasses import is_dataclass
from datetime import date
from enum import StrEnum
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from retrieval.model import Answer, SearchResult

_Told = TypeVar("_Told", Answer, SearchResult)


def read_answer(body: Mapping[str, Any]) -> Answer | None:
    """The answer that `body` tells; None where it is none, such as another version's."""
    return _read_timed(Answer, body)


def read_search(body: Mapping[str, Any]) -> SearchResult | None:
    """The search result that `body` tells; None where it is none."""
    return _read_timed(SearchResult, body)


def _read_timed(kind: type[_Told], body: Mapping[str, Any]) -> _Told | None:
    try:
        told: _Told = _read(kind, {**body, "elapsed_ms": body["timings_ms"]["total"]})
    except (KeyError, TypeError, ValueError):
        return None
    return told


def _read(kind: Any, value: Any) -> Any:
    """`value`, which is JSON, as a `kind`: a dataclass, an enum, a date, what JSON has, or a tuple or None of such."""
    inner = get_args(kind)[0] if get_args(kind) else kind
    if get_origin(kind) is tuple:
        return tuple(_read(inner, part) for part in value)
    if value is None and inner is not kind:
        return None
    if isinstance(inner, type) and is_dataclass(inner):
        types = get_type_hints(inner)
        return inner(**{name: _read(types[name], value[name]) for name in types if name in value})
    if inner is date:
        return date.fromisoformat(value)
    return inner(value) if issubclass(inner, StrEnum) else value
