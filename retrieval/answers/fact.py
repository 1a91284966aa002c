"""The plain answer: the best quote with its surroundings, and one more where it says nearly as much."""

from collections.abc import Sequence
from dataclasses import replace

from corpus.lexicon import split_tokens
from corpus.versions import Version
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote, select_quotes

_QUOTES = 2
_NAMED = 3
_MIN_SHARE = 0.95
"""A further quote must score this share of the first: one that doesn't is more likely beside the point."""


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one."""
    quotes = select_quotes(
        _last_before(findings, findings.fitting(findings.scored)),
        findings.index,
        limit=_QUOTES,
        min_share=_MIN_SHARE,
        room=MAX_QUOTE_CHARACTERS,
    )
    return Draft(Status.ANSWERED, "", tuple(_state(findings, quote) for quote in quotes), _cautions(findings, quotes))


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


def _last_before(findings: Findings, fitting: Sequence[ItemScore]) -> Sequence[ItemScore]:
    """Where what was before a release is asked, of the items that answer nearly as well the newest releases first."""
    constraint = findings.query.constraint
    if constraint is None or constraint.low or not constraint.high or constraint.includes_high or not fitting:
        return fitting
    near = [one for one in fitting if one.score >= _MIN_SHARE * fitting[0].score]
    near.sort(key=lambda one: Version.parse(one.hit.passage.release or "0"), reverse=True)
    return [replace(one, score=fitting[0].score) for one in near]


def _state(findings: Findings, quote: Quote) -> Statement:
    text = findings.index.document_text(quote.passage.document.id)
    words = wording(quote, text, keeps_tickets=any(value.name == "pull request" for value in findings.focus.values))
    return Statement(f"{attribution(quote)}: {words}", (quote,))
