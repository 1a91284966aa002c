"""`--fail-on`: which findings of a review end the command with status 1."""

from collections.abc import Iterable, Iterator

from retrieval.reviews.model import Review
from ui.review_choices import FailOn
from ui.review_formats.disarming import on_one_line
from ui.review_formats.findings import Finding, list_findings


def missed_gates(review: Review, gates: Iterable[FailOn]) -> Iterator[str]:
    """A line for each gate that the review doesn't pass: how many findings, and the first of them."""
    findings = list_findings(review)
    for gate in dict.fromkeys(gates):
        found = [finding for finding in findings if finding.rule.value == gate.value]
        if found:
            yield f"--fail-on {gate.value}: {len(found)} found, first {_place(found[0])}"


def _place(finding: Finding) -> str:
    return on_one_line(f"{finding.file}:{finding.line} ({finding.title}): {finding.summary}")
