"""A place for a reranker: a model that reads the question and a passage together, behind one small interface.

Off by default: a cross-encoder of MiniLM's size costs about 300 ms for 20 passages on two cores. Its scores are
blended with the fused ones over the first hits, so that the release and the product that were asked for still count.
Nothing is fetched from a network, and code or pickles that a model brings along are never run.
"""

import logging
import os
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from corpus.errors import ModelError
from corpus.index.reader import IndexReader
from retrieval.model import Query
from retrieval.search.hits import Hit, SearchOutcome
from retrieval.search.weights import RERANKED_HITS, RERANKER_SHARE


class Reranker(Protocol):
    """A model that reads a question and a passage together; one instance may serve several threads."""

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """How well each passage answers the question: shape (passages,), float32, higher is better, on any scale."""
        ...


class CrossEncoderReranker:
    """Any sentence-transformers cross-encoder with one output, on a GPU where there is one."""

    def __init__(self, name_or_folder: str) -> None:
        """Load the model: a folder, or a name that is in the local hub cache.

        Raises:
            ModelError: the library isn't installed, or the model isn't on this machine, has no safetensors weights,
                needs code of its own, or doesn't give one score for a pair.
        """
        self._model = _load(name_or_folder)
        self._lock = threading.Lock()
        if self._model.num_labels != 1:
            raise ModelError(
                f"Cannot use {name_or_folder!r} as a reranker: it gives {self._model.num_labels} scores for a pair of "
                "texts, and a reranker gives one. Choose a cross-encoder that was trained for ranking."
            )

    def score(self, question: str, passages: Sequence[str]) -> NDArray[np.float32]:
        """See `Reranker.score`."""
        if not passages:
            return np.zeros(0, dtype=np.float32)
        pairs = [(question, passage) for passage in passages]
        # A fast tokenizer that truncates fails when two threads use it at once.
        with self._lock:
            scores = self._model.predict(pairs, show_progress_bar=False)
        return np.asarray(scores, dtype=np.float32).reshape(len(passages))


def rerank(outcome: SearchOutcome, query: Query, index: IndexReader, reranker: Reranker) -> SearchOutcome:
    """Rank the first `RERANKED_HITS` hits anew by the blend of both scores; ties by passage id.

    The blended scores keep the range of the fused ones, so that the hits after them stay where they are, and gaps
    mean what they meant.
    """
    first, rest = outcome.hits[:RERANKED_HITS], outcome.hits[RERANKED_HITS:]
    if len(first) < 2:
        return outcome
    read = reranker.score(query.search_text, [_shown(hit, index) for hit in first])
    blended = blend([hit.score for hit in first], read)
    ranked = sorted(
        (replace(hit, score=score) for hit, score in zip(first, blended, strict=True)),
        key=lambda hit: (-hit.score, hit.passage.position),
    )
    return replace(outcome, hits=(*ranked, *rest))


def blend(fused: Sequence[float], read: NDArray[np.float32]) -> tuple[float, ...]:
    """The mean of two rankings' scores, in the range of `fused`; a reranker that scores all alike changes nothing.

    Raises:
        ModelError: a score of the reranker isn't a finite number.
    """
    if not np.isfinite(read).all():
        raise ModelError(
            "The reranker gave a score that isn't a number: its weights are damaged or don't fit its configuration. "
            "Choose another model, or do without --reranker."
        )
    low, high = min(fused), max(fused)
    wide = read.astype(np.float64)
    spread = wide.max() - wide.min()
    if not spread:
        return tuple(fused)
    scaled = (wide - wide.min()) / spread
    return tuple(
        (1 - RERANKER_SHARE) * score + RERANKER_SHARE * (low + (high - low) * float(place))
        for score, place in zip(fused, scaled, strict=True)
    )


def _shown(hit: Hit, index: IndexReader) -> str:
    """A passage as the model reads it: what it is about, then its words."""
    passage = hit.passage
    about = (passage.document.product, passage.release or "", *passage.heading)
    text = passage.span.slice(index.text_of(passage))
    return f"{' / '.join(filter(None, about))}\n{text}"


def _load(name_or_folder: str) -> Any:
    # Read when huggingface_hub is imported, hence before; `local_files_only` holds where that is too late.
    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        os.environ[variable] = "1"
    try:
        from sentence_transformers import CrossEncoder
        from transformers.utils import logging as transformers_logging
    except ImportError as error:
        raise ModelError(
            f"Cannot open reranker {name_or_folder!r}: {error}. Install with `pip install sentence-transformers`."
        ) from error
    folder = Path(name_or_folder)
    if any(folder.rglob("*.py")):
        raise ModelError(
            f"Cannot open reranker {name_or_folder!r}: the model brings Python code along, which is never run. Choose "
            "a cross-encoder of one of the architectures that transformers knows."
        )
    transformers_logging.disable_progress_bar()
    # What it warns of ends in the error below, or in nothing.
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    try:
        return CrossEncoder(
            name_or_folder,
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": True},
        )
    except Exception as error:  # the library raises many types; each means that there is no model
        absent = "there is no such folder, and no model of that name in the local hub cache"
        reason = str(error).strip().partition("\n")[0].rstrip(".") if folder.is_dir() else absent
        raise ModelError(
            f"Cannot open reranker {name_or_folder!r}: {reason}. Give the folder of a sentence-transformers "
            "cross-encoder with safetensors weights, or a name that is in the local hub cache; nothing is downloaded."
        ) from error
    finally:
        transformers_logging.enable_progress_bar()
