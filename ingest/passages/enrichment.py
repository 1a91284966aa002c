"""What is indexed of a passage beside its own words, and what of its words is embedded; quotes are never enriched."""

from corpus.lexicon import split_tokens
from corpus.model import Document, Item, Passage, Release
from corpus.plain_words import one_line, plain_words


def embedded_text(document_text: str, item: Item) -> str:
    """An item's words without markup and addresses, on one line; never empty (where nothing is left, all stays)."""
    raw = item.span.slice(document_text)
    return one_line(raw) or " ".join(raw.split())


def lexical_tokens(document: Document, release: Release, passage: Passage) -> tuple[str, ...]:
    """The tokens BM25 knows a passage by: its words, its heading path, its product's names and its version."""
    version = f"{release.version.label} v{release.version.series.label}" if release.version else release.label
    context = " ".join((document.product, *document.aliases, version, *passage.heading))
    return split_tokens(context) + split_tokens(plain_words(passage.span.slice(document.text)))
