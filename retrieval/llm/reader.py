"""From findings to an answer that a language model read out of them: it says which numbered items answer, and these are
quoted and drafted like any other answer.

Nothing that the model writes is shown, so it can choose badly, and can't lie (docs/decisions/0014).
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from corpus.log_odds import log_odds, probability
from retrieval.answers import finish_draft
from retrieval.answers.news import YOURS, draft_news, list_news, offer_news
from retrieval.answers.not_found import draft_not_found, uncovered_release
from retrieval.answers.yes_no import decide_yes_no
from retrieval.llm.chat import ChatModel, Completion, CompletionError, Message, Prompt
from retrieval.llm.reply import Parsed, Reply, parse_reply
from retrieval.llm.request import (
    Shown,
    choose_entries,
    in_range,
    place_of,
    quote_shown,
    word_list_request,
    word_request,
)
from retrieval.model import Form, Status
from retrieval.quoting.composing import Draft, Opening, Statement, quotes_of, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote, items_of

_UNREAD = "This is the answer without one."
_MOST_STATEMENTS, _MOST_CHARACTERS, _FURTHER_CHARACTERS = 6, 800, 220
"""Of an answer, and of a statement after the first; what comes after them is left out."""
_MOST_DRAFTED, _MOST_FIRST = 8, 12  # Of what the answer without a model quotes, and of the asked releases at first.
_REMEMBERED = 512  # How many completions are kept.


@dataclass(frozen=True, slots=True)
class Reading:
    """The answer that the model chose, or the one drafted without it, with a note of what became of the choice."""

    draft: Draft
    findings: Findings  # What it was read out of.
    is_read: bool = False  # Whether the model decided: chose the quotes, or found that none answer.


@dataclass(slots=True)
class Budget:
    """What is left of the time for a question, and what its requests have cost; mutable, of one thread."""

    ends: float = 0.0  # Counted from the first request on: what a request is made of takes time, too.
    tokens_in: int = 0
    tokens_out: int = 0

    def complete(self, model: ChatModel, prompt: Prompt) -> Completion:
        self.ends = self.ends or time.monotonic() + model.timeout_s
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

    @staticmethod
    def confidence(certainty: float) -> float:
        """Return the probability, 0 to 1, that a read answer is right, by the search's `certainty`: a logistic
        regression on its log-odds, fitted on answers of the committed recordings that were judged right or wrong."""
        return probability(2.97 + 0.15 * log_odds(certainty))

    def __init__(self, model: ChatModel) -> None:
        self._model, self.name = model, model.name
        self._remembered: dict[tuple[Message, ...], str] = {}

    def read(self, findings: Findings, draft: Draft, search: Callable[[str], tuple[Draft, Findings]]) -> Reading:
        """Have the model answer from what was found; it may ask once for a `search` by another question, for a list
        in place of entries, too.

        `draft` is the answer without a model. It is kept if it is from the catalogue, a source retracts its quote, or
        none of the model's choice can be quoted.
        """
        if not (self.may_read(findings, draft) and (draft.is_list or findings.scored)):
            return Reading(draft, findings)
        budget = Budget()
        try:
            reply, read = self._read(findings, draft, budget, findings)
            words, latest = " ".join((reply.search or "").split()), findings
            if words and not reply.answer:
                other, latest = search(words)
                # Where the rules find nothing either, it wouldn't.
                if other.statements:
                    reply, read = self._read(latest, other, budget, findings)
        except CompletionError as error:
            return Reading(_noted(draft, f"The language model {error} ({budget}). {_UNREAD}"), findings)
        model = f"language model {self.name!r}"
        if not reply.answer:
            is_known = draft.is_list or draft.status is Status.NOT_FOUND
            kept = draft if is_known else finish_draft(draft_not_found(findings), findings)
            return Reading(_noted(kept, f"The {model} found no answer ({budget})."), findings, is_read=True)
        if not read.statements:
            draft = _noted(draft, f"What the {model} chose can't be told ({budget}). {_UNREAD}")
            return Reading(draft, findings)
        return Reading(_noted(read, f"The {model} chose the quotes ({budget})."), latest, is_read=True)

    def _read(self, findings: Findings, draft: Draft, budget: Budget, first: Findings) -> tuple[Reply, Draft]:
        """Return the model's reply and the answer from what it chose; `first` is what was found for the question
        itself."""
        query, question, is_first = findings.query, first.query, findings is first
        if draft.is_list and (query.products == question.products or not question.product_stated):
            listed = list_news(findings)
            items, lines, left = offer_news(listed, findings.index)
            places = [place_of(item.entry.passage) for item in items]
            reply = self.ask(word_list_request(findings, places, lines, left, is_first=is_first), budget, Reply)
            answer = [items[number - 1] for number in in_range(reply.answer, items)]
            # What nobody calls breaking isn't called so because a model says it.
            hits = {items[number - 1] for number in in_range(reply.breaks, items) if items[number - 1].breaks}
            choice = [replace(item, group=YOURS) if item in hits else item for item in answer]
            read = draft_news(findings, listed, choice) or Draft(Status.NOT_FOUND)
            return reply, finish_draft(read, findings)
        findings = replace(findings, query=question)
        drafted = [*items_of(quotes_of(draft.statements)[:_MOST_DRAFTED])] if is_first else []
        shown = choose_entries(
            findings, (*drafted[:1], *first.before, *drafted[1:], *findings.fitting[:_MOST_FIRST], *findings.scored)
        )
        reply = self.ask(word_request(findings, shown, is_first=is_first), budget, Reply)
        statements = tuple(_statements(reply.answer, shown, findings, first))
        return reply, finish_draft(Draft(Status.ANSWERED, statements=statements), findings)

    def may_read(self, findings: Findings, draft: Draft) -> bool:
        """Return whether the model may change the answer: not small talk, a catalogue's, retracted or uncovered."""
        query = findings.query
        takes_back = any(quote.retracted for statement in draft.statements for quote in statement.quotes)
        is_known = query.form.traits.is_catalogue and draft.status is not Status.NOT_FOUND
        is_settled = is_known or takes_back or query.form is Form.CHAT
        return not is_settled and uncovered_release(findings) is None

    def ask(self, prompt: Prompt, budget: Budget, kind: type[Parsed]) -> Parsed:
        """Return the model's reply; the reply to a prompt already sent is remembered, and costs nothing.

        Raises:
            CompletionError: there is no reply within the budget, or none that can be read.
        """
        if text := self._remembered.get(prompt.messages):
            return parse_reply(text, kind)
        text = budget.complete(self._model, prompt).text
        reply = parse_reply(text, kind)
        self._remembered[prompt.messages] = text
        # Other threads add to it meanwhile: what is listed at once can't change under the loop.
        for oldest in list(self._remembered)[:-_REMEMBERED]:
            self._remembered.pop(oldest, None)
        return reply


def _statements(
    numbers: Sequence[int], shown: Sequence[Shown], findings: Findings, first: Findings
) -> Iterator[Statement]:
    """Yield a statement for each chosen quote about what was asked, as far as there is room; `first` came before."""
    room = _MOST_CHARACTERS
    about = (quote for quote in quote_shown(numbers, shown, findings.index) if _is_about(findings, quote))
    for place, quote in enumerate(islice(about, _MOST_STATEMENTS)):
        text = findings.text_of(quote)
        statement = statement_of(quote, text, max_characters=_FURTHER_CHARACTERS) if place else _begin(first, quote)
        room -= len((statement.speaker + statement.labelled).text)
        if place and room < 0:
            return
        yield statement


def _is_about(findings: Findings, quote: Quote) -> bool:
    """Return whether a quote is of a named product, and mentions those that the library lacks. It may be of another
    release, because a later one repairs what the requested one broke."""
    query, passage = findings.query, quote.passage
    if query.product_stated and passage.document.product not in query.products:
        return False
    place = (passage.document.product, *passage.heading, quote.span.slice(findings.text_of(quote)))
    words = " ".join(place).casefold()
    return all(product.casefold() in words for product in query.unknown_products)


def _begin(findings: Findings, quote: Quote) -> Statement:
    """Return the first statement, with its day, and with yes or no if the rules decide that by the same words."""
    verdict, best = None, next(iter(findings.fitting), None)
    if findings.query.form is Form.YES_NO and best and best.passage.position == quote.passage.position:
        verdict = decide_yes_no(findings) if best.item.span.meets(quote.core) else None
    return replace(statement_of(quote, findings.text_of(quote), tells_day=True), opening=Opening(verdict, ""))


def _noted(draft: Draft, note: str) -> Draft:
    return replace(draft, notes=(*draft.notes, note))
