"""The plain answer: the best quote with its surroundings, and one more where it says nearly as much."""

from collections.abc import Sequence

from corpus.lexicon import split_tokens
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import MAX_QUOTE_CHARACTERS, Quote, select_quotes

_QUOTES = 2
_NAMED = 3
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
    return Draft(Status.ANSWERED, "", tuple(statements), _cautions(findings, quotes))


def _cautions(findings: Findings, quotes: Sequence[Quote]) -> tuple[str, ...]:
    """Which names of the question stand in none of the quotes: the reader may take an answer for more than it says."""
    said = " ".join(
        " ".join((quote.passage.document.product, quote.passage.document.title, *quote.passage.heading))
        + " "
        + quote.span.slice(findings.index.document_text(quote.passage.document.id))
        for quote in quotes
    )
    tokens = frozenset(split_tokens(said))
    unsaid = [name.text for name in findings.focus.names if not name.met_by(tokens) and not name.text.islower()]
    named = " or ".join(f"`{text.replace('`', '')}`" for text in unsaid[:_NAMED])
    return (f"No quote mentions {named}.",) if named else ()
