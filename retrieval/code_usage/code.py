"""All names that a body of code uses, and the look-up of those that release notes speak of."""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from corpus.deadline import waited_for
from retrieval.code_usage.code_names import read_code_names
from retrieval.code_usage.files import read_files
from retrieval.code_usage.languages import LANGUAGES
from retrieval.code_usage.matching import origin_of_use, parse_wanted, product_roots
from retrieval.code_usage.model import FileNames, Mention, Origin, Usage
from retrieval.code_usage.plain_names import is_plain, read_plain

_LONGEST_LINE = 20_000
_SECONDS = 180.0
MAX_LINES = 200_000  # Of one file, or of a diff.
_Place = tuple[int, int]
_CONSTANTS = frozenset(("None", "True", "False", "null", "true", "false", "undefined"))


class CodeUsage:
    """The names that code uses: what each of its files names, by their names in order.

    `files` are those read, relative to the directory that was scanned; `notes` has a line for people where others
    weren't.
    """

    def __init__(self, named: Mapping[str, FileNames], *, notes: Iterable[str] = ()) -> None:
        self.files, self.notes = tuple(named), tuple(notes)
        self._places: dict[Mention, list[_Place]] = defaultdict(list)
        for number, names in enumerate(named.values()):
            for mention, line in names.places:
                self._places[mention].append((number, line))
        self._by_part: dict[str, list[Mention]] = defaultdict(list)
        for mention in self._places:
            for part in set(mention.path[-mention.written :]):
                self._by_part[part].append(mention)
        self._defined = frozenset().union(*(names.defined for names in named.values()))
        self._subjects = [names.subjects for names in named.values()]

    def usages_of(
        self, symbols: Sequence[str], *, product: Sequence[str], arguments: Sequence[str] = (), limit: int = 20
    ) -> tuple[Usage, ...]:
        """Return where the code uses one of `symbols`, the surest first, then by file and line; one usage a line.

        Args:
            symbols: as release notes write them, all of one entry: an argument counts where its function is named too.
            product: the names of the product that the notes are of, at least one.
            arguments: those of `symbols` that the notes call arguments or options. Where the notes name nothing else,
                they count in any call that leads into the product.
            limit: of usages.
        """
        roots = product_roots(tuple(product))
        wanted = [each for each in map(parse_wanted, dict.fromkeys(symbols)) if each]
        beside = {each.last for each in wanted if not each.keyword and each.symbol not in arguments} - _CONSTANTS
        found: dict[_Place, tuple[Origin, int]] = {}
        for order, each in enumerate(wanted):
            is_owned, is_argument = each.last in self._defined, each.symbol in arguments
            for mention in waited_for(self._by_part.get(each.last, ())):
                origin = origin_of_use(
                    each, mention, roots=roots, beside=beside, owned=is_owned, is_argument=is_argument
                )
                if origin is None:
                    continue
                for place in self._places[mention]:
                    if origin is not Origin.UNKNOWN or not roots.isdisjoint(self._subjects[place[0]]):
                        found[place] = min(found.get(place, (Origin.UNKNOWN, len(wanted))), (origin, order))
        ranked = sorted(found.items(), key=lambda item: (item[1][0], item[0]))
        return tuple(Usage(wanted[order].symbol, self.files[file], line) for (file, line), (_, order) in ranked[:limit])


def load_code(path: Path) -> CodeUsage:
    """Read the names that the code in `path` uses: a file, or a directory with what git tracks of it.

    Nothing of the code is run or imported; what isn't read is counted in `CodeUsage.notes`.

    Raises:
        UsageError: `path` doesn't exist.
    """
    return read_code(read_files(path))


def read_code(texts: Iterable[tuple[str, str | None]]) -> CodeUsage:
    """Likewise of files that are at hand: each by its name, with its text, or None where it isn't read."""
    files: dict[str, FileNames] = {}
    left_out: list[str] = []
    until = time.monotonic() + _SECONDS
    for name, text in texts:
        # No line that long is written by hand.
        lines = text.split("\n") if text else []
        is_long = len(lines) > MAX_LINES or any(len(line) > _LONGEST_LINE for line in lines)
        is_read = text is not None and not is_long and time.monotonic() < until
        if names := read_names(name, text if text and is_read else ""):
            if is_read:
                files[name] = names
            else:
                left_out.append(name)
    many = f"{len(left_out)} {'file' if len(left_out) == 1 else 'files'} left out of the code scan"
    why = (
        f"too large, binary, outside of the folder, with over {MAX_LINES:,} lines or lines of over {_LONGEST_LINE:,}"
        " characters, or one too many"
    )
    return CodeUsage(files, notes=[f"{many} ({why}): {', '.join(left_out[:3])}."] if left_out else [])


def read_names(name: str, text: str) -> FileNames | None:
    """Return the names of one file; None where it isn't of a kind that is read."""
    if is_plain(PurePosixPath(name), text):
        return read_plain(text)
    return read_code_names(text, name) if PurePosixPath(name).suffix.lower() in LANGUAGES else None
