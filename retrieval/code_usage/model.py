"""What code names, and where it uses a name that release notes speak of."""

from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class Usage:
    """One place in the user's code that uses a symbol."""

    symbol: str  # As the release notes write it.
    file: str  # Relative to the directory that was scanned.
    line: int


class Kind(Enum):
    """As what code names something."""

    NAME = auto()  # A module's member, function, class, attribute, or a name of several words in a string.
    MODULE = auto()  # What is imported, or imported from.
    ARGUMENT = auto()  # An argument or a key of an object; in front stands what takes it.
    SETTING = auto()  # A command's option, or a key of a configuration; in front stand the words or keys before it.


class Name(NamedTuple):
    """A name as code uses it."""

    path: tuple[str, ...]  # Its parts, outermost first, `("numpy", "linalg", "norm")`; the first is empty if unknown.
    kind: Kind
    is_imported: bool  # Whether an import leads to it; else the first part is a local name of unknown type.
    line: int


@dataclass(frozen=True, slots=True)
class FileNames:
    """What one file names."""

    names: tuple[Name, ...]
    subjects: frozenset[str] = frozenset()
    """What it speaks of, as products are compared: first parts of imports, or the words of a configuration."""
