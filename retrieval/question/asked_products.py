"""Which product a question is about, and to whom each version in it belongs.

"py3.9 w/ django 5" is about django and states one version of it. The roles are read off the grammar around a name;
only a version that could belong to either side is looked up in the catalogue.
"""

from collections.abc import Sequence
from itertools import accumulate

from corpus.everyday_words import PLATFORMS
from retrieval.products.known import KnownProducts
from retrieval.products.names import COMPARATIVES, EVERYDAY_NAMES, NO_NAMES
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
_BOUNDING = frozenset("before below above after under over".split())
_TAKING_A_NAME = _TAKING | {"on", "with", "using", "for"}
_BEFORE_VERSION = frozenset("( = == ~= >= <= \u2264 \u2265 > < ~ ^ @ - ' \" ` :".split())


def choose_subject(tokens: Sequence[Token], known: KnownProducts) -> tuple[str, ...]:
    """Choose the products that a question is about, most likely first; empty where it names none but as a platform."""
    positions = [i for i, token in enumerate(tokens) if token.kind is TokenKind.PRODUCT]
    if all(tokens[i].word in PLATFORMS and _is_object(tokens, i) for i in positions):
        return ()
    score = {i: _subject_score(tokens, i, positions=positions, known=known) for i in positions}
    subject = max(positions, key=lambda i: (score[i], -i))
    breaks_list = (token.kind is not TokenKind.VERSION and token.word not in _LISTING for token in tokens)
    breaks = tuple(accumulate(breaks_list, initial=0))
    beside = [
        tokens[i].product
        for i in positions
        if score[i] > -2 and abs(i - subject) > 1 and breaks[max(i, subject)] == breaks[min(i, subject) + 1]
    ]
    return tuple(dict.fromkeys((tokens[subject].product, *beside)))


def _subject_score(tokens: Sequence[Token], i: int, *, positions: Sequence[int], known: KnownProducts) -> int:
    before = tokens[i - 1].word if i else ""
    score = int(i == positions[0])
    score += before in ("of", "in", "from", "by", "for")
    score -= 3 * _is_object(tokens, i)
    is_beside_another = any(tokens[other].word not in PLATFORMS for other in positions)
    score -= 2 * (tokens[i].word in PLATFORMS and is_beside_another)
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if following and following.version:
        score += 1 if known.has_release(following.version, (tokens[i].product,)) else -1
    return score


def _is_object(tokens: Sequence[Token], i: int) -> bool:
    """Return whether a name is taken or dropped: "dropped Pydantic 1", "Pydantic 1 support", "which Pydantic does"."""
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
    """For each token, the product whose version it is, empty for one that isn't in the catalogue; None for versions
    that nobody claims, and for all that isn't a version."""
    owners: list[str | None] = []
    for i, token in enumerate(tokens):
        owners.append(_find_owner(tokens, i, earlier=owners, subjects=subjects, known=known) if token.version else None)
    return tuple(owners)


def _find_owner(
    tokens: Sequence[Token], i: int, *, earlier: Sequence[str | None], subjects: Sequence[str], known: KnownProducts
) -> str | None:
    token = tokens[i]
    following = [other for other in tokens[i + 1 : i + 4] if other.word not in _VERSION_NOUNS]
    if len(following) > 1 and following[0].word == "of" and following[1].kind is TokenKind.PRODUCT:
        return following[1].product
    j = _skip_back(tokens, i - 1)
    if j < 0:
        return None
    if (bounded := _bounded(tokens, j)) is not None:
        return bounded
    listed = j
    while listed >= 0 and tokens[listed].word in _LISTING:
        listed -= 1
    if listed >= 0 and tokens[listed].kind is TokenKind.VERSION:
        return earlier[listed]
    name = tokens[j]
    if name.kind is TokenKind.PRODUCT:
        return name.product
    is_camel_case = name.kind is TokenKind.SYMBOL and name.text.isalnum()
    # "Is Go 1.21", "needs go 1.21": there an everyday word stands as a name does.
    is_proper = j > 0 and (name.text[0].isupper() or tokens[j - 1].word in _TAKING_A_NAME)
    if name.word in NO_NAMES & EVERYDAY_NAMES and is_proper:
        return ""
    if (name.kind is not TokenKind.WORD and not is_camel_case) or name.word in NO_NAMES or name.word.isdecimal():
        return None
    whole = tokens[j - 1].product if j and name.word not in PLATFORMS else ""
    if whole and token.version is not None and known.has_release(token.version, (whole,)):
        return whole  # "Django Admin 5.1"
    starts_sentence = j == 0 or tokens[j - 1].word in (".", "?", "!", ":")
    is_capital = name.text[0].isupper() and not starts_sentence
    # "pandas 2.2" or "muon 2.9": a name of its own or a word of the question; the catalogue decides.
    is_released = token.version is not None and known.has_release(token.version, subjects)
    is_foreign = name.word in PLATFORMS or is_capital or (known.has_releases(subjects) and not is_released)
    return "" if is_foreign else None


def _bounded(tokens: Sequence[Token], j: int) -> str | None:
    """Return whose version the words of a comparison that end at `j` bound ("kernels older than", "Django before");
    None where they are none, or stand behind what has none of its own ("removed before")."""
    if j and tokens[j].word == "than" and tokens[j - 1].word in COMPARATIVES:
        j -= 1
    elif tokens[j].word not in _BOUNDING:
        return None
    name = tokens[_skip_back(tokens, j - 1)] if j else tokens[j]
    return "" if name.word.removesuffix("s") in PLATFORMS else name.product or None


def _skip_back(tokens: Sequence[Token], j: int) -> int:
    while j >= 0 and (tokens[j].word in _VERSION_NOUNS or tokens[j].word in _BEFORE_VERSION):
        j -= 1
    return j
