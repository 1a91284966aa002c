"""From findings to an answer that a language model read out of them: it says which numbered items answer, and these are
quoted and drafted like any other answer.

Nothing that the model writes is shown but its reading of a follow-up, so it can choose badly, and can't lie
(docs/decisions/0014).
"""

import json
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib.resources import files
from itertools import islice

from corpus.everyday_words import is_everyday
from corpus.log_odds import log_odds, probability
from retrieval.answers import finish_draft
from retrieval.answers.not_found import draft_not_found, uncovered_release
from retrieval.answers.yes_no import decide_yes_no
from retrieval.llm import request
from retrieval.llm.chat import ChatModel, Completion, CompletionError, Message, Prompt
from retrieval.llm.reply import Parsed, Reply, parse_reply
from retrieval.model import Form, Status
from retrieval.quoting.composing import Draft, Opening, Statement, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote

_UNREAD = "This is the answer without one."
_SIGNS = ".,;:?!()\"'`“”‘’"  # Around words of a question.
_REMEMBERED = 512  # How many completions are kept for as long as an index stays as it is.
_MOST_STATEMENTS, _MOST_CHARACTERS, _FURTHER_CHARACTERS = 6, 800, 220
"""Of an answer, and of a statement after the first; what comes after them is left out."""
_MOST_DRAFTED = 8  # Of the passages that the answer without a model quotes; the search has a say in the others.
_LONGEST_SEARCH, _LONGEST_QUESTION = 300, 400


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer that was read, or the one that was drafted without, with a note of what became of it."""

    draft: Draft
    findings: Findings  # What it was read out of.
    standalone: str | None = None  # A follow-up as somebody would ask it who hasn't read the questions before it.
    is_read: bool = False  # Whether the model had its say: chose the quotes, or found that none answer.

    def confidence(self, certainty: float) -> float:
        """Return how sure the draft is, by how sure the search was."""
        is_chosen = self.is_read and self.draft.status is not Status.NOT_FOUND
        return load_confidence().of(certainty) if is_chosen else certainty


@dataclass(frozen=True, slots=True)
class ReadConfidence:
    """How sure an answer is that was read, by how sure the search was: a logistic regression on its log-odds, fitted by
    `python -m evals.reading --fit` on answers of recorded completions that were judged right or wrong."""

    bias: float
    weight: float

    def of(self, certainty: float) -> float:
        """Return the probability, 0 to 1, that the answer is right."""
        return probability(self.bias + self.weight * log_odds(certainty))


@lru_cache(maxsize=1)
def load_confidence() -> ReadConfidence:
    """Return the committed fit."""
    return ReadConfidence(**json.loads(files("retrieval.llm").joinpath("confidence.json").read_text(encoding="utf-8")))


@dataclass(slots=True)
class Budget:
    """What is left of the time for a question, and what its requests have cost; mutable, of one thread."""

    ends: float
    tokens_in: int = 0
    tokens_out: int = 0

    def complete(self, model: ChatModel, prompt: Prompt) -> Completion:
        left = self.ends - time.monotonic()
        if left <= 0:
            raise CompletionError(f"didn't answer within {model.timeout_s:g} s")
        completion = model.complete(prompt, within_s=left)
        self.tokens_in += completion.tokens_in
        self.tokens_out += completion.tokens_out
        return completion

    def __str__(self) -> str:
        return f"{self.tokens_in:,} tokens in, {self.tokens_out:,} out"


class Reader:
    """Has a model read what was found in one state of an index; safe to share between threads."""

    most_passages = request.MOST_PASSAGES  # How many hits of a search are of use.

    def __init__(self, model: ChatModel) -> None:
        self._model = model
        self._lock = threading.Lock()
        self._remembered: OrderedDict[tuple[Message, ...], str] = OrderedDict()

    @property
    def name(self) -> str:
        """The model's, for people."""
        return self._model.name

    def begin(self) -> Budget:
        """Return the time of a question, which begins now."""
        return Budget(time.monotonic() + self._model.timeout_s)

    def read(self, findings: Findings, draft: Draft, search: Callable[[str], Findings]) -> Reading:
        """Have the model answer from what was found; it may ask once for a `search` with other words.

        `draft` is the answer without a model. It stands where the catalogue knows it, where it tells of what a source
        takes back, or of a conflict that the model's choice leaves out, where a rule decided and the model finds
        nothing, and where the model chooses nothing that can be told.
        """
        shown = _choose(findings, draft) if self.may_read(findings, draft) else ()
        if not shown:
            return Reading(draft, findings)
        budget = self.begin()
        found, count = findings, len(shown)
        try:
            reply = self.ask(request.word_request(findings, shown, may_search=True), budget, Reply)
            standalone = _standalone(reply, findings)
            words = " ".join(reply.search.split())[:_LONGEST_SEARCH]
            if not reply.answer and words:
                found = replace(search(words), query=findings.query)
                items = request.items_of(hit.passage for hit in found.outcome.hits)
                shown = request.choose_sentences(items, findings.index)
                if shown:
                    count += len(shown)
                    reply = self.ask(request.word_request(found, shown, may_search=False), budget, Reply)
        except CompletionError as error:
            cost = f" ({budget})" if budget.tokens_in + budget.tokens_out else ""
            return Reading(_noted(draft, f"The language model {error}{cost}. {_UNREAD}"), findings)
        if not reply.answer:
            is_known = draft.status is Status.NOT_FOUND or not draft.by_confidence
            kept = draft if is_known else finish_draft(draft_not_found(findings), findings)
            note = f"The language model {self.name!r} found no answer in {count} sentences ({budget})."
            return Reading(_noted(kept, note), findings, standalone, is_read=True)
        statements = tuple(_statements(reply.answer, shown, found, findings))
        read = finish_draft(Draft(Status.ANSWERED, statements=statements), found)
        if not statements or (draft.disputes and not read.disputes):
            note = f"What the language model {self.name!r} chose can't be told ({budget})."
            return Reading(_noted(draft, f"{note} {_UNREAD}"), findings, standalone)
        note = f"The language model {self.name!r} chose the quotes ({budget})."
        return Reading(_noted(read, note), found, standalone, is_read=True)

    def may_read(self, findings: Findings, draft: Draft) -> bool:
        """Return whether an item may change the answer: not what the catalogue knows, nor where a source retracts."""
        query = findings.query
        takes_back = any(quote.retracted for statement in draft.statements for quote in statement.quotes)
        is_known = query.form.traits.is_catalogue and draft.status is not Status.NOT_FOUND
        is_settled = is_known or takes_back or query.form is Form.CHAT
        return not is_settled and uncovered_release(findings) is None

    def ask(self, prompt: Prompt, budget: Budget, kind: type[Parsed]) -> Parsed:
        """Return the model's reply; what was asked before isn't asked again, and what can't be read once more.

        Raises:
            CompletionError: there is no reply within the budget, or none that can be read.
        """
        with self._lock:
            if text := self._remembered.get(prompt.messages):
                self._remembered.move_to_end(prompt.messages)
                return parse_reply(text, kind)
        text = budget.complete(self._model, prompt).text
        try:
            reply = parse_reply(text, kind)
        except CompletionError:
            text = budget.complete(self._model, request.word_repair(prompt, text)).text
            reply = parse_reply(text, kind)
        with self._lock:
            self._remembered[prompt.messages] = text
            if len(self._remembered) > _REMEMBERED:
                self._remembered.popitem(last=False)
        return reply


def _choose(findings: Findings, draft: Draft) -> tuple[request.Sentence, ...]:
    """Return what is read: what the drafted answer quotes, what is of the asked release, what else was found."""
    drafted = {quote.passage.position: quote.passage for statement in draft.statements for quote in statement.quotes}
    hits = sorted(findings.outcome.hits, key=lambda hit: not findings.fits(hit))
    passages = (*islice(drafted.values(), _MOST_DRAFTED), *(hit.passage for hit in hits))
    return request.choose_sentences(request.items_of(passages), findings.index)


def _statements(
    numbers: Sequence[int], shown: Sequence[request.Sentence], findings: Findings, first: Findings
) -> Iterator[Statement]:
    """A statement for each quote of a reply, as many as an answer holds; `first` is what was found at first."""
    room = _MOST_CHARACTERS
    about = (quote for quote in request.quote_sentences(numbers, shown, findings.index) if _is_about(findings, quote))
    for place, quote in enumerate(islice(about, _MOST_STATEMENTS)):
        text = findings.text_of(quote)
        statement = statement_of(quote, text, max_characters=_FURTHER_CHARACTERS) if place else _begin(first, quote)
        room -= len((statement.speaker + statement.labelled).text)
        if place and room < 0:
            return
        yield statement


def _is_about(findings: Findings, quote: Quote) -> bool:
    """Return whether a quote is of a named product, and has the names of those that the library lacks. Of which release
    it is the answer tells: what was broken in the one that is asked about, a later one repairs."""
    query, passage = findings.query, quote.passage
    if query.product_stated and passage.document.product not in query.products:
        return False
    place = (passage.document.product, *passage.heading, quote.span.slice(findings.text_of(quote)))
    words = " ".join(place).casefold()
    return all(product.casefold() in words for product in query.unknown_products)


def _begin(findings: Findings, quote: Quote) -> Statement:
    """Return the first statement, with its day, and with yes or no where the same words decide that without a model."""
    verdict, best = None, next(iter(findings.fitting), None)
    if findings.query.form is Form.YES_NO and best and best.passage.position == quote.passage.position:
        verdict = decide_yes_no(findings) if best.item.span.meets(quote.core) else None
    return replace(statement_of(quote, findings.text_of(quote), tells_day=True), opening=Opening(verdict, ""))


def _standalone(reply: Reply, findings: Findings) -> str | None:
    """Return the question as the model put it, where it leans on earlier ones and adds none but everyday words."""
    query = findings.query
    words = " ".join(reply.standalone_question.split())
    asked = [query.search_text, *(earlier.text for earlier in query.earlier)]
    is_new = len(asked) > 1 and words != query.text and len(words) <= _LONGEST_QUESTION
    if not is_new or not words.endswith("?"):
        return None
    names = (name for product in findings.products for name in (product.name, *product.aliases))
    known = set(_bare_words(" ".join((*asked, *names))))
    return words if all(word in known or is_everyday(word) for word in _bare_words(words)) else None


def _bare_words(text: str) -> Iterator[str]:
    """Yield the words of a text as they are compared, without the signs around them; what is all signs stays."""
    for word in text.casefold().split():
        bare = word.strip(_SIGNS).removesuffix("'s")
        yield bare or word


def _noted(draft: Draft, note: str) -> Draft:
    return replace(draft, notes=(*draft.notes, note))
