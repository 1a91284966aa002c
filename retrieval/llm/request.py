"""Requests to a language model (the rules, the question with its interpretation, and entries as numbered lines), and
the quotes of the entries that it chose.

All text of documents is inside one JSON value, in which nothing can pass for an instruction by its form; a reply can
name only what was shown.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import count, groupby, islice
from typing import NamedTuple

from corpus.catalogue import CatalogueProduct, stable_releases
from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.model import Authority
from corpus.plain_words import one_line
from retrieval.llm.chat import Message, Prompt
from retrieval.question.interpretation import describe_versions
from retrieval.quoting.candidates import ShortEntry, best_part, shorten_entries
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_items
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.quoting.wording import code_of, shorten


class Shown(NamedTuple):
    """A numbered item in a request, in the words of its entry or its own."""

    passage: StoredPassage
    item: int  # Its place among the passage's items.
    words: str


_CANDIDATES, _FIRST, _SHARE, MOST_OF_CLAIM, _LONG = 16, 6, 0.5, 10, 3
_CANDIDATE_CHARACTERS, _TOLD_CHARACTERS, _PLACE_CHARACTERS = 260, 540, 70
"""Most entries; how many are shown whatever their likeness, and the least of any further one as a share of the highest;
most entries for a claim, and entries at length; characters of a line, of an entry at length, and of a place."""


def _schema(properties: Mapping[str, object]) -> Mapping[str, object]:
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


_TEXT, _NUMBERS = {"type": "string"}, {"type": "array", "items": {"type": "integer"}}
_FINDS: Mapping[str, object] = {"answer": _NUMBERS}
_LISTS = {**_FINDS, "breaks": _NUMBERS}
_SEARCH: Mapping[str, object] = {"search": _TEXT}  # Asked for at first.
_PART = _schema(
    {"verdict": {"type": "string", "enum": ["supported", "contradicted", "not_found"]}, "entry": {"type": "integer"}}
)


def choose_entries(findings: Findings, items: Iterable[ItemScore], *, limit: int = _CANDIDATES) -> tuple[Shown, ...]:
    """Return the first `limit` entries of some items, of those after the first six only what does what is asked for, or
    is about as alike to the question as the most alike; each cut to its best part, those of one place together.
    Retracted items are left out."""
    valid = (item for item in items if not item.item.retracted)
    entries = [*islice(shorten_entries(findings, valid, room=_TOLD_CHARACTERS, seen=set(), shown=[]), limit)]
    least, shown = _SHARE * max((entry.scored.likeness for entry in entries), default=0.0), list[Shown]()
    for number, entry in enumerate(entries):
        if number < _FIRST or entry.scored.likeness >= least or entry.scored.act is findings.query.act:
            room = _TOLD_CHARACTERS if number < _LONG else _CANDIDATE_CHARACTERS
            shown.append(Shown(entry.scored.passage, entry.scored.number, _cut(findings, entry, room)))
    places = [*map(_place, shown)]
    return tuple(sorted(shown, key=lambda entry: places.index(_place(entry))))


def _cut(findings: Findings, entry: ShortEntry, room: int) -> str:
    """Return the best part of an entry, with as much of its code as there is room for, and the records asked for: what
    is asked by its record isn't known without it."""
    quote, text = entry.quote, findings.text_of(entry.quote)
    words = best_part(findings, f"{entry.label}: {entry.words}" if entry.label else entry.words, room)
    code = " ".join(" ".join(code_of(quote, text, tokens=frozenset(findings.outcome.tokens))).split())
    words = shorten(f"{words} {code}", max_characters=room) if code and len(words) < room else words
    written = findings.words_of(entry.scored).casefold()
    records = [r for r in findings.query.references if r.strip("#").casefold() in written and r not in words]
    return f"{words} ({', '.join(records)})" if records else words


def quote_shown(numbers: Iterable[int], shown: Sequence[Shown], index: IndexReader) -> Iterator[Quote]:
    """Yield these entries' quotes in order; one inside an earlier one shares its range, other overlaps are left out."""
    quoted: list[Quote] = []
    for number in in_range(numbers, shown):
        passage, item, _ = shown[number - 1]
        quote = quote_items(passage, item, item, index.text_of(passage))
        # One of an entry's sentences is proven by the quote of another; of two entries under one line one has it.
        holder = next((other for other in quoted if other.overlaps(quote)), quote)
        is_held = holder.span.holds(quote.core)
        quote = replace(quote, span=holder.span) if is_held else replace(quote, span=quote.core, shown=())
        if is_held or not any(map(quote.overlaps, quoted)):
            quoted.append(quote)
            yield quote


def in_range(numbers: Iterable[int], shown: Sequence[object]) -> list[int]:
    """Return the valid ones of `numbers`, from 1 to the number of entries shown, each once, in their order."""
    return [number for number in dict.fromkeys(numbers) if 0 < number <= len(shown)]


def word_request(findings: Findings, shown: Sequence[Shown], *, is_first: bool) -> Prompt:
    """Return a prompt of two messages: the rules; the question with its reading and the entries shown."""
    keys = {**_FINDS, **_SEARCH} if is_first else _FINDS
    return _prompt("entries", {**_asked(findings), "entries": _show(shown)}, keys)


def word_list_request(
    findings: Findings, places: Sequence[str], lines: Sequence[str], left: Counter[str], *, is_first: bool
) -> Prompt:
    """Return the same for a list: its entries' lines, each at its place; `left` counts by kind what isn't shown."""
    content = {**_asked(findings), "entries": _grouped(places, lines)} | ({"not_shown": left} if left else {})
    return _prompt("list", content, {**_LISTS, **_SEARCH} if is_first else _LISTS)


def word_claim_request(parts: Sequence[str], shown: Sequence[Shown]) -> Prompt:
    """Return a prompt of two messages: the rules of judging; the parts of a claim and the entries shown."""
    numbered = {str(number): part for number, part in enumerate(parts, start=1)}
    return _prompt("claim", {"parts": numbered, "entries": _show(shown)}, {"parts": {"type": "array", "items": _PART}})


def _prompt(rules: str, data: Mapping[str, object], keys: Mapping[str, object]) -> Prompt:
    """Return the prompt whose reply has these `keys`; rules of others are left out."""
    content = json.dumps(data, ensure_ascii=False, indent=0)
    lines = (line for line in _rules(rules) if "search" in keys or not line.startswith("search:"))
    return Prompt((Message("system", "\n".join(lines)), Message("user", content)), _schema(keys))


@cache
def _rules(name: str) -> Sequence[str]:
    return files("retrieval.llm").joinpath("rules", f"{name}.txt").read_text(encoding="utf-8").splitlines()


def _asked(findings: Findings) -> dict[str, object]:
    query = findings.query
    products = "; ".join(map(_describe, findings.index.products_named(query.products)))
    reading = ", ".join(filter(None, (products, describe_versions(query), query.form.value)))
    earlier = [question.text for question in query.earlier]
    parts = {"question": query.text, "earlier_questions": earlier, "read_as": reading}
    return {name: value for name, value in parts.items() if value}


def _describe(product: CatalogueProduct) -> str:
    newest = next(iter(stable_releases(product.releases)), None)
    return f"{product.name} (newest release {newest.version}, {newest.date})" if newest else product.name


def _show(shown: Sequence[Shown]) -> list[Mapping[str, str]]:
    return _grouped([*map(_place, shown)], [item.words for item in shown])


def _place(item: Shown) -> str:
    return place_of(item.passage, with_titles=True)


def _grouped(places: Sequence[str], lines: Sequence[str]) -> list[Mapping[str, str]]:
    numbered = zip(places, map(str, count(1)), lines, strict=False)
    groups = groupby(numbered, key=lambda row: row[0])
    return [{"of": of} | {number: line for _, number, line in group} for of, group in groups]


def place_of(passage: StoredPassage, *, with_titles: bool = False) -> str:
    """Return a passage's release, day, source unless official, and titles if wanted: "lamp 2.0, digest: Fixes"."""
    document, release = passage.document, passage.release
    name = f"{document.product} {release}" if release else document.product
    speaker = [document.authority.value] * (document.authority is not Authority.OFFICIAL)
    place = ", ".join(filter(None, (name, passage.date.isoformat() if passage.date else "", *speaker)))
    # The first names the document; the release is told.
    titles = [one_line(title) for title in passage.heading[1:] if not (release and str(release) in title)]
    under = " > ".join(titles) if with_titles else ""
    return f"{place}: {shorten(under, max_characters=_PLACE_CHARACTERS)}" if under else place
