"""The one public way to ask: `Assistant.open(index).ask(question)`.

A question's way, with no way back: parse_query, search, draft_answer, verify_quotes, compose_answer.
"""

import logging
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import reduce, wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

import numpy as np

from corpus.cache_folder import cache_folder
from corpus.catalogue import CatalogueProduct
from corpus.deadline import check_time
from corpus.embedding import Embedder, open_embedder
from corpus.embedding.remembering import RememberingEmbedder
from corpus.errors import UsageError
from corpus.index.layout import newest_manifest
from corpus.index.reader import IndexReader
from corpus.lexicon import split_tokens
from corpus.manifest import ModelStamp
from corpus.versions import VersionMatch
from retrieval.answers import draft_answer
from retrieval.answers.events import tells_of
from retrieval.answers.evidence import (
    LIKELY,
    Calibration,
    Evidence,
    confidence,
    gather_evidence,
    load_calibration,
    name_lack,
)
from retrieval.answers.missing import is_sure_to_hold, names_asked
from retrieval.answers.present import lead_with_newest
from retrieval.answers.since_when import ask_of_answer
from retrieval.judge.answers import AnswerWeights, judge_answers, load_answer_weights
from retrieval.model import MAX_QUESTION_LENGTH, Answer, Facet, Heard, Query, RankedPassage, SearchResult, Status
from retrieval.question.forms import FormReading, read_form, without_names
from retrieval.question.interpretation import interpret
from retrieval.question.query import parse_query
from retrieval.question.tokens import Token, name_tokens
from retrieval.quoting.candidates import select_candidates
from retrieval.quoting.composing import Draft, Statement, compose_answer, quotes_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote, items_of, score_items
from retrieval.search.hits import SEARCHED_HITS, Hit, RankedHits, rank_hits, read_hits
from retrieval.search.item_ranker import ItemRanker, load_item_ranker
from retrieval.search.search import search

# A question seldom needs these, and would wait for their imports.
if TYPE_CHECKING:
    from retrieval.claims.model import ClaimCheck
    from retrieval.llm import ChatModel
    from retrieval.llm.claims import ClaimReader
    from retrieval.reviews.model import Review
    from retrieval.upgrades.code_usage import CodeUsage
    from retrieval.upgrades.model import Upgrade

_logger = logging.getLogger(__name__)
_CATALOGUE_CERTAINTY = 0.9
"""What the index holds is known; that the question meant it isn't. Chosen by hand, never fitted."""
_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_Drafted = tuple[Draft, Findings, Evidence | None, float]
_FIRST, _NEWEST, _MOST_HOLDING = 6, 2, 100
"""Items that stay before those that hold the names; how many of these, beside the first; and passages read for them."""
_REMEMBERED, _BEGUN = 256, 32
"""Of how many questions are kept what answers quoted, for follow-ups, and what was found, until a model reads it."""


def _naming_damage(
    method: "Callable[Concatenate[Assistant, _Parameters], _Result]",
) -> "Callable[Concatenate[Assistant, _Parameters], _Result]":
    """Decorate a method to raise IndexCorrupt where it fails over a damaged file of the index."""

    @wraps(method)
    def call(assistant: "Assistant", /, *arguments: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        with assistant.index.naming_damage():
            return method(assistant, *arguments, **options)

    return call


class Assistant:
    """Answers questions from one committed state of an index; safe to share between threads."""

    def __init__(
        self,
        index: IndexReader,
        embedder: Embedder,
        calibration: Calibration,
        *,
        model: "ChatModel | None" = None,
        item_ranker: ItemRanker | None = None,
        answer_weights: AnswerWeights | None = None,
    ) -> None:
        self.index = index
        self._item_ranker = item_ranker or load_item_ranker()
        self._answer_weights = answer_weights or load_answer_weights()
        self._reader = None
        if model is not None:
            from retrieval.llm.reader import Reader

            self._reader = Reader(model)
        self._embedder = RememberingEmbedder(embedder)
        self._calibration = calibration
        self._remembered: dict[Query, tuple[Statement, ...]] = {}
        self._begun: dict[tuple[Query, int], _Drafted] = {}

    @classmethod
    def open(
        cls, index: str | Path, *, embedder: Embedder | None = None, model: "ChatModel | None" = None
    ) -> "Assistant":
        """Open an index for questions.

        Without an `embedder`, the one that the index was built with is opened. A `model` reads what is found.

        Raises:
            IndexNotFound, IndexMismatch, IndexCorrupt: it can't be served with this embedder.
            ModelError: the model that it was built with is missing, altered or can't be loaded.
        """
        index = Path(index)
        if embedder is None:
            embedder = open_embedder(newest_manifest(index).model_id, cache_dir=cache_folder())
        stamp = ModelStamp(embedder.model_id, embedder.digest, embedder.dimensions)
        return cls(IndexReader.open(index, model=stamp), embedder, load_calibration(), model=model)

    def __enter__(self) -> "Assistant":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the index; nothing can be asked any more."""
        self.index.close()

    def judging(
        self,
        *,
        item_ranker: ItemRanker | None = None,
        answer_weights: AnswerWeights | None = None,
        model: "ChatModel | None" = None,
    ) -> "Assistant":
        """Return the assistant on the same index with another order of items, weights of the judge, or model."""
        return Assistant(
            self.index,
            self._embedder,
            self._calibration,
            model=model,
            item_ranker=item_ranker or self._item_ranker,
            answer_weights=answer_weights or self._answer_weights,
        )

    def catalogue(self) -> tuple[CatalogueProduct, ...]:
        """Return the indexed products with their releases, sorted by name."""
        return self.index.products

    @_naming_damage
    def ask(
        self,
        question: str,
        *,
        history: Sequence[str] = (),
        product: str | None = None,
        version: str | None = None,
        without: Collection[Facet] = (),
        limit: int = 10,
        candidates: int = 0,
        listed: int | None = None,
        read: bool = True,
    ) -> Answer:
        """Answer a question with verified quotes, or say that the index doesn't.

        `history` are earlier questions of the conversation, oldest first; `without` is what isn't to be read from the
        question, because it was read wrongly before; `limit` bounds the passages, `listed` the changes of a list, and
        `candidates` uncited items. Without `read` there is no language model; to read later searches nothing again.

        Raises:
            UsageError: an unknown product, a malformed version filter, or a question of more than 4,000 characters.
        """
        started = time.perf_counter()
        query = self.understand(question, history=history, product=product, version=version, without=without)
        reader, calibration = self._reader, self._calibration
        query = query.listing(listed)
        drafted = self._begun.pop((query, limit), None) or self._draft(query, limit)
        draft, findings, evidence, certainty = drafted
        confident = certainty >= (least := calibration.threshold)
        _logger.debug("Read as %s; answering by %.2f, of at least %.2f", query.form.intent, certainty, least)
        if query.asks_of_answer and not tells_of(draft, findings):
            certainty = min(certainty, least)
        interpretation, heard = interpret(query), Heard.NO
        if reader is not None and read:

            def find_more(words: str) -> tuple[Draft, Findings]:
                another = self.understand(words, product=product, version=version).listing(listed)
                return self._draft(another, limit)[:2]

            reading = reader.read(findings, draft, find_more)
            draft, findings = reading.draft, reading.findings
            if reading.is_read:
                certainty, heard = reader.confidence(certainty), Heard.YES
        elif reader is not None and reader.may_read(findings, draft):
            heard = Heard.NOT_YET
            _remember_newest(self._begun, (query, limit), drafted, most=_BEGUN)
        self._remember(query, draft)
        composed = compose_answer(draft, self.index, by_catalogue=query.form.traits.is_catalogue)
        if composed.status is Status.NOT_FOUND:
            certainty = min(certainty, least)
        elif query.form.traits.is_catalogue:
            certainty = _CATALOGUE_CERTAINTY
        # Without a verified quote there is no answer, whatever the confidence.
        by_confidence = draft.by_confidence and confident is not (composed.status is Status.NOT_FOUND)
        return Answer(
            question=question,
            status=composed.status,
            confidence=round(certainty, 4),
            blocks=composed.blocks,
            citations=composed.citations,
            passages=self._rank(findings.outcome.hits[:limit]),
            interpretation=interpretation,
            notes=composed.notes,
            elapsed_ms=1000 * (time.perf_counter() - started),
            reason=name_lack(evidence, calibration) if by_confidence and not confident else None,
            heard=heard,
            candidates=select_candidates(
                findings, composed.citations, names=names_asked(findings) if candidates else (), limit=candidates
            ),
        )

    @_naming_damage
    def search(
        self, query: str, *, product: str | None = None, version: str | None = None, limit: int = 10
    ) -> SearchResult:
        """Return at most `limit` ranked passages, without an answer.

        Raises:
            UsageError: an unknown product, a malformed version filter, or a query of more than 4,000 characters.
        """
        started = time.perf_counter()
        parsed = self.understand(query, product=product, version=version)
        # The first words of an entry find it, after a product's name, too.
        names = parsed.symbols or (parsed.text, parsed.text.partition(" ")[2])
        outcome = self._rank_hits(replace(parsed, symbols=tuple(filter(None, names))), limit=limit).outcome
        return SearchResult(
            query=query,
            passages=self._rank(outcome.hits),
            interpretation=interpret(parsed),
            elapsed_ms=1000 * (time.perf_counter() - started),
        )

    @_naming_damage
    def review(self, diff: str, *, code: "CodeUsage | None" = None) -> "Review":
        """Review the version bumps and symbols of a diff against the notes; changes that `code` uses come first.

        Raises:
            UsageError: the text isn't a diff, or is malformed.
        """
        from retrieval.reviews.diff import read_diff
        from retrieval.reviews.review import review_diff

        return review_diff(read_diff(diff), self.index, code=code)

    @_naming_damage
    def upgrade(self, product: str, start: str, end: str, *, every: bool = False) -> "Upgrade":
        """List the changes in (`start`, `end`] that break, remove, deprecate, need action or change behaviour; if
        `every`, also fixes, features and housekeeping.

        Raises:
            UsageError: an unknown product, a malformed version, or versions that aren't in order.
        """
        from retrieval.upgrades.upgrade_list import list_upgrade

        return list_upgrade(self.index, product, start, end, every=every)

    @_naming_damage
    def cite(self, text: str, *, product: str | None = None, version: str | None = None) -> "ClaimCheck":
        """Check the claims of a text: a verdict for each, what differs, and at most three verified quotes.

        Raises:
            UsageError: an unknown product, a malformed version filter, an empty text, or one of more than 20,000
                characters.
        """
        from retrieval.claims.checking import check_text

        return check_text(text, self, product=product, version=version)

    def begin_claims(self) -> "ClaimReader | None":
        """Return the language model as a judge of one text's claims; None if there is no model."""
        if self._reader is None:
            return None
        from retrieval.llm.claims import ClaimReader

        return ClaimReader(self._reader)

    def understand(
        self,
        question: str,
        *,
        history: Sequence[str] = (),
        product: str | None = None,
        version: str | None = None,
        without: Collection[Facet] = (),
    ) -> Query:
        """Parse a question, except for the facets `without`, against the products and releases in the index.

        Raises:
            UsageError: an unknown product, a malformed version filter, or a question of more than 4,000 characters.
        """
        if (longest := max(map(len, (question, *history)))) > MAX_QUESTION_LENGTH:
            raise UsageError(
                f"The question has {longest:,} characters, more than the {MAX_QUESTION_LENGTH:,} that one may "
                "have. Ask for one thing at a time, in fewer words."
            )
        return parse_query(
            question,
            history=history,
            catalogue=self.index.products,
            product=product,
            version=version,
            without=without,
            read=self._read_form,
            frequency=self._frequency,
            is_held_by=self._is_held_by,
        )

    def _read_form(self, text: str, tokens: Sequence[Token]) -> FormReading:
        vector = self._embedder.embed([without_names(text, tokens)])[0]
        return read_form(tokens, vector, digest=self._embedder.digest)

    def understand_claim(self, text: str, *, product: str | None = None, version: str | None = None) -> Query:
        """Parse a statement, which asks for nothing, against the products and releases in the index.

        Raises:
            UsageError: an unknown product, or a malformed version filter.
        """
        return parse_query(
            text,
            catalogue=self.index.products,
            product=product,
            version=version,
            without=(Facet.INTENT,),
            frequency=self._frequency,
        )

    def _frequency(self, word: str) -> int:
        return max(map(self.index.lexical.document_frequency, split_tokens(word)[:1]), default=0)

    def _is_held_by(self, name: str, products: tuple[str, ...]) -> bool:
        named = products or tuple(product.name for product in self.index.products)
        return len(self.index.passages_holding(name_tokens(name), products=named)) > 0

    def _told(self, query: Query) -> tuple[Statement, ...]:
        """Return the statements of the answer to an earlier question, which "more" continues and nothing repeats."""
        statements = self._remembered.get(query)
        return self._remember(query, self._draft(query, 0)[0]) if statements is None else statements

    def _draft(self, query: Query, limit: int) -> _Drafted:
        """Return the draft, its findings, its evidence, and the confidence: an answer's if an entry holds all asked."""
        findings, least = self.find(query, limit=limit), self._calibration.threshold
        evidence = gather_evidence(findings)
        certainty = max(confidence(evidence, self._calibration), least * is_sure_to_hold(findings))
        confident = certainty >= least
        before = query.before if query.form.traits.is_judged and query.text == query.search_text else None
        if before and not confident:
            # What isn't answered alone may go on with the question before.
            text = f"{before.search_text} {query.text}"
            joined = replace(query, search_text=text, symbols=(*before.symbols, *query.symbols))
            drafted = self._draft(joined, limit)
            if drafted[0].statements:
                return drafted
        draft = draft_answer(findings, confident=confident, is_likely=certainty >= LIKELY)
        return draft, self._widen(findings) if self._reader else findings, evidence, certainty

    def _widen(self, findings: Findings) -> Findings:
        """Return the findings with the answer before, and with the newest items and the first one that hold all names
        asked for, of those that do what is asked if any does: who reads knows which decides."""
        query, names = findings.query, findings.focus.names
        before = tuple(items_of(quotes_of(self._told(query.before))[:1])) if query.before else ()
        products = [product.name for product in findings.products]
        rows = [self.index.passages_holding(word.tokens[:1], products=products) for word in names]
        best, known = findings.scored, [item.passage.position for item in findings.scored]
        holding = np.setdiff1d(reduce(np.intersect1d, rows), known)[:_MOST_HOLDING].tolist() if rows else []
        hits = [Hit(passage, 0.0, 0.0, VersionMatch.SERIES) for passage in self.index.load_passages(holding)]
        readings = read_hits(hits, findings.outcome.vector, self.index)
        scored = score_items(query, readings, findings.weights, findings.focus, self._item_ranker)
        named = [item for item in scored if all(word.met_by(item.tokens) for word in names)]
        named = [item for item in named if item.act is query.act] or named
        named.sort(key=lambda item: item.passage.release_order, reverse=True)
        return replace(findings, before=before, scored=(*best[:_FIRST], *named[:_NEWEST], *named[-1:], *best[_FIRST:]))

    def _remember(self, query: Query, draft: Draft) -> tuple[Statement, ...]:
        _remember_newest(self._remembered, query, draft.statements, most=_REMEMBERED)
        return draft.statements

    @_naming_damage
    def find(self, query: Query, *, limit: int, is_asked: bool = True) -> Findings:
        """Search for a parsed query and score the items of the first hits; more than `limit` where more are read. What
        a question is answered with is judged, too; a claim isn't asked.

        Raises:
            TimeoutError: nobody waits for it any more.
        """
        check_time()
        before, earlier = list[Quote](), query
        # The questions right before that ask the same: a question goes on with their answers ("more").
        while earlier.before is not None and earlier.text != earlier.search_text == earlier.before.search_text:
            earlier = earlier.before
            before += quotes_of(self._told(earlier))
        read = query.form.traits.depth
        ranked = self._rank_hits(query, limit=max(limit, read), read=read)
        scored = score_items(query, ranked.readings, ranked.weights, ranked.focus, self._item_ranker)
        findings = Findings(query=query, ranking=ranked, scored=scored, index=self.index, earlier=tuple(before))
        if not is_asked:
            return findings
        judged = lead_with_newest(judge_answers(findings, self._answer_weights))
        while query.asks_of_answer and query.before:
            query = query.before
        if query is findings.query:
            return judged
        return ask_of_answer(judged, quotes_of(self._told(query)))

    def _rank_hits(self, query: Query, *, limit: int, read: int = 0) -> RankedHits:
        outcome = search(query, self.index, self._embedder, limit=max(limit, SEARCHED_HITS))
        return rank_hits(query, outcome, self.index, read=read, limit=limit)

    def _rank(self, hits: Sequence[Hit]) -> tuple[RankedPassage, ...]:
        return tuple(
            RankedPassage(
                document_id=hit.passage.document.id,
                source=hit.passage.document.source,
                start=hit.passage.span.start,
                end=hit.passage.span.end,
                text=hit.passage.span.slice(self.index.text_of(hit.passage)),
                score=round(hit.score, 6),
                product=hit.passage.document.product,
                version=str(hit.passage.release) if hit.passage.release else None,
                kind=hit.passage.kind,
                title=hit.passage.document.title,
                heading=hit.passage.heading,
                date=hit.passage.date,
                authority=hit.passage.document.authority,
                url=hit.passage.document.url,
            )
            for hit in hits
        )


def _remember_newest(kept: dict[Any, Any], key: object, value: object, *, most: int) -> None:
    kept[key] = value
    # Other threads add to it meanwhile: what is listed at once can't change under the loop.
    for oldest in list(kept)[:-most]:
        kept.pop(oldest, None)
