"""Which releases deal with a recorded vulnerability: all of them, for a fix goes into several lines of releases."""

import re

from corpus.versions import Version
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import ItemScore, Quote, states_something, widen

_RELEASES = 12
_RECORD = re.compile(r"\bCVE-\d{4}-\d+", re.IGNORECASE)


def draft_security(findings: Findings) -> Draft:
    """Quote, for each release that names the asked record, the entry that does, in version order.

    The plain answer where the question names no record, or no release does.
    """
    asked = findings.query.references
    naming: list[tuple[int, ItemScore]] = []
    for one in findings.fitting(findings.scored):
        words = one.item.span.slice(findings.index.document_text(one.hit.passage.document.id))
        if not asked or not set(asked) & set(one.hit.passage.references) or not states_something(words):
            continue
        is_named = any(reference.casefold() in words.casefold() for reference in asked)
        is_below = any(reference in title for reference in asked for title in one.hit.passage.heading)
        if is_named or is_below:
            naming.append((len(set(_RECORD.findall(words))) if is_named else 1, one))
    best_of: dict[tuple[str, str | None], ItemScore] = {}
    # What names this record alone describes it; what names several only lists them.
    for _, one in sorted(naming, key=lambda counted: counted[0]):
        best_of.setdefault((one.hit.passage.document.product, one.hit.passage.release), one)
    chosen = sorted(best_of.values(), key=lambda one: Version.parse(one.hit.passage.release or "0"))[-_RELEASES:]
    if len(chosen) < 2:
        return draft_fact(findings)
    return Draft(Status.ANSWERED, "", tuple(_state(findings, one) for one in chosen))


def _state(findings: Findings, one: ItemScore) -> Statement:
    text = findings.index.document_text(one.hit.passage.document.id)
    quote: Quote = widen(one, text)
    day = f" ({one.hit.passage.release_date.isoformat()})" if one.hit.passage.release_date else ""
    return Statement(f"{attribution(quote)}{day}: {wording(quote, text)}", (quote,))
