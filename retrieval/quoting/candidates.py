"""What a larger reader than we are chooses from: what was found beside the answer, a line each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from corpus.lexicon import split_tokens
from corpus.model import Span
from corpus.versions import Version
from retrieval.model import Candidate, Citation
from retrieval.question.words import share_met
from retrieval.quoting.composing import attribution
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.quoting.wording import render_quote, shorten

_LINE_CHARACTERS, _WORDS_CHARACTERS, _SLACK = 220, 110, 30
"""Of a candidate's line at most; of the words of all but the first, and what these may have more to end whole."""
_LEAST_WORDS, _LEAST, _SHARE = 3, 2, 0.3
"""Of a line; how many candidates there are, sure or not; and what the score of each further one is at least, as a
share of the best one's: of 249 practice questions that takes a fourth of the candidates and one answer in 198."""
_OTHERS = 2
"""Of them that many may be of other releases than the asked ones, where those tell: a version is easily misread."""
_CODE = re.compile(r"`([^`\n]+)`")
_WORD, _ADDRESS = re.compile(r"[^\W\d_]{2,}"), re.compile(r"\w+://\S+")
_CLAUSE_ENDS = re.compile(r"[.!?;:,]\s+(?=[\w`*\"'(-])")
_ABOUT_SHARE = 0.5
"""Of the weight of a question that asks for no name, what is about it holds this much. Chosen by hand, never fitted."""


class ToldEntry(NamedTuple):
    """What an item tells, on a line."""

    scored: ItemScore
    quote: Quote
    label: str  # The change that only its heading names; empty where none does.
    words: str


def select_candidates(
    findings: Findings, cited: Sequence[Citation], *, names: Iterable[str], limit: int
) -> tuple[Candidate, ...]:
    """Return the best items that the answer doesn't cite, `limit` at most and fewer where the best is far ahead, those
    of the asked releases first; what two places say alike once. `names` are those that what is asked about holds."""
    most_others = min(_OTHERS, limit)
    if findings.query.form.traits.is_news and cited:
        # A list holds the best of what was found, and other releases aren't asked about.
        limit, most_others = min(limit, _LEAST), 0
    told = [(one.document_id, Span(one.start, one.end)) for one in cited]
    asked = {*names, *_CODE.findall(findings.query.text)}
    own = [word for word in findings.focus.words if word.text in asked]
    keywords = findings.focus.keywords

    def is_about(scored: ItemScore) -> bool:
        is_met = len(keywords) > 1 and share_met(keywords, scored.tokens) >= _ABOUT_SHARE
        return all(word.met_by(scored.tokens) for word in own) if own else is_met

    def distinct(some: Iterable[ItemScore]) -> Iterator[Candidate]:
        for at in tell_entries(findings, some, room=_LINE_CHARACTERS, seen=seen, told=told):
            if len(seen) > _LEAST and at.scored.score < least:
                return
            said = needed_words(findings, at.words, _LINE_CHARACTERS if len(seen) == 1 else _WORDS_CHARACTERS)
            line = speaker_of(at.quote) + f"{at.label}: " * bool(at.label) + said
            shown = shorten(line, max_characters=_LINE_CHARACTERS)
            span = at.scored.item.span
            yield Candidate(at.scored.passage.document.id, span.start, span.end, shown, is_about(at.scored))

    def speaker_of(quote: Quote) -> str:
        """The release of a quote, its product where that isn't the asked one, and its day where it is told first."""
        release, product = quote.passage.release, quote.passage.document.product
        speaker = attribution(quote, tells_day=release not in dated).text
        dated.add(release)
        if findings.query.products == (product,):
            speaker = speaker.removeprefix(product).lstrip()
        return f"{speaker}: " * bool(speaker)

    seen, dated = set[str](), set[Version | None]()
    least = _SHARE * max((one.score for one in findings.scored[:1]), default=0.0)
    inside = distinct(findings.fitting)
    known = set(map(id, findings.fitting))
    outside = distinct(one for one in findings.scored if id(one) not in known)
    first = tuple(islice(inside, limit - most_others))
    others = tuple(islice(outside, min(most_others, limit - len(first))))
    return (*first, *islice(inside, limit - len(first) - len(others)), *others)


def tell_entries(
    findings: Findings, items: Iterable[ItemScore], *, room: int, seen: set[str], told: list[tuple[int, Span]]
) -> Iterator[ToldEntry]:
    """Yield what items tell on a line of so many characters, each entry and each wording once and none that says
    nothing; what was `seen` and `told` before isn't again, and what is yielded is added to both."""
    for scored in items:
        document, span = scored.passage.document.id, scored.item.span
        if any(document == other and span.meets(place) for other, place in told):
            continue
        text = findings.text_of(scored)
        quote = quote_item(scored, text, room=room)
        label, words = render_quote(quote, text, max_characters=room)
        if len(_WORD.findall(_ADDRESS.sub("", words))) < _LEAST_WORDS or words.casefold() in seen:
            continue
        seen.add(words.casefold())
        told.extend((document, shown) for shown in quote.shown)
        yield ToldEntry(scored, quote, label, words)


def needed_words(findings: Findings, words: str, room: int) -> str:
    """Return what some words have room for, from the clause on that holds most of what is asked about."""
    if len(words) <= room + _SLACK:
        return words
    starts = [0, *(found.end() for found in _CLAUSE_ENDS.finditer(words))]
    parts = [shorten(words[start:], max_characters=room) for start in starts]
    held = [share_met(findings.focus.keywords, set(split_tokens(part))) for part in parts]
    # What stands first makes the rest understood.
    best = held.index(max(held)) if held[0] < _ABOUT_SHARE * max(held) else 0
    return "… " * bool(best) + parts[best]
