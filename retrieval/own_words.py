"""What a follow-up says itself, beside what it takes over: the earlier words say what is spoken of, its own what is
asked.

Both are searched together, and the earlier ones are more. After "since when is there a boundary for errors?", "and on
the server?" is answered by what tells of the server, however little else of the question stands there.
"""

import math
from collections.abc import Sequence
from dataclasses import replace

from corpus.lexicon import content_words
from retrieval.focus import Focus
from retrieval.model import Query
from retrieval.question_words import share_met
from retrieval.quotes import ItemScore

_OWN_WEIGHT = 3.0
"""The log-odds between an item that holds none of a follow-up's own words and one that holds them all."""
_NEITHER = 0.4
"""The share of them that makes an item neither likelier nor less likely."""


def weigh_own_words(query: Query, scored: Sequence[ItemScore], focus: Focus) -> tuple[ItemScore, ...]:
    """The scored items, likelier to answer the more of a follow-up's own words they hold; best first, ties by place.
    As they are for a question that takes nothing over, or says nothing of its own ("why?")."""
    said = frozenset(content_words(query.text))
    own = [word for word in focus.words if word.text in said]
    if query.text == query.search_text or not own:
        return tuple(scored)
    weighed = [
        replace(one, score=_raise(one.score, _OWN_WEIGHT * (share_met(own, one.tokens) - _NEITHER))) for one in scored
    ]
    return tuple(sorted(weighed, key=lambda one: (-one.score, one.hit.passage.position, one.number)))


def _raise(probability: float, log_odds: float) -> float:
    kept = min(max(probability, 1e-9), 1 - 1e-9)
    return 1 / (1 + (1 - kept) / kept * math.exp(-log_odds))
