"""Names of code in a question, looked up letter by letter in all entries that a search may return."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import accumulate, compress

import numpy as np

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.lexicon import split_tokens
from corpus.stores.protocol import PassageFilter
from retrieval.model import Form, Query

Places = frozenset[tuple[int, int]]
"""Positions of passages, with the numbers of the items of those entries that hold a name."""
_UNIT = 10**9  # The weight of a name in a single passage.
_MOST_READ, _RARE = 1000, 20
"""Most passages read for a name; and most that hold one, because an option that everything takes ("--help") only says
where something happens."""


def find_exact(query: Query, index: IndexReader, wanted: PassageFilter) -> Places:
    """Return the places with most of a question's names, each counted the more the rarer it is; empty if none is rare
    in a question without an error. "Since when" asks for the entry of the event, however that writes the name."""
    # "http2" is written so in prose, too.
    written = (name for name in query.symbols if name.isalpha() or not (name.isalnum() and name.islower()))
    names = [name for name in written if name in query.text and query.form is not Form.SINCE_WHEN]
    by_name = [places for name in names if (places := _places_of(name, index, wanted))]
    weights, rarest = Counter[tuple[int, int]](), _MOST_READ
    for places in by_name:
        passages = len({position for position, _ in places})
        weights.update(dict.fromkeys(places, _UNIT // passages))
        rarest = min(rarest, passages)
    is_rare, highest = rarest <= _RARE or query.form is Form.ERROR, max(weights.values(), default=0)
    return frozenset(place for place, weight in weights.items() if is_rare and weight == highest)


def _places_of(name: str, index: IndexReader, wanted: PassageFilter) -> Places:
    """Return the places of a name as written, else in any case."""
    whole = name.removesuffix("()")
    parts = [part for part in re.split(r"[\W_]+", whole) if len(part) > 1] or [whole]
    scores = (index.store.lexical_scores(dict.fromkeys(split_tokens(part)[:1], 1.0), wanted) for part in parts)
    rows = reduce(np.intersect1d, (score.positions for score in scores))
    passages = index.load_passages(rows[:_MOST_READ].tolist())
    # Markdown escapes the signs of a name; lines end where there was a blank.
    written = r"\s+".join(re.sub(r"(\\?\W|_)", r"\\\\?\1", re.escape(word)) for word in whole.split())
    pattern = rf"(?<![\w-]){written}(?![\w-])" if whole[0] == "-" else rf"(?<!\w){written}(?!\w)"
    places = (_places_in(passages, inline + pattern, index) for inline in ("", "(?i)"))
    return next(filter(None, places), frozenset())


def _places_in(passages: Sequence[StoredPassage], pattern: str, index: IndexReader) -> Places:
    """Return the items of the entries that match; all of a passage if its heading or code does."""
    places = set[tuple[int, int]]()
    for passage in passages:
        text, entries = index.text_of(passage), [*accumulate(item.opens for item in passage.items)]
        matching = [re.search(pattern, item.span.slice(text)) is not None for item in passage.items]
        is_whole = any(is_match and item.is_code for is_match, item in zip(matching, passage.items, strict=True))
        is_whole = is_whole or re.search(pattern, "\n".join(passage.heading)) is not None
        matched = set(compress(entries, matching))
        places.update((passage.position, n) for n, entry in enumerate(entries) if is_whole or entry in matched)
    return frozenset(places)
