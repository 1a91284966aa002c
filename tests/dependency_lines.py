"""Dependency files as texts, and what is read from them as short words."""

from corpus.dependencies.model import Line
from corpus.dependencies.reading import read_dependencies


def lines_of(text: str, *, first: int = 1) -> tuple[Line, ...]:
    return tuple(Line(number, line) for number, line in enumerate(text.split("\n"), first))


def read(path: str, text: str, *, first: int = 1) -> list[str]:
    """Each dependency as `name version @line`; a dash stands for no version. `first` above 1 makes it a part."""
    found = read_dependencies(path, lines_of(text, first=first))
    return [f"{each.name} {each.version or '-'} @{each.line}" for each in found]
