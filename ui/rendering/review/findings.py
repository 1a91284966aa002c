"""What all formats of a review have in common: its bumps in groups, and a flat list of findings for machines.

Of the hundreds that a bump may have at its one line, people are shown the first and how many more there are.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice

from corpus.model import Kind
from corpus.versions import Version
from retrieval.blocks import markdown_words
from retrieval.code_usage.model import Usage
from retrieval.model import Citation
from retrieval.quoting.wording import shorten
from retrieval.reviews.model import Review, ReviewedBump
from ui.rendering.markup import on_one_line
from ui.rendering.words import counted


class Rule(StrEnum):
    """What a finding is about; the values are identifiers in SARIF, and what a review may fail on."""

    REMOVAL = "removal"
    BREAKING = "breaking"
    DEPRECATION = "deprecation"
    SECURITY = "security"
    SYMBOL = "symbol"  # A touched symbol of which release notes speak.


_RULES = {Kind.REMOVAL: Rule.REMOVAL, Kind.DEPRECATION: Rule.DEPRECATION, Kind.SECURITY: Rule.SECURITY}
_SAID = {
    Rule.REMOVAL: "removed",
    Rule.BREAKING: "breaking change",
    Rule.DEPRECATION: "deprecated",
    Rule.SECURITY: "security fix",
}


def rule_of(kind: Kind) -> Rule:
    """Return the rule of an item; what neither removes, deprecates nor mends a hole may break."""
    return _RULES.get(kind, Rule.BREAKING)


def nothing_found(review: Review) -> str:
    """Return what a review without bumps and symbols says."""
    more = "; some of it couldn't be looked up" if review.unknown else ""
    return f"The release notes say nothing about what this diff changes{more}."


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that release notes say of one line of the diff."""

    rule: Rule
    file: str
    line: int
    title: str  # One line: the product and what happens to it.
    summary: str  # One line in the words of the source.
    citation: Citation
    product: str
    symbols: tuple[str, ...]
    start: str | None = None  # The version before; None for a symbol.
    end: str | None = None
    usages: tuple[Usage, ...] = ()


MOST_OF_A_BUMP = 30  # Of the items of a bump; `json` has them all.
SHOWN_FILES = 10  # Of those that make one bump alike; there may be thousands.
SHOWN_NOTES = 10
_SUMMARY_CHARACTERS = 600
_PLACE_CHARACTERS = 200  # The end of a path tells more than its beginning.
Bumps = tuple[ReviewedBump, ...]


def is_downgrade(bump: ReviewedBump) -> bool:
    """Return whether a bump steps back: then the security fixes of its range are lost."""
    start, end = Version.try_parse(bump.start), Version.try_parse(bump.end)
    return start is not None and end is not None and end < start


def groups_of(bumps: Iterable[ReviewedBump]) -> tuple[Bumps, ...]:
    """Bumps that several files make alike, together, in the order of the first, which has the items."""
    groups: dict[int, list[ReviewedBump]] = {}
    for place, bump in enumerate(bumps):
        groups.setdefault(place if bump.same_as is None else bump.same_as, []).append(bump)
    return tuple(tuple(group) for group in groups.values())


def left_out(bump: ReviewedBump) -> str:
    """Return how many items of a bump aren't shown; empty for none."""
    more = len(bump.items) + len(bump.security) - MOST_OF_A_BUMP
    return f"{more} more: `relnotes review --format json` has them all." if more > 0 else ""


def notes_of(group: Bumps) -> tuple[str, ...]:
    """Return the notes on bumps that several files make alike, each once; of many the first, and how many more."""
    notes = tuple(dict.fromkeys(note for bump in group for note in bump.notes))
    more = len(notes) - SHOWN_NOTES
    return (*notes[:SHOWN_NOTES], *([f"{counted(more, 'more note')}."] if more > 0 else ()))


def places_of(group: Bumps, *, most: int = SHOWN_FILES) -> str:
    """Return where bumps that several files make alike stand: the first `most`, and how many more."""
    places = [f"{bump.bump.file}:{bump.bump.line}" for bump in group[:most]]
    cut = _PLACE_CHARACTERS
    shown = ", ".join(place if len(place) <= cut else f"…{place[-cut:]}" for place in places)
    return shown + (f" and {len(group) - most:,} more" if len(group) > most else "")


def list_findings(review: Review, *, most: int | None = None) -> tuple[Finding, ...]:
    """List the findings of a review, symbols last; of each bump the first `most`, what the code uses before security
    and the others."""
    return (*(finding for bump in review.bumps for finding in islice(_of_items(bump), most)), *_of_symbols(review))


def _of_items(bump: ReviewedBump) -> Iterator[Finding]:
    for item in sorted((*bump.security, *bump.items), key=lambda item: not item.usages):
        rule = rule_of(item.kind)
        is_lost = rule is Rule.SECURITY and is_downgrade(bump)
        what = f"{_SAID[rule]}{' lost' if is_lost else ''}"
        yield Finding(
            rule=rule,
            file=bump.bump.file,
            line=bump.bump.line,
            title=on_one_line(f"{bump.product} {bump.start} → {bump.end}: {what}"),
            summary=shorten(on_one_line(markdown_words(item.summary)), max_characters=_SUMMARY_CHARACTERS),
            citation=item.citation,
            product=bump.product,
            start=bump.start,
            end=bump.end,
            symbols=item.symbols,
            usages=item.usages,
        )


def _of_symbols(review: Review) -> list[Finding]:
    return [
        Finding(
            rule=Rule.SYMBOL,
            file=symbol.file,
            line=symbol.line,
            title=on_one_line(f"{symbol.symbol} in the release notes of {symbol.product}"),
            summary=on_one_line(f"The notes speak of {symbol.symbol}"),
            citation=symbol.citations[0],
            product=symbol.product,
            symbols=(symbol.symbol,),
        )
        for symbol in review.symbols
        if symbol.citations
    ]
