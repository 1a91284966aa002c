"""Releases named by their place among the others: the latest, the last two, the one before 2.9.

What is counted are final releases; a product that has none yet is counted by what it has.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from corpus.catalogue import CatalogueRelease
from corpus.versions import Version, VersionConstraint
from retrieval.question_tokens import Token, TokenKind

_NUMBERS = {"two": 2, "couple": 2, "couple of": 2, "three": 3, "few": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_KIND = r"(?:minor |major |feature |stable |patch |point |P )*"
_BRANCHES = re.compile(r"\b(?:minor|major|feature)\b")
_NEW = r"(?:latest|newest|most recent|last|past)"
_LAST_FEW = re.compile(
    rf"\b{_NEW} (?P<count>\d{{1,2}}|{'|'.join(sorted(_NUMBERS, key=len, reverse=True))}) {_KIND}(?:versions|releases)\b"
)
# "The latest version that still supports Python 3.8" asks for a release; it doesn't name one.
_LATEST = re.compile(
    rf"\b(?:(?:latest|newest|most recent|current) {_KIND}(?:versions?|releases?|P|one)"
    rf"|last {_KIND}(?:version|release))\b"
    r"(?: (?:of|for) P)?+(?! (?:of|for|that|to|which|where|with|supporting|without|before|prior|V|N))"
    r"|^(?:and |or |what about |how about |in |the |for )*(?:latest|newest)$"
    r"|\b(?:in|of|with) the (?:very )?(?:latest|newest)$"
)
_BESIDE = re.compile(
    r"(?:\b(?:the|very|next|first|last|previous) (?:P )?(?P<noun>release|version|one) (?:of P )?"
    r"(?:right |just |immediately |directly |that came )?"
    r"|^what (?:came|comes|was|is) (?:out )?(?:right |just |immediately |directly ))"
    r"(?P<side>before|after|preceding|following|prior to|previous to)"
    r" (?:the )?(?:P )?(?:version |release )?V\b"
)
# "In the previous release", not "files that a previous release wrote".
_PLACED = r"(?:^|\b(?:in|of|about|and|than|from|to|over|vs|with|against) )(?:the |its )?(?:P )?"
_PREVIOUS = re.compile(
    rf"{_PLACED}(?:previous|prior|preceding) (?:P )?(?:release|version)\b"
    r"|\b(?:release|version|one) before(?: it| that)?$|^(?:and )?before that$"
)
_NEXT = re.compile(
    rf"{_PLACED}(?:next|following|subsequent) (?:P )?(?:release|version)\b"
    r"|\b(?:release|version|one) after(?: it| that)?$|^(?:and )?after that$"
)
_MERE_NEIGHBOUR = re.compile(
    r"(?:and |or |what |which |how |about |is |was |the )*(?:(?:previous|prior|preceding|next|following|subsequent) )?"
    r"(?:P )?(?:release|version|one)?(?: (?:of P|(?:before|after)(?: it| that)?))?|(?:and )?(?:before|after) that"
)
_NEWER_OR_OLDER = re.compile(
    r"\b(?:(?P<older>older|earlier|previous)|(?P<newer>newer|later)|other|another|every|all) (?:\w+ )?"
    r"(?:versions?|releases?|lines?|series|branch\w*)\b|\b(?P<onward>later|afterwards|since then)$"
)
_COMPARES_WITH_NEIGHBOUR = re.compile(
    r"\b(?:than|from|to|over|vs|versus|with|against|and|since) (?:the |its )?"
    r"(?:previous|prior|preceding|next|following) (?:P )?(?:version|release|one)\b"
)
LATEST = "latest"
"""The words for the newest release, however a question puts it."""


@dataclass(frozen=True, slots=True)
class NamedReleases:
    """Releases that a question names without their number, and its words for them."""

    constraint: VersionConstraint
    words: str


def find_latest(sketch: str, releases: Sequence[CatalogueRelease]) -> NamedReleases | None:
    """The latest release, or the last few, where the question names these; None where it doesn't or there are none."""
    finals = _finals(releases)
    if not finals:
        return None
    if few := _LAST_FEW.search(sketch):
        count = int(few["count"]) if few["count"].isdecimal() else _NUMBERS[few["count"]]
        listed = tuple(dict.fromkeys(version.series for version in finals)) if _BRANCHES.search(few[0]) else finals
        if count:
            return NamedReleases(VersionConstraint.exactly(*listed[:count]), few[0].replace("P ", ""))
    if _LATEST.search(sketch):
        return NamedReleases(VersionConstraint.exactly(finals[0]), LATEST)
    return None


def names_latest(sketch: str) -> bool:
    """Whether a question names the latest release or the last few, of whatever product."""
    return bool(_LAST_FEW.search(sketch) or _LATEST.search(sketch))


def find_beside(sketch: str, asked: Sequence[Version], releases: Sequence[CatalogueRelease]) -> NamedReleases | None:
    """The release before or after the only one of `asked`, where the question names it ("the release before 2.9")."""
    found = _BESIDE.search(sketch)
    if found is None or len(asked) != 1:
        return None
    is_later = found["side"] in ("after", "following")
    version = _neighbour(asked[0], releases, is_later=is_later)
    words = f"the {found['noun'] or 'release'} {found['side']} {asked[0]}"
    return NamedReleases(VersionConstraint.exactly(version), words) if version is not None else None


def find_neighbour(
    sketch: str, constraint: VersionConstraint | None, releases: Sequence[CatalogueRelease]
) -> NamedReleases | None:
    """The release before or after that of the conversation ("and in the previous version?"), before the latest one
    where it speaks of none; None where the question doesn't name it or it doesn't exist."""
    found = _PREVIOUS.search(sketch) or _NEXT.search(sketch)
    finals = _finals(releases)
    if found is None or not finals:
        return None
    is_later = _PREVIOUS.search(sketch) is None
    named = constraint.versions if constraint is not None else finals[:1]
    if len(named) != 1 or (is_later and constraint is None):
        return None
    version = _neighbour(named[0], releases, is_later=is_later)
    words = f"{'next' if is_later else 'previous'} release"
    return NamedReleases(VersionConstraint.exactly(version), words) if version is not None else None


def names_only_neighbour(sketch: str) -> bool:
    """Whether a follow-up says nothing but which release it means ("and the one before?")."""
    return bool(_MERE_NEIGHBOUR.fullmatch(sketch))


def _finals(releases: Sequence[CatalogueRelease]) -> tuple[Version, ...]:
    return tuple(release.version for release in stable_releases(releases))


def stable_releases(releases: Sequence[CatalogueRelease]) -> tuple[CatalogueRelease, ...]:
    """The final releases, newest first, without the very newest where it alone lacks a date and most have one: such a
    heading is of a release that isn't out. All where none is final."""
    finals = tuple(one for one in releases if not one.version.is_prerelease) or tuple(releases)
    dated = [place for place, one in enumerate(finals) if one.date is not None]
    is_pending = dated[:1] == [1] and 2 * len(dated) > len(finals)
    return finals[1:] if is_pending else finals


def _neighbour(version: Version, releases: Sequence[CatalogueRelease], *, is_later: bool) -> Version | None:
    """The next lower or higher release: of another series, as a series, where `version` is one ("2.9", not 2.9.1)."""
    finals = _finals(releases)
    if len(version.release) < 3:
        finals = tuple(dict.fromkeys(one.series for one in finals))
        version = version.series
    if is_later:
        return min((one for one in finals if one > version), default=None)
    return max((one for one in finals if one < version), default=None)


def sketch_question(tokens: Sequence[Token], products: Sequence[str], owned: Sequence[int]) -> str:
    """The question's form: words in lower case, with capital letters for names: `P` for the product asked
    about, `V` for one of its versions, `S` for code, `N` for other versions and products."""
    places = frozenset(owned)
    words = " ".join(filter(None, (_sketch_token(token, products, i in places) for i, token in enumerate(tokens))))
    return words.replace(" v V", " V")


def _sketch_token(token: Token, products: Sequence[str], is_owned: bool) -> str:
    if token.kind is TokenKind.VERSION:
        return "V" if is_owned else "N"
    if token.kind is TokenKind.PRODUCT:
        return "P" if token.product in products else "N"
    if token.kind is TokenKind.SYMBOL:
        return "S"
    if token.kind is TokenKind.MARK:
        return ""
    return "what is" if token.text.lower() in ("what's", "what\u2019s") else token.word


def compares_with_neighbour(sketch: str) -> bool:
    """Whether a release is set against the one beside it ("how does 2.9 differ from the previous release?")."""
    return bool(_COMPARES_WITH_NEIGHBOUR.search(sketch))


def carry_constraint(earlier: VersionConstraint | None, sketch: str) -> VersionConstraint | None:
    """What a follow-up keeps of the conversation's constraint: all of it, or what its "older lines" leave of it."""
    wanted = _NEWER_OR_OLDER.search(sketch)
    if wanted is None or earlier is None:
        return earlier
    if not earlier.versions:
        return None
    if wanted["older"]:
        return VersionConstraint.up_to(earlier.versions[-1])
    return VersionConstraint.since(earlier.versions[0]) if wanted["newer"] or wanted["onward"] else None
