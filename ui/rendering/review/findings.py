"""A review as a flat list of findings, each at one line of the diff: what the machine formats have in common.

Of the hundreds that a bump may have at its one line, those that the code uses and those about vulnerabilities stay
apart; the others are counted in one finding, with the gravest of them.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from corpus.versions import Version
from retrieval.blocks import markdown_words
from retrieval.code_usage.model import Usage
from retrieval.model import Citation
from retrieval.quoting.wording import shorten
from retrieval.reviews.model import Review, ReviewedBump
from retrieval.upgrades.model import UpgradeItem
from ui.rendering.markup import on_one_line
from ui.rendering.rules import RULE_HEADINGS, RULE_WORDS, Rule, rule_of
from ui.rendering.words import counted


def nothing_found(review: Review) -> str:
    """Return what a review without bumps and symbols says."""
    more = "; some of it couldn't be looked up" if review.unknown else ""
    return f"The release notes say nothing about what this diff changes{more}."


class Level(StrEnum):
    """How much a finding matters, in the words of SARIF."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that release notes say of one line of the diff."""

    rule: Rule
    level: Level
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

    @property
    def words(self) -> str:
        """The summary with the release that it is of, on one line; several findings have no release in common."""
        if self.rule is Rule.UPGRADE:
            return self.summary
        return on_one_line(f"in {self.citation.version or self.citation.product}: {self.summary}")


@dataclass(frozen=True, slots=True)
class Limits:
    """How many findings of one bump stand by themselves."""

    used: int  # Of those that the code uses.
    security: int
    others: int


SHOWN_FILES = 10  # Of those that make one bump alike; there may be thousands.
SHOWN_NOTES = 10
LINE_LIMITS = Limits(used=20, security=10, others=0)  # For comments and annotations on a line of the diff.
_SUMMARY_CHARACTERS = 600
_PLACE_CHARACTERS = 200  # The end of a path tells more than its beginning.
_LEVELS = tuple(Level)
_GRAVE = (Level.WARNING, Level.ERROR)  # What is removed or breaks: where it isn't seen in use, and where it is.
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


def sections_of(bump: ReviewedBump) -> Iterator[tuple[Rule | None, str, tuple[UpgradeItem, ...]]]:
    """Yield the items under headings: what the code uses (None), what the range mends, then the others by rule."""
    if used := tuple(item for item in bump.items if item.usages):
        yield None, "In use here", used
    if bump.security:
        heading = f"Security fixes{' lost' * is_downgrade(bump)}"
        yield Rule.SECURITY, heading, tuple(sorted(bump.security, key=lambda item: not item.usages))
    for rule, heading in RULE_HEADINGS.items():
        if items := tuple(item for item in bump.items if not item.usages and rule_of(item.kind) is rule):
            yield rule, heading, items


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


def list_findings(review: Review) -> tuple[Finding, ...]:
    """List the findings of a review: bumps as the review ranks their items, security after them, symbols last."""
    return (*(finding for bump in review.bumps for finding in _of_items(bump)), *_of_symbols(review))


def condensed_findings(review: Review, limits: Limits) -> tuple[Finding, ...]:
    """Cut each bump's findings to `limits`, in order, with one that counts the others; of a bump that several files
    make alike they stand at the first, and the count at the next few, which says how many more there are."""
    found: list[Finding] = []
    for group in groups_of(review.bumps):
        if not (findings := _of_items(group[0])):
            continue
        used = [finding for finding in findings if finding.usages]
        security = [finding for finding in findings if finding.rule is Rule.SECURITY and not finding.usages]
        others = [finding for finding in findings if finding.rule is not Rule.SECURITY and not finding.usages]
        found += (*used[: limits.used], *security[: limits.security], *others[: limits.others])
        left = (*used[limits.used :], *others[limits.others :], *security[limits.security :])
        if left:
            found.append(_counting(left, is_all=len(left) == len(findings)))
        count = _counting((*used, *others, *security), is_all=True)
        found += (replace(count, file=bump.bump.file, line=bump.bump.line) for bump in group[1:SHOWN_FILES])
        if more := len(group[SHOWN_FILES:]):
            same = f"The same bump in {counted(more, 'more file')}."
            found[-1] = replace(found[-1], summary=f"{found[-1].summary} {same}")
    return (*found, *_of_symbols(review))


def _counting(left: Sequence[Finding], *, is_all: bool) -> Finding:
    """One finding that counts `left` by kind, and cites the gravest; a single one stands for itself."""
    if len(left) == 1:
        return left[0]
    gravest = min(left, key=lambda finding: _LEVELS.index(finding.level))
    counts = Counter(finding.rule for finding in left)
    kinds = ", ".join(counted(counts[rule], *words[2:]) for rule, words in RULE_WORDS.items() if counts[rule])
    used = sum(bool(finding.usages) for finding in left)
    use = f"{used} of them in use here" if used else "none of them seen in use here"
    range_of = gravest.title.rpartition(": ")[0]
    summary = on_one_line(f"{kinds}; {use}. The gravest, {gravest.words}")
    return replace(
        gravest,
        rule=Rule.UPGRADE,
        title=on_one_line(f"{range_of}: {len(left)} {'' if is_all else 'more '}changes"),
        summary=shorten(summary, max_characters=_SUMMARY_CHARACTERS),
        symbols=(),
    )


def _of_items(bump: ReviewedBump) -> list[Finding]:
    findings = []
    for item in (*bump.items, *bump.security):
        rule = rule_of(item.kind)
        is_lost = rule is Rule.SECURITY and is_downgrade(bump)
        levels = (Level.NOTE, Level.WARNING) if rule in (Rule.DEPRECATION, Rule.SECURITY) else _GRAVE
        what = f"{RULE_WORDS[rule][1]}{' lost' if is_lost else ''}"
        finding = Finding(
            rule=rule,
            level=levels[bool(item.usages) or is_lost],
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
        findings.append(finding)
    return findings


def _of_symbols(review: Review) -> list[Finding]:
    return [
        Finding(
            rule=Rule.SYMBOL,
            level=Level.NOTE,
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
