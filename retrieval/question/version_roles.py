"""The role of each version in a question, read by example: where somebody is, where they go, what is asked about.

The model was learned from `evals/training/version_roles.jsonl` by `python -m evals.training.readers`. Products and
other versions are masked, so that roles are read for any product; what a role makes of a version is decided in
`retrieval.releases.phrases`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from itertools import pairwise

from corpus.versions import Version
from retrieval.products.asked import Owner, find_owners
from retrieval.products.known import KnownProducts
from retrieval.question.forms import reader_named
from retrieval.question.tokens import Token, TokenKind


class Role(StrEnum):
    """What a version is in a question."""

    ASKED = "asked"
    NOW = "now"
    """What somebody runs, or where they start from."""
    LEFT = "left"
    """What it worked with, or what they came from."""
    TARGET = "target"
    """What they went to, or want to go to."""
    SINCE = "since"
    AFTER = "after"
    BEFORE = "before"
    UP_TO = "up to"
    ASIDE = "aside"
    """One that isn't asked about: they can't go there, somebody says so."""
    OTHER = "other"
    """Of something else: what it runs on."""
    NONE = "none"
    """No version at all: a count, a code, an amount."""


NOT_STATED = frozenset({Role.ASIDE, Role.OTHER, Role.NONE})
"""Versions that aren't of what is asked about."""
_NEAR, _FAR, _WINDOW = 3, 6, 30
_NOUNS = frozenset("version versions v ver release releases the".split())
_SHORT = 3
_BARE = re.compile(r"[vV]?[0-9]{1,3}")


def read_roles(tokens: Sequence[Token], products: Sequence[str], known: KnownProducts) -> dict[int, Role]:
    """The role of each version in a question about `products`, and of each number that could be one, by position."""
    numbered = number_tokens(tokens)
    owners = find_owners(tokens, products, known)
    is_told = known.has_releases(products)
    found, terms = [], []
    for i, token in enumerate(numbered):
        if token.version:
            is_released = known.has_release(token.version, products) if is_told else None
            found.append(i)
            terms.append(role_terms(numbered, i, owner=owners[i], products=products, is_released=is_released))
    if not found:
        return {}
    reader = reader_named("version_roles")
    likeliest = reader.probabilities(terms, None, digest="").argmax(axis=1)
    return {i: Role(reader.labels[label]) for i, label in zip(found, likeliest, strict=True)}


def promote_numbers(
    tokens: Sequence[Token], roles: Mapping[int, Role], products: Sequence[str], known: KnownProducts
) -> tuple[Token, ...]:
    """Read numbers without a dot as versions where they have the role of one and `products` such a release
    ("any improvements in 17?"), or without a product where they are the course of an upgrade."""
    is_course = {Role.NOW, Role.TARGET} <= set(roles.values())

    def is_version(number: Version, role: Role) -> bool:
        is_one = known.has_release(number, products) if products else is_course
        return is_one and role not in NOT_STATED

    return tuple(
        replace(numbered, kind=TokenKind.VERSION)
        if numbered.version and is_version(numbered.version, roles[i])
        else token
        for i, (token, numbered) in enumerate(zip(tokens, number_tokens(tokens), strict=True))
    )


def find_stated(
    tokens: Sequence[Token], owners: Sequence[Owner | None], products: Sequence[str], roles: Mapping[int, Role]
) -> tuple[int, ...]:
    """The positions of the versions that a question states of `products`: nobody else's, and in no role that
    isn't of what is asked about."""
    return tuple(
        i
        for i, token in enumerate(tokens)
        if token.version and roles[i] not in NOT_STATED and ((owner := owners[i]) is None or owner.product in products)
    )


def number_tokens(tokens: Sequence[Token]) -> tuple[Token, ...]:
    """The tokens, each number without a dot with the version that it could be."""
    return tuple(
        replace(token, version=Version.try_parse(token.text))
        if token.kind is TokenKind.WORD and _BARE.fullmatch(token.text)
        else token
        for token in tokens
    )


def role_terms(
    numbered: Sequence[Token], i: int, *, owner: Owner | None, products: Sequence[str], is_released: bool | None
) -> set[str]:
    """What the reader of roles looks at in the number at `i`: the words around it, how it compares with the other
    numbers and what stands between, how it is written, whose it is and whether the product has such a release (None:
    nobody knows)."""
    whose = f"owner:{owner.product in products if owner else None}"
    return {*_terms(numbered, i), whose, f"released:{is_released}", f"{whose} released:{is_released}"}


def _terms(tokens: Sequence[Token], i: int) -> Iterator[str]:
    token = tokens[i]
    before = [_mask(tokens, k, i) for k in range(max(0, i - _FAR), i)]
    after = [_mask(tokens, k, i) for k in range(i + 1, min(len(tokens), i + 1 + _FAR))]
    yield from _side("<", ["^", *before][::-1] if i <= _FAR else before[::-1])
    yield from _side(">", [*after, "$"] if i + _FAR >= len(tokens) else after)
    bare = [word for word in ["^", *before] if word not in _NOUNS and word != "PRODUCT"]
    yield "skip:" + " ".join(bare[-1:])
    yield "skip:" + " ".join(bare[-2:])
    yield "skip:" + " ".join(bare[-3:])
    yield f"form:{token.text[:1].isalpha()}:{_places(token)}:{token.kind is TokenKind.VERSION}"
    glued = (i > 0 and tokens[i - 1].end == token.start, i + 1 < len(tokens) and tokens[i + 1].start == token.end)
    yield f"glued:{tokens[i - 1].text if glued[0] else ''}:{tokens[i + 1].text if glued[1] else ''}"
    near = range(max(0, i - _WINDOW), min(len(tokens), i + 1 + _WINDOW))
    others = [k for k in near if tokens[k].version and k != i]
    yield f"others:{min(len(others), 3)}"
    for k in others:
        yield f"other:{'before' if k < i else 'after'}:{_order(tokens, k, i)}"
    for step, beside in ((-1, [k for k in others if k < i][-1:]), (1, [k for k in others if k > i][:1])):
        for k in beside:
            joint = [_mask(tokens, j, i) for j in range(min(i, k) + 1, max(i, k))]
            order = _order(tokens, k, i)
            if len(joint) <= _SHORT:
                yield f"joint{step}:{order}:{' '.join(joint)}"
            yield from (f"between{step}:{order}:{word}" for word in set(joint))
            lead = [_mask(tokens, j, i) for j in range(max(0, min(i, k) - 2), min(i, k))]
            yield f"lead{step}:{order}:{' '.join(lead[-1:])}"
    yield from {f"has:{_mask(tokens, k, i)}" for k in near if tokens[k].kind is TokenKind.WORD}


def _side(mark: str, words: Sequence[str]) -> Iterator[str]:
    """Words on one side, the nearest first."""
    yield from (f"{mark}{place}:{word}" for place, word in enumerate(words[:_NEAR]))
    yield from (f"{mark}:{word}" for word in set(words))
    yield from (f"{mark}pair:{word} {other}" for word, other in pairwise(words[:_NEAR]))
    yield f"{mark}all:{' '.join(words[:_NEAR])}"


def _mask(tokens: Sequence[Token], k: int, i: int) -> str:
    token = tokens[k]
    if token.kind is TokenKind.PRODUCT:
        return "PRODUCT"
    if token.kind is TokenKind.SYMBOL:
        return "CODE"
    if token.version:
        return f"VERSION:{_order(tokens, k, i)}"
    return "NUMBER" if token.word.isdecimal() else token.word


def _order(tokens: Sequence[Token], k: int, i: int) -> str:
    """How the version at `k` compares with the number at `i`."""
    one, other = tokens[k].version, tokens[i].version
    if one is None or other is None:
        return "?"
    if one == other:
        return "same"
    if other.release[: len(one.release)] == one.release:
        return "line"
    if one.release[: len(other.release)] == other.release:
        return "within"
    return "lower" if one < other else "higher"


def _places(token: Token) -> int:
    return len(token.version.release) if token.version else 0
