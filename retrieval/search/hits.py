"""What a search finds: hits, best first, with what it knows of the question."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from corpus.index.stored import StoredPassage
from corpus.versions import VersionMatch
from retrieval.search.rank_features import NO_FEATURES, RankFeatures


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage found for a query."""

    passage: StoredPassage
    score: float
    cosine: float
    """Of its best item with the query, -1 to 1; 0 where no item was among the nearest."""
    match: VersionMatch
    """How its release fits the query's constraint; EXACT where there is none, SERIES where only its words do."""
    features: RankFeatures = NO_FEATURES
    """What the score is made of."""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """Hits, best first, with what the search knows of the question: for evidence and quotes."""

    hits: tuple[Hit, ...]
    tokens: tuple[str, ...]
    """Distinct lexical tokens of the question that were searched."""
    vector: NDArray[np.float32]
    """The question's, shape (dimensions,)."""
    elsewhere: tuple[Hit, ...] = ()
    """The best hits of other releases than the asked one, whatever their rank: what isn't said here may be there."""
