"""A review as a SARIF log, for code scanning and reviewdog.

Source: SARIF 2.1.0 (OASIS), sections 3.11.6 (brackets in messages), 3.27 (results), 3.49 (rules). The results of a
bump point to its whole line; those of equal bumps to the line in the first file.
"""

import hashlib
import json

from retrieval.reviews.model import Review
from ui.environment import own_version
from ui.rendering.markup import on_one_line, place_of, relative_address, visible, web_address
from ui.rendering.review.findings import MAX_BUMP_ITEMS, Finding, Rule, left_out, list_findings

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_NOTES = "The release notes of a bumped dependency"
_TOUCHED = "A symbol on a changed line is named in the release notes of its product."
_RULES = {
    Rule.REMOVAL: ("Removed upstream", f"{_NOTES} say that something is removed."),
    Rule.BREAKING: (
        "Breaking change upstream",
        f"{_NOTES} name a change that can break its users or asks them to act.",
    ),
    Rule.DEPRECATION: ("Deprecated upstream", f"{_NOTES} say that something is deprecated."),
    Rule.SECURITY: ("Security fix upstream", f"{_NOTES} name a vulnerability that the range fixes."),
    Rule.SYMBOL: ("Release notes speak of a touched symbol", _TOUCHED),
}
_ORDER, _GRAVE = tuple(_RULES), (Rule.REMOVAL, Rule.BREAKING)
_MAX_RESULTS, _MAX_NOTIFICATIONS = 4_000, 100  # Code scanning takes 5,000 results of a run.


def render_sarif(review: Review) -> str:
    """Render a log with one run: all rules, the first findings of each bump, and a notification that counts the rest.
    Findings without usages in the code have the level "note"."""
    driver: dict[str, object] = {"name": "relnotes"}
    if installed := own_version():
        driver["version"] = installed
    more = [f"{bump.product} {bump.start} → {bump.end}: {text}" for bump in review.bumps if (text := left_out(bump))]
    messages = [*(f"{unknown.name}: {unknown.reason}" for unknown in review.unknown), *more]
    messages = [_literal(on_one_line(text)) for text in messages[:_MAX_NOTIFICATIONS]]
    notifications = [{"level": "note", "message": {"text": text}} for text in messages]
    findings = list_findings(review, most=MAX_BUMP_ITEMS)
    run = {
        "tool": {"driver": driver | {"rules": [_rule(rule) for rule in _ORDER]}},
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"%SRCROOT%": {"description": {"text": "The root of the repository."}}},
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notifications}],
        "results": [_result(finding) for finding in findings[:_MAX_RESULTS]],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(rule: Rule) -> dict[str, object]:
    title, description = _RULES[rule]
    return {
        "id": f"relnotes/{rule.value}",
        "name": "".join(word.capitalize() for word in title.split()),
        "shortDescription": {"text": title},
        "fullDescription": {"text": description},
        "help": {"text": f"{description} The message quotes them and links to them."},
        "defaultConfiguration": {"level": "warning" if rule in _GRAVE else "note"},
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
        "level": "note" if not finding.usages else "error" if finding.rule in _GRAVE else "warning",
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
    """Escape the brackets and backslashes of `text`, which would begin a link."""
    return text.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _fingerprint(finding: Finding) -> str:
    """Return a digest of the finding's words, file and version; moved lines and offsets don't change it."""
    words = " ".join(finding.citation.quote.split())
    parts: tuple[str, ...] = (finding.rule.value, finding.product, finding.file, finding.citation.version or "", words)
    symbol = finding.symbols if finding.rule is Rule.SYMBOL else ()
    return hashlib.sha256("\0".join((*parts, *symbol)).encode("utf-8", "surrogatepass")).hexdigest()
