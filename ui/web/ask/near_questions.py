"""Where nothing is found: questions near to the one asked that the index can answer."""

import re
from collections.abc import Iterable, Iterator

from corpus.catalogue import CatalogueProduct
from corpus.index.stored import StoredPassage
from corpus.plain_words import one_line
from retrieval.assistant import Assistant
from retrieval.model import Query, Status
from ui.web.ask.examples import example_questions

_OFFERED = 3
_TRIED = 8
_PASSAGES = 8
_MAX_TITLE_CHARACTERS = 80
_MAX_SYMBOLS = 2
_CODE = re.compile(r"[._:/-]")
"""Without any of these a symbol may be a word, or who contributed."""
_WORD = re.compile(r"\w\w")
"""Without it, it is an abbreviation such as e.g."""


def near_questions(assistant: Assistant, query: Query) -> tuple[str, ...]:
    """Up to three questions that are answered when they are asked by themselves: about what the nearest passages are
    about, else about what the index covers. None only for an index that answers nothing."""
    passages = [hit.passage for hit in assistant.find(query, limit=_PASSAGES).outcome.hits[:_PASSAGES]]
    named = tuple(product for product in assistant.catalogue() if product.name in query.products)
    offered: list[str] = []
    for tried, question in enumerate(_candidates(passages, named, assistant.catalogue(), asked=query.text)):
        if len(offered) == _OFFERED or tried == _TRIED:
            break
        if assistant.ask(question, limit=1).status is Status.ANSWERED:
            offered.append(question)
    return tuple(offered)


def _candidates(
    passages: Iterable[StoredPassage],
    named: tuple[CatalogueProduct, ...],
    catalogue: tuple[CatalogueProduct, ...],
    *,
    asked: str,
) -> Iterator[str]:
    """Distinct ones, the nearest first; one a passage comes before the second of any."""
    seen = {asked.casefold()}
    rounds = [list(_about(passage, asked.casefold())) for passage in passages]
    first = [questions[0] for questions in rounds if questions][: _TRIED // 2]
    later = [question for questions in rounds for question in questions[1:2]][:2]
    for question in (*first, *later, *example_questions(named), *example_questions(catalogue)):
        if question.casefold() not in seen:
            seen.add(question.casefold())
            yield question


def _about(passage: StoredPassage, asked: str) -> Iterator[str]:
    """About a symbol of the question first, then the passage's heading, then its other symbols."""
    place = " ".join(part for part in (passage.document.product, passage.release) if part)
    names = {name.casefold() for name in (passage.document.product, *passage.document.aliases)}
    symbols = [symbol for symbol in passage.symbols if "`" not in symbol and symbol.casefold() not in names]
    shared = [symbol for symbol in symbols if symbol.casefold() in asked]
    title = one_line(passage.heading[-1]) if len(passage.heading) > 1 else ""
    is_telling = title and len(title) <= _MAX_TITLE_CHARACTERS and not (passage.release and passage.release in title)
    code = [symbol for symbol in symbols if _CODE.search(symbol) and _WORD.search(symbol)]
    for subject in (
        *(f"`{symbol}`" for symbol in shared[:_MAX_SYMBOLS]),
        *([title] if is_telling else []),
        *(f"`{symbol}`" for symbol in code[:_MAX_SYMBOLS]),
    ):
        yield f"What does {place} say about {subject}?"
