"""The role of each version in a question: the one that somebody runs, their target, the one asked about.

The classifier was trained on `evals/training/version_roles.jsonl` by `python -m evals.training.readers`. Products and
other versions are masked, so that it works for any product. Rules turn the roles into one constraint: a course from one
release to another, one or two bounds, or the releases named.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise

from corpus.versions import Version, VersionConstraint
from retrieval.model import Form
from retrieval.products.known import KnownProducts
from retrieval.question.asked_products import find_owners
from retrieval.question.forms import reader_named
from retrieval.question.tokens import Token, TokenKind


class Role(StrEnum):
    """What a version is in a question."""

    ASKED = "asked"
    NOW = "now"  # The one that somebody runs, or starts from.
    LEFT = "left"  # The one that still worked, or that they came from.
    TARGET = "target"  # The one that they moved to, or want to.
    SINCE = "since"
    AFTER = "after"
    BEFORE = "before"
    UP_TO = "up to"
    ASIDE = "aside"  # One mentioned but not asked about: they can't use it, or quote somebody.
    OTHER = "other"  # A version of something else, such as the platform.
    NONE = "none"  # No version at all: a count, a code, an amount.


NOT_STATED = frozenset({Role.ASIDE, Role.OTHER, Role.NONE})  # Roles that constrain no releases.
_BOUNDS: dict[Role, Callable[[Version], VersionConstraint]] = {
    Role.SINCE: VersionConstraint.since,
    Role.AFTER: VersionConstraint.after,
    Role.BEFORE: VersionConstraint.before,
    Role.UP_TO: VersionConstraint.up_to,
}
_NEAR, _FAR, _WINDOW = 3, 6, 30
_NOUNS = frozenset("version versions v ver release releases the".split())
_LINES = frozenset("branch line series train".split())
_SHORT = 3
_BARE = re.compile(r"[vV]?[0-9]{1,3}")


def read_roles(tokens: Sequence[Token], products: Sequence[str], known: KnownProducts) -> dict[int, Role]:
    """Return the role of each version, and each number that may be one, in a question about `products`, by position."""
    numbered = number_tokens(tokens)
    owners = find_owners(tokens, products, known)
    is_known = known.has_releases(products)
    positions, terms = [], []
    for i, token in enumerate(numbered):
        if token.version:
            is_released = known.has_release(token.version, products) if is_known else None
            positions.append(i)
            terms.append(role_terms(numbered, i, owner=owners[i], products=products, is_released=is_released))
    if not positions:
        return {}
    reader = reader_named("version_roles")
    likeliest = reader.probabilities(terms, None, digest="").argmax(axis=1)
    return {i: Role(reader.labels[label]) for i, label in zip(positions, likeliest, strict=True)}


def promote_numbers(
    tokens: Sequence[Token], roles: Mapping[int, Role], products: Sequence[str], known: KnownProducts
) -> tuple[Token, ...]:
    """Return the tokens, with numbers as versions if `products` have such a release, or, without products, if the
    question names both the start of an upgrade and its target."""
    is_course = {Role.NOW, Role.TARGET} <= set(roles.values())

    def is_version(number: Version, role: Role) -> bool:
        is_plausible = known.has_release(number, products) if products else is_course
        return is_plausible and role not in NOT_STATED

    return tuple(
        replace(numbered, kind=TokenKind.VERSION)
        if numbered.version and is_version(numbered.version, roles[i])
        else token
        for i, (token, numbered) in enumerate(zip(tokens, number_tokens(tokens), strict=True))
    )


def build_constraint(
    tokens: Sequence[Token], owned: Sequence[int], roles: Sequence[Role], *, form: Form
) -> VersionConstraint | None:
    """Return the constraint that the versions at the positions `owned` express in their `roles`, or None."""
    # "To 3.20 from 3.21" may be read as two targets; in "3.20 to latest" the target has no number.
    is_left = [
        (role is Role.TARGET and i and tokens[i - 1].word == "from")
        or [token.word for token in tokens[i + 1 : i + 3]] in (["to", "latest"], ["to", "newest"])
        for i, role in zip(owned, roles, strict=True)
    ]
    roles = [Role.LEFT if left else role for left, role in zip(is_left, roles, strict=True)]
    stated = [(role, version) for i, role in zip(owned, roles, strict=True) if (version := tokens[i].version)]
    running = [i for i, role in zip(owned, roles, strict=True) if role is Role.NOW]

    def in_role(*wanted: Role) -> list[Version]:
        return [version for role, version in stated if role in wanted]

    focus, start, target = in_role(Role.ASKED), in_role(Role.NOW, Role.LEFT), in_role(Role.TARGET)
    if form is not Form.LATEST:
        # "We run 5.6.7, any fixes in 5.6?": naming the branch that somebody runs adds nothing.
        lines = {number.release[:length] for number in (*start, *target) for length in range(1, len(number.release))}
        focus = [number for number in focus if number.release not in lines]
    if form is Form.LATEST:
        # "We stay on the 2.5 branch, what's the last one there?"
        of_line = [i for i in running if tokens[i + 1 : i + 2] and tokens[i + 1].word in _LINES]
        focus = focus or [number for i in of_line if (number := tokens[i].version)]
    if form.traits.is_move and not start and target:
        start = [number for number in focus if number < min(target)]
    # "Did it change between 1.4 and 2.0?": one may be read as the version that somebody runs.
    if not target and start and (form.traits.is_move or form is Form.COMPARE or in_role(Role.LEFT)):
        target = [number for number in focus or in_role(Role.NOW) if number > min(start)]
    if form is Form.SHOULD_UPGRADE and start and target and min(start) > max(target):
        # A downgrade passes no release: the interval is empty, and its ends say what is asked.
        return VersionConstraint(low=min(start), high=max(target), includes_high=True)
    if start and target and min(start) != max(target):
        wild = {tokens[i].version: tokens[i].text for i in owned if tokens[i].text.lower().endswith((".x", ".*"))}
        ends = sorted((min(start), max(target)))
        low, high = (replace(end, label=wild.get(end, end.label)) for end in ends)
        is_course = form is Form.COMPARE
        return VersionConstraint.through(low, high) if is_course else VersionConstraint.between(low, high)
    if named := focus or target:
        is_floor = form is Form.SYMPTOM and len(named) == 1
        return VersionConstraint.since(*named) if is_floor else VersionConstraint.exactly(*named)
    if bounds := [_BOUNDS[role](version) for role, version in stated if role in _BOUNDS]:
        lower = next((bound for bound in bounds if bound.low), bounds[0])
        upper = next((bound for bound in bounds if bound.high), bounds[0])
        if lower.low and upper.high and lower.low < upper.high:
            return VersionConstraint((), lower.low, upper.high, lower.includes_low, upper.includes_high)
        return bounds[0]
    if not start or form.traits.is_everywhere:
        return None
    if form.traits.is_move or (form.traits.is_news and in_role(Role.LEFT)):
        return VersionConstraint.after(max(start))
    if in_role(Role.NOW) and form is not Form.SYMPTOM:
        return VersionConstraint.exactly(*in_role(Role.NOW))
    return VersionConstraint.since(max(start))


def number_tokens(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """Return the tokens; each number without a dot also gets the version that it could be."""
    return tuple(
        replace(token, version=Version.try_parse(token.text))
        if token.kind is TokenKind.WORD and _BARE.fullmatch(token.text)
        else token
        for token in tokens
    )


def role_terms(
    numbered: Sequence[Token], i: int, *, owner: str | None, products: Sequence[str], is_released: bool | None
) -> set[str]:
    """Return the features of the number at `i` for the classifier of roles: the words around it, how it is written, its
    owner, and whether the product has such a release (None: unknown)."""
    owned = f"owner:{None if owner is None else owner in products}"
    return {*_context_terms(numbered, i), owned, f"released:{is_released}", f"{owned} released:{is_released}"}


def _context_terms(tokens: Sequence[Token], i: int) -> Iterator[str]:
    """Yield the features of the number at `i` from the words and versions around it."""
    token, version = tokens[i], tokens[i].version
    before = [_mask(tokens, k, i) for k in range(max(0, i - _FAR), i)]
    after = [_mask(tokens, k, i) for k in range(i + 1, min(len(tokens), i + 1 + _FAR))]
    yield from _side_terms("<", ["^", *before][::-1] if i <= _FAR else before[::-1])
    yield from _side_terms(">", [*after, "$"] if i + _FAR >= len(tokens) else after)
    bare = [word for word in ["^", *before] if word not in _NOUNS and word != "PRODUCT"]
    yield from (f"skip:{' '.join(bare[-count:])}" for count in (1, 2, 3))
    yield f"form:{token.text[:1].isalpha()}:{len(version.release) if version else 0}:{token.kind is TokenKind.VERSION}"
    glued = (i > 0 and tokens[i - 1].end == token.start, i + 1 < len(tokens) and tokens[i + 1].start == token.end)
    yield f"glued:{tokens[i - 1].text if glued[0] else ''}:{tokens[i + 1].text if glued[1] else ''}"
    near = range(max(0, i - _WINDOW), min(len(tokens), i + 1 + _WINDOW))
    others = [k for k in near if tokens[k].version and k != i]
    yield f"others:{min(len(others), 3)}"
    for k in others:
        yield f"other:{'before' if k < i else 'after'}:{_compare(tokens, k, i)}"
    for step, beside in ((-1, [k for k in others if k < i][-1:]), (1, [k for k in others if k > i][:1])):
        for k in beside:
            joint = [_mask(tokens, j, i) for j in range(min(i, k) + 1, max(i, k))]
            order = _compare(tokens, k, i)
            if len(joint) <= _SHORT:
                yield f"joint{step}:{order}:{' '.join(joint)}"
            yield from (f"between{step}:{order}:{word}" for word in set(joint))
            lead = [_mask(tokens, j, i) for j in range(max(0, min(i, k) - 2), min(i, k))]
            yield f"lead{step}:{order}:{' '.join(lead[-1:])}"
    yield from {f"has:{_mask(tokens, k, i)}" for k in near if tokens[k].kind is TokenKind.WORD}


def _side_terms(mark: str, words: Sequence[str]) -> Iterator[str]:
    """Yield features of the words on one side, given nearest first."""
    yield from (f"{mark}{place}:{word}" for place, word in enumerate(words[:_NEAR]))
    yield from (f"{mark}:{word}" for word in set(words))
    yield from (f"{mark}pair:{word} {following}" for word, following in pairwise(words[:_NEAR]))
    yield f"{mark}all:{' '.join(words[:_NEAR])}"


def _mask(tokens: Sequence[Token], k: int, i: int) -> str:
    token = tokens[k]
    if token.kind is TokenKind.PRODUCT:
        return "PRODUCT"
    if token.kind is TokenKind.SYMBOL:
        return "CODE"
    if token.version:
        return f"VERSION:{_compare(tokens, k, i)}"
    return "NUMBER" if token.word.isdecimal() else token.word


def _compare(tokens: Sequence[Token], k: int, i: int) -> str:
    """Return how the version at `k` compares with the number at `i`: "same", "lower", its "line", "within" it …"""
    version, number = tokens[k].version, tokens[i].version
    if version is None or number is None:
        return "?"
    if version == number:
        return "same"
    if number.release[: len(version.release)] == version.release:
        return "line"
    if version.release[: len(number.release)] == number.release:
        return "within"
    return "lower" if version < number else "higher"
