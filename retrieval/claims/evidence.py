"""What may bear or refute a claim: items of the notes with the words around them, read for comparison."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.lexicon import split_tokens
from corpus.model import Span
from corpus.plain_words import one_line
from corpus.versions import Version, find_versions
from retrieval.drafting import is_withdrawn
from retrieval.findings import Findings
from retrieval.question_words import QuestionWord
from retrieval.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote, surround, widen
from retrieval.verification.reading import split_statements

_LEAVES = re.compile(
    r"\b(?:migrat\w+|upgrad\w+|porting|moving) from \D{0,20}?v?(?P<version>\d+(?:\.\d+)*)(?:\.x)?(?![\w.]*\d)",
    re.IGNORECASE,
)
_ITEMS = 16
_TOLD_OF_HEADING = 3
"""A last heading of so many words tells something itself: "Dropped support for PostgreSQL 11"."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of an item, or the heading right above it."""

    text: str
    tokens: frozenset[str]
    is_heading: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """One item of a passage that was found, with what stands around it."""

    scored: ItemScore
    quote: Quote
    """The item with its neighbours, as it would be cited."""
    statements: tuple[Statement, ...]
    own: frozenset[str]
    """Tokens of the item."""
    own_text: str
    """The item without markup."""
    above: frozenset[str]
    """Tokens of its headings, product and title."""
    above_text: str
    near: frozenset[str]
    """Tokens of the whole quote."""
    near_text: str
    """The quote without markup."""
    heading_text: str
    release: Version | None
    left_release: Version | None
    """Where its title or headings say "migration from v7": what comes after that is told."""

    @property
    def authority_weight(self) -> int:
        return self.scored.hit.passage.document.authority.weight


def gather(findings: Sequence[Findings], about: Sequence[QuestionWord]) -> tuple[Evidence, ...]:
    """The items of several searches that are most like one assertion, each once, in the order of the searches; of those
    that hold none of the words that it is about, where it is about any, nothing can be learned."""
    seen: set[tuple[int, int]] = set()
    gathered: list[Evidence] = []
    for one in findings:
        for scored in sorted(one.scored, key=lambda item: -item.likeness)[:_ITEMS]:
            key = scored.hit.passage.position, scored.number
            speaks = not about or any(word.met_by(scored.tokens) for word in about)
            if speaks and key not in seen and not scored.item.retracted:
                seen.add(key)
                gathered.append(read_evidence(scored, one))
    return tuple(gathered)


def read_evidence(scored: ItemScore, findings: Findings) -> Evidence:
    """Read an item for comparison, in its passage."""
    passage = scored.hit.passage
    text = findings.index.document_text(passage.document.id)
    quote = _with_heading(surround(widen(scored, text), room=MAX_QUOTE_CHARACTERS), scored)
    near = one_line(quote.span.slice(text))
    heading = one_line(passage.heading[-1]) if passage.heading else ""
    above = " ".join((passage.document.product, passage.document.title, *map(one_line, passage.heading)))
    own = one_line(scored.item.span.slice(text))
    return Evidence(
        scored=scored,
        quote=quote,
        statements=tuple(_statements(own, heading)),
        own=frozenset(split_tokens(own)),
        own_text=own,
        above=frozenset(split_tokens(above)),
        above_text=above,
        near=frozenset(split_tokens(near)),
        near_text=near,
        heading_text=heading,
        release=_release(scored),
        left_release=_left_release(scored),
    )


def _with_heading(quote: Quote, scored: ItemScore) -> Quote:
    """The quote begun at its passage's heading, where both fit: entries often say half of it there."""
    wider = Span(quote.passage.span.start, quote.span.end)
    is_first = scored.number == 0 or quote.span.start <= quote.passage.items[0].span.start
    fits = is_first and len(wider) <= MAX_QUOTE_CHARACTERS
    return Quote(quote.passage, wider, quote.core, quote.retracted) if fits else quote


def _statements(own: str, heading: str) -> Iterator[Statement]:
    parts = split_statements(own)
    for part in parts or (own,):
        yield Statement(part, frozenset(split_tokens(part)))
    if len(re.findall(r"[^\W\d_]{2,}", heading)) >= _TOLD_OF_HEADING and not is_withdrawn(heading):
        yield Statement(heading, frozenset(split_tokens(heading)), is_heading=True)


def _release(scored: ItemScore) -> Version | None:
    passage = scored.hit.passage
    label = passage.release or passage.document.version
    version = Version.try_parse(label) if label else None
    left = _left_release(scored)
    if left is not None and version in (None, left):
        return None
    if version is None:
        found = find_versions(passage.document.title, names=(passage.document.product, *passage.document.aliases))
        version = found[0].version if len(found) == 1 else None
    return version


def _left_release(scored: ItemScore) -> Version | None:
    passage = scored.hit.passage
    found = (_LEAVES.search(heading) for heading in (*reversed(passage.heading), passage.document.title))
    return next((Version.try_parse(match["version"]) for match in found if match), None)
