"""What reading a hit's text adds to what search knows of it: figures for the learned ranker
(`retrieval.search.ranker`).

Each is 0 to 1 where nothing else is said, and means the same in a small index as in a large one: words weigh by their
inverse frequency in the index, shares are of the question's own weight, and places are among the question's own hits.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import numpy as np

from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from corpus.model import Kind
from retrieval.model import Form, Query
from retrieval.question.holding import Holding
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import Focus, share_met
from retrieval.search.hits import HitReading
from retrieval.search.item_forms import LONG_ITEM, is_title

_NEAR_SHARE = 0.85
_SAME_COSINE = 0.97
_MANY_COPIES = 5
_SAYS_AS_MUCH = 0.85
"""The share of what the best hit holds of the question that makes another one a rival for the earliest release."""
_PAIR_DISTANCE = 4


@dataclass(frozen=True, slots=True)
class ReadingFeatures:
    """Figures of one hit."""

    heading: float = 0.0
    """Share of the question's weight (its rare words weigh most) in release and heading path."""
    coverage: float = 0.0
    """Share of it in the passage with its heading path, product and title."""
    best_item: float = 0.0
    """Share of it in the best single item."""
    item_in_context: float = 0.0
    """Share of it in the best item with the heading path."""
    item_cosine: float = 0.0
    """Of the nearest item with the question; 0 where it is negative."""
    item_agreement: float = 0.0
    """The mean of both for the item where it is highest: words and meaning in one place."""
    items_near: float = 0.0
    """The share of its items that are nearly as near to the question as the nearest one."""
    names: float = 0.0
    """How well the least met of the question's names is met in the passage; 1 without names."""
    names_in_item: float = 0.0
    """The share of the names' weight that the best item for them holds; 1 without names."""
    telling_in_item: float = 0.0
    """The share of the weight of what the question is about that the best item for it holds."""
    pairs: float = 0.0
    """The share of the question's neighbouring words that stand close to each other in one item."""
    value: float = 0.0
    """1 where the passage holds a value of each kind that is asked for; 0 where none is asked for."""
    symbol: float = 0.0
    """Share of the question's symbols that stand in the text as written; 0 for a question without any."""
    bare_title: float = 0.0
    """1 where the best item is nothing but a heading."""
    item_length: float = 0.0
    """Characters of the best item over 400, at most 1."""
    fix: float = 0.0
    """1 for a passage of fixes."""
    since: float = 0.0
    """1 where it is asked since when, and no hit of an earlier release of the product says as much of the question."""
    newest: float = 0.0
    """Where no release is asked for: the place of its release among those of the product's hits, 1 for the newest."""
    copies: float = 0.0
    """How many other hits say the same (their nearest items have nearly the same vector), over 5, at most 1."""
    product_share: float = 0.0
    """The share of the hits that are of its product."""
    first: float = 0.0
    """1 for the first hit of the search, 1/2 for the second and so on."""


def read_features(
    query: Query, readings: Sequence[HitReading], focus: Focus, weights: TokenWeights, index: IndexReader
) -> tuple[ReadingFeatures, ...]:
    """The figures of every hit that was read, best first as search left them; one value a hit, in order."""
    holding = Holding(
        focus,
        weights,
        weights.coverage,
        lambda tokens: min((name.met_by(tokens) for name in focus.names), default=1.0),
        partial(share_met, focus.names),
        partial(share_met, focus.telling),
    )
    pairs = _neighbours(query.search_text, weights)
    figures = [_PassageFigures.of(reading, holding, pairs) for reading in readings]
    most = max((figure.covered for figure in figures), default=0.0)
    rivals = [figure.covered >= _SAYS_AS_MUCH * most for figure in figures]
    copies = _count_copies(readings)
    products = [reading.hit.passage.document.product for reading in readings]
    places = _release_places(readings, index)
    found = []
    for i, reading in enumerate(readings):
        place = places[i]
        is_first = place is not None and not any(
            rivals[j] and products[j] == products[i] and (places[j] or place) < place for j in range(len(readings))
        )
        passage_figures, passage, text = figures[i], reading.hit.passage, reading.told
        found.append(
            ReadingFeatures(
                heading=passage_figures.heading,
                coverage=passage_figures.covered,
                best_item=passage_figures.own,
                item_in_context=passage_figures.in_context,
                item_cosine=float(reading.cosines.max(initial=0.0)),
                item_agreement=passage_figures.agreement,
                items_near=passage_figures.near,
                names=passage_figures.names,
                names_in_item=passage_figures.names_in_item,
                telling_in_item=passage_figures.telling,
                pairs=passage_figures.pairs,
                value=float(bool(focus.values) and focus.is_met_in_kind(text)),
                symbol=sum(symbol in text for symbol in query.symbols) / max(len(query.symbols), 1),
                bare_title=float(is_title(passage, passage_figures.words)),
                item_length=min(1.0, len(passage_figures.words) / LONG_ITEM),
                fix=float(passage.kind is Kind.FIX),
                since=float(query.form is Form.SINCE_WHEN and is_first),
                newest=(place or 0.0) if query.constraint is None else 0.0,
                copies=min(1.0, copies[i] / _MANY_COPIES),
                product_share=products.count(products[i]) / len(products),
                first=1 / (i + 1),
            )
        )
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _PassageFigures:
    """What a passage and its items hold, each figure of the items of the one that is best for it; `words` are of the
    item where words and meaning agree best."""

    covered: float
    heading: float
    names: float
    own: float = 0.0
    in_context: float = 0.0
    agreement: float = 0.0
    near: float = 0.0
    names_in_item: float = 0.0
    telling: float = 0.0
    pairs: float = 0.0
    words: str = ""

    @classmethod
    def of(cls, reading: HitReading, holding: Holding, pairs: frozenset[tuple[str, str]]) -> "_PassageFigures":
        heading = holding.asked(reading.heading)
        items = [holding.asked(tokens) for tokens in reading.items]
        covered, names, _, _ = holding.of(heading.union(holding.asked(reading.named), *items))
        heading_share = holding.of(heading)[0]
        if not items:
            return cls(covered=covered, heading=heading_share, names=names)
        # Lists: a hit has a few items, for which arrays cost more than they save.
        own = [holding.of(asked)[0] for asked in items]
        cosines = [max(cosine, 0.0) for cosine in reading.cosines.tolist()]
        shares = [holding.of(asked | heading) for asked in items]
        agreement = [(share + cosine) / 2 for share, cosine in zip(own, cosines, strict=True)]
        best = reading.hit.passage.items[agreement.index(max(agreement))]
        in_context, _, names_in_item, telling = map(max, zip(*shares, strict=True))
        near = _NEAR_SHARE * max(cosines)
        paired = [tokens for tokens, asked in zip(reading.items, items, strict=True) if len(asked) > 1]
        return cls(
            covered=covered,
            heading=heading_share,
            names=names,
            own=max(own),
            in_context=in_context,
            agreement=max(agreement),
            near=sum(cosine >= near for cosine in cosines) / len(cosines),
            names_in_item=names_in_item,
            telling=telling,
            pairs=_pairs_met(pairs, paired),
            words=best.span.slice(reading.text),
        )


def _count_copies(readings: Sequence[HitReading]) -> list[int]:
    """For each hit how many of the others have a nearest item that is nearly the same."""
    ranks = [rank for rank, reading in enumerate(readings) if len(reading.vectors)]
    counts = [0] * len(readings)
    if ranks:
        nearest = np.array([readings[rank].vectors[int(readings[rank].cosines.argmax())] for rank in ranks])
        same = (nearest @ nearest.T >= _SAME_COSINE).sum(axis=1) - 1
        for rank, count in zip(ranks, same.tolist(), strict=True):
            counts[rank] = count
    return counts


def _release_places(readings: Sequence[HitReading], index: IndexReader) -> list[float | None]:
    """The place of each hit's release among those of its product's hits: 1 for the newest; None without a release."""
    versions = [index.passages.version_of(reading.hit.passage.position) for reading in readings]
    products = [reading.hit.passage.document.product for reading in readings]
    places: dict[str, Mapping[object, float]] = {}
    for product in set(products):
        of_product = zip(versions, products, strict=True)
        ordered = sorted({version for version, name in of_product if name == product and version is not None})
        places[product] = {version: (place + 1) / len(ordered) for place, version in enumerate(ordered)}
    return [
        None if version is None else places[product][version]
        for version, product in zip(versions, products, strict=True)
    ]


def _neighbours(text: str, weights: TokenWeights) -> frozenset[tuple[str, str]]:
    """The question's pairs of neighbouring searched words."""
    searched = {token for token, _ in weights.weights}
    tokens = [token for token in split_tokens(text) if token in searched]
    return frozenset((token, other) for token, other in pairwise(tokens) if token != other)


def _pairs_met(pairs: frozenset[tuple[str, str]], items: Sequence[Sequence[str]]) -> float:
    """The largest share of the pairs that one item has, in either order, a few words apart at most."""
    if not pairs:
        return 0.0
    wanted = {token for pair in pairs for token in pair}
    most = 0
    for tokens in items:
        placed = [(place, token) for place, token in enumerate(tokens) if token in wanted]
        met = {
            pair
            for i, (place, token) in enumerate(placed)
            for further, other in placed[i + 1 : i + 1 + _PAIR_DISTANCE]
            if further - place <= _PAIR_DISTANCE
            for pair in ((token, other), (other, token))
            if pair in pairs
        }
        most = max(most, len(met))
    return most / len(pairs)
