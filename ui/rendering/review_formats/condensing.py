"""The findings of a review, few enough to be read: what a bump has beyond that is counted in one finding of its own.

A bump over many releases has hundreds of findings, all at the one line that states the version. Those that the code
uses and those about vulnerabilities stay apart; a reader is told of the others once, with the gravest of them.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from retrieval.drafting import shorten
from retrieval.reviews.model import Review
from ui.rendering.review_formats.disarming import on_one_line
from ui.rendering.review_formats.findings import SUMMARY_CHARACTERS, Finding, Level, Rule, list_findings

_LEVELS = tuple(Level)
_WORDS = {
    Rule.REMOVAL: ("removal", "removals"),
    Rule.BREAKING: ("breaking change", "breaking changes"),
    Rule.DEPRECATION: ("deprecation", "deprecations"),
    Rule.SECURITY: ("security fix", "security fixes"),
}


@dataclass(frozen=True, slots=True)
class Limits:
    """How many findings of one bump stand by themselves."""

    used: int
    """Of those that the code uses."""
    security: int
    others: int


LINE_LIMITS = Limits(used=20, security=10, others=0)
"""For comments and annotations on a line of the diff."""


def condensed_findings(review: Review, limits: Limits) -> tuple[Finding, ...]:
    """The findings in their order, each bump's cut to `limits` with one finding for those left out, after its own.

    A bump that several files make alike has its findings at the first, and one that counts them at each other.
    """
    told: set[tuple[str, str | None, str | None]] = set()
    found: list[Finding] = []
    for place, group in groupby(list_findings(review), key=_bump_of):
        findings = tuple(group)
        if place is None:
            found += findings
            continue
        key = place[:3]
        found += _of_bump(findings, limits if key not in told else Limits(0, 0, 0))
        told.add(key)
    return tuple(found)


def _bump_of(finding: Finding) -> tuple[str, str | None, str | None, str, int] | None:
    if finding.rule is Rule.SYMBOL:
        return None
    return finding.product, finding.start, finding.end, finding.file, finding.line


def _of_bump(findings: Sequence[Finding], limits: Limits) -> Iterator[Finding]:
    security = [each for each in findings if each.rule is Rule.SECURITY and not each.usages]
    used = [each for each in findings if each.usages]
    others = [each for each in findings if each.rule is not Rule.SECURITY and not each.usages]
    kept = (*used[: limits.used], *security[: limits.security], *others[: limits.others])
    left = (*used[limits.used :], *others[limits.others :], *security[limits.security :])
    yield from kept
    if len(left) == 1:
        yield left[0]
    elif left:
        yield _summary(left, is_all=not kept)


def _summary(left: Sequence[Finding], *, is_all: bool) -> Finding:
    """One finding that counts `left` by kind, and cites the gravest."""
    gravest = min(left, key=lambda each: _LEVELS.index(each.level))
    counts = Counter(each.rule for each in left)
    counted = ", ".join(f"{counts[rule]} {_WORDS[rule][counts[rule] != 1]}" for rule in _WORDS if counts[rule])
    used = sum(bool(each.usages) for each in left)
    use = f"{used} of them in use here" if used else "none of them seen in use here"
    range_of = gravest.title.rpartition(": ")[0]
    return replace(
        gravest,
        rule=Rule.UPGRADE,
        title=on_one_line(f"{range_of}: {len(left)} {'' if is_all else 'more '}changes"),
        summary=shorten(
            on_one_line(f"{counted}; {use}. The gravest, {gravest.words}"), max_characters=SUMMARY_CHARACTERS
        ),
        symbols=(),
    )
