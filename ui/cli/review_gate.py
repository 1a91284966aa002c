"""`--fail-on`: which findings of a review end the command with status 1."""

from collections.abc import Iterator, Sequence

from retrieval.reviews.model import Review, Unknown
from ui.cli.review_choices import FailOn
from ui.rendering.markup import on_one_line
from ui.rendering.review.findings import Finding, list_findings


def missed_gates(review: Review, gates: Sequence[FailOn], *, unreadable: Sequence[Unknown]) -> Iterator[str]:
    """A line for each gate that the review doesn't pass: how many findings, and the first of them.

    `unreadable` are the dependency files that couldn't be read: any change may be in one, so no gate is passed.
    """
    if gates and unreadable:
        first = on_one_line(f"{unreadable[0].name}: {unreadable[0].reason}")
        yield f"--fail-on: {len(unreadable)} dependency file{'s' * (len(unreadable) > 1)} can't be read, first {first}"
    findings = list_findings(review)
    for gate in dict.fromkeys(gates):
        found = [finding for finding in findings if finding.rule.value == gate.value]
        if found:
            yield f"--fail-on {gate.value}: {len(found)} found, first {_place(found[0])}"


def _place(finding: Finding) -> str:
    return on_one_line(f"{finding.file}:{finding.line} ({finding.title}): {finding.summary}")
