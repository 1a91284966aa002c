"""The symbols, flags, keys and environment variables on the lines that a diff adds or removes.

A diff shows pieces of files, which are read by their tokens, as whole files are. Comments and prose are passed over.
Whose a name is, and whether it says enough by itself, is left to those who know the products and their notes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from corpus.dependencies.model import Line, split_parts
from retrieval.code_usage.code_names import read_code_names
from retrieval.code_usage.files import NO_CODE
from retrieval.code_usage.languages import LANGUAGES
from retrieval.code_usage.matching import all_have, comes_from, has_several_words, is_distinctive, plain
from retrieval.code_usage.model import Mention, MentionKind, Origin
from retrieval.code_usage.plain_names import PLAIN_ENDINGS, is_plain, read_plain
from retrieval.reviews.diff import FileDiff
from retrieval.reviews.products import is_lock_name

MAX_TOUCHED = 5_000
_LONGEST_LINE = 2_000
_IMPORT = re.compile(r"\s*(?:import\b|from\s+\S+\s+import\b|use\s|#\s*include\b|(?:const|let|var)\s.*\brequire\()")
_WORD = re.compile(r"[A-Za-z]\w+")
_OWN = frozenset({"", "crate", "super", "self", "this", "Self", "cls"})
_SHORTEST = 3
_QUOTES = '"' * 3
_ENDINGS = frozenset(ending.removeprefix(".") for ending in (*LANGUAGES, *NO_CODE, *PLAIN_ENDINGS))
"""A dotted string that ends in one is the name of a file."""


@dataclass(frozen=True, slots=True)
class Touched:
    """A name on a changed line."""

    mention: Mention  # Its import resolved where the diff or the file shows it.
    file: str
    line: int  # From 1: after the change for an added line, before it for a removed one.
    is_added: bool
    is_kept: bool
    """Whether the file has it on lines of both kinds: then the diff neither brings it in nor takes it out."""
    near: frozenset[str]  # The words of its line, as `plain` writes them.

    @property
    def symbol(self) -> str:
        """The name with what is known to stand before it: `numpy.product`, `pydantic.BaseModel.parse_obj`; the last
        part alone where nobody sees what it belongs to (`is_ajax`, or a method of what a function gave)."""
        path, origin = self.mention.path, self.mention.origin
        is_of_class = origin is Origin.DERIVED and path[-2:-1] != () and path[-2][:1].isupper()
        if self.mention.kind is MentionKind.FLAG or (
            origin is not Origin.IMPORTED and len(path) > 2 and not is_of_class
        ):
            return path[-1]
        return ".".join(path)

    @property
    def is_specific(self) -> bool:
        """Whether nobody would use the name by chance for something else."""
        last = self.mention.path[-1]
        return has_several_words(last.strip("-_")) or is_distinctive(last)

    def is_surely_of(self, roots: frozenset[str]) -> bool:
        """Return whether the diff itself shows that it belongs to the product of `roots`, see `product_roots`."""
        before = self.mention.path[:-1]
        if self.mention.kind in (MentionKind.FLAG, MentionKind.KEY):
            return any(plain(word) in roots for word in before)
        if self.mention.origin is Origin.UNKNOWN:
            return any(plain(word) in roots for word in before[:1])
        return comes_from(before, roots)

    def is_surely_of_another(self, roots: frozenset[str]) -> bool:
        """Return whether the diff itself shows that it belongs to something else than the product of `roots`."""
        before = self.mention.path[:-1]
        if self.mention.kind is MentionKind.FLAG:
            return bool(before) and self.mention.origin is Origin.UNKNOWN and not self.is_surely_of(roots)
        return self.mention.origin is not Origin.UNKNOWN and bool(before) and not comes_from(before, roots)


def find_touched(files: Iterable[FileDiff], *, texts: Mapping[str, str] | None = None) -> tuple[Touched, ...]:
    """Return the names on changed lines, once a file, in the diff's order, added lines first; at most 5,000.

    `texts` are whole files by path, where they are at hand: their imports tell more than a hunk's.
    """
    found: dict[tuple[tuple[str, ...], str], Touched] = {}
    for file in files:
        whole = (texts or {}).get(file.path, "")
        for shown, changed, path, is_added in (
            (file.after, file.added, file.path_after, True),
            (file.before, file.removed, file.path_before, False),
        ):
            if path is None or not changed:
                continue
            for mention, line in _changed(path, shown, changed, whole):
                if (mentioned := _own(mention)) is None:
                    continue
                if (earlier := found.get((mentioned.path, path))) is not None:
                    if earlier.is_added is not is_added:
                        found[mentioned.path, path] = replace(earlier, is_kept=True)
                    continue
                near = frozenset(map(plain, _WORD.findall(line.text[:_LONGEST_LINE])))
                found[mentioned.path, path] = Touched(mentioned, path, line.number, is_added, False, near)
                if len(found) >= MAX_TOUCHED:
                    return tuple(found.values())
    return tuple(found.values())


def _changed(path: str, shown: Sequence[Line], changed: Sequence[Line], whole: str) -> Iterator[tuple[Mention, Line]]:
    """Each mention on a changed line."""
    name = PurePosixPath(path)
    if name.name in ("composer.json", "go.mod") or is_lock_name(name.name):
        return
    rows = [Line(0, line) for line in whole.split("\n") if _IMPORT.match(line)]
    for hunk in split_parts(shown):
        # Read each hunk by itself; reopen a docstring that begins above it.
        before, after = _cut_docstring(hunk) if path.endswith((".py", ".pyi")) else ("", "")
        rows += [Line(0, before), *hunk, Line(0, after)]
    text = "\n".join(row.text if len(row.text) <= _LONGEST_LINE else "" for row in rows)
    if is_plain(name, text):
        names = read_plain(text)
    elif name.suffix.lower() not in NO_CODE:
        names = read_code_names(text, path)
    else:
        return
    wanted = {line.number for line in changed}
    for mention, at in names.places:
        is_own = mention.origin is Origin.UNKNOWN and mention.path[-1] in names.defined
        is_key = name.name == "package.json" and mention.kind is not MentionKind.FLAG
        row = rows[at - 1]
        if row.number in wanted and not is_key and (not is_own or mention.kind is MentionKind.DEFINITION):
            yield mention, row


def _cut_docstring(hunk: Sequence[Line]) -> tuple[str, str]:
    """Return the quotes that a hunk of Python lacks before it or behind it."""
    quoted = [line.text.strip() for line in hunk if line.text.count(_QUOTES) % 2]
    if len(quoted) % 2 == 0:
        return "", ""
    return (_QUOTES, "") if quoted[0].endswith(_QUOTES) else ("", _QUOTES)


def _own(mention: Mention) -> Mention | None:
    """Take off the mention what belongs to the code itself; None where nothing of it may be of a product."""
    path, origin = mention.path, mention.origin
    if mention.kind is MentionKind.FLAG:
        return mention
    if mention.kind is MentionKind.STRING:
        if path[-1] in _ENDINGS:
            return None
        origin = Origin.UNKNOWN
    if origin is Origin.IMPORTED and (path[0] in _OWN or path[0].startswith((".", "/", "~", "@/"))):
        return None
    if origin is Origin.UNKNOWN:
        path = tuple(part for part in path[:-1] if part not in _OWN) + path[-1:]
    if len(path) == 1 and (origin is Origin.IMPORTED or all_have(path[-1])):
        return None
    if len(path[-1]) < _SHORTEST and origin is Origin.UNKNOWN and not path[0][0].isupper():
        return None
    return replace(mention, path=path, origin=origin)
