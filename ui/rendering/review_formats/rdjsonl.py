"""A review as reviewdog's diagnostics, one JSON object a line.

Source: reviewdog's Diagnostic (proto/rdf/reviewdog.proto). A reporter posts `message` as Markdown, so it is disarmed
as such. The column is left out: a bump is about its whole line. A line stays below the 64 KiB that reviewdog reads.
"""

import json

from retrieval.reviews.model import Review
from ui.rendering.review_formats.condensing import LINE_LIMITS, condensed_findings
from ui.rendering.review_formats.disarming import fenced, markdown_text, visible, web_address
from ui.rendering.review_formats.findings import Finding, Level, place_of

_SEVERITIES = {Level.ERROR: "ERROR", Level.WARNING: "WARNING", Level.NOTE: "INFO"}


def render_rdjsonl(review: Review) -> str:
    """One diagnostic a line, in the order of the findings, few of each bump; empty where nothing is found."""
    findings = condensed_findings(review, LINE_LIMITS)
    return "\n".join(json.dumps(_diagnostic(finding), ensure_ascii=True) for finding in findings)


def _diagnostic(finding: Finding) -> dict[str, object]:
    code = {"value": finding.rule.value, "url": web_address(finding.citation.url)}
    return {
        "message": _message(finding),
        "location": {"path": visible(finding.file), "range": {"start": {"line": finding.line}}},
        "severity": _SEVERITIES[finding.level],
        "source": {"name": "relnotes"},
        "code": {name: value for name, value in code.items() if value},
    }


def _message(finding: Finding) -> str:
    citation = finding.citation
    used = ", ".join(markdown_text(f"{usage.file}:{usage.line}") for usage in finding.usages[:5])
    lines = [
        f"**{markdown_text(finding.title)}**",
        "",
        markdown_text(finding.words[:1].upper() + finding.words[1:]),
        "",
        *fenced(citation.quote),
        "",
        f"From: {markdown_text(place_of(citation))} ({citation.authority.value})",
        *(("", f"Used in {used}") if used else ()),
    ]
    return "\n".join(lines)
