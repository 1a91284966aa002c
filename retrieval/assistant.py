"""The one public way to ask: `Assistant.open(index).ask(question)`.

A question's way, with no way back: parse_query, search, draft_answer, verify_quotes, compose_answer.
"""

import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from corpus.catalogue import CatalogueProduct
from corpus.embedding import Embedder
from corpus.errors import UsageError
from corpus.index_store import IndexReader
from corpus.stored import ModelStamp
from retrieval.answers import draft_answer
from retrieval.drafting import compose_answer
from retrieval.evidence import Calibration, confidence, gather_evidence, load_calibration
from retrieval.findings import Findings
from retrieval.model import Answer, Interpretation, Query, RankedPassage, SearchResult, Status
from retrieval.query import parse_query
from retrieval.quotes import score_items
from retrieval.search import Hit, search
from retrieval.weights import TokenWeights

MAX_QUESTION_CHARACTERS = 4000

_READ_HITS = 10
"""How many passages are read for an answer, however many are listed."""


class Assistant:
    """Answers questions from one committed state of an index; safe to share between threads."""

    def __init__(self, index: IndexReader, embedder: Embedder, calibration: Calibration) -> None:
        self.index = index
        self._embedder = embedder
        self._calibration = calibration

    @classmethod
    def open(cls, index: Path, *, embedder: Embedder) -> "Assistant":
        """Open an index for questions.

        Raises:
            IndexNotFound, IndexMismatch, IndexCorrupt: it can't be served with this embedder.
        """
        stamp = ModelStamp(embedder.model_id, embedder.digest, embedder.dimensions)
        return cls(IndexReader.open(index, model=stamp), embedder, load_calibration())

    def __enter__(self) -> "Assistant":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let the index go."""
        self.index.close()

    def catalogue(self) -> tuple[CatalogueProduct, ...]:
        """What the index covers, sorted by product."""
        return self.index.products

    def ask(
        self,
        question: str,
        *,
        history: Sequence[str] = (),
        product: str | None = None,
        version: str | None = None,
        limit: int = 10,
    ) -> Answer:
        """Answer a question with verified quotes, or say that the index doesn't.

        `history` are earlier questions of the conversation, oldest first; `limit` bounds the listed passages.

        Raises:
            UsageError: an unknown product, a malformed version filter, or a question of more than 4,000 characters.
        """
        started = time.perf_counter()
        _check_length(question, *history)
        query = parse_query(question, history=history, catalogue=self.index.products, product=product, version=version)
        findings = self.find(query, limit=max(limit, _READ_HITS))
        certainty = self.certainty(findings)
        confident = certainty >= self._calibration.threshold
        composed = compose_answer(draft_answer(findings, confident=confident), self.index)
        if composed.status is Status.NOT_FOUND:
            certainty = min(certainty, self._calibration.threshold)
        elif findings.outcome.is_overview:
            certainty = max(certainty, self._calibration.threshold)
        return Answer(
            question=question,
            status=composed.status,
            confidence=round(certainty, 4),
            answer=composed.text,
            citations=composed.citations,
            passages=self._rank(findings.outcome.hits[:limit]),
            conflicts=composed.conflicts,
            interpretation=_interpret(query),
            notes=composed.notes,
            elapsed_ms=1000 * (time.perf_counter() - started),
        )

    def search(
        self, query: str, *, product: str | None = None, version: str | None = None, limit: int = 10
    ) -> SearchResult:
        """Ranked passages, no answer.

        Raises:
            UsageError: an unknown product, a malformed version filter, or a query of more than 4,000 characters.
        """
        started = time.perf_counter()
        _check_length(query)
        parsed = parse_query(query, catalogue=self.index.products, product=product, version=version)
        outcome = search(parsed, self.index, self._embedder, limit=limit)
        return SearchResult(
            query=query,
            passages=self._rank(outcome.hits),
            interpretation=_interpret(parsed),
            elapsed_ms=1000 * (time.perf_counter() - started),
        )

    def find(self, query: Query, *, limit: int) -> Findings:
        """Search for a parsed query and score the items of the first hits."""
        outcome = search(query, self.index, self._embedder, limit=limit)
        weights = TokenWeights.of(outcome.tokens, self.index.lexical, passages=self.index.manifest.passages)
        scored = score_items(outcome, outcome.hits[:_READ_HITS], self.index, weights)
        return Findings(query=query, outcome=outcome, scored=scored, weights=weights, index=self.index)

    def certainty(self, findings: Findings) -> float:
        """The calibrated probability, 0 to 1, that an answer from these findings is right."""
        evidence = gather_evidence(findings.query, findings.outcome, findings.scored, self.index, findings.weights)
        return confidence(evidence, self._calibration)

    def _rank(self, hits: Sequence[Hit]) -> tuple[RankedPassage, ...]:
        return tuple(
            RankedPassage(
                document_id=hit.passage.document.id,
                source=hit.passage.document.source,
                start=hit.passage.span.start,
                end=hit.passage.span.end,
                text=hit.passage.span.slice(self.index.document_text(hit.passage.document.id)),
                score=round(hit.score, 6),
                product=hit.passage.document.product,
                version=hit.passage.release,
                kind=hit.passage.kind,
                title=hit.passage.document.title,
                heading=hit.passage.heading,
                date=hit.passage.release_date or hit.passage.document.date,
                authority=hit.passage.document.authority,
                url=hit.passage.document.url,
            )
            for hit in hits
        )


def _check_length(*questions: str) -> None:
    longest = max(map(len, questions))
    if longest > MAX_QUESTION_CHARACTERS:
        raise UsageError(
            f"The question has {longest:,} characters, more than the {MAX_QUESTION_CHARACTERS:,} that one may have. "
            "Ask for one thing at a time, in fewer words."
        )


def _interpret(query: Query) -> Interpretation:
    return Interpretation(
        products=query.products,
        versions=str(query.constraint) if query.constraint is not None else None,
        symbols=query.symbols,
        intent=query.intent,
    )
