"""A review as comments on the lines of a diff: reviewdog's diagnostics, and annotations of GitHub Actions.

Sources: reviewdog's Diagnostic (proto/rdf/reviewdog.proto); GitHub's documentation of workflow commands, whose escaping
is that of its `@actions/core`. A reporter posts a diagnostic's `message` as Markdown, so it is disarmed as such. The
column is left out: a bump is about its whole line. A line stays below the 64 KiB that reviewdog reads.
"""

import json

from retrieval.reviews.model import Review
from ui.rendering.markup import fenced, markdown_text, on_one_line, place_of, visible, web_address
from ui.rendering.review.findings import LINE_LIMITS, Finding, Level, condensed_findings

_SEVERITIES = {Level.ERROR: "ERROR", Level.WARNING: "WARNING", Level.NOTE: "INFO"}
_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_LEVELS = tuple(Level)
_SHOWN_USAGES = 5


def render_rdjsonl(review: Review) -> str:
    """One diagnostic a line, in the order of the findings, few of each bump; empty where nothing is found."""
    findings = condensed_findings(review, LINE_LIMITS)
    return "\n".join(json.dumps(_diagnostic(finding), ensure_ascii=True) for finding in findings)


def render_github(review: Review) -> str:
    """One command a line, few of each bump, the gravest first, for a step shows ten of each kind; empty for none."""
    findings = sorted(condensed_findings(review, LINE_LIMITS), key=lambda finding: _LEVELS.index(finding.level))
    return "\n".join(map(_command, findings))


def _diagnostic(finding: Finding) -> dict[str, object]:
    citation = finding.citation
    used = ", ".join(markdown_text(f"{usage.file}:{usage.line}") for usage in finding.usages[:_SHOWN_USAGES])
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
    code = {"value": finding.rule.value, "url": web_address(citation.url)}
    return {
        "message": "\n".join(lines),
        "location": {"path": visible(finding.file), "range": {"start": {"line": finding.line}}},
        "severity": _SEVERITIES[finding.level],
        "source": {"name": "relnotes"},
        "code": {name: value for name, value in code.items() if value},
    }


def _command(finding: Finding) -> str:
    citation = finding.citation
    lines = [
        finding.words.removeprefix("in "),
        f"“{visible(citation.quote).strip()}”",
        on_one_line(f"{place_of(citation)} ({citation.authority.value}: {citation.source})"),
        *(on_one_line(f"Used in {usage.file}:{usage.line}") for usage in finding.usages[:_SHOWN_USAGES]),
        web_address(citation.url) or "",
    ]
    properties = {"file": on_one_line(finding.file), "line": str(finding.line), "title": finding.title}
    named = ",".join(
        f"{name}={_data(value).replace(':', '%3A').replace(',', '%2C')}" for name, value in properties.items()
    )
    message = _data("\n".join(filter(None, lines)))
    return f"::{_COMMANDS[finding.level]} {named}::{message}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
