"""The answer to a question without a subject: the first entries of the sections that a release puts first."""

from retrieval.answers.across_releases import draft_across_releases
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.overview import overview_priority
from retrieval.quotes import ItemScore, Quote, states_something, widen

_QUOTES = 6
_QUOTES_A_PASSAGE = 2


def draft_overview(findings: Findings) -> Draft:
    """Quote entries of the highest sections in the order they stand; by words alone where no section has the kind."""
    priorities = (
        (hit, overview_priority(findings.query, findings.outcome.tokens, hit.passage)) for hit in findings.outcome.hits
    )
    telling = tuple((hit, priority) for hit, priority in priorities if findings.fits(hit) and priority)
    quotes: list[Quote] = []
    for place, (hit, priority) in enumerate(telling):
        text = findings.index.document_text(hit.passage.document.id)
        most = _QUOTES if place == 0 and priority > 1 else _QUOTES_A_PASSAGE
        taken = 0
        for number, item in enumerate(hit.passage.items):
            words = item.span.slice(text)
            says_enough = states_something(words) and not item.retracted and words not in hit.passage.heading
            if taken < most and len(quotes) < _QUOTES and says_enough:
                quote = widen(ItemScore(hit, number, hit.cosine, 0.0, hit.score), text)
                if not any(other.passage is quote.passage and other.span.end > quote.span.start for other in quotes):
                    quotes.append(quote)
                    taken += 1
    if not quotes:
        return draft_across_releases(findings)
    statements = [
        Statement(f"{attribution(quote)}: {wording(quote, _text(findings, quote), max_characters=180)}", (quote,))
        for quote in quotes
    ]
    return Draft(Status.ANSWERED, "", tuple(statements))


def _text(findings: Findings, quote: Quote) -> str:
    return findings.index.document_text(quote.passage.document.id)
