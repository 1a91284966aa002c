"""What a follow-up says itself, beside what it takes over: the earlier words say what is spoken of, its own what is
asked.

Both are searched together, and the earlier ones are more. After "since when is there a boundary for errors?", "and on
the server?" is answered by what tells of the server, however little else of the question stands there. What names
nothing itself ("why?") is answered where the answer before was found, but by something else than that began with: who
was told it asks on because it doesn't say enough.
"""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from corpus.index.stored import StoredPassage
from corpus.lexicon import content_words, split_tokens
from retrieval.model import Form, Query
from retrieval.question.token_weights import related_tokens
from retrieval.question.words import Focus, share_met
from retrieval.quoting.quotes import ItemScore, Quote, best_first

_OWN_WEIGHT = 3.0
"""The log-odds between an item that holds none of a follow-up's own words and one that holds them all. Chosen by hand,
never fitted."""
_TOLD_WEIGHT = 3.0
"""The log-odds between an item of a passage that the answer before quoted and one of another. Chosen by hand, never
fitted."""
_SAID_WEIGHT = 1.5
"""The log-odds between what nobody was told yet and what the answer before began with, as far as that doesn't hold what
is asked now. Chosen by hand, never fitted."""
_REASON_WEIGHT = 1.5
"""The log-odds between an item that gives a reason and one that gives none, where it is asked why. Chosen by hand,
never fitted."""
_NEITHER = 0.4
"""The share of them that makes an item neither likelier nor less likely. Chosen by hand, never fitted."""
_WHY = re.compile(r"\b(?:why|reasons?)\b", re.IGNORECASE)
_REASON = re.compile(
    r"\b(?:because|due to|thanks to|so (?:that|as)|in order to|reasons?|rationale|caus(?:ed?|es|ing)"
    r"|as (?:it|this|they|these)"
    r"|(?:to|this|which) (?:avoid|prevent|reduce|ensure|allow|make|match|simplify|improve)s?)\b",
    re.IGNORECASE,
)


def narrow_to_told(
    query: Query, *, told: Callable[[Query], Sequence[Quote]], text_of: Callable[[StoredPassage], str]
) -> Query:
    """A follow-up without those of the words it takes over that nothing holds which was quoted in answer to them.

    Why somebody asked, and what was meant by other words, was settled by the answer; it would be missed again in every
    one that follows. `told` says what the answer to a question quotes.
    """
    quotes = _quoted_before(query, told)
    if not quotes:
        return query
    held: set[str] = set()
    for passage in (quote.passage for quote in quotes):
        texts = (
            passage.document.product,
            passage.document.title,
            *passage.heading,
            passage.span.slice(text_of(passage)),
        )
        held.update(token for text in texts for token in split_tokens(text))

    def is_held(word: str) -> bool:
        tokens = split_tokens(word)[:1]
        is_name = any(map(str.isdigit, word)) or not content_words(word)
        return is_name or not held.isdisjoint((*tokens, *related_tokens(tokens)))

    kept = filter(is_held, query.search_text.removesuffix(query.text).split())
    return replace(query, search_text=" ".join((*kept, query.text)))


def _quoted_before(query: Query, told: Callable[[Query], Sequence[Quote]]) -> Sequence[Quote]:
    """What the question before was answered with, where this one is searched with words of it, and isn't it again."""
    takes_words_over = query.text != query.search_text and query.search_text.endswith(query.text)
    return told(query.before) if query.before is not None and takes_words_over else ()


def weigh_own_words(
    query: Query,
    scored: Sequence[ItemScore],
    focus: Focus,
    *,
    told: Callable[[Query], Sequence[Quote]],
    text_of: Callable[[StoredPassage], str],
) -> tuple[ItemScore, ...]:
    """The scored items, likelier to answer the more of a follow-up's own words they hold, less likely where the answer
    before began with them; best first, ties by place.

    `told` says what the answer to a question quotes, in its order. Where a follow-up names nothing, the items of the
    passages quoted before are likelier; where it asks why, those that give a reason. As they are for a question that
    takes nothing over, or that asks the one before again.
    """
    said = frozenset(content_words(query.text))
    own = [word for word in focus.words if word.text in said] if query.text != query.search_text else []
    quotes = _quoted_before(query, told)
    if not (own or quotes):
        return tuple(scored)
    names_nothing = all(word.is_generic and not word.is_name for word in own)
    places = {quote.passage.position for quote in quotes if names_nothing}
    asks_why = bool(_WHY.search(query.text))
    # What no item holds tells none from another.
    met = [word for word in own if any(word.met_by(item.tokens) for item in scored)]
    # The release in which something came is told by the same words as that it came.
    first = quotes[0] if quotes and query.form is not Form.SINCE_WHEN else None

    def weigh(item: ItemScore) -> ItemScore:
        passage, span = item.hit.passage, item.item.span
        odds = _OWN_WEIGHT * (share_met(own, item.tokens) - _NEITHER) if own else 0.0
        odds += _TOLD_WEIGHT * (passage.position in places)
        gives_reason = asks_why and bool(_REASON.search(span.slice(text_of(passage))))
        odds += _REASON_WEIGHT * gives_reason
        if first and first.passage.position == passage.position and first.core.holds(span) and not gives_reason:
            odds -= _SAID_WEIGHT * (1 - (share_met(met, item.tokens) if met else 0.0))
        before = min(max(item.score, 1e-9), 1 - 1e-9)
        return replace(item, score=1 / (1 + (1 - before) / before * math.exp(-odds)))

    return best_first(map(weigh, scored))
