"""What every form of an answer says alike: caveats, how the question was read, provenance."""

from collections.abc import Iterable

from corpus.ages import day_words
from corpus.entry_words import clean_entry, without_metadata
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
"""Who speaks in a source."""
_ASKED_FOR = {form.intent: form.traits.words for form in Form if form.traits.words}
_CERTAIN = 0.6  # Half of the answers below it are right, and 0.85 of those from it on (docs/quality.md).
_LISTING = frozenset(form.intent for form in Form if form.traits.is_listing)
"""What is answered by going through releases; the confidence, which is about one best statement, says nothing of it."""
_UNPRINTABLE = CONTROLS | dict.fromkeys((*BIDI_CONTROLS, *LINE_ENDS), "\N{REPLACEMENT CHARACTER}") | {ord("\r"): ""}


def printable(text: str) -> str:
    """`text` with control characters and marks of writing direction replaced, so that no document can drive the screen
    or show a quote as another; tabs and lines stay."""
    return text.translate(_UNPRINTABLE)


def counted(count: int, one: str, many: str | None = None) -> str:
    """`1 change`, `2 changes`, `0 changes`."""
    return f"{count:,} {one if count == 1 else many or f'{one}s'}"


def document_of(more: More, citations: Iterable[Citation]) -> Citation | None:
    """Return the first citation of the document that has more; None where there is none."""
    return next((cited for cited in citations if not more.upgrade and cited.source == more.code), None)


def caveats(answer: Answer) -> tuple[str, ...]:
    """What to know of the answer, to be told after it: that a part is missing, that it isn't certain, its notes."""
    partly = "Partly answered: not all that was asked was found." if answer.status is Status.PARTIAL else None
    is_listed = answer.interpretation.intent in _LISTING or any(one.group for one in answer.blocks.statements)
    is_judged = answer.status is not Status.NOT_FOUND and not is_listed
    is_unsure = is_judged and answer.confidence < _CERTAIN
    unsure = "Not certain: read the quotes before you rely on this." if is_unsure else None
    return tuple(filter(None, (partly, unsure, *answer.notes)))


def asks_for_words(interpretation: Interpretation) -> str | None:
    """Return what the question was read as asking for: "what is new", "since when"; None for a plain fact."""
    return _ASKED_FOR.get(interpretation.intent)


def reading_words(interpretation: Interpretation) -> str:
    """What the question was read as: `Widget · after 1.0, up to 2.0 · what breaks · widget.spin`; may be empty."""
    parts = (
        *interpretation.products,
        *(f"{name} (no notes here)" for name in interpretation.unknown_products),
        interpretation.versions_words,
        asks_for_words(interpretation),
        *interpretation.symbols,
    )
    return printable(" · ".join(filter(None, parts)))


def product_version(product: str, version: str | None) -> str:
    """`django 4.2`, or the product alone where no version is known."""
    return f"{product} {version}" if version else product


def document_name(document: Citation | RankedPassage | DocumentSummary) -> str:
    """Return what to call a document: its title, after its product where it doesn't name that. A title without a word
    in small letters ("0.11.x", "HISTORY", "TBD", "[TOC]") names none: `gizmo, changelog`."""
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
    """A quote on one line: without markup, tags, tickets and authors, code in back quotes."""
    return without_metadata(clean_entry(text)).rstrip(" |") or " ".join(text.split())


def told_words(cited: Citation) -> str:
    """Return what tells of a quote, as `quote_words` has it."""
    return quote_words(cited.quote[cited.telling.start - cited.start : cited.telling.end - cited.start])


def provenance(cited: Citation | RankedPassage) -> str:
    """`django 4.2 · 3 April 2023 · official`."""
    day = day_words(cited.date) if cited.date else "undated"
    return printable(" · ".join((product_version(cited.product, cited.version), day, AUTHORITY_WORDS[cited.authority])))


def speaker(citation: Citation) -> str:
    """Return who says it: `Widget 2.0 released (official)`."""
    return f"{document_name(citation)} ({AUTHORITY_WORDS[citation.authority]})"
