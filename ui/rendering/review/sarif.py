"""A review as a SARIF log, for code scanning.

Source: SARIF 2.1.0 (OASIS), sections 3.11.6 (brackets in messages), 3.27 (results), 3.49 (rules).
"""

import hashlib
import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version

from retrieval.reviews.model import Review
from ui.rendering.markup import place_of, relative_address, visible, web_address
from ui.rendering.review.findings import Finding, Level, Limits, Rule, condensed_findings

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
_MOST_OF_ALL_BUMPS = 4_000
"""Code scanning takes 5,000 results of a run."""


def render_sarif(review: Review) -> str:
    """One log with one run; all rules are described, whether they have results or not."""
    driver: dict[str, object] = {"name": "relnotes"}
    # A checkout that isn't installed has no version.
    with suppress(PackageNotFoundError):
        driver["version"] = version("relnotes")
    run = {
        "tool": {"driver": driver | {"rules": [_rule(rule) for rule in _ORDER]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "results": [_result(finding) for finding in _findings(review)],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, ensure_ascii=True, indent=2)


def _findings(review: Review) -> Iterator[Finding]:
    """At most about 100 findings a bump; those that the code isn't seen to use are notes, to be filtered by."""
    most = min(_MOST_OF_ONE_BUMP, _MOST_OF_ALL_BUMPS // max(1, len(review.bumps)))
    used, security = (most + 1) // 2, most // 4
    limits = Limits(used=used, security=security, others=most - used - security)
    for finding in condensed_findings(review, limits):
        yield finding if finding.usages else replace(finding, level=Level.NOTE)


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
    result: dict[str, object] = {
        "ruleId": f"relnotes/{finding.rule.value}",
        "ruleIndex": _ORDER.index(finding.rule),
        "level": finding.level.value,
        "message": {"text": _message(finding)},
        "locations": [_location(finding.file, finding.line)],
        "partialFingerprints": {"relnotesEvidence/v1": _fingerprint(finding)},
        "properties": {
            "product": finding.product,
            "from": finding.start,
            "to": finding.end,
            "symbols": list(finding.symbols),
            "quote": citation.quote,
            "source": citation.source,
            "start": citation.start,
            "end": citation.end,
            "version": citation.version,
            "authority": citation.authority.value,
            "url": web_address(citation.url),
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


def _message(finding: Finding) -> str:
    citation = finding.citation
    place, address = _literal(f"{place_of(citation)} ({citation.authority.value})"), web_address(citation.url)
    lines = [
        _literal(f"{finding.title}. {finding.summary}"),
        _literal(f"“{visible(citation.quote).strip()}”"),
        f"[{place}]({address})" if address else place,
    ]
    return "\n".join(lines)


def _literal(text: str) -> str:
    """Brackets would begin a link, and a backslash escapes them."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _fingerprint(finding: Finding) -> str:
    """The same for the same words about the same file, wherever the line and the notes' offsets have moved to."""
    words = " ".join(finding.citation.quote.split())
    parts: tuple[str, ...] = (finding.rule.value, finding.product, finding.file, finding.citation.version or "", words)
    if finding.rule is Rule.UPGRADE:
        # What it counts and cites changes with every release.
        parts = parts[:3]
    symbol = finding.symbols if finding.rule is Rule.SYMBOL else ()
    return hashlib.sha256("\0".join((*parts, *symbol)).encode("utf-8", "surrogatepass")).hexdigest()
