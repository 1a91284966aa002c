"""mix.exs and mix.lock."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import range_version, reference_version
from corpus.dependencies.model import Dependency, Ecosystem, Line

_PACKAGE = re.compile(
    r"(?:\{:|\"\w+\":\s*\{:hex,\s*:)(?P<name>\w+),\s*(?:\"(?P<range>[^\"]*)\"|[^{}]{0,200}\btag:\s*\"(?P<tag>[^\"]*)\")",
    re.ASCII,
)
_ELIXIR = re.compile(r"\s*(?P<name>elixir):\s*\"(?P<range>[^\"]*)\"")


def read_mix(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package with a range, a tag or, in the lock, a version; Elixir itself."""
    for line in lines:
        # In a lock, what a package depends on follows it on its line.
        if found := _PACKAGE.search(line.text.partition("#")[0]):
            told = found["range"] or ""
            version = reference_version(found["tag"]) if found["tag"] else range_version(_bounds(told))
            yield Dependency(found["name"], Ecosystem.HEX, version, path, line.number)
        elif found := _ELIXIR.match(line.text):
            yield Dependency("elixir", Ecosystem.TOOL, range_version(_bounds(found["range"])), path, line.number)


def _bounds(text: str) -> str:
    return text.replace(" and ", " ").replace(" or ", "||")
