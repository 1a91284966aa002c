"""The names on the lines that a diff adds or removes; which product each belongs to is decided elsewhere."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from corpus.dependencies.model import Line, split_parts
from corpus.everyday_words import is_everyday
from retrieval.code_usage.files import NO_CODE
from retrieval.code_usage.matching import comes_from, has_several_words, plain
from retrieval.code_usage.model import Kind, Name
from retrieval.code_usage.reading import read_names
from retrieval.reviews.diff import FileDiff
from retrieval.reviews.products import is_lock_name

MAX_TOUCHED, _LONGEST_LINE = 5_000, 2_000
_IMPORT = re.compile(r"\s*(?:import\b|from\s+\S+\s+import\b|use\s|#\s*include\b|(?:const|let|var)\s.*\brequire\()")
_WORD = re.compile(r"[A-Za-z]\w+")
_OWN = frozenset({"", "crate", "super", "self", "this", "Self", "cls"})
_SHORTEST_ODD_WORD = 5
_QUOTES = '"' * 3


@dataclass(frozen=True, slots=True)
class Touched:
    """A name on a changed line."""

    name: Name  # With its import resolved, if the diff or the file shows it.
    file: str
    line: int  # From 1: after the change for an added line, before it for a removed one.
    is_added: bool
    is_kept: bool
    """Whether it is on both added and removed lines of the file, so that the diff neither adds nor removes it."""
    near: frozenset[str]  # The words of its line, as `plain` writes them.

    @property
    def symbol(self) -> str:
        """The name with its known qualifiers: `numpy.product`, or `is_ajax`."""
        path = self.name.path
        is_whole = self.name.is_imported or (len(path) <= 2 and not path[-1].startswith("-"))
        return ".".join(path) if is_whole else path[-1]

    @property
    def is_specific(self) -> bool:
        """Whether the name's last part is distinctive: of several words, or long and not everyday English."""
        last = self.name.path[-1]
        return has_several_words(last.strip("-_")) or (len(last) >= _SHORTEST_ODD_WORD and not is_everyday(last))

    def is_surely_of(self, roots: frozenset[str]) -> bool:
        """Return whether the diff itself shows that it belongs to the product with `roots`, see `product_roots`."""
        before = self.name.path[:-1]
        if self.name.is_imported:
            return comes_from(before, roots)
        owners = before if self.name.kind is Kind.SETTING else before[:1]
        return any(plain(word) in roots for word in owners)

    def is_surely_of_another(self, roots: frozenset[str]) -> bool:
        """Return whether the diff itself shows that it doesn't belong to the product with `roots`."""
        is_option = self.name.path[-1].startswith("-") and len(self.name.path) > 1
        return (is_option or self.name.is_imported) and not self.is_surely_of(roots)


def find_touched(files: Iterable[FileDiff], *, texts: Mapping[str, str] | None = None) -> tuple[Touched, ...]:
    """Return the names on changed lines, once for each file, in the diff's order, added lines first; at most 5,000.

    `texts` are whole files by path, if available: they have imports that the hunks don't show.
    """
    touched: dict[tuple[tuple[str, ...], str], Touched] = {}
    for file in files:
        whole = (texts or {}).get(file.path, "")
        sides = (file.after, file.added, file.path_after), (file.before, file.removed, file.path_before)
        for shown, changed, path in sides:
            for name, line in _names_on(path, shown, changed, whole) if path and changed else ():
                near = frozenset(map(plain, _WORD.findall(line.text[:_LONGEST_LINE])))
                use = Touched(name, path or "", line.number, changed is file.added, False, near)
                earlier = touched.setdefault((name.path, use.file), use)
                if earlier.is_added is not use.is_added:
                    touched[name.path, use.file] = replace(earlier, is_kept=True)
                if len(touched) >= MAX_TOUCHED:
                    return tuple(touched.values())
    return tuple(touched.values())


def _names_on(path: str, shown: Sequence[Line], changed: Sequence[Line], whole: str) -> Iterator[tuple[Name, Line]]:
    """Yield each name on a `changed` line that may belong to a product, with its line; none in manifests and locks."""
    file = PurePosixPath(path)
    is_manifest = file.name in ("composer.json", "go.mod") or is_lock_name(file.name)
    if is_manifest or file.suffix.lower() in NO_CODE:
        return
    rows = [Line(0, line) for line in whole.split("\n") if _IMPORT.match(line)]
    for hunk in split_parts(shown):
        # Read each hunk by itself; open or close a docstring that the hunk cuts.
        quoted = [line.text.strip() for line in hunk if line.text.count(_QUOTES) % 2] if file.suffix == ".py" else []
        is_cut = len(quoted) % 2 == 1
        is_begun = is_cut and quoted[0].endswith(_QUOTES)
        rows += [Line(0, _QUOTES * is_begun), *hunk, Line(0, _QUOTES * (is_cut and not is_begun))]
    text = "\n".join(row.text if len(row.text) <= _LONGEST_LINE else "" for row in rows)
    wanted = {line.number for line in changed}
    read = read_names(path, text, any_ending=True)
    for name in read.names if read else ():
        row = rows[name.line - 1]
        is_option = name.path[-1].startswith("-")
        if row.number in wanted and (is_option or (file.name != "package.json" and _may_belong_to_product(name))):
            owners = (
                name.path[:-1]
                if is_option or name.is_imported
                else (part for part in name.path[:-1] if part not in _OWN)
            )
            yield name._replace(path=(*owners, name.path[-1])), row


def _may_belong_to_product(name: Name) -> bool:
    """Return whether a name may belong to a product: not a relative import, a bare module or a file name."""
    path = name.path
    if name.is_imported:
        return len(path) > 1 and path[0] not in _OWN and not path[0].startswith((".", "/", "~", "@/"))
    return f".{path[-1]}" not in NO_CODE  # `requirements.txt` is a file.
