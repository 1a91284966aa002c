"""Whether a statement of release notes speaks of a name that a diff touches, and how surely."""

import re
from typing import NamedTuple

from retrieval.code_usage.matching import agrees, has_several_words, plain
from retrieval.code_usage.model import Kind
from retrieval.reviews.touched import Touched

_QUALIFIERS = r"(?P<before>(?:[\w$]+[!?]?(?:\([^()\n]*\))?(?:\.|::|\#|->|\\|/))*)"
_GOES_ON = re.compile(r"\([^()]+\)?\.|\([^()]*\(|(?:\.|::)\w")  # `np.array(x).sum()` is an example with the name in it.
_ASIDE = re.compile(
    r"(?:[(\[]|, |= |\b(?:from|import|use|using|of|by|with|to|calls?|see|prefer|like|via|since) (?::[\w:]+:)?[`*~]*)$",
    re.IGNORECASE,
)
"""Before a name: it stands in an example, or in place of what the words are about ("use `start` instead")."""
_MIN_OWNER = 4
_SHORTEST_ARGUMENT = 3


class FoundName(NamedTuple):
    """A name in a statement; the later the better."""

    is_subject: bool  # Whether the words are about it, rather than about what it replaces or goes along with.
    fit: int
    """How surely notes and code mean the same: 0 for an everyday word, written as code; 1 for a name that nobody uses
    by chance; 2 where what stands before it agrees too, or the code shows that it is the product's."""


def find_fit(touched: Touched, words: str, roots: frozenset[str]) -> FoundName | None:
    """Return the best of the places where `words` speak of the name as one of the product of `roots`; None for none."""
    name = touched.name.path[-1]
    found = []
    for match in re.finditer(rf"{_QUALIFIERS}(?<![\w$-]){re.escape(name)}(?![\w-])", words) if name in words else ():
        fit = None if _GOES_ON.match(words, match.end()) else _fit(touched, words, roots, match)
        if fit is not None:
            found.append(FoundName(not _ASIDE.search(words[: match.start()]), fit))
    return max(found, default=None)


def _fit(touched: Touched, words: str, roots: frozenset[str], match: re.Match[str]) -> int | None:
    *owners, name = touched.name.path
    is_sure, is_option = touched.is_surely_of(roots), name.startswith("-")
    if qualifiers := tuple(part for part in re.split(r"\W+", match["before"]) if part):
        if touched.name.is_imported and touched.name.kind is Kind.NAME:
            return 2 if agrees(qualifiers, owners, roots) else None
        # A variable is named for its class, in full or by its last word: a `socket` is a `WebSocket`.
        owner, around = plain(qualifiers[-1]), touched.near | {plain(part) for part in owners}
        if any(owner == word or (len(word) >= _MIN_OWNER and owner.endswith(word)) for word in around):
            return 2
        return 1 if touched.is_specific else None
    behind, in_front = words[match.end() : match.end() + 1], words[: match.start()][-1:]
    is_code = behind in tuple("(=`") or (in_front in tuple("`@~'\"") and behind != " ") or in_front == behind == "*"
    if touched.is_specific and (is_code or has_several_words(name) or is_option):
        return 1 + is_sure
    # The notes name what takes the argument beside it.
    is_argument = touched.name.kind is Kind.ARGUMENT and bool(owners) and len(name) >= _SHORTEST_ARGUMENT
    is_taken = is_argument and re.search(rf"\b{re.escape(owners[-1])}\b", words)
    return 0 if is_code and (is_sure or is_taken) and not is_option else None
