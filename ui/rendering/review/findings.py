"""Shared by the Markdown of a review and `--fail-on`: its bumps in groups, and a flat list of findings.

A bump may have hundreds of findings at its one line: people see the first and a count of the rest.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from corpus.model import Change, Kind
from corpus.versions import Version
from retrieval.blocks import markdown_words
from retrieval.quoting.wording import shorten
from retrieval.reviews.model import Review, ReviewedBump
from ui.rendering.markup import on_one_line
from ui.rendering.words import counted


class Rule(StrEnum):
    """The kind of a finding; the values are those of `--fail-on`."""

    REMOVAL = "removal"
    BREAKING = "breaking"
    DEPRECATION = "deprecation"
    SECURITY = "security"


_RULES: Mapping[Kind | Change, Rule] = {
    Kind.REMOVAL: Rule.REMOVAL,
    Kind.DEPRECATION: Rule.DEPRECATION,
    Kind.SECURITY: Rule.SECURITY,
}
_TITLES = {
    Rule.REMOVAL: "removed",
    Rule.BREAKING: "breaking change",
    Rule.DEPRECATION: "deprecated",
    Rule.SECURITY: "security fix",
}


def rule_of(kind: Kind | Change) -> Rule:
    """Return the rule of an item's kind: breaking, unless it is a removal, a deprecation or a security fix."""
    return _RULES.get(kind, Rule.BREAKING)


MAX_BUMP_ITEMS = 30  # Items shown of a bump; `json` has all of them.
SHOWN_FILES = 10  # Files shown of those with the same bump, which may be thousands.
SHOWN_NOTES = 10
_SUMMARY_CHARACTERS = 600
_PLACES = 3
_PLACE_CHARACTERS = 200  # Longer paths lose their beginning, because the end identifies the file.
Bumps = tuple[ReviewedBump, ...]


def is_downgrade(bump: ReviewedBump) -> bool:
    """Return whether a bump goes to a lower version, which loses the security fixes of its range; else False."""
    start, end = Version.try_parse(bump.start), Version.try_parse(bump.end)
    return start is not None and end is not None and end < start


def groups_of(bumps: Iterable[ReviewedBump]) -> tuple[Bumps, ...]:
    """Group equal bumps of several files, in the order of each group's first, which alone has the items."""
    groups: dict[int, list[ReviewedBump]] = {}
    for place, bump in enumerate(bumps):
        groups.setdefault(place if bump.same_as is None else bump.same_as, []).append(bump)
    return tuple(tuple(group) for group in groups.values())


def notes_of(group: Bumps) -> tuple[str, ...]:
    """Return the notes on a group of equal bumps, each once: the first 10, and a count of the rest."""
    notes = tuple(dict.fromkeys(note for bump in group for note in bump.notes))
    more = len(notes) - SHOWN_NOTES
    return (*notes[:SHOWN_NOTES], *([f"{counted(more, 'more note')}."] if more > 0 else ()))


def places_of(group: Bumps) -> str:
    """Return the places of a group of equal bumps: `FILE:LINE` of the first three, and a count of the rest."""
    places = [f"{bump.bump.file}:{bump.bump.line}" for bump in group[:_PLACES]]
    length = _PLACE_CHARACTERS
    shown = ", ".join(place if len(place) <= length else f"…{place[-length:]}" for place in places)
    return shown + (f" and {len(group) - _PLACES:,} more" if len(group) > _PLACES else "")


def list_findings(review: Review) -> Iterator[tuple[Rule, str]]:
    """Yield the kind of each finding of a review's bumps, and a line about it; of each bump those with usages first."""
    for bump in review.bumps:
        for item in sorted((*bump.security, *bump.items), key=lambda item: not item.usages):
            rule = rule_of(item.kind)
            is_lost = rule is Rule.SECURITY and is_downgrade(bump)
            title = f"{bump.product} {bump.start} → {bump.end}: {_TITLES[rule]}{' lost' if is_lost else ''}"
            summary = shorten(on_one_line(markdown_words(item.summary)), max_characters=_SUMMARY_CHARACTERS)
            yield rule, on_one_line(f"{bump.bump.file}:{bump.bump.line} ({title}): {summary}")
