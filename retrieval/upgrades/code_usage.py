"""Where code uses the names that release notes mention: whole words, looked up in one index of the code's words."""

import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from corpus.deadline import waited_for
from corpus.errors import UsageError
from corpus.everyday_words import is_everyday
from corpus.git import GitError, run_git
from corpus.lexicon import STOP_WORDS, word_tokens
from retrieval.upgrades.model import UpgradeItem, Usage

MAX_LINES = 200_000  # Of all files of a form, or of a diff.
_LONGEST_LINE, _MAX_FILE_BYTES, _MAX_FILES, _MAX_BYTES = 2_000, 1_000_000, 20_000, 100_000_000
_GIT_SECONDS = 30
_NO_CODE = frozenset(".md .rst .txt .adoc .html .css .svg .csv .ipynb .lock .po .xml .patch .diff .log .sum".split())
_HIDDEN = re.compile(r"(?:^|/)(?:\.(?!github)|node_modules/|venv/)")
_WORD = re.compile(r"--?\w[\w.-]*\w|\w+(?:-\w+)*")
_NAME = re.compile(r"-[\w.-]+|[A-Za-z_][\w-]+")
_PARTS = re.compile(r"\.|::|#|->|/|\\")
_SEVERAL_WORDS = re.compile(r"[^\W_][_-]+[^\W_]|[a-z0-9][A-Z]|\A--")


class CodeUsage:
    """The words of some code by file and line; `files` are the ones read, `notes` lines for people on the others."""

    def __init__(self, lines: Iterable[tuple[str, int, str]], *, notes: Iterable[str] = ()) -> None:
        self.notes = tuple(notes)
        self._places: defaultdict[str, dict[tuple[str, int], None]] = defaultdict(dict)
        files: dict[str, None] = {}
        for file, number, text in waited_for(lines):
            files.setdefault(file)
            for word in _words(text[:_LONGEST_LINE]):
                self._places[word][file, number] = None
        self.files = tuple(files)
        self._mentions = Counter(_plain(word) for file in files for word in _words(file))
        for word, places in self._places.items():
            self._mentions[_plain(word)] += len(places)

    @property
    def tokens(self) -> frozenset[str]:
        """The search tokens of its words."""
        return frozenset(token for word in self._places for token in word_tokens(word)[:1]) - STOP_WORDS

    def mentions(self, names: Iterable[str]) -> int:
        """Return on how many lines of the code, and in how many paths, one of `names` is a word, in any case."""
        return sum(self._mentions[name] for name in {_plain(name) for name in names})

    def usages_of(self, symbols: Sequence[str], *, product: Sequence[str], limit: int = 20) -> tuple[Usage, ...]:
        """Return at most `limit` lines with one of `symbols` as a whole word, by symbol, file and line.

        An everyday word counts only on lines that have what qualifies it, too: `np` for `np.product`.

        Args:
            symbols: as release notes write them.
            product: the names of the notes' product, which alone are no use.
            limit: the most usages returned.
        """
        names, usages = {_plain(name) for name in product}, dict[tuple[str, int], Usage]()
        for symbol in dict.fromkeys(symbols):
            owners, last = split_name(symbol)
            places = self._places.get(last, {}) if _plain(last) not in names else {}
            # What is no name of several words (`isAjax`, `--flag`) and everyday English needs its owner nearby.
            if places and not _SEVERAL_WORDS.search(last) and is_everyday(last):
                near = {place for owner in owners for place in self._places.get(owner, ())}
                places = {place: None for place in places if place in near}
            for place in places:
                usages.setdefault(place, Usage(symbol, *place))
        return tuple(usages.values())[:limit]

    def mark(self, items: Iterable[UpgradeItem], *, product: Sequence[str]) -> tuple[UpgradeItem, ...]:
        """Return the items of an upgrade, each with the places where the code uses the names it mentions."""
        return tuple(replace(item, usages=self.usages_of(item.symbols, product=product)) for item in items)


def split_name(symbol: str) -> tuple[list[str], str]:
    """Return the qualifiers of a symbol and its last part: `np.product()` gives `(["np"], "product")`; "" if the last
    part isn't a name of two characters, as of versions."""
    bare = symbol.partition("(")[0].partition("=")[0].strip("`'\"@~!:. ")
    *owners, last = [bare] if bare.startswith("-") else _PARTS.split(bare)
    return [owner for owner in owners if owner], last if _NAME.fullmatch(last) else ""


def is_code(file: str) -> bool:
    """Return whether a file's words count as code: no prose, no data, no lock."""
    return PurePosixPath(file).suffix.lower() not in _NO_CODE


def load_code(path: Path) -> CodeUsage:
    """Return the words of `path`: a file, or all files of a directory except those that git ignores; no code is run.

    Raises:
        UsageError: `path` doesn't exist.
    """
    if not path.exists():
        raise UsageError(f"Cannot scan {str(path)!r}: there is no such file or directory. Give the code's folder.")
    folder, names = (path.parent, [path.name]) if path.is_file() else (path, _listed(path))
    lines: list[tuple[str, int, str]] = []
    left_out, size = 0, 0
    for name in filter(is_code, names):
        data = _read(folder, name)
        size += len(data)
        if b"\0" in data[:8_192] or size > _MAX_BYTES:
            left_out += 1
            continue
        lines += [(name, *line) for line in enumerate(data.decode("utf-8", "replace").split("\n"), start=1)]
    note = f"Files left out of the code scan: {left_out} (binary, over 1 MB, outside of the folder, or too many)."
    return CodeUsage(lines, notes=[note] if left_out else [])


def _listed(root: Path) -> list[str]:
    """Return the files below `root` that git tracks or doesn't ignore; outside a work tree, all but hidden ones."""
    try:
        wanted = ("ls-files", "-z", "--cached", "--others", "--exclude-standard")
        listed = run_git(wanted, root, seconds=_GIT_SECONDS).split(b"\0")
        names = sorted({os.fsdecode(name) for name in listed if name})
    except GitError:
        paths = (
            Path(folder, name).relative_to(root).as_posix() for folder, _, files in os.walk(root) for name in files
        )
        names = sorted(name for name in paths if not _HIDDEN.search(name))
    return names[:_MAX_FILES]


def _read(folder: Path, name: str) -> bytes:
    """Return a file's bytes; a NUL for what isn't a plain file inside the folder, or is too large."""
    path = folder / name
    try:
        is_read = path.is_file() and path.resolve().is_relative_to(folder.resolve())
        return path.read_bytes() if is_read and path.stat().st_size <= _MAX_FILE_BYTES else b"\0"
    except (OSError, RuntimeError):
        return b"\0"


def _words(text: str) -> Iterator[str]:
    for match in _WORD.finditer(text):
        yield match[0]
        yield from re.findall(r"\w+", match[0]) if "-" in match[0] else ()


def _plain(name: str) -> str:
    return re.sub(r"[\W_]+", "", name.casefold())
