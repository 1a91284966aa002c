"""Which product a question is about, and to whom each version in it belongs.

"py3.9 w/ django 5" is about django and states one version of it; 3.9 belongs to a name that isn't the subject.
The roles are read off the grammar around a name; only a version that could belong to either side is looked up in
the catalogue.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from retrieval.products.known import KnownProducts
from retrieval.products.names import NO_NAMES, PLATFORMS
from retrieval.question.tokens import Token, TokenKind

_AUXILIARIES = frozenset("do does did can could will would has have had is are was were should may".split())
_HOLDERS = frozenset("you we i docs documentation index corpus".split())
"""Who has or needs versions of what they are asked about: "which pytest versions do you have"."""
_DROPPING = frozenset(
    "drop drops dropped dropping support supports supported supporting unsupport kill killed abandon abandoned".split()
)
_TAKING = _DROPPING | frozenset(
    "require requires required requiring need needs needed demand demands accept accepts vendor vendors bundle bundles"
    " target targets compatible".split()
)
_BESIDE = frozenset("on with w/ under against using via alongside has have".split())
_BEING = frozenset("is are was were be been".split())
_DROPPED = frozenset("supported unsupported dropped required needed accepted".split())
_SHIPPING = frozenset("ships shipped ship comes came come bundled included vendored".split())
_ENDING = frozenset("end ends ended ending stop stops stopped cease ceased disappear go".split())
_LIMITS = frozenset("minimum min maximum max lowest highest".split())
_SKIPPED_BEFORE_NAME = frozenset("the a an old older new newer its our any for of with initial native full".split())
_LISTING = frozenset(
    ", / & - \u2013 \u2014 -> => → and or to through thru vs versus over than up straight until".split()
)
_VERSION_NOUNS = frozenset("version versions v ver release releases series lts".split())
_BEFORE_VERSION = frozenset("( = == ~= >= <= \u2264 \u2265 > < ~ ^ @ - ' \" ` :".split())

_NO_NAME_ENDINGS = ("ing", "ed", "tion", "tions", "ment", "ments", "ly")


@dataclass(frozen=True, slots=True)
class Owner:
    """Whose version it is: `product` is empty where the name isn't in the catalogue."""

    name: str
    product: str


def choose_subject(tokens: Sequence[Token], known: KnownProducts) -> tuple[str, ...]:
    """The products that a question is about, most likely first; empty when it names none, or only as a platform."""
    positions = [i for i, token in enumerate(tokens) if token.kind is TokenKind.PRODUCT]
    if not positions:
        return ()
    names = {tokens[i].product for i in positions}
    if len(names) == 1 and all(_is_dropped(tokens, i) for i in positions):
        return ()
    score = {i: _subject_score(tokens, i, positions=positions, known=known) for i in positions}
    subject = max(positions, key=lambda i: (score[i], -i))
    breaks = tuple(accumulate((not _continues_list(token) for token in tokens), initial=0))
    beside = [
        tokens[i].product
        for i in positions
        if score[i] > -2 and abs(i - subject) > 1 and breaks[max(i, subject)] == breaks[min(i, subject) + 1]
    ]
    return tuple(dict.fromkeys((tokens[subject].product, *beside)))


def _subject_score(tokens: Sequence[Token], i: int, *, positions: Sequence[int], known: KnownProducts) -> int:
    before = tokens[i - 1].word if i else ""
    score = int(i == positions[0])
    score += 2 * (before in _AUXILIARIES)
    start = i - 2 if before == "of" and i > 2 and tokens[i - 2].word in _VERSION_NOUNS else i
    is_asked_for = start > 0 and tokens[start - 1].word in ("which", "what") and not _is_place_asked(tokens, start)
    score -= 2 * (is_asked_for and i != positions[-1])
    is_host = before == "with" and i > 1 and tokens[i - 2].word in _SHIPPING
    score += 2 if is_host else -(before in _BESIDE)
    score += before in ("of", "in", "from", "by", "for")
    score -= 3 * _is_object(tokens, i, _TAKING)
    is_beside_another = any(tokens[other].word not in PLATFORMS for other in positions)
    score -= 2 * (tokens[i].word in PLATFORMS and is_beside_another)
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if following and following.word in _VERSION_NOUNS and following.kind is TokenKind.WORD:
        score += 2
    if following and following.version:
        score += 1 if known.has_release(following.version, (tokens[i].product,)) else -1
    return score


def _is_place_asked(tokens: Sequence[Token], i: int) -> bool:
    """Whether "which" before a name asks for the release where something happened: "in which pytest release did"."""
    is_placed = i > 1 and tokens[i - 2].word in ("in", "with", "from", "since", "by")
    return is_placed and i + 1 < len(tokens) and tokens[i + 1].word in ("release", "releases", "version")


def _is_dropped(tokens: Sequence[Token], i: int) -> bool:
    return _is_object(tokens, i, _DROPPING)


def _is_object(tokens: Sequence[Token], i: int, verbs: frozenset[str]) -> bool:
    """Whether a name is what something drops or supports: "dropped Python 3.9", "which Python did", "Python 3.14
    support"."""
    j = i - 1
    while j >= 0 and tokens[j].word in _SKIPPED_BEFORE_NAME:
        j -= 1
    if j >= 0 and tokens[j].word in verbs | _LIMITS:
        return True
    if i and tokens[i - 1].word in ("which", "what") and not _is_place_asked(tokens, i):
        rest = [token.word for token in tokens[i + 1 : i + 6] if token.word not in _VERSION_NOUNS]
        is_catalogue = rest[:1] == ["do"] and not _HOLDERS.isdisjoint(rest[1:4])
        return rest[:1] in (["did"], ["does"], ["do"]) and not is_catalogue
    after = i + 1
    while after < len(tokens) and (tokens[after].kind is TokenKind.VERSION or tokens[after].word == "v"):
        after += 1
    words = [token.word for token in tokens[after : after + 3]]
    if words[:1] == ["support"]:
        if words[1:2] and words[1] in _ENDING:
            return True
        return words[1:2] != ["for"] and not (i and tokens[i - 1].word in _AUXILIARIES - _BEING)
    if words[:1] and words[0] in _BEING:
        return any(word in _DROPPED for word in words[1:])
    return bool(i and tokens[i - 1].word in _BEING and words[:1] and words[0] in _DROPPED)


def _continues_list(token: Token) -> bool:
    return token.kind is TokenKind.VERSION or token.word in _LISTING


def find_owners(tokens: Sequence[Token], subjects: Sequence[str], known: KnownProducts) -> tuple[Owner | None, ...]:
    """For each token, whose version it is; None for versions that nobody claims, and for all that isn't a version."""
    owners: list[Owner | None] = []
    for i, token in enumerate(tokens):
        owners.append(_find_owner(tokens, i, earlier=owners, subjects=subjects, known=known) if token.version else None)
    return tuple(owners)


def _find_owner(
    tokens: Sequence[Token],
    i: int,
    *,
    earlier: Sequence[Owner | None],
    subjects: Sequence[str],
    known: KnownProducts,
) -> Owner | None:
    token = tokens[i]
    following = [other for other in tokens[i + 1 : i + 4] if other.word not in _VERSION_NOUNS]
    if len(following) > 1 and following[0].word == "of" and following[1].kind is TokenKind.PRODUCT:
        return Owner(following[1].word, following[1].product)
    j = _skip_back(tokens, i - 1)
    if j < 0:
        return None
    if tokens[j].kind is TokenKind.VERSION:
        return earlier[j]
    listed = j
    while listed >= 0 and tokens[listed].word in _LISTING:
        listed -= 1
    if 0 <= listed < j and tokens[listed].kind is TokenKind.VERSION:
        return earlier[listed]
    if tokens[j].word == "to" and (named := _skip_back(tokens, j - 1)) >= 0 and _is_name(tokens[named]):
        j = named  # "raise the minimum Python version to 3.11", "upgrade Django to 5.1"
    is_apposition = tokens[j].word == "," and (i + 1 == len(tokens) or tokens[i + 1].kind is TokenKind.MARK)
    name = tokens[j - 1] if is_apposition and j else tokens[j]
    if name.kind is TokenKind.PRODUCT:
        return Owner(name.word, name.product)
    is_camel_case = name.kind is TokenKind.SYMBOL and name.text.isalnum()
    if (name.kind is not TokenKind.WORD and not is_camel_case) or name.word in NO_NAMES or name.word.isdecimal():
        return None
    whole = tokens[j - 1].product if j and not is_apposition and name.word not in PLATFORMS else ""
    if whole and token.version is not None and known.has_release(token.version, (whole,)):
        return Owner(tokens[j - 1].word, whole)  # "Django Admin 5.1"
    misspelt = known.product_mistyped_as(name.word)
    nearest = "" if misspelt else known.product_nearly_called(name.word)
    if nearest and token.version is not None and known.has_release(token.version, (nearest,)):
        misspelt = nearest
    starts_sentence = j == 0 or tokens[j - 1].word in (".", "?", "!", ":")
    is_proper = name.text[0].isupper() and not starts_sentence and not is_apposition
    if misspelt or name.word in PLATFORMS or is_proper:
        return Owner(name.word, misspelt)
    # "pandas 2.2" or "muon 2.9": a name of its own or a word of the question; the catalogue decides.
    is_free = name.word.endswith(_NO_NAME_ENDINGS) or not known.has_releases(subjects)
    is_released = token.version is not None and known.has_release(token.version, subjects)
    return None if is_free or is_released else Owner(name.word, "")


def _is_name(token: Token) -> bool:
    return token.kind is TokenKind.PRODUCT or (
        token.kind is TokenKind.WORD
        and token.word not in NO_NAMES
        and (token.word in PLATFORMS or token.text[0].isupper())
    )


def _skip_back(tokens: Sequence[Token], j: int) -> int:
    while j >= 0 and (tokens[j].word in _VERSION_NOUNS or tokens[j].word in _BEFORE_VERSION):
        if tokens[j].word == "-" and j and tokens[j - 1].kind is TokenKind.VERSION:
            break
        j -= 1
    return j
