"""Which product a question is about, and which product each version in it belongs to.

"py3.9 w/ django 5" is about django and states one version of it. Both are decided by the words around a name; the
catalogue is consulted only for a version that could belong to either of two names.
"""

from collections.abc import Sequence
from itertools import accumulate

from corpus.everyday_words import PLATFORMS
from retrieval.products.known import KnownProducts
from retrieval.products.names import NO_NAMES
from retrieval.question.tokens import Token, TokenKind

_AUXILIARIES = frozenset("do does did can could will would has have had is are was were should may".split())
_TAKING = frozenset(
    "drop drops dropped dropping support supports supported supporting unsupport kill killed abandon abandoned require"
    " requires required requiring need needs needed demand demands accept accepts vendor vendors bundle bundles target"
    " targets compatible minimum min maximum max lowest highest".split()
)
_SKIPPED_BEFORE_NAME = frozenset("the a an old older new newer its our any for of with initial native full".split())
_LISTING = frozenset(
    ", / & - \u2013 \u2014 -> => → and or to through thru vs versus over than up straight until".split()
)
_VERSION_NOUNS = frozenset("version versions v ver release releases series lts".split())
_BEFORE_VERSION = frozenset("( = == ~= >= <= \u2264 \u2265 > < ~ ^ @ - ' \" ` :".split())


def choose_subject(tokens: Sequence[Token], known: KnownProducts) -> tuple[str, ...]:
    """Return the likeliest product, then those listed with it; empty if none is named but platforms as dependencies."""
    positions = [i for i, token in enumerate(tokens) if token.kind is TokenKind.PRODUCT]
    if all(tokens[i].word in PLATFORMS and _is_object(tokens, i) for i in positions):
        return ()
    score = {i: _subject_score(tokens, i, positions=positions, known=known) for i in positions}
    subject = max(positions, key=lambda i: (score[i], -i))
    breaks_list = (token.kind is not TokenKind.VERSION and token.word not in _LISTING for token in tokens)
    breaks = tuple(accumulate(breaks_list, initial=0))
    listed_too = [
        tokens[i].product
        for i in positions
        if score[i] > -2 and tokens[max(i, subject) - 1].word in _LISTING
        if breaks[max(i, subject)] == breaks[min(i, subject) + 1]
    ]
    return tuple(dict.fromkeys((tokens[subject].product, *listed_too)))


def _subject_score(tokens: Sequence[Token], i: int, *, positions: Sequence[int], known: KnownProducts) -> int:
    """Return a score for the product named at `i`, one of the `positions` of products, to be the question's subject."""
    before = tokens[i - 1].word if i else ""
    score = int(i == positions[0])
    score += before in ("of", "in", "from", "by", "for")
    score -= 3 * _is_object(tokens, i)
    has_product = any(tokens[position].word not in PLATFORMS for position in positions)
    score -= 2 * (tokens[i].word in PLATFORMS and has_product)
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if following and following.version:
        score += 1 if known.has_release(following.version, (tokens[i].product,)) else -1
    return score


def _is_object(tokens: Sequence[Token], i: int) -> bool:
    """Return whether the name at `i` is a dependency: "dropped Pydantic 1", "Pydantic 1 support", "which Pydantic"."""
    j = i - 1
    while j >= 0 and tokens[j].word in _SKIPPED_BEFORE_NAME:
        j -= 1
    if j >= 0 and tokens[j].word in _TAKING:
        return True
    before = tokens[i - 1].word if i else ""
    words = [token.word for token in tokens[i + 1 : i + 4] if not token.version and token.word not in _VERSION_NOUNS]
    if before in ("which", "what"):
        is_place = i > 1 and tokens[i - 2].word in ("in", "with", "from", "since", "by")
        return words[:1] in (["did"], ["does"]) and not is_place
    return words[:1] == ["support"] and words[1:2] != ["for"] and before not in _AUXILIARIES


def find_owners(tokens: Sequence[Token], subjects: Sequence[str], known: KnownProducts) -> tuple[str | None, ...]:
    """Return the product that each version token belongs to, empty for one that the catalogue lacks; else None."""
    owners: list[str | None] = []
    for i, token in enumerate(tokens):
        owners.append(_find_owner(tokens, i, earlier=owners, subjects=subjects, known=known) if token.version else None)
    return tuple(owners)


def _find_owner(
    tokens: Sequence[Token], i: int, *, earlier: Sequence[str | None], subjects: Sequence[str], known: KnownProducts
) -> str | None:
    token = tokens[i]
    j = _skip_back(tokens, i - 1)
    if j < 0:
        return None
    listed = j
    while listed >= 0 and tokens[listed].word in _LISTING:
        listed -= 1
    if listed >= 0 and tokens[listed].kind is TokenKind.VERSION:
        return earlier[listed]
    name = tokens[j]
    if name.kind is TokenKind.PRODUCT:
        return name.product
    is_camel_case = name.kind is TokenKind.SYMBOL and name.text.isalnum()
    if (name.kind is not TokenKind.WORD and not is_camel_case) or name.word in NO_NAMES or name.word.isdecimal():
        return None
    # "Django Admin 5.1" begins with the product.
    begins = j == 0 or tokens[j - 1].product or tokens[j - 1].word in (".", "?", "!", ":")
    is_capital = name.text[0].isupper() and not begins
    # "pandas 2.2" names another product, "muon 2.9" a part of this one: decided by the catalogue.
    is_released = token.version is not None and known.has_release(token.version, subjects)
    is_foreign = name.word in PLATFORMS or is_capital or (known.has_releases(subjects) and not is_released)
    return "" if is_foreign else None


def _skip_back(tokens: Sequence[Token], j: int) -> int:
    """Return the last position up to `j` without a word like "version" or an operator, or -1."""
    while j >= 0 and (tokens[j].word in _VERSION_NOUNS or tokens[j].word in _BEFORE_VERSION):
        j -= 1
    return j
