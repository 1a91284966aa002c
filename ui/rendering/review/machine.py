"""A review for other tools: annotations of GitHub Actions, and a SARIF log for code scanning and reviewdog.

Sources: GitHub's documentation of workflow commands; SARIF 2.1.0 (OASIS), sections 3.11.6 (brackets in messages), 3.27
(results), 3.49 (rules). A bump is about its whole line.
"""

import hashlib
import json
from dataclasses import replace

from retrieval.reviews.model import Review, Unknown
from ui.environment import own_version
from ui.rendering.markup import on_one_line, place_of, relative_address, visible, web_address
from ui.rendering.review.findings import LINE_LIMITS, SHOWN_FILES, Finding, Level, Limits, condensed_findings, groups_of
from ui.rendering.rules import Rule

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
_LEVELS = tuple(Level)
_SHOWN_USAGES = 5
_SHOWN_UNKNOWN = 20
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_CHANGELOG = "https://keepachangelog.com/en/1.1.0/#how"
_SEMVER = "https://semver.org/#"
_NOTES = "The release notes of a bumped dependency"
_TOUCHED = "A symbol on a changed line is named in the release notes of its product."
_RULES = {
    Rule.REMOVAL: ("Removed upstream", f"{_NOTES} say that something is removed.", _CHANGELOG),
    Rule.BREAKING: (
        "Breaking change upstream",
        f"{_NOTES} name a change that can break its users or asks them to act.",
        f"{_SEMVER}spec-item-8",
    ),
    Rule.DEPRECATION: (
        "Deprecated upstream",
        f"{_NOTES} say that something is deprecated.",
        f"{_SEMVER}how-should-i-handle-deprecating-functionality",
    ),
    Rule.SECURITY: ("Security fix upstream", f"{_NOTES} name a vulnerability that the range fixes.", _CHANGELOG),
    Rule.SYMBOL: ("Release notes speak of a touched symbol", _TOUCHED, _CHANGELOG),
    Rule.UPGRADE: (
        "More changes upstream",
        f"{_NOTES} name more changes than are listed one by one.",
        f"{_SEMVER}spec-item-8",
    ),
}
_ORDER = tuple(_RULES)
_MOST_OF_ONE_BUMP = 100
_MOST_OF_ALL_BUMPS = 4_000  # Code scanning takes 5,000 results of a run.


def render_github(review: Review) -> str:
    """One command a line, few of each bump, the gravest first, for a step shows ten of each kind, and a last one for
    what couldn't be looked up; empty for none."""
    findings = sorted(condensed_findings(review, LINE_LIMITS), key=lambda finding: _LEVELS.index(finding.level))
    unknown = [*map(_not_looked_up, review.unknown[:_SHOWN_UNKNOWN])]
    if more := len(review.unknown) - len(unknown):
        unknown.append(f"and {more} more: --format json has them all")
    last = [f"::notice title=Not looked up::{_data(chr(10).join(unknown))}"] if unknown else []
    return "\n".join([*map(_command, findings), *last])


def _not_looked_up(unknown: Unknown) -> str:
    return on_one_line(f"{unknown.name}: {unknown.reason}")


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


def render_sarif(review: Review) -> str:
    """One log with one run, all rules described; about 100 findings a bump at most, as notes where the code isn't seen
    to use them."""
    driver: dict[str, object] = {"name": "relnotes"}
    if installed := own_version():
        driver["version"] = installed
    lines = sum(len(group[:SHOWN_FILES]) for group in groups_of(review.bumps))
    most = min(_MOST_OF_ONE_BUMP, _MOST_OF_ALL_BUMPS // max(1, lines))
    used, security = (most + 1) // 2, most // 4
    findings = condensed_findings(review, Limits(used=used, security=security, others=most - used - security))
    run = {
        "tool": {"driver": driver | {"rules": [_rule(rule) for rule in _ORDER]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "invocations": [
            {
                "executionSuccessful": True,
                "toolExecutionNotifications": [
                    {"level": "note", "message": {"text": _literal(_not_looked_up(unknown))}}
                    for unknown in review.unknown[:_MOST_OF_ONE_BUMP]
                ],
            }
        ],
        "results": [_result(found if found.usages else replace(found, level=Level.NOTE)) for found in findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(rule: Rule) -> dict[str, object]:
    title, description, address = _RULES[rule]
    level = Level.WARNING if rule in (Rule.REMOVAL, Rule.BREAKING) else Level.NOTE
    return {
        "id": f"relnotes/{rule.value}",
        "name": "".join(word.capitalize() for word in title.split()),
        "shortDescription": {"text": title},
        "fullDescription": {"text": description},
        "help": {"text": f"{description} The message quotes them and links to them."},
        "helpUri": address,
        "defaultConfiguration": {"level": level.value},
        "properties": {"tags": ["dependencies", "release-notes"]},
    }


def _result(finding: Finding) -> dict[str, object]:
    citation = finding.citation
    place, address = _literal(f"{place_of(citation)} ({citation.authority.value})"), web_address(citation.url)
    message = (
        _literal(f"{finding.title}. {finding.summary}"),
        _literal(f"“{visible(citation.quote).strip()}”"),
        f"[{place}]({address})" if address else place,
    )
    result: dict[str, object] = {
        "ruleId": f"relnotes/{finding.rule.value}",
        "ruleIndex": _ORDER.index(finding.rule),
        "level": finding.level.value,
        "message": {"text": "\n".join(message)},
        "locations": [_location(finding.file, finding.line)],
        "partialFingerprints": {"relnotesEvidence/v1": _fingerprint(finding)},
        "properties": {
            "product": finding.product,
            "from": finding.start,
            "to": finding.end,
            "symbols": list(finding.symbols),
            **{name: getattr(citation, name) for name in ("quote", "source", "start", "end", "version")},
            "authority": citation.authority.value,
            "url": address,
        },
    }
    if finding.usages:
        result["relatedLocations"] = [
            {"id": n, **_location(usage.file, usage.line), "message": {"text": _literal(f"Uses {usage.symbol}")}}
            for n, usage in enumerate(finding.usages)
        ]
    return result


def _location(file: str, line: int) -> dict[str, object]:
    place = {"uri": relative_address(file), "uriBaseId": "%SRCROOT%"}
    return {"physicalLocation": {"artifactLocation": place, "region": {"startLine": line}}}


def _literal(text: str) -> str:
    """Brackets would begin a link, and a backslash escapes them."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _fingerprint(finding: Finding) -> str:
    """Return the same for the same words about the same file, wherever the line and the notes' offsets have moved."""
    words = " ".join(finding.citation.quote.split())
    parts: tuple[str, ...] = (finding.rule.value, finding.product, finding.file, finding.citation.version or "", words)
    if finding.rule is Rule.UPGRADE:
        # The rest counts and cites, which changes with every release.
        parts = parts[:3]
    symbol = finding.symbols if finding.rule is Rule.SYMBOL else ()
    return hashlib.sha256("\0".join((*parts, *symbol)).encode("utf-8", "surrogatepass")).hexdigest()
