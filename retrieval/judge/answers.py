"""The order of the items that may answer a question, with the judge's word on the first of them.

What an item is worth is a sum of what the learned order says and what the judge says, in log-odds, fitted by `make
train` on questions about projects that neither has learned from (`answer_weights.json`).
"""

import json
import math
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from corpus.plain_words import one_line
from retrieval.evidence import log_odds
from retrieval.findings import Findings
from retrieval.judge.model import load_judge
from retrieval.judge.pairs import named_releases, read_pair, told_of
from retrieval.model import Form, Query
from retrieval.quoting.quotes import ItemScore

JUDGED, _BEHIND = 6, 2.0
"""Items at most, and by how many log-odds they may be behind the first. Of 456 questions about projects kept aside .789
have the right item first so, and .787 where eight are judged however far behind."""
_UNJUDGED = frozenset({Form.LATEST, Form.EXISTS, Form.CHAT, Form.WHATS_NEW, Form.BREAKS, Form.SHOULD_UPGRADE})
"""What the catalogue or the notes of whole releases answer."""


@dataclass(frozen=True, slots=True)
class AnswerWeights:
    """What the log-odds of the order and of the judge count, and a bias; items further `behind` aren't judged."""

    item: float
    answers: float
    bias: float
    behind: float = _BEHIND

    def score(self, item: float, answers: float) -> float:
        """The probability, 0 to 1, that an item holds the answer."""
        logit = self.bias + self.item * item + self.answers * answers
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, logit))))


@lru_cache(maxsize=1)
def load_answer_weights() -> AnswerWeights:
    """The committed weights, read once.

    Raises:
        TypeError: the file lacks one; run `make train`.
    """
    raw = json.loads(files("retrieval.judge").joinpath("answer_weights.json").read_text(encoding="utf-8"))
    return AnswerWeights(**raw)


def judge_answers(findings: Findings, weights: AnswerWeights) -> Findings:
    """The findings with the first items that may answer judged, best first, ties by place; the others count as what was
    judged least."""
    if findings.query.form in _UNJUDGED or not findings.fitting:
        return findings
    odds = [log_odds(one.score) for one in findings.fitting[:JUDGED]]
    first = [one for one, own in zip(findings.fitting, odds, strict=False) if own >= odds[0] - weights.behind]
    asked, releases = one_line(_asked(findings.query)), named_releases(findings.query)
    pairs = [read_pair(asked, releases, told_of(one, findings.index)) for one in first]
    judged = {id(one): each.answers for one, each in zip(first, load_judge("answers").judge(pairs), strict=True)}
    least, fitting = min(judged.values()), set(map(id, findings.fitting))

    def weigh(one: ItemScore) -> ItemScore:
        if id(one) not in fitting:
            return one
        own, answers = log_odds(one.score), judged.get(id(one))
        score = weights.score(own, least if answers is None else answers)
        return replace(one, score=score, judged=None if answers is None else (own, answers))

    scored = sorted(map(weigh, findings.scored), key=lambda one: (-one.score, one.passage.position, one.number))
    return replace(findings, scored=tuple(scored))


def _asked(query: Query) -> str:
    """The question; of a follow-up about code its own words with the names, not all that was asked before."""
    leans = query.text != query.search_text and query.symbols
    return " ".join((query.text, *query.symbols)) if leans else query.search_text
