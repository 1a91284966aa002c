"""The versions that lines of a diff state of the products of an index, whatever the file's format.

For files that `corpus.dependencies` doesn't read: a name of the catalogue on a changed line or just above it, with one
version on the old side and another on the new one. Enough to look names up in the notes of that range, too little to
list it as a bump.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from corpus.catalogue import CatalogueProduct
from corpus.dependencies.model import Line
from corpus.dependencies.reading import is_dependency_file
from corpus.dependencies.unread import unread_tool
from corpus.versions import Version
from retrieval.code_usage.loading import is_plain
from retrieval.code_usage.product_roots import hold_many_packages, plain, product_roots
from retrieval.reviews.diff import Diff
from retrieval.reviews.model import VersionRange

_VERSION = re.compile(r"(?<![\w.])v?(?P<version>\d+(?:\.\d+)+(?:-(?:alpha|beta|rc)[\w.]*)?)")
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*")
_LINES_ABOVE = 3
_LONGEST_NAME = 3


def words_of(text: str) -> frozenset[str]:
    """Each word of a text, and each few in a row that may be one name, as `plain` writes them."""
    words = [plain(word) for word in _WORD.findall(text)]
    return frozenset("".join(words[at : at + n]) for n in range(1, _LONGEST_NAME + 1) for at in range(len(words)))


def stated_ranges(diff: Diff, products: Sequence[CatalogueProduct]) -> dict[str, VersionRange]:
    """The range that the lines of unread dependency files and configuration state of each product, by its name."""
    names = {
        root: product.name
        for product in products
        if not hold_many_packages(roots := product_roots((product.name, *product.aliases)))
        for root in roots
    }
    ranges: dict[str, VersionRange] = {}
    for file in diff.files:
        name = PurePosixPath(file.path)
        if not (unread_tool(file.path, file.added) or is_dependency_file(file.path) or is_plain(name, "")):
            continue
        old, new = _stated(file.before, file.removed, names), _stated(file.after, file.added, names)
        for product in old.keys() & new.keys():
            low, high = sorted((old[product], new[product]))
            if low < high:
                ranges.setdefault(product, VersionRange(low, high))
    return ranges


def _stated(shown: Sequence[Line], changed: Sequence[Line], names: Mapping[str, str]) -> dict[str, Version]:
    """The first version that the changed lines state of each product."""
    texts = {line.number: line.text for line in shown}
    stated: dict[str, Version] = {}
    for line in changed:
        if (found := _VERSION.search(line.text)) is None or (version := Version.try_parse(found["version"])) is None:
            continue
        for number in range(line.number, line.number - _LINES_ABOVE - 1, -1):
            if told := words_of(texts.get(number, "")) & names.keys():
                for name in told:
                    stated.setdefault(names[name], version)
                break
    return stated
