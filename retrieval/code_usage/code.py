"""All names that a body of code uses, and the look-up of those that release notes speak of."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from retrieval.code_usage.code_names import read_code_names
from retrieval.code_usage.files import read_files
from retrieval.code_usage.languages import LANGUAGES
from retrieval.code_usage.matching import origin_of_use
from retrieval.code_usage.model import FileNames, Mention, Origin, Unparsable, Usage
from retrieval.code_usage.plain_names import is_plain, read_plain
from retrieval.code_usage.product_roots import product_roots
from retrieval.code_usage.wanted import parse_wanted

_LONGEST_LINE = 20_000
_SECONDS = 180.0
_Place = tuple[int, int]
_CONSTANTS = frozenset(("None", "True", "False", "null", "true", "false", "undefined"))


@dataclass(frozen=True, slots=True)
class CodeUsage:
    """The names that code uses; made by `load_code` and `read_code`."""

    files: tuple[str, ...]
    """Those read, relative to the directory that was scanned, in order."""
    notes: tuple[str, ...]
    """One line for people about each reason for which files weren't read."""
    places: Mapping[Mention, tuple[_Place, ...]] = field(repr=False)
    """For each mention, the number of its file in `files` and its line; in order."""
    by_part: Mapping[str, tuple[Mention, ...]] = field(repr=False)
    defined: frozenset[str] = field(repr=False)
    subjects: tuple[frozenset[str], ...] = field(repr=False)
    """What each file speaks of."""

    @classmethod
    def from_files(cls, files: Mapping[str, FileNames], *, notes: Iterable[str] = ()) -> "CodeUsage":
        """Put together what the files name."""
        places: dict[Mention, list[_Place]] = {}
        for number, names in enumerate(files.values()):
            for mention, line in names.places:
                places.setdefault(mention, []).append((number, line))
        by_part: dict[str, list[Mention]] = {}
        for mention in places:
            for part in set(mention.path[len(mention.path) - mention.written :]):
                by_part.setdefault(part, []).append(mention)
        return cls(
            tuple(files),
            tuple(notes),
            {mention: tuple(where) for mention, where in places.items()},
            {part: tuple(mentions) for part, mentions in by_part.items()},
            frozenset().union(*(names.defined for names in files.values())),
            tuple(names.subjects for names in files.values()),
        )

    def usages_of(
        self,
        symbols: Sequence[str],
        *,
        product: Sequence[str],
        arguments: Sequence[str] = (),
        limit: int = 20,
    ) -> tuple[Usage, ...]:
        """Where the code uses one of `symbols`, the surest first, then by file and line; one usage a line.

        Args:
            symbols: as release notes write them, all of one entry: an argument counts where its function is named too.
            product: the names of the product that the notes are of, at least one.
            arguments: those of `symbols` that the notes call arguments or options, as `arguments_of` finds them. Where
                the notes name nothing else, they count in any call that leads into the product.
            limit: of usages.
        """
        roots = product_roots(tuple(product))
        wanted = [each for each in map(parse_wanted, dict.fromkeys(symbols)) if each]
        named = (each.last for each in wanted if not each.keyword and each.symbol not in arguments)
        beside = frozenset(name for name in named if name not in _CONSTANTS)
        found: dict[_Place, tuple[Origin, int, str]] = {}
        for order, each in enumerate(wanted):
            for mention in self.by_part.get(each.last, ()):
                sure = origin_of_use(
                    each,
                    mention,
                    roots=roots,
                    beside=beside,
                    owned=each.last in self.defined,
                    is_argument=each.symbol in arguments,
                )
                if sure is None:
                    continue
                for place in self.places[mention]:
                    if sure is Origin.UNKNOWN and roots.isdisjoint(self.subjects[place[0]]):
                        continue
                    found[place] = min(found.get(place, (Origin.UNKNOWN, len(wanted), "")), (sure, order, each.symbol))
        ranked = sorted(found.items(), key=lambda item: (item[1][0], item[0]))
        return tuple(Usage(symbol, self.files[file], line) for (file, line), (_, _, symbol) in ranked[:limit])


def load_code(path: Path) -> CodeUsage:
    """Read the names that the code in `path` uses: a file, or a directory with what git tracks of it.

    Nothing of the code is run or imported. Files that can't be parsed, are too large or hold no text are left out and
    counted in `CodeUsage.notes`.

    Raises:
        UsageError: `path` doesn't exist.
    """
    return read_code(read_files(path))


def read_code(texts: Iterable[tuple[str, str | Unparsable]]) -> CodeUsage:
    """Likewise of files that are at hand: each by its name, with its text or why it isn't read."""
    files: dict[str, FileNames] = {}
    left_out: dict[str, list[str]] = {}
    until = time.monotonic() + _SECONDS
    for name, text in texts:
        try:
            if isinstance(text, Unparsable):
                raise text
            if time.monotonic() > until:
                raise Unparsable("more than can be read in three minutes")
            if names := read_names(name, text):
                files[name] = names
        except Unparsable as reason:
            left_out.setdefault(str(reason), []).append(name)
    return CodeUsage.from_files(
        files,
        notes=(
            f"{len(names)} {'file' if len(names) == 1 else 'files'} left out of the code scan, {reason}:"
            f" {names[0]}{'' if len(names) == 1 else ' and others'}."
            for reason, names in sorted(left_out.items())
        ),
    )


def read_names(name: str, text: str) -> FileNames | None:
    """The names of one file; None where it isn't of a kind that is read.

    Raises:
        Unparsable: its text can't be parsed.
    """
    ending = PurePosixPath(name).suffix.lower()
    plain = is_plain(PurePosixPath(name), text)
    if not plain and ending not in LANGUAGES:
        return None
    if any(len(line) > _LONGEST_LINE for line in text.split("\n")):
        raise Unparsable("a line is too long to be written by hand")
    return read_plain(text) if plain else read_code_names(text, name)
