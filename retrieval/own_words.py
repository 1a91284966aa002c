"""What a follow-up says itself, beside what it takes over: the earlier words say what is spoken of, its own what is
asked.

Both are searched together, and the earlier ones are more. After "since when is there a boundary for errors?", "and on
the server?" is answered by what tells of the server, however little else of the question stands there. What names
nothing itself ("why?") is answered where the answer before was found.
"""

import math
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from corpus.lexicon import content_words
from retrieval.focus import Focus
from retrieval.model import Query
from retrieval.question_words import share_met
from retrieval.quotes import ItemScore

_OWN_WEIGHT = 3.0
"""The log-odds between an item that holds none of a follow-up's own words and one that holds them all."""
_TOLD_WEIGHT = 2.0
"""The log-odds between an item of a passage that the answer before quoted and one of another."""
_NEITHER = 0.4
"""The share of them that makes an item neither likelier nor less likely."""


def weigh_own_words(
    query: Query, scored: Sequence[ItemScore], focus: Focus, *, told: Callable[[Query], AbstractSet[int]]
) -> tuple[ItemScore, ...]:
    """The scored items, likelier to answer the more of a follow-up's own words they hold; best first, ties by place.

    Where it names nothing, those are likelier whose passage the answer before quoted, the positions that are `told` in
    answer to a question: nothing else makes that one worth another search. As they are for a question that takes
    nothing over, or that asks the one before again about something else.
    """
    if query.text == query.search_text:
        return tuple(scored)
    said = frozenset(content_words(query.text))
    own = [word for word in focus.words if word.text in said]
    is_added = query.search_text.endswith(query.text)
    names_nothing = is_added and all(word.is_generic and not word.is_name for word in own)
    places = told(query.before) if names_nothing and query.before is not None else frozenset[int]()
    if not (own or places):
        return tuple(scored)

    def weigh(one: ItemScore) -> ItemScore:
        words = _OWN_WEIGHT * (share_met(own, one.tokens) - _NEITHER) if own else 0.0
        place = _TOLD_WEIGHT * (one.hit.passage.position in places)
        return replace(one, score=_raise(one.score, words + place))

    return tuple(sorted(map(weigh, scored), key=lambda one: (-one.score, one.hit.passage.position, one.number)))


def _raise(probability: float, log_odds: float) -> float:
    kept = min(max(probability, 1e-9), 1 - 1e-9)
    return 1 / (1 + (1 - kept) / kept * math.exp(-log_odds))
