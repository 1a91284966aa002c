"""The plain answer: the best quote with its surroundings, and one more where it says nearly as much."""

from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import MAX_QUOTE_CHARACTERS, select_quotes

_QUOTES = 2
_MIN_SHARE = 0.95
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
    statements = (
        Statement(
            f"{attribution(quote)}: {wording(quote, findings.index.document_text(quote.passage.document.id))}", (quote,)
        )
        for quote in quotes
    )
    return Draft(Status.ANSWERED, "", tuple(statements))
