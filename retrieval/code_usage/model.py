"""Names in code, and usages of the names that release notes mention."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Usage:
    """One place in the user's code that uses a symbol."""

    symbol: str  # As the release notes write it.
    file: str  # Relative to the scanned directory.
    line: int


class Kind(Enum):
    """The role of a name in code."""

    NAME = auto()  # A module's member, function, class, attribute, or a name of several words in a string.
    MODULE = auto()  # A module imported, or imported from.
    ARGUMENT = auto()  # An argument or a key of an object, after the name of its function.
    SETTING = auto()  # A command's option or a configuration key, after the words or keys before it.


class Name(NamedTuple):
    """A name as code uses it."""

    path: tuple[str, ...]  # Its parts, outermost first, `("numpy", "linalg", "norm")`; the first is empty if unknown.
    kind: Kind
    is_imported: bool  # Whether it is resolved by an import; else the first part is a local name of unknown type.
    line: int


@dataclass(frozen=True, slots=True)
class FileNames:
    """The names in one file."""

    names: tuple[Name, ...]
    subjects: frozenset[str] = frozenset()
    """Words that may name a product, by `plain`: capitalised names, or all words of a configuration or a diff."""
