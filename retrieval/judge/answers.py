"""Reranking of the items that may answer a question, by the ranker's score and the judge's score of the first ones.

The final score is a weighted sum of both in log-odds, fitted by `make train` on questions about projects that the judge
wasn't trained on (`answer_weights.json`).
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
"""Most items judged, and how many log-odds behind the first they may be. Six within 2 take a third longer, for one more
good answer to 493 practice questions (docs/decisions/0015)."""


@dataclass(frozen=True, slots=True)
class AnswerWeights:
    """Weights of the log-odds from the ranker (`item`) and the judge (`answers`), and a bias."""

    item: float
    answers: float
    bias: float

    def score(self, item: float, answers: float) -> float:
        """Return the probability, 0 to 1, that an item contains the answer, from the log-odds of ranker and judge."""
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
    """Return the findings reranked after judging the first items that may answer, ties by position; other fitting items
    count as judged with the lowest score. Unchanged if the query's form isn't judged."""
    if not findings.query.form.traits.is_judged or not findings.fitting:
        return findings
    places: dict[tuple[str, str], list[ItemScore]] = {}
    # A sentence repeated on the pages of several releases is judged once.
    for item in findings.fitting:
        words = one_line(findings.words_of(item)) if is_page(item.passage) else str(id(item))
        places.setdefault((item.passage.document.product, words), []).append(item)
    distinct = list(places.values())[:MOST_JUDGED]
    odds = [log_odds(same[0].score) for same in distinct]
    first = [same for same, item_odds in zip(distinct, odds, strict=True) if item_odds >= odds[0] - _BEHIND]
    question, releases = one_line(asked_words(findings.query)), named_releases(findings.query)
    pairs = [read_pair(question, releases, read_item(same[0], findings.index)) for same in first]
    logits = load_cross_encoder("answers").read(pairs)[:, 0].tolist()
    judged = {id(item): answers for same, answers in zip(first, logits, strict=True) for item in same}
    least, fitting = min(judged.values()), set(map(id, findings.fitting))

    def rescore(item: ItemScore) -> ItemScore:
        if id(item) not in fitting:
            return item
        item_odds, answers = log_odds(item.score), judged.get(id(item))
        score = weights.score(item_odds, least if answers is None else answers)
        return replace(item, score=score, judged=None if answers is None else (item_odds, answers))

    return replace(findings, scored=best_first(map(rescore, findings.scored)))


def asked_words(query: Query) -> str:
    """Return the question for the judge: the search text, but for a follow-up about code its own words and symbols."""
    is_follow_up = query.text != query.search_text and query.symbols
    return " ".join((query.text, *query.symbols)) if is_follow_up else query.search_text
