"""What code names, how much is known of each name, and where code uses a name that release notes speak of."""

from dataclasses import dataclass
from enum import Enum, IntEnum, auto


@dataclass(frozen=True, slots=True)
class Usage:
    """One place in the user's code that uses a symbol."""

    symbol: str  # As the release notes write it.
    file: str  # Relative to the directory that was scanned.
    line: int


class Origin(IntEnum):
    """How much the code shows of where a name comes from, surest first."""

    IMPORTED = 0  # The path is the one that an import leads to.
    DERIVED = 1  # The path goes on from something imported through a call or an instance.
    UNKNOWN = 2  # The first part is a local name of unknown type.


class MentionKind(Enum):
    """As what code names something."""

    NAME = auto()  # A module, function, class, attribute or method.
    KEYWORD = auto()  # An argument given by name; the path is that of the function called, then the argument.
    DEFINITION = auto()
    """A function that the code itself defines, as a hook, or what a class assigns; the path is the class's."""
    SETTING = auto()
    """An UPPER_CASE name that code assigns, or one in a string or a file that isn't code: an environment variable."""
    STRING = auto()  # A dotted path in a string.
    FLAG = auto()  # An option of a command line, with its hyphens, behind the words before it.
    KEY = auto()  # A key of a configuration file, or a name of several words in a string.


@dataclass(frozen=True, slots=True)
class Mention:
    """A name as code uses it."""

    path: tuple[str, ...]  # The parts of the name, outermost first: `("numpy", "linalg", "norm")`.
    kind: MentionKind
    origin: Origin = Origin.UNKNOWN
    written: int = 1
    """How many of the last parts stand on the line itself; the others come from an import or a variable."""


@dataclass(frozen=True, slots=True)
class FileNames:
    """What one file names, each with its line; the names of functions, classes and attributes that it defines."""

    places: tuple[tuple[Mention, int], ...]
    defined: frozenset[str] = frozenset()
    subjects: frozenset[str] = frozenset()
    """What the file speaks of, casefolded: first parts of what it imports, or the words of a file that isn't code."""
