"""What a larger reader than we are chooses from: what was found beside the answer, a line each."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from corpus.model import Span
from retrieval.blocks import markdown_words, words_of
from retrieval.model import Candidate, Citation
from retrieval.question.words import share_met
from retrieval.quoting.composing import attributed
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.quoting.wording import labelled, render_quote, shorten

LINE_CHARACTERS = 220
_LEAST_WORDS = 3
_OTHERS = 2
"""Of them that many may be of other releases than the asked ones, where those tell: a version is easily misread."""
_CODE = re.compile(r"`([^`\n]+)`")
_WORD, _ADDRESS = re.compile(r"[^\W\d_]{2,}"), re.compile(r"\w+://\S+")
_ABOUT_SHARE = 0.5
"""Of the weight of a question that asks for no name, what is about it holds this much. Chosen by hand, never fitted."""


def select_candidates(
    findings: Findings, cited: Sequence[Citation], *, names: Iterable[str], limit: int
) -> tuple[Candidate, ...]:
    """Return the `limit` best items that the answer doesn't cite, those of the asked releases first; what two places
    say alike once. `names` are those that what is asked about must hold."""
    told = [(one.document_id, Span(one.start, one.end)) for one in cited]
    asked = {*names, *_CODE.findall(findings.query.text)}
    own = [word for word in findings.focus.words if word.text in asked]
    keywords = findings.focus.keywords

    def is_about(scored: ItemScore) -> bool:
        if own:
            return all(word.met_by(scored.tokens) for word in own)
        return len(keywords) > 1 and share_met(keywords, scored.tokens) >= _ABOUT_SHARE

    def distinct(some: Iterable[ItemScore]) -> Iterator[Candidate]:
        for scored in some:
            document, span = scored.passage.document.id, scored.item.span
            if any(document == other and span.meets(place) for other, place in told):
                continue
            text = findings.text_of(scored)
            quote = quote_item(scored, text, room=LINE_CHARACTERS)
            label, words = render_quote(quote, text, max_characters=LINE_CHARACTERS)
            if len(_WORD.findall(_ADDRESS.sub("", words))) < _LEAST_WORDS or words.casefold() in seen:
                continue
            seen.add(words.casefold())
            told.extend((document, shown) for shown in quote.shown)
            yield Candidate(document, span.start, span.end, _line(quote, label, words), is_about(scored))

    seen = set[str]()
    inside = distinct(findings.fitting)
    known = set(map(id, findings.fitting))
    outside = distinct(one for one in findings.scored if id(one) not in known)
    first = tuple(islice(inside, max(0, limit - _OTHERS)))
    others = tuple(islice(outside, min(_OTHERS, limit - len(first))))
    return (*first, *islice(inside, limit - len(first) - len(others)), *others)


def candidate_words(findings: Findings, scored: ItemScore, *, max_characters: int) -> str:
    """Return what an item says on a line, code in back quotes, without whose it is."""
    label, words = render_quote(scored.quote, findings.text_of(scored), max_characters=max_characters)
    return f"{label}: {words}" if label and words else words


def _line(quote: Quote, label: str, words: str) -> str:
    speaker, said = attributed(quote, labelled(label, words_of(words)), tells_day=True)
    line = f"{speaker.text}: {markdown_words(said)}" if speaker else markdown_words(said)
    return shorten(line, max_characters=LINE_CHARACTERS)
