"""A review as workflow commands, which GitHub Actions shows as annotations of the changed lines.

Source: GitHub's documentation of workflow commands; the escaping is that of its `@actions/core`.
"""

from retrieval.reviews.model import Review
from ui.rendering.review_formats.condensing import LINE_LIMITS, condensed_findings
from ui.rendering.review_formats.disarming import on_one_line, visible, web_address
from ui.rendering.review_formats.findings import Finding, Level, place_of

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_ORDER = tuple(_COMMANDS)


def render_github(review: Review) -> str:
    """One command a line, few of each bump, the gravest first, for a step shows ten of each kind; empty for none."""
    findings = sorted(condensed_findings(review, LINE_LIMITS), key=lambda finding: _ORDER.index(finding.level))
    return "\n".join(map(_command, findings))


def _command(finding: Finding) -> str:
    properties = {"file": on_one_line(finding.file), "line": str(finding.line), "title": finding.title}
    named = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{_COMMANDS[finding.level]} {named}::{_message(finding)}"


def _message(finding: Finding) -> str:
    citation = finding.citation
    lines = [
        finding.words.removeprefix("in "),
        f"“{visible(citation.quote).strip()}”",
        on_one_line(f"{place_of(citation)} ({citation.authority.value}: {citation.source})"),
        *(on_one_line(f"Used in {usage.file}:{usage.line}") for usage in finding.usages[:5]),
        web_address(citation.url) or "",
    ]
    return _data("\n".join(line for line in lines if line))


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
