"""Words that all renderings of an answer share: caveats, how the question was read, provenance."""

from collections.abc import Iterable

from corpus.ages import day_words
from corpus.entry_words import said, without_metadata
from corpus.index.stored import DocumentSummary
from corpus.model import Authority
from retrieval.blocks import BIDI_CONTROLS, CONTROLS, LINE_ENDS, More
from retrieval.claims.model import Verdict
from retrieval.model import Answer, Citation, Form, Interpretation, RankedPassage, Status

VERDICT_WORDS = {
    Verdict.SUPPORTED: "Supported",
    Verdict.CONTRADICTED: "Contradicted",
    Verdict.PARTLY: "Partly",
    Verdict.UNSURE: "Not sure: read this",
    Verdict.NOT_FOUND: "Not found",
}
AUTHORITY_WORDS = {authority: authority.value for authority in Authority} | {
    Authority.PROJECT: "project docs",
    Authority.UNKNOWN: "unknown source",
}
"""Words for the authority of a source."""
_ASKED_FOR = {form.intent: form.traits.words for form in Form if form.traits.words}
_CERTAIN = 0.6  # Below this confidence 0.5 of the answers are right, above it 0.85 (docs/quality.md).
_LISTING = frozenset(form.intent for form in Form if form.traits.is_listing)
"""Intents answered by a list of releases; the confidence, which is about one best statement, doesn't apply."""
_UNPRINTABLE = CONTROLS | dict.fromkeys((*BIDI_CONTROLS, *LINE_ENDS), "\N{REPLACEMENT CHARACTER}") | {ord("\r"): ""}


def printable(text: str) -> str:
    """Replace controls, by which a text could steer a terminal, and direction marks; tabs and line ends stay."""
    return text.translate(_UNPRINTABLE)


def counted(count: int, singular: str, plural: str | None = None) -> str:
    """Return the count with its noun: `1 change`, `2 changes`, `0 changes`."""
    return f"{count:,} {singular if count == 1 else plural or f'{singular}s'}"


def document_of(more: More, citations: Iterable[Citation]) -> Citation | None:
    """Return the first citation whose source `more` points to; None if it points to an upgrade or to none of them."""
    return next((cited for cited in citations if not more.upgrade and cited.source == more.code), None)


def caveats(answer: Answer) -> tuple[str, ...]:
    """Return the lines shown after an answer: that a part is missing, that it isn't certain, and its notes."""
    partly = "Partly answered: not all that was asked was found." if answer.status is Status.PARTIAL else None
    is_listed = answer.interpretation.intent in _LISTING or any(s.group for s in answer.blocks.statements)
    is_judged = answer.status is not Status.NOT_FOUND and not is_listed
    is_unsure = is_judged and answer.confidence < _CERTAIN
    unsure = "Not certain: read the quotes before you rely on this." if is_unsure else None
    return tuple(filter(None, (partly, unsure, *answer.notes)))


def asks_for_words(interpretation: Interpretation) -> str | None:
    """Return the words for the form of answer asked for ("what is new", "since when"); None for a plain fact."""
    return _ASKED_FOR.get(interpretation.intent)


def reading_words(interpretation: Interpretation) -> str:
    """Return how the question was read: `Widget · after 1.0, up to 2.0 · what breaks · widget.spin`; may be ""."""
    parts = (
        *interpretation.products,
        *(f"{name} (no notes here)" for name in interpretation.unknown_products),
        interpretation.versions_words,
        asks_for_words(interpretation),
        *interpretation.symbols,
    )
    return printable(" · ".join(filter(None, parts)))


def product_version(product: str, version: str | None) -> str:
    """Return `django 4.2`, or the product alone if no version is known."""
    return f"{product} {version}" if version else product


def document_name(document: Citation | RankedPassage | DocumentSummary) -> str:
    """Return a document's name: its title, after its product if the title doesn't contain it. A title without a
    lower-case word ("0.11.x", "HISTORY", "TBD", "[TOC]") is replaced: `gizmo, changelog`."""
    title, product = document.title or document.source, document.product
    if product.casefold() in title.casefold() or not document.title:
        return title
    words = title.split()
    if all(word.isupper() or not word.isalpha() for word in words):
        title = "changelog"
    elif len(words) == 1:
        title = title.lower()
    return f"{product}, {title}"


def quote_words(text: str) -> str:
    """Return a quote on one line, its code in back quotes, without tags, tickets and authors unless only these."""
    return without_metadata(said(text)).rstrip(" |") or " ".join(text.split())


def telling_words(cited: Citation) -> str:
    """Return the telling part of a quote, cleaned by `quote_words`."""
    return quote_words(cited.quote[cited.telling.start - cited.start : cited.telling.end - cited.start])


def provenance(cited: Citation | RankedPassage) -> str:
    """Return a quote's release, day (or "undated") and authority: `django 4.2 · 3 April 2023 · official`."""
    day = day_words(cited.date) if cited.date else "undated"
    return printable(" · ".join((product_version(cited.product, cited.version), day, AUTHORITY_WORDS[cited.authority])))
