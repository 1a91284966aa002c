"""The plain answer: the best quote with its surroundings, and one more where it says nearly as much."""

from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import MAX_QUOTE_CHARACTERS, Quote, select_quotes

_QUOTES = 2
_MIN_SHARE = 0.9
"""A further quote must score this share of the first: one that doesn't is more likely beside the point."""


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one."""
    quotes = select_quotes(
        findings.fitting(findings.scored),
        findings.index,
        limit=_QUOTES,
        min_share=_MIN_SHARE,
        room=MAX_QUOTE_CHARACTERS,
    )
    return Draft(Status.ANSWERED, "", tuple(_state(findings, quote) for quote in quotes))


def _state(findings: Findings, quote: Quote) -> Statement:
    text = findings.index.document_text(quote.passage.document.id)
    words = wording(quote, text, keeps_tickets=any(value.name == "pull request" for value in findings.focus.values))
    return Statement(f"{attribution(quote)}: {words}", (quote,))
