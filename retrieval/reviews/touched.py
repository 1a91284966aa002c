"""The symbols, flags and environment variables on the lines that a diff adds or removes.

A diff shows pieces of files, so they are read by parsers that pass over what is broken. Comments, prose and names that
anybody might use for anything are passed over. Whose a symbol is, is left to those who know the products.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from corpus.dependencies.model import Line
from retrieval.code_usage.grammars import GRAMMARS
from retrieval.code_usage.loading import is_plain
from retrieval.code_usage.model import FileNames, Mention, MentionKind, Origin, Unparsable
from retrieval.code_usage.plain_names import read_plain
from retrieval.code_usage.product_roots import comes_from, plain
from retrieval.code_usage.tree_names import read_tree
from retrieval.code_usage.wanted import all_have, has_several_words, is_distinctive
from retrieval.product_names import NICKNAMES
from retrieval.reviews.diff import FileDiff
from retrieval.reviews.folding import is_lock_name

MAX_TOUCHED = 5_000
_LONGEST_LINE = 2_000
_IMPORT = re.compile(r"\s*(?:import\b|from\s+\S+\s+import\b|use\s|#\s*include\b|(?:const|let|var)\s.*\brequire\()")
_OWN = frozenset({"", "crate", "super", "self", "this", "Self"})
_NAMES = frozenset({MentionKind.NAME, MentionKind.KEYWORD, MentionKind.STRING, MentionKind.DEFINITION})


@dataclass(frozen=True, slots=True)
class Touched:
    """A name on a changed line."""

    symbol: str
    """With its import resolved where the diff or the file shows it (`numpy.product`, `pydantic.BaseModel.parse_obj`);
    the last part alone where nobody sees what it belongs to (`is_ajax`, or a method of what a function gave)."""
    file: str
    line: int
    """From 1: after the change for an added line, before it for a removed one."""
    kind: MentionKind
    is_added: bool
    context: tuple[str, ...]
    """What tells whose it is: the parts before the last of an imported name, the words before a flag; may be empty."""

    def is_surely_of(self, roots: frozenset[str]) -> bool:
        """Whether the diff itself shows that it belongs to the product of `roots`, see `product_roots`."""
        if self.kind is MentionKind.FLAG:
            return any(plain(word) in roots for word in self.context)
        return bool(self.context) and comes_from(self.context, roots)


def find_touched(files: Iterable[FileDiff], *, texts: Mapping[str, str] | None = None) -> tuple[Touched, ...]:
    """The names on changed lines, once a file, in the diff's order, added lines first; at most 5,000.

    Args:
        files: as `read_diff` gives them.
        texts: the files' whole texts by path, where they are at hand: their imports tell more than a hunk's.
    """
    found: dict[tuple[str, str], Touched] = {}
    for file in files:
        whole = (texts or {}).get(file.path, "")
        for shown, changed, path, is_added in (
            (file.after, file.added, file.path_after, True),
            (file.before, file.removed, file.path_before, False),
        ):
            if path is None or not changed:
                continue
            for mention, line in _changed(path, shown, changed, whole):
                if (one := _touched(mention, path, line, is_added=is_added)) is None:
                    continue
                found.setdefault((one.symbol, file.path), one)
                if len(found) >= MAX_TOUCHED:
                    return tuple(found.values())
    return tuple(found.values())


def _changed(path: str, shown: Sequence[Line], changed: Sequence[Line], whole: str) -> Iterator[tuple[Mention, int]]:
    """Each mention on a changed line, with that line's number in the file."""
    header = [line for line in whole.split("\n") if _IMPORT.match(line)]
    numbers: list[int] = [0] * len(header)
    pieces = list(header)
    for line in shown:
        # A gap between hunks parts what doesn't belong together.
        if numbers and numbers[-1] and line.number > numbers[-1] + 1:
            pieces.append("")
            numbers.append(0)
        pieces.append(line.text if len(line.text) <= _LONGEST_LINE else "")
        numbers.append(line.number)
    names = _read("\n".join(pieces), path)
    if names is None:
        return
    wanted = {line.number for line in changed}
    for mention, row in names.places:
        number = numbers[row - 1] if row <= len(numbers) else 0
        if number in wanted and not (mention.origin is Origin.UNKNOWN and mention.path[-1] in names.defined):
            yield mention, number


def _read(text: str, path: str) -> FileNames | None:
    name = PurePosixPath(path)
    ending = name.suffix.lower()
    if name.name in ("package.json", "composer.json") or is_lock_name(name.name):
        return None
    try:
        if is_plain(name, text):
            return read_plain(text)
        return read_tree(text, ending=ending, name=path, calls=True) if ending in GRAMMARS else None
    except Unparsable:
        return None


def _touched(mention: Mention, file: str, line: int, *, is_added: bool) -> Touched | None:
    last, before = mention.path[-1], mention.path[:-1]
    if mention.kind in _NAMES and mention.origin is not Origin.UNKNOWN:
        if mention.path[0] in _OWN or mention.path[0].startswith((".", "/", "~", "@/")):
            return None
        made_by_function = mention.origin is Origin.DERIVED and bool(before) and not before[-1][:1].isupper()
        if made_by_function and mention.kind is MentionKind.NAME:
            return Touched(last, file, line, mention.kind, is_added, before) if is_distinctive(last) else None
        # The import of a whole package says nothing about what is used of it.
        symbol = ".".join(mention.path) if before else None
    elif mention.kind is MentionKind.FLAG:
        symbol = last
    elif mention.kind in (MentionKind.ENVIRONMENT, MentionKind.SETTING, MentionKind.KEY):
        symbol = last if has_several_words(last) else None
        before = before if mention.kind is MentionKind.KEY else ()
    elif mention.kind is MentionKind.NAME:
        return _unresolved(mention, file, line, is_added=is_added)
    else:
        symbol = None
    return Touched(symbol, file, line, mention.kind, is_added, before) if symbol else None


def _unresolved(mention: Mention, file: str, line: int, *, is_added: bool) -> Touched | None:
    """A name whose import stands outside of the hunk: that of a module by its looks, or one that says enough itself."""
    *before, last = mention.path
    if before and before[0] in _OWN - {""}:
        return None
    module = NICKNAMES.get(before[0], before)[0] if before else ""
    if re.fullmatch(r"[a-z][a-z0-9_]+", module) and len(before) == 1 and not all_have(last):
        symbol: str = f"{module}.{last}"
        context: tuple[str, ...] = (module,)
    elif is_distinctive(last):
        symbol, context = last, tuple(part for part in before if part)
    else:
        return None
    return Touched(symbol, file, line, mention.kind, is_added, context)
