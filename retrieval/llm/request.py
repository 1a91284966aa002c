"""What a language model is asked to read: the rules, the question with what it was understood as, and entries as data,
a line each with a number; and what it chose, as quotes.

Everything of documents stands in one JSON value, in which nothing can pass for an instruction by its form; a reply can
name nothing but what was shown.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import count, groupby, islice, takewhile
from typing import NamedTuple

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.model import Authority
from corpus.plain_words import one_line
from retrieval.llm.chat import Message, Prompt
from retrieval.question.interpretation import describe_versions
from retrieval.quoting.candidates import best_part, shorten_entries
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_items
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.quoting.wording import code_of, shorten


class Shown(NamedTuple):
    """What has a number in a request: an item, by what is told with it or by its own words."""

    passage: StoredPassage
    item: int  # Its place among the passage's items.
    words: str


_CANDIDATES, MOST_OF_CLAIM, _MOST_FULL, _NEAR = 16, 10, 3, 2
_CANDIDATE_CHARACTERS, _TOLD_CHARACTERS, _PLACE_CHARACTERS = 260, 540, 70
"""How many entries there are, passages in full, and items to code that is told of; how long what they tell is."""
_ONCE = "You were asked before; these are the entries that came of it. Leave more and search empty."


def _schema(properties: Mapping[str, object]) -> Mapping[str, object]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


_TEXT, _NUMBERS = {"type": "string"}, {"type": "array", "items": {"type": "integer"}}
_SCHEMA = _schema({"standalone_question": _TEXT, "answer": _NUMBERS, "more": _NUMBERS, "search": _TEXT})
_LIST_SCHEMA = _schema({"answer": _NUMBERS, "breaks": _NUMBERS})
_PART = _schema(
    {"verdict": {"type": "string", "enum": ["supported", "contradicted", "not_found"]}, "entry": {"type": "integer"}}
)
_CLAIM_SCHEMA = _schema({"parts": {"type": "array", "items": _PART}})


def choose_entries(findings: Findings, items: Iterable[ItemScore], *, limit: int = _CANDIDATES) -> tuple[Shown, ...]:
    """Return the first entries of some items, each with what of it tells; nothing that a source takes back."""
    held, asked, room = (one for one in items if not one.item.retracted), findings.outcome.tokens, _CANDIDATE_CHARACTERS
    shown = list[Shown]()
    for one in islice(shorten_entries(findings, held, room=_TOLD_CHARACTERS, seen=set(), shown=[]), limit):
        words = best_part(findings, f"{one.label}: {one.words}" if one.label else one.words, room)
        code = " ".join(" ".join(code_of(one.quote, findings.text_of(one.quote), tokens=frozenset(asked))).split())
        words = shorten(f"{words} {code}", max_characters=room) if code and len(words) < room else words
        behind = (item for item in one.scored.passage.items if item.span.start >= one.quote.span.end)
        near = takewhile(lambda item: not item.is_entry, islice(behind, _NEAR))
        words += " … (code follows)" * any(item.is_code for item in near)
        shown.append(Shown(one.scored.passage, one.scored.number, words))
    return tuple(shown)


def in_full(numbers: Iterable[int], shown: Sequence[Shown], index: IndexReader) -> tuple[Shown, ...]:
    """Return what was shown, and behind it the passages of those of these numbers, item by item."""
    passages = {shown[number - 1].passage.position: shown[number - 1].passage for number in within(numbers, shown)}
    for passage in islice(passages.values(), _MOST_FULL):
        items, text = enumerate(passage.items), index.text_of(passage)
        shown = (*shown, *(Shown(passage, n, item.span.slice(text)) for n, item in items if not item.retracted))
    return tuple(shown)


def quote_shown(numbers: Iterable[int], shown: Sequence[Shown], index: IndexReader) -> Iterator[Quote]:
    """Return the quotes of what has these numbers, no two of them overlapping but where one proves both."""
    quoted: list[Quote] = []
    for number in within(numbers, shown):
        passage, item, _ = shown[number - 1]
        quote = quote_items(passage, item, item, index.text_of(passage))
        # One of an entry's sentences is proven by the quote of another; of two entries under one line one has it.
        holder = next((other for other in quoted if other.overlaps(quote)), quote)
        is_held = holder.span.holds(quote.core)
        quote = replace(quote, span=holder.span) if is_held else replace(quote, span=quote.core, shown=())
        if is_held or not any(map(quote.overlaps, quoted)):
            quoted.append(quote)
            yield quote


def within(numbers: Iterable[int], shown: Sequence[object]) -> list[int]:
    """Return the numbers that something shown has, each once, in their order."""
    return [number for number in dict.fromkeys(numbers) if 0 < number <= len(shown)]


def word_request(findings: Findings, shown: Sequence[Shown], *, is_first: bool) -> Prompt:
    """Return the rules as one message, the question and what is shown as the other."""
    asked = {**_asked(findings), "entries": _show(shown)} | ({} if is_first else {"note": _ONCE})
    return _prompt("entries", asked, _SCHEMA)


def word_list_request(findings: Findings, places: Sequence[str], lines: Sequence[str], left: Counter[str]) -> Prompt:
    """Return the same for a list: its entries' lines, each at its place; `left` counts by kind what isn't shown."""
    asked = {**_asked(findings), "entries": _grouped(places, lines)} | ({"not_shown": left} if left else {})
    return _prompt("list", asked, _LIST_SCHEMA)


def word_claim_request(parts: Sequence[str], shown: Sequence[Shown]) -> Prompt:
    """Return the rules of judging as one message, the parts of a claim and what is shown as the other."""
    numbered = {str(number): part for number, part in enumerate(parts, start=1)}
    return _prompt("claim", {"parts": numbered, "entries": _show(shown)}, _CLAIM_SCHEMA)


def _prompt(rules: str, asked: Mapping[str, object], schema: Mapping[str, object]) -> Prompt:
    content = json.dumps(asked, ensure_ascii=False, indent=0)
    return Prompt((Message("system", _rules(rules)), Message("user", content)), schema)


@cache
def _rules(name: str) -> str:
    return files("retrieval.llm").joinpath("rules", f"{name}.txt").read_text(encoding="utf-8").rstrip("\n")


def _asked(findings: Findings) -> dict[str, object]:
    query = findings.query
    products = "; ".join(map(_describe, findings.index.products_named(query.products)))
    reading = ", ".join(filter(None, (products, describe_versions(query), query.form.value)))
    asked = {"question": query.text, "earlier_questions": [one.text for one in query.earlier], "read_as": reading}
    return {name: value for name, value in asked.items() if value}


def _describe(product: CatalogueProduct) -> str:
    newest = next(iter(stable_releases(product.releases)), None)
    return f"{product.name} (newest release {newest.version}, {newest.date})" if newest else product.name


def _show(shown: Sequence[Shown]) -> list[Mapping[str, str]]:
    return _grouped([place_of(one.passage, with_titles=True) for one in shown], [one.words for one in shown])


def _grouped(places: Sequence[str], lines: Sequence[str]) -> list[Mapping[str, str]]:
    numbered = zip(places, map(str, count(1)), lines, strict=False)
    groups = groupby(numbered, key=lambda one: one[0])
    return [{"of": of} | {number: line for _, number, line in group} for of, group in groups]


def place_of(passage: StoredPassage, *, with_titles: bool = False) -> str:
    """Return whose words a passage's are: "lamp 2.0, 2024-05-01, digest: Breaking changes"."""
    document, release = passage.document, passage.release
    name = f"{document.product} {release}" if release else document.product
    speaker = [document.authority.value] * (document.authority is not Authority.OFFICIAL)
    place = ", ".join(filter(None, (name, passage.date.isoformat() if passage.date else "", *speaker)))
    # The first names the document; the release is told.
    titles = [one_line(title) for title in passage.heading[1:] if not (release and str(release) in title)]
    under = " > ".join(titles) if with_titles else ""
    return f"{place}: {shorten(under, max_characters=_PLACE_CHARACTERS)}" if under else place
