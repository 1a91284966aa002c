"""The order of the items that may answer a question, with the judge's word on the first of them.

What an item is worth is a sum of what the learned order says and what the judge says, in log-odds, fitted by `make
train` on questions about projects of which the judge has learned nothing (`answer_weights.json`).
"""

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files

from corpus.index.release_matching import is_page
from corpus.log_odds import log_odds, probability
from corpus.plain_words import one_line
from retrieval.judge.model import load_cross_encoder
from retrieval.judge.pairs import named_releases, read_item, read_pair
from retrieval.model import Query
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import ItemScore, best_first

MOST_JUDGED, _BEHIND = 4, 1.5
"""Items at most, and by how many log-odds they may be behind the first. Six within 2 take a third longer, and of 493
practised questions one more is good (docs/decisions/0015)."""


@dataclass(frozen=True, slots=True)
class AnswerWeights:
    """What the log-odds of the order and of the judge count, and a bias."""

    item: float
    answers: float
    bias: float

    def score(self, item: float, answers: float) -> float:
        """Return the probability, 0 to 1, that an item holds the answer."""
        return probability(self.bias + self.item * item + self.answers * answers)


@lru_cache(maxsize=1)
def load_answer_weights() -> AnswerWeights:
    """Return the committed weights, read once.

    Raises:
        TypeError: the file lacks one; run `make train`.
    """
    raw = json.loads(files("retrieval.judge").joinpath("answer_weights.json").read_text(encoding="utf-8"))
    return AnswerWeights(**raw)


def judge_answers(findings: Findings, weights: AnswerWeights) -> Findings:
    """Return the findings with the first items that may answer judged, best first, ties by place; the others count as
    what was judged least."""
    if not findings.query.form.traits.is_judged or not findings.fitting:
        return findings
    places: dict[tuple[str, str], list[ItemScore]] = {}
    # Judge a statement once that the pages of several releases repeat.
    for one in findings.fitting:
        words = one_line(findings.words_of(one)) if is_page(one.passage) else str(id(one))
        places.setdefault((one.passage.document.product, words), []).append(one)
    distinct = list(places.values())[:MOST_JUDGED]
    odds = [log_odds(same[0].score) for same in distinct]
    first = [same for same, own in zip(distinct, odds, strict=True) if own >= odds[0] - _BEHIND]
    asked, releases = one_line(asked_words(findings.query)), named_releases(findings.query)
    pairs = [read_pair(asked, releases, read_item(same[0], findings.index)) for same in first]
    judged_as = load_cross_encoder("answers").read(pairs)[:, 0].tolist()
    judged = {id(one): answers for same, answers in zip(first, judged_as, strict=True) for one in same}
    least, fitting = min(judged.values()), set(map(id, findings.fitting))

    def weigh(one: ItemScore) -> ItemScore:
        if id(one) not in fitting:
            return one
        own, answers = log_odds(one.score), judged.get(id(one))
        score = weights.score(own, least if answers is None else answers)
        return replace(one, score=score, judged=None if answers is None else (own, answers))

    return replace(findings, scored=best_first(map(weigh, findings.scored)))


def asked_words(query: Query) -> str:
    """Return the question; of a follow-up about code its own words with the names, not all that was asked before."""
    leans = query.text != query.search_text and query.symbols
    return " ".join((query.text, *query.symbols)) if leans else query.search_text
