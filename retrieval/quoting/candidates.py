"""Candidates for a language model to choose from: other items found for the question, on a line each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from corpus.index.release_matching import is_page
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
"""Most characters of a candidate's line; of the words of all but the first; how many more to keep words whole."""
_LEAST_WORDS, _LEAST, _SHARE = 3, 2, 0.3
"""Fewest words of a line; fewest candidates, whatever their score; lowest score of any further one as a share of the
best one's: on 249 practice questions the share drops a fourth of the candidates and one answer in 198."""
_OTHERS = 2
"""How many may be from releases not asked about, because a version is easily misread."""
_CODE = re.compile(r"`([^`\n]+)`")
_WORD, _ADDRESS = re.compile(r"[^\W\d_]{2,}"), re.compile(r"\b\w+://\S+")
_CLAUSE_ENDS = re.compile(r"[.!?;:,]\s+(?=[\w`*\"'(-])")
_ABOUT_SHARE = 0.5
"""The share of the keywords' weight that an item must contain to be about a question without names. Chosen by hand."""


class ShortEntry(NamedTuple):
    """An entry on one line."""

    scored: ItemScore
    quote: Quote
    label: str  # The change that only its heading names; empty if none does.
    words: str


def select_candidates(
    findings: Findings, cited: Sequence[Citation], *, names: Iterable[str], limit: int
) -> tuple[Candidate, ...]:
    """Return the best items that the answer doesn't cite, at most `limit` and fewer if the best is far ahead, those of
    the requested releases first, without repeated texts. `names` are the names of the thing asked about."""
    most_others, traits = min(_OTHERS, limit), findings.query.form.traits
    if traits.is_catalogue and cited:
        return ()
    if traits.is_news and cited:
        # A list already contains the best items, and other releases aren't asked about.
        limit, most_others = min(limit, _LEAST), 0
    shown_before = [(citation.document_id, Span(citation.start, citation.end)) for citation in cited]
    asked_names = {*names, *_CODE.findall(findings.query.text)}
    named_words = [word for word in findings.focus.words if word.text in asked_names]
    keywords = findings.focus.keywords

    def is_about(scored: ItemScore) -> bool:
        is_met = len(keywords) > 1 and share_met(keywords, scored.tokens) >= _ABOUT_SHARE
        return all(word.met_by(scored.tokens) for word in named_words) if named_words else is_met

    def distinct(items: Iterable[ItemScore]) -> Iterator[Candidate]:
        for line_entry in shorten_entries(findings, items, room=_LINE_CHARACTERS, seen=seen, shown=shown_before):
            scored = line_entry.scored
            if len(seen) > _LEAST and scored.score < least:
                return
            room = _LINE_CHARACTERS if len(seen) == 1 else _WORDS_CHARACTERS
            extract = best_part(findings, line_entry.words, room)
            line = ": ".join(filter(None, (speaker_of(line_entry.quote), line_entry.label, extract)))
            line = shorten(line, max_characters=_LINE_CHARACTERS)
            span = scored.item.span
            yield Candidate(scored.passage.document.id, span.start, span.end, line, is_about(scored))

    def speaker_of(quote: Quote) -> str:
        """Return the release of a quote, its product if that isn't the query's, and its day on the first mention."""
        release, product = quote.passage.release, quote.passage.document.product
        speaker = attribution(quote, tells_day=release not in dated).text
        dated.add(release)
        if findings.query.products == (product,):
            speaker = speaker.removeprefix(product).lstrip()
        return speaker

    seen, dated = set[str](), set[Version | None]()
    least = _SHARE * max((scored.score for scored in findings.scored[:1]), default=0.0)
    inside = distinct(findings.fitting)
    fitting = set(map(id, findings.fitting))
    outside = distinct(scored for scored in findings.scored if id(scored) not in fitting)
    first = tuple(islice(inside, limit - most_others))
    others = tuple(islice(outside, min(most_others, limit - len(first))))
    return (*first, *islice(inside, limit - len(first) - len(others)), *others)


def shorten_entries(
    findings: Findings, items: Iterable[ItemScore], *, room: int, seen: set[str], shown: list[tuple[int, Span]]
) -> Iterator[ShortEntry]:
    """Yield the entries of items on a line of at most `room` characters each, without repeated entries or wordings and
    without those of too few words; what is in `seen` or `shown` is skipped, and what is yielded is added to both."""
    for scored in items:
        document, span = scored.passage.document.id, scored.item.span
        if any(document == other and span.meets(place) for other, place in shown):
            continue
        text = findings.text_of(scored)
        quote = quote_item(scored, text, room=room)
        label, words = render_quote(quote, text, max_characters=room)
        # That a page of another release says the same may be what is asked.
        stated = f"{words.casefold()} {scored.passage.release if is_page(scored.passage) else ''}"
        if len(_WORD.findall(_ADDRESS.sub("", words))) < _LEAST_WORDS or stated in seen:
            continue
        seen.add(stated)
        shown.extend((document, place) for place in quote.shown)
        yield ShortEntry(scored, quote, label, words)


def best_part(findings: Findings, words: str, room: int) -> str:
    """Return `words` cut to `room`, starting at the clause with most of the question's keywords."""
    if len(words) <= room + _SLACK:
        return words
    starts = [0, *(match.end() for match in _CLAUSE_ENDS.finditer(words))]
    parts = [shorten(words[start:], max_characters=room) for start in starts]
    shares = [share_met(findings.focus.keywords, set(split_tokens(part))) for part in parts]
    # Keep the beginning unless it has far fewer keywords, because the rest may need it.
    best = shares.index(max(shares)) if shares[0] < _ABOUT_SHARE * max(shares) else 0
    return f"… {parts[best]}" if best else parts[0]
