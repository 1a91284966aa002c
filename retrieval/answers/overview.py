"""The answer to a question without a subject: the first entries of the sections that a release puts first."""

from retrieval.answers.across_releases import draft_across_releases
from retrieval.drafting import Draft, Statement, attributed, wording
from retrieval.findings import Findings
from retrieval.hits import Hit
from retrieval.model import Status
from retrieval.overview import names_kind, overview_priority
from retrieval.quotes import ItemScore, Quote, join_neighbours, states_something, widen
from retrieval.said_words import change_in_heading, leads_away

_QUOTES = 6
_QUOTES_A_PASSAGE = 2


def draft_overview(findings: Findings) -> Draft:
    """Quote entries of the highest sections in the order they stand; by words alone where no section has the kind."""
    tokens = findings.outcome.tokens
    priorities = ((hit, overview_priority(findings.query, tokens, hit.passage)) for hit in findings.outcome.hits)
    telling = [(hit, priority) for hit, priority in priorities if findings.fits(hit) and priority]
    telling = [one for one in telling if names_kind(tokens, one[0].passage)] or telling
    quotes: list[Quote] = []
    for at_most in (_QUOTES_A_PASSAGE, _QUOTES):
        for place, (hit, priority) in enumerate(telling):
            is_named = place == 0 and priority > 1
            _take(quotes, hit, findings.index.text_of(hit.passage), at_most=_QUOTES if is_named else at_most)
    if not quotes:
        return draft_across_releases(findings)
    releases = {quote.passage.release: n for n, quote in reversed(list(enumerate(quotes)))}
    statements = [
        Statement(
            attributed(quote, wording(quote, findings.index.text_of(quote.passage), max_characters=180)),
            (quote,),
        )
        for quote in join_neighbours(sorted(quotes, key=lambda quote: releases[quote.passage.release]))
    ]
    return Draft(Status.ANSWERED, "", tuple(statements))


def _take(quotes: list[Quote], hit: Hit, text: str, *, at_most: int) -> None:
    """Add what a passage's entries say, in their order, until it has `at_most` quotes or the answer has enough."""
    for number, item in enumerate(hit.passage.items):
        taken = sum(other.passage is hit.passage for other in quotes)
        if taken >= at_most or len(quotes) >= _QUOTES:
            return
        words = item.span.slice(text)
        is_entry = states_something(words) or bool(change_in_heading(hit.passage.heading))
        if is_entry and not leads_away(words) and not item.retracted and words not in hit.passage.heading:
            quote = widen(ItemScore(hit, number, hit.cosine, 0.0, hit.score), text)
            if not any(other.passage is quote.passage and other.span.end > quote.span.start for other in quotes):
                quotes.append(quote)
