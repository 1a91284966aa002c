"""Answers over several releases: the entries that together say most of what is asked, breaking ones first."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.versions import Version, VersionMatch
from retrieval.answers.fact import draft_fact
from retrieval.drafting import Draft, Statement, attributed, wording
from retrieval.findings import Findings
from retrieval.model import Form, Status
from retrieval.question.subject import subject_weights
from retrieval.quoting.quotes import ItemScore, join_neighbours, select_quotes
from retrieval.quoting.said_words import leads_away
from retrieval.releases.matching import match_release

_QUOTES = 7
_MIN_SHARE = 0.3
"""An entry must score this share of the best."""
_AS_GOOD_SHARE = 0.4
"""An entry that names nothing new must score this share of the best."""
_NEW_PART = 0.05
"""The share of the question's subject that an entry must be the first to name."""
_NEW_PART_WEIGHT = 0.5
_BREAKING_WEIGHT = 0.16
"""What breaks counts by its probability."""
_RETRACTED_PENALTY, _NO_NEWS_PENALTY = 0.25, 0.05
_RANK_GIVEN_BACK = 0.015
"""For each place that an entry's passage stands behind the first, for a range is told in more than one passage."""
_STATEMENT_CHARACTERS = 180


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An entry with the tokens of its words, and how well it answers with its severity counted in."""

    scored: ItemScore
    tokens: frozenset[str]
    score: float


def draft_across_releases(findings: Findings) -> Draft:
    """Quote the best entries of the asked releases, in version order; the plain answer where there is only one."""
    chosen = _choose(findings, _candidates(findings))
    if len(chosen) < 2:
        return draft_fact(findings)
    quotes = join_neighbours(select_quotes(chosen, findings.index, limit=_QUOTES))
    statements = [
        Statement(
            attributed(
                quote,
                wording(quote, findings.text_of(quote), max_characters=_STATEMENT_CHARACTERS),
            ),
            (quote,),
        )
        for quote in sorted(quotes, key=lambda quote: (quote.passage.release_order, quote.core))
    ]
    return Draft(Status.ANSWERED, "", tuple(statements))


def _candidates(findings: Findings) -> list[_Candidate]:
    """The entries of the asked releases, those of other releases that only mention them where there is none."""
    fitting = findings.fitting
    asked = [item for item in fitting if _is_asked(findings, item)] or list(fitting)
    is_upgrade = findings.query.form in (Form.BREAKS, Form.SHOULD_UPGRADE)
    rank = {hit.passage.position: n for n, hit in enumerate(findings.outcome.hits)}
    candidates = []
    for scored in asked:
        words = findings.words_of(scored)
        titles = (*map(one_line, scored.passage.heading), scored.passage.document.title)
        if one_line(words) in titles or leads_away(words):
            continue
        score = scored.likeness - (_RETRACTED_PENALTY if scored.item.retracted else 0.0)
        score -= _NO_NEWS_PENALTY * scored.item.certainty * (scored.item.act is Act.OTHER)
        score += _RANK_GIVEN_BACK * rank.get(scored.passage.position, 0)
        if is_upgrade:
            score += _BREAKING_WEIGHT * scored.item.breaking
        candidates.append(_Candidate(scored, frozenset(split_tokens(words)), score))
    return sorted(candidates, key=lambda candidate: -candidate.score)


def _is_asked(findings: Findings, one: ItemScore) -> bool:
    label = one.passage.release
    release = Version.parse(label) if label else None
    return release is None or match_release(findings.query.constraint, release) is not VersionMatch.OUTSIDE


def _choose(findings: Findings, candidates: Sequence[_Candidate]) -> list[ItemScore]:
    """Up to seven entries, each the one that adds most to those before it."""
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    # Where some entries name the one symbol that is asked about, the others are of the range but beside the point.
    code = split_tokens(findings.query.symbols[0])[:1] if len(findings.query.symbols) == 1 else ()
    left = [candidate for candidate in candidates if candidate.scored.tokens.issuperset(code)] or list(candidates)
    chosen: list[_Candidate] = []
    named: frozenset[str] = frozenset()
    while left and len(chosen) < _QUOTES:
        covered = subject.coverage(named)
        news = [subject.coverage(named | candidate.tokens) - covered for candidate in left]
        best = max(range(len(left)), key=lambda i: left[i].score + _NEW_PART_WEIGHT * news[i])
        pick = left.pop(best)
        least = _MIN_SHARE if news[best] >= _NEW_PART or not chosen else _AS_GOOD_SHARE
        if pick.score < least * candidates[0].score:
            if not chosen or all(new < _NEW_PART for new in news):
                break
            continue
        chosen.append(pick)
        named |= pick.tokens
    return [candidate.scored for candidate in chosen]
