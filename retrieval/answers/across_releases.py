"""Answers over several releases: what a range breaks or brings, and two releases side by side.

One quote a passage, the best of each release first, so that no release is drowned by another's many entries.
"""

from collections.abc import Sequence

from corpus.versions import Version
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quotes import ItemScore, select_quotes

_QUOTES = 6
_MIN_SHARE = 0.3
"""An entry must score this share of the best: a release without one that fits stays unmentioned."""
_STATEMENT_CHARACTERS = 180


def draft_across_releases(findings: Findings) -> Draft:
    """Quote the best entries of the asked releases, in version order; the plain answer where there is only one."""
    fitting = findings.fitting(findings.scored)
    chosen = _spread(fitting)
    if len(chosen) < 2:
        return draft_fact(findings)
    quotes = select_quotes(chosen, findings.index, limit=_QUOTES, min_share=_MIN_SHARE)
    statements = [
        Statement(
            f"{attribution(quote)}: "
            + wording(
                quote,
                findings.index.document_text(quote.passage.document.id),
                max_characters=_STATEMENT_CHARACTERS,
            ),
            (quote,),
        )
        for quote in sorted(quotes, key=lambda quote: (_order(quote.passage.release), quote.span))
    ]
    return Draft(Status.ANSWERED, "", tuple(statements))


def _spread(scored: Sequence[ItemScore]) -> list[ItemScore]:
    """Up to six items: each release's best in turn, at most one a passage in the first rounds."""
    by_release: dict[str | None, list[ItemScore]] = {}
    used: set[int] = set()
    for one in (one for one in scored if one.score >= _MIN_SHARE * scored[0].score):
        if one.hit.passage.position not in used:
            used.add(one.hit.passage.position)
            by_release.setdefault(one.hit.passage.release, []).append(one)
    chosen: list[ItemScore] = []
    while len(chosen) < _QUOTES and any(by_release.values()):
        for waiting in by_release.values():
            if waiting and len(chosen) < _QUOTES:
                chosen.append(waiting.pop(0))
    return sorted(chosen, key=lambda one: -one.score)


def _order(label: str | None) -> Version:
    return Version.parse(label or "0")
