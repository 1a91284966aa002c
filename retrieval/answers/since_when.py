"""Since when: the earliest release that speaks of the thing, said first."""

from corpus.versions import Version
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import ItemScore, select_quotes

_MIN_SHARE = 0.85
_QUOTES = 2


def draft_since_when(findings: Findings) -> Draft:
    """Quote the best items of the releases that answer nearly as well as the best one, earliest first.

    Falls back to the plain answer where what answers best belongs to no release (a page of history says it in words).
    """
    fitting = findings.fitting(findings.scored)
    if not fitting or not fitting[0].hit.passage.release:
        return draft_fact(findings)
    least = _MIN_SHARE * fitting[0].score
    strong = [one for one in fitting if one.hit.passage.release and one.score >= least]
    best_of: dict[str, ItemScore] = {}
    for one in strong:
        best_of.setdefault(str(one.hit.passage.release), one)
    chosen = sorted(best_of.values(), key=lambda one: (-one.score, _release(one)))[:_QUOTES]
    chosen.sort(key=_release)
    statements = []
    for quote in select_quotes(chosen, findings.index, limit=_QUOTES, min_share=0.0):
        passage = quote.passage
        words = wording(quote, findings.index.document_text(passage.document.id))
        day = f" ({passage.release_date.isoformat()})" if passage.release_date else ""
        statements.append(Statement(f"{attribution(quote)}{day}: {words}", (quote,)))
    return Draft(Status.ANSWERED, "", tuple(statements))


def _release(one: ItemScore) -> Version:
    return Version.parse(str(one.hit.passage.release))
