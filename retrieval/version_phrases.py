"""From the versions of a question and the words around them to one constraint.

The grammar: a pair joined by a range word ("2.8 to 2.12", "from 4.2 straight to 5.1", "between 3.0 and 3.2"), or
single versions each with a limiting word ("before 3.0", "3.0 or later", "5.1+"), or plain versions ("in 2.5 and
in 2.6"). Whose versions they are is decided before (`question_subject`).
"""

from collections.abc import Callable, Sequence
from itertools import pairwise

from corpus.versions import Version, VersionConstraint
from retrieval.question_tokens import Token, TokenKind

_FILLERS = frozenset(
    """version versions v release releases series branch straight directly all the way up on over right immediately lts
    ' \" `""".split()
)
_TO = frozenset("to -> => → - \u2013 \u2014 \u2026 .. ... until till upto into".split())
_THROUGH = frozenset(("through", "thru"))
_STARTS_RANGE = frozenset("from on at between".split())
_LEAVING = frozenset(
    "upgrade upgrading upgraded migrate migrating migrated move moving update updating coming go going jump jumping"
    " switch switching bump bumping".split()
)
_POSSESSING = frozenset("i we i'm im we're were currently still run running stuck stay".split())
_WANTING = frozenset("want wants wanting need needing to towards get getting target targeting".split())
_CHANGING = frozenset(
    "break breaks change changes changed new need do adapt fix hit hits bite bites affect affects lose know".split()
)
_ALTERING = frozenset("changed changes new happened different removed added".split())
_PAST = frozenset("was were did had".split())
_ALTERNATIVES = frozenset(("or", "vs", "versus"))
_DIFFERING = frozenset("difference differences differ diff diffs compare compared comparison".split())

# Words right before a version, and what they make of it. "After 9.1" mostly means: after the upgrade to it.
_LIMITS: dict[tuple[str, ...], Callable[[Version], VersionConstraint]] = {
    tuple(phrase.split()): build
    for build, phrases in (
        (VersionConstraint.before, ("before", "pre -", "pre", "<", "prior to", "older than", "earlier than", "below")),
        (
            VersionConstraint.up_to,
            (
                "until",
                "till",
                "<=",
                "\u2264",
                "at most",
                "no later than",
                "not after",
                "to and including",
                "up to",
                "upto",
                "up until",
                "through",
            ),
        ),
        (VersionConstraint.after, (">", "newer than", "later than", "higher than", "above", "beyond", "past")),
        (
            VersionConstraint.since,
            (
                "since",
                "after",
                ">=",
                "\u2265",
                "at least",
                "no earlier than",
                "no older than",
                "not before",
                "\u2265",
                "post -",
                "as of",
                "starting with",
                "starting from",
            ),
        ),
    )
    for phrase in phrases
}
_ONWARD = frozenset("on onward onwards upward upwards forward up".split())
_LATER = frozenset("later newer above higher up upwards onwards after beyond".split())
_NOW = frozenset("now today date latest newest current".split())
_EARLIER = frozenset("earlier older below before lower".split())
_COMING_OUT = frozenset("released published out shipped announced launched".split())


def build_constraint(
    tokens: Sequence[Token], owned: Sequence[int], *, takes_both_ends: bool
) -> VersionConstraint | None:
    """The constraint that the versions at the positions `owned` state together; None when there are none.

    `takes_both_ends` says that a range is asked about as a course from one release to another ("how did it grow"),
    not as an upgrade that leaves the first behind.
    """
    if not owned:
        return None
    for first, last in pairwise(owned):
        constraint = _range(tokens, first, last)
        if constraint and takes_both_ends and constraint.low and constraint.high:
            return VersionConstraint.through(constraint.low, constraint.high)
        if constraint:
            return constraint
    limits = [_limit(tokens, i) for i in owned]
    plain = [_version(tokens[i]) for i, limit in zip(owned, limits, strict=True) if limit is None]
    # "5.6.7, any fixes in 5.6?": the line of a release that is named says nothing more.
    if not takes_both_ends and _ALTERNATIVES.isdisjoint(token.word for token in tokens):
        lines = {one.release[:length] for one in plain for length in range(1, len(one.release))}
        plain = [one for one in plain if one.release not in lines]
    if plain:
        return VersionConstraint.exactly(*plain)
    stated = [limit for limit in limits if limit is not None]
    low = next((limit for limit in stated if limit.low), None)
    high = next((limit for limit in stated if limit.high), None)
    if low and high and low.low and high.high and low.low < high.high:
        return VersionConstraint((), low.low, high.high, low.includes_low, high.includes_high)
    return stated[0]


def _version(token: Token) -> Version:
    assert token.version is not None
    return token.version


def _range(tokens: Sequence[Token], first: int, last: int) -> VersionConstraint | None:
    one, other = _version(tokens[first]), _version(tokens[last])
    low, high = min(one, other), max(one, other)
    if low == high:
        return None
    joint = {t.word for t in tokens[first + 1 : last] if t.kind is not TokenKind.PRODUCT and t.word not in _FILLERS}
    before = _words_before(tokens, first)[-1:]
    if joint and joint <= _THROUGH:
        return VersionConstraint.through(low, high)
    if joint and joint <= _TO:
        return VersionConstraint.between(low, high)
    if joint == {"and"} and before == ("between",):
        differing = any(token.word in _DIFFERING for token in tokens)
        return VersionConstraint.exactly(low, high) if differing else VersionConstraint.between(low, high)
    leads_to = _words_before(tokens, last)
    if before and before[0] in _STARTS_RANGE and leads_to and leads_to[-1] in _TO and one < other:
        return VersionConstraint.between(low, high)
    return VersionConstraint.between(low, high) if _leaves_one(tokens, first, last) else None


def _leaves_one(tokens: Sequence[Token], first: int, last: int) -> bool:
    """Whether the lower version is where somebody is and the higher where they go, in whatever order: "to 2.12 from
    2.8", "coming from 2.8, what do I need in 2.12", "I'm on 2.8 and want 2.12"."""
    if _version(tokens[first]) > _version(tokens[last]):
        aim, start = _words_before(tokens, first), _words_before(tokens, last)
        return start[-1:] == ("from",) and (aim[-1:] == ("to",) or (len(start) > 1 and start[-2] in _LEAVING))
    start = _words_before(tokens, first)
    if start[-1:] == ("from",):
        return len(start) > 1 and start[-2] in _LEAVING
    if start[-1:] != ("on",) or not set(start) & _POSSESSING:
        return False
    between = {token.word for token in tokens[first + 1 : last]}
    return bool(between & (_WANTING if "in" not in between else _CHANGING))


def _words_before(tokens: Sequence[Token], i: int) -> tuple[str, ...]:
    """The last three words before a version, without its product's name and the nouns that mean a version."""
    words = []
    for k in range(i - 1, -1, -1):
        token = tokens[k]
        is_skipped = token.kind is TokenKind.PRODUCT or token.word in ("version", "release", "v", "the", "'", '"', "`")
        if not is_skipped:
            words.append(token.word)
        if len(words) == 3:
            break
    return tuple(reversed(words))


def _limit(tokens: Sequence[Token], i: int) -> VersionConstraint | None:
    """What a version limits as it stands; None where it names just itself."""
    version, before = _version(tokens[i]), _words_before(tokens, i)
    after = tuple(token.word for token in tokens[i + 1 : i + 4] if token.word != "the")[:2]
    leads_on = i + 3 < len(tokens) and tokens[i + 3].kind is TokenKind.VERSION
    joined = after[-1] if after[:1] in (("or",), ("and",)) and not leads_on else ""
    if len(before) > 1 and before[-2] == "or" and before[-1] in ("after", "before"):
        return None
    if before[-1:] in (("before",), ("after",)) and before[-2:-1] and before[-2] in _COMING_OUT:
        return None  # "was 5.0.7 released before 5.1"
    if before[-1:] in (("~=",), ("^",)):
        return VersionConstraint((), version, _first_incompatible(version, before[-1]), includes_low=True)
    if after[:1] == ("+",) and tokens[i + 1].start == tokens[i].end:
        return VersionConstraint.since(version)
    if joined in _LATER:
        return VersionConstraint.since(version)
    if joined in _EARLIER:
        return VersionConstraint.up_to(version)
    if before[-2:] == ("as", "of") and any(token.word in _PAST for token in tokens):
        return None
    if before[-1:] == ("from",) and after[:1] != ("to",):
        if after[:1] and after[0] in _ONWARD:
            return VersionConstraint.since(version)
        return VersionConstraint.after(version) if len(before) > 1 and before[-2] in _LEAVING else None
    if after[:1] == ("to",) and after[-1] in _NOW:
        return VersionConstraint.after(version)
    if after[:1] and after[0] in ("onward", "onwards", "upwards"):
        return VersionConstraint.since(version)
    if before[-1:] == ("since",) and any(token.word in _ALTERING for token in tokens[:i]):
        return VersionConstraint.after(version)
    build = _LIMITS.get(before[-3:]) or _LIMITS.get(before[-2:]) or _LIMITS.get(before[-1:])
    return None if build is None else build(version)


def _first_incompatible(version: Version, operator: str) -> Version | None:
    """The version that a requirement stops before: `~=` keeps all components but the last (PEP 440), `^` the first
    that isn't zero (npm, Cargo). None where its number is longer than versions are."""
    kept = len(version.release) - 1 if operator == "~=" else 1
    while operator == "^" and kept < len(version.release) and not any(version.release[:kept]):
        kept += 1
    head = version.release[: max(kept, 1)]
    return Version.try_parse(".".join(map(str, (*head[:-1], head[-1] + 1))))
