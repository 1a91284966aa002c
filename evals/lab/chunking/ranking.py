"""Which passages a question gets, from one collection of all corpora: dense, and fused as the product's search does.

No part of a question is read for products or versions here, as the benchmark has none; `relnotes search` itself is
measured beside these.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from corpus.lexicon import question_tokens, split_tokens
from corpus.model import Item, Span
from corpus.plain_words import one_line, plain_words
from corpus.stores.lexical_index import LexicalIndex
from evals.lab.chunking.cuts import CutPassage
from ingest.passages.enrichment import embedded_text
from ingest.passages.splitting import Embed
from retrieval.search.weights import CANDIDATES, DEFAULT_WEIGHTS


def whole_cosines(
    passages: Sequence[CutPassage], questions: NDArray[np.float32], *, embed: Embed
) -> NDArray[np.float32]:
    """Cosine of each question with each whole passage, as the published tables use: (questions, passages)."""
    return questions @ embed([one.span.slice(one.corpus.text) for one in passages]).T


def best_item_cosines(
    passages: Sequence[CutPassage], questions: NDArray[np.float32], *, embed: Embed, with_neighbours: bool = False
) -> NDArray[np.float32]:
    """Cosine of each question with each passage's best item: (questions, passages).

    `with_neighbours`: an item's text takes in the sentence before and the one after it.
    """
    texts = _item_texts_in_context(passages) if with_neighbours else _item_texts(passages)
    cosines = questions @ embed(tuple(texts)).T
    counts = [len(one.items) for one in passages]
    best: NDArray[np.float32] = np.maximum.reduceat(cosines, np.cumsum([0, *counts[:-1]]), axis=1)
    return best


def fuse_with_words(
    passages: Sequence[CutPassage], questions: Sequence[str], dense: NDArray[np.float32]
) -> NDArray[np.float32]:
    """The product's convex combination of `dense` with BM25, both min-max scaled over the candidates of either leg."""
    lexical = LexicalIndex.from_tokens([split_tokens(plain_words(one.span.slice(one.corpus.text))) for one in passages])
    words = np.stack([lexical.scores(Counter(question_tokens(question))) for question in questions])
    return DEFAULT_WEIGHTS.dense * _scaled(dense) + (1 - DEFAULT_WEIGHTS.dense) * _scaled(words)


def best_passages(
    passages: Sequence[CutPassage], scores: NDArray[np.float32], *, limit: int
) -> Iterator[tuple[CutPassage, ...]]:
    """For each row of `scores` the `limit` best passages, ties in the collection's order."""
    for row in scores:
        yield tuple(passages[place] for place in np.argsort(-row, kind="stable")[:limit])


def _item_texts(passages: Sequence[CutPassage]) -> Iterator[str]:
    for passage in passages:
        yield from (embedded_text(passage.corpus.text, Item(item)) for item in passage.items)


def _item_texts_in_context(passages: Sequence[CutPassage]) -> Iterator[str]:
    places = [(passage.corpus, item) for passage in passages for item in passage.items]
    for place, (corpus, item) in enumerate(places):
        around = [span for other, span in places[max(place - 1, 0) : place + 2] if other is corpus]
        yield one_line(Span(around[0].start, around[-1].end).slice(corpus.text)) or item.slice(corpus.text)


def _scaled(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Min-max to 0..1 over each question's best candidates; what lies below them scores 0."""
    place = max(scores.shape[1] - CANDIDATES, 0)
    low = np.partition(scores, place, axis=1)[:, place : place + 1]
    high = scores.max(axis=1, keepdims=True)
    scaled: NDArray[np.float32] = np.clip((scores - low) / np.maximum(high - low, np.float32(1e-9)), 0.0, 1.0)
    return scaled
