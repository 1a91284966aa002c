"""Whether to answer at all: signals of a search, and their calibrated weight.

Two questions, two logistic regressions, multiplied: is this about what the index covers (off-topic questions have low
cosines and unknown words), and is this very thing said (near misses use the product's own words and score as high as
answers; what tells is whether one passage stands out, in the right release, and the question's names are found). The
weights are fitted on the development halves of our own questions by `python -m evals.calibrate` and kept in
`calibration.json`, with the threshold.
"""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from importlib.resources import files
from typing import Any

from corpus.index_store import IndexReader
from corpus.lexicon import split_tokens
from corpus.versions import VersionMatch
from retrieval.model import Query
from retrieval.quotes import ItemScore
from retrieval.search import Hit, SearchOutcome, is_page
from retrieval.weights import TokenWeights

_TOP = 5
_SAME = 0.6
"""The share of words that two passages have in common (Jaccard) when one is a copy of the other."""


@dataclass(frozen=True, slots=True)
class TopicEvidence:
    """Signals of a question being about what the index covers."""

    cosine: float
    """The nearest item's."""
    coverage: float
    """Share of the question's weight in the best single item with its heading path, 0 to 1."""
    unknown_share: float
    """Share of the question's weight in tokens that no passage holds, 0 to 1."""


@dataclass(frozen=True, slots=True)
class SupportEvidence:
    """Signals of the very thing being said, 0 to 1 each."""

    names_found: float
    """Share of the question's symbols, numbers and names in the first five hits; 1 without any."""
    names_known: float
    """Share of them that any passage of the index holds; 1 without any."""
    score_gap: float
    """Fused score of the first hit minus the fifth's (0 where there is no fifth), at most 1."""
    release_match: float
    """1 where the first hit is of the asked release (or none is asked), 0.5 of its series, 0 of another."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Both kinds of signals of one search."""

    topic: TopicEvidence
    support: SupportEvidence


@dataclass(frozen=True, slots=True)
class Regression:
    """A fitted logistic regression; `weights` in the order of the signals' fields."""

    weights: tuple[float, ...]
    bias: float

    def probability(self, signals: Sequence[float]) -> float:
        """The probability, 0 to 1, that these signals give."""
        logit = self.bias + sum(weight * signal for weight, signal in zip(self.weights, signals, strict=True))
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, logit))))


@dataclass(frozen=True, slots=True)
class Calibration:
    """The weights of both kinds of signals, and the confidence below which nothing is answered."""

    topic: Regression
    support: Regression
    threshold: float


def gather_evidence(
    query: Query, outcome: SearchOutcome, scored: tuple[ItemScore, ...], index: IndexReader, weights: TokenWeights
) -> Evidence | None:
    """The signals of a search; None where nothing was found at all."""
    hits = _distinct(outcome.hits, index)[:_TOP]
    if not hits or not scored:
        return None
    found: set[str] = set()
    for hit in hits:
        found.update(split_tokens(_context(hit) + hit.passage.span.slice(index.document_text(hit.passage.document.id))))
    fifth = hits[-1].score if len(outcome.hits) >= _TOP and len(hits) > 1 else 0.0
    names = _names(query)
    unknown = set(weights.unknown)
    return Evidence(
        TopicEvidence(
            cosine=max(hit.cosine for hit in outcome.hits),
            coverage=max(one.coverage for one in scored),
            unknown_share=sum(weight for token, weight in weights.weights if token in unknown) / (weights.total or 1.0),
        ),
        SupportEvidence(
            names_found=_share(names, frozenset(found)),
            names_known=_share(names, frozenset(name for name in names if index.lexical.document_frequency(name))),
            score_gap=min(1.0, max(0.0, hits[0].score - fifth)),
            release_match={VersionMatch.EXACT: 1.0, VersionMatch.SERIES: 0.5}.get(hits[0].match, 0.0),
        ),
    )


def _distinct(hits: Sequence[Hit], index: IndexReader) -> tuple[Hit, ...]:
    """The hits without those that are the same passage of another release's page: copies of an answer don't make it
    less certain."""
    distinct: list[tuple[Hit, frozenset[str]]] = []
    for hit in hits:
        tokens = frozenset(split_tokens(hit.passage.span.slice(index.document_text(hit.passage.document.id))))
        twins = (
            other
            for other, known in distinct
            if is_page(hit.passage)
            and is_page(other.passage)
            and len(tokens & known) >= _SAME * len(tokens | known)
            and other.passage.release != hit.passage.release
        )
        if next(twins, None) is None:
            distinct.append((hit, tokens))
    return tuple(hit for hit, _ in distinct)


def confidence(evidence: Evidence | None, calibration: Calibration) -> float:
    """The probability, 0 to 1, that an answer drawn from this search is right."""
    if evidence is None:
        return 0.0
    topic = calibration.topic.probability(astuple(evidence.topic))
    return topic * calibration.support.probability(astuple(evidence.support))


@lru_cache(maxsize=1)
def load_calibration() -> Calibration:
    """The committed weights.

    Raises:
        KeyError: the file names other signals than there are; run `python -m evals.calibrate`.
    """
    raw = json.loads(files("retrieval").joinpath("calibration.json").read_text(encoding="utf-8"))
    return Calibration(
        topic=_regression(raw["topic"], TopicEvidence),
        support=_regression(raw["support"], SupportEvidence),
        threshold=float(raw["threshold"]),
    )


def _regression(raw: Mapping[str, Any], signals: type[TopicEvidence] | type[SupportEvidence]) -> Regression:
    return Regression(tuple(float(raw["weights"][field.name]) for field in fields(signals)), float(raw["bias"]))


def _context(hit: Hit) -> str:
    """What a passage says without its words: product, release, headings."""
    document = hit.passage.document
    return " ".join((document.product, *document.aliases, hit.passage.release or "", *hit.passage.heading, ""))


def _names(query: Query) -> frozenset[str]:
    """Tokens of what the question can't be answered without: symbols, references, numbers, capitalised names."""
    words = [word.strip(".,;:!?()'\"") for word in query.search_text.split()]
    telling = [
        word
        for position, word in enumerate(words)
        if any(c.isdigit() for c in word) or (position and word[:1].isupper() and word not in query.products)
    ]
    known = {name.casefold() for name in query.products}
    tokens = split_tokens(" ".join((*query.symbols, *query.references, *telling)))
    return frozenset(token for token in tokens if len(token) > 1 and token not in known)


def _share(names: frozenset[str], tokens: frozenset[str]) -> float:
    return len(names & tokens) / len(names) if names else 1.0
