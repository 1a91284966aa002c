"""All names that a body of code uses, and the look-up of symbols from release notes among them."""

import time
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from corpus.deadline import waited_for
from retrieval.code_usage.files import read_files
from retrieval.code_usage.matching import comes_from, is_use, parse_wanted, product_roots
from retrieval.code_usage.model import FileNames, Kind, Name, Usage
from retrieval.code_usage.reading import read_names

_LONGEST_LINE, _SECONDS = 20_000, 180.0
MAX_LINES = 200_000  # Of one file, or of a diff.
_DEEPEST = 4  # Parts of an imported path that may name its product.


class CodeUsage:
    """The names used in each file of some code.

    `files` are the ones read, relative to the scanned directory; `notes` are lines for people about files left out.
    """

    def __init__(self, named: Mapping[str, FileNames], *, notes: Iterable[str] = ()) -> None:
        self.files, self.notes = tuple(named), tuple(notes)
        self._by_last: dict[str, list[tuple[int, Name]]] = defaultdict(list)
        self._modules: dict[int, set[tuple[str, ...]]] = defaultdict(set)
        for number, names in enumerate(named.values()):
            for name in names.names:
                self._by_last[name.path[-1]].append((number, name))
                if name.is_imported:
                    self._modules[number].add(name.path[:_DEEPEST])
        self._subjects = [names.subjects for names in named.values()]
        self._near = lru_cache(maxsize=16)(self._find_near)

    def _find_near(self, roots: frozenset[str]) -> frozenset[int]:
        """Return the files that import or name the product of `roots`."""
        importing = (
            number for number, paths in self._modules.items() if any(comes_from(path, roots) for path in paths)
        )
        naming = (number for number, words in enumerate(self._subjects) if not roots.isdisjoint(words))
        return frozenset((*importing, *naming))

    def usages_of(
        self, symbols: Sequence[str], *, product: Sequence[str], places: Collection[str] = (), limit: int = 20
    ) -> tuple[Usage, ...]:
        """Return the places where the code uses one of `symbols`, by symbol, file and line; at most one for each line.

        Args:
            symbols: as release notes write them, all of one entry: an argument counts only with its function's name.
            product: the names of the notes' product, at least one.
            places: those of `symbols` that only contain the changed thing ("`add` of `Router`"): using one isn't using
                the changed thing.
            limit: the most usages returned.
        """
        roots = product_roots(tuple(product))
        near = self._near(roots)
        wanted = [name for name in map(parse_wanted, dict.fromkeys(symbols)) if name]
        order_of: dict[tuple[int, int], int] = {}  # The first matching symbol by file and line.
        for order, symbol in enumerate(wanted):
            others = {other.last for other in wanted if other is not symbol}
            is_place = symbol.symbol in places
            if is_place and any(other.symbol not in places for other in wanted):
                continue
            for file, name in waited_for(self._by_last.get(symbol.last, ())):
                if not (is_place and name.kind is Kind.MODULE) and is_use(
                    symbol, name, roots=roots, others=others, is_near=file in near
                ):
                    order_of.setdefault((file, name.line), order)
        ranked = sorted(order_of.items(), key=lambda item: (item[1], item[0]))
        return tuple(Usage(wanted[order].symbol, self.files[file], line) for (file, line), order in ranked[:limit])


def load_code(path: Path) -> CodeUsage:
    """Return the names used in `path`: a file, or all files of a directory except those that git ignores.

    No code is run or imported; files left out are counted in `CodeUsage.notes`.

    Raises:
        UsageError: `path` doesn't exist.
    """
    return read_code(read_files(path))


def read_code(texts: Iterable[tuple[str, str | None]]) -> CodeUsage:
    """Return the names used in files, as (name, text); those without text, too long or too late are noted."""
    files: dict[str, FileNames] = {}
    left_out: list[str] = []
    until = time.monotonic() + _SECONDS
    for name, text in texts:
        # Longer lines are generated.
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
