"""Answers over several releases: the entries that answer best, in version order."""

from corpus.plain_words import one_line
from corpus.versions import Version, VersionMatch
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement, attributed, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quoting.quotes import ItemScore, join_neighbours, select_quotes
from retrieval.quoting.said_words import leads_away
from retrieval.releases.matching import match_release

_QUOTES = 7
_MIN_SHARE = 0.4
"""An entry must score this share of the best."""
_RANK_GIVEN_BACK = 0.015
"""For each place that an entry's passage stands behind the first, for a range is told in more than one passage."""
_STATEMENT_CHARACTERS = 180


def draft_across_releases(findings: Findings) -> Draft:
    """Quote the best entries of the asked releases, in version order; the plain answer where there is only one."""
    rank = {hit.passage.position: n for n, hit in enumerate(findings.outcome.hits)}
    scores = [
        (
            scored.likeness - scored.item.retracted / 4 + _RANK_GIVEN_BACK * rank.get(scored.passage.position, 0),
            n,
            scored,
        )
        for n, scored in enumerate([one for one in findings.fitting if _is_asked(findings, one)] or findings.fitting)
        if not _leads_on(findings, scored)
    ]
    best = sorted(scores, key=lambda score: (-score[0], score[1]))[:_QUOTES]
    # What the source takes back stands behind the others.
    chosen = [scored for score, _, scored in best if score >= _MIN_SHARE * best[0][0]]
    if len(chosen) < 2:
        return draft_fact(findings)
    quotes = join_neighbours(select_quotes(chosen, findings.index, limit=_QUOTES))
    statements = []
    for quote in sorted(quotes, key=lambda quote: (quote.passage.release_order, quote.core)):
        words = wording(quote, findings.text_of(quote), max_characters=_STATEMENT_CHARACTERS)
        statements.append(Statement(attributed(quote, words), (quote,)))
    return Draft(Status.ANSWERED, "", tuple(statements))


def _leads_on(findings: Findings, scored: ItemScore) -> bool:
    words = findings.words_of(scored)
    return leads_away(words) or one_line(words) in (
        *map(one_line, scored.passage.heading),
        scored.passage.document.title,
    )


def _is_asked(findings: Findings, one: ItemScore) -> bool:
    label = one.passage.release
    release = Version.parse(label) if label else None
    return release is None or match_release(findings.query.constraint, release) is not VersionMatch.OUTSIDE
