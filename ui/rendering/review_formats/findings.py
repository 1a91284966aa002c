"""A review as a flat list of findings, each at one line of the diff: what the machine formats have in common."""

from dataclasses import dataclass
from enum import StrEnum

from corpus.model import Kind
from corpus.versions import Version
from retrieval.code_usage.model import Usage
from retrieval.drafting import shorten
from retrieval.model import Citation
from retrieval.reviews.model import Review, ReviewedBump, ReviewedSymbol
from retrieval.upgrades.model import UpgradeItem
from ui.rendering.review_formats.disarming import on_one_line


class Rule(StrEnum):
    """What a finding is about; the values are identifiers in SARIF and rdjsonl."""

    REMOVAL = "removal"
    BREAKING = "breaking"
    DEPRECATION = "deprecation"
    SECURITY = "security"
    SYMBOL = "symbol"
    """A touched symbol of which release notes speak."""
    UPGRADE = "upgrade"
    """Several findings of one bump, counted."""


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
    title: str
    """One line: the product and what happens to it."""
    summary: str
    """One line in the words of the source."""
    citation: Citation
    product: str
    start: str | None
    """The version before; None for a symbol."""
    end: str | None
    symbols: tuple[str, ...]
    usages: tuple[Usage, ...]

    @property
    def words(self) -> str:
        """The summary with the release that it is of, on one line; several findings have no release in common."""
        if self.rule is Rule.UPGRADE:
            return self.summary
        return on_one_line(f"in {self.citation.version or self.citation.product}: {self.summary}")


_PLACE_CHARACTERS = 300
SUMMARY_CHARACTERS = 600
_RULES = {Kind.REMOVAL: Rule.REMOVAL, Kind.DEPRECATION: Rule.DEPRECATION, Kind.SECURITY: Rule.SECURITY}
_TITLES = {
    Rule.REMOVAL: "removed",
    Rule.BREAKING: "breaking change",
    Rule.DEPRECATION: "deprecated",
    Rule.SECURITY: "security fix",
}


def list_findings(review: Review) -> tuple[Finding, ...]:
    """The findings of a review: bump by bump as the review ranks their items, security after them, symbols last."""
    of_bumps = (_of_item(bump, item) for bump in review.bumps for item in (*bump.items, *bump.security))
    return (*of_bumps, *(_of_symbol(symbol) for symbol in review.symbols if symbol.citations))


def is_downgrade(bump: ReviewedBump) -> bool:
    """Whether a bump steps back: then the security fixes of its range are lost."""
    start, end = Version.try_parse(bump.start), Version.try_parse(bump.end)
    return start is not None and end is not None and end < start


def rule_of(kind: Kind) -> Rule:
    """The rule of an item; what neither removes, deprecates nor mends a hole may break."""
    return _RULES.get(kind, Rule.BREAKING)


def place_of(citation: Citation) -> str:
    """Where the quote stands, on one line: its headings, or the document; cut where it is long."""
    place = " › ".join(citation.heading) or citation.title or citation.source
    return shorten(on_one_line(place), max_characters=_PLACE_CHARACTERS)


def _of_item(bump: ReviewedBump, item: UpgradeItem) -> Finding:
    rule = rule_of(item.kind)
    is_lost = rule is Rule.SECURITY and is_downgrade(bump)
    return Finding(
        rule=rule,
        level=_level(rule, is_used=bool(item.usages) or is_lost),
        file=bump.bump.file,
        line=bump.bump.line,
        title=on_one_line(f"{bump.product} {bump.start} → {bump.end}: {_TITLES[rule]}{' lost' if is_lost else ''}"),
        summary=shorten(on_one_line(item.summary), max_characters=SUMMARY_CHARACTERS),
        citation=item.citation,
        product=bump.product,
        start=bump.start,
        end=bump.end,
        symbols=item.symbols,
        usages=item.usages,
    )


def _of_symbol(symbol: ReviewedSymbol) -> Finding:
    citation = symbol.citations[0]
    return Finding(
        rule=Rule.SYMBOL,
        level=Level.NOTE,
        file=symbol.file,
        line=symbol.line,
        title=on_one_line(f"{symbol.symbol} in the release notes of {symbol.product}"),
        summary=on_one_line(f"The notes speak of {symbol.symbol}"),
        citation=citation,
        product=symbol.product,
        start=None,
        end=None,
        symbols=(symbol.symbol,),
        usages=(),
    )


def _level(rule: Rule, *, is_used: bool) -> Level:
    if rule in (Rule.DEPRECATION, Rule.SECURITY):
        return Level.WARNING if is_used else Level.NOTE
    return Level.ERROR if is_used else Level.WARNING
