"""What is indexed of a passage beside its words."""

from dataclasses import replace

import pytest
from ingest_documents import ingest_text

from corpus.model import Authority, Document, Item, Span
from ingest.passages.enrichment import embedded_text, lexical_tokens


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("- **Fix** the [docs](https://example.org)\n  of `foo`", "Fix the docs of foo"),
        ("***", "***"),
        ("https://example.org/x", "https://example.org/x"),
        ("` `\n` `", "` ` ` `"),
    ],
)
def test_embedded_text_is_words_on_one_line_and_never_empty(text: str, expected: str) -> None:
    assert embedded_text(f"before {text} after", Item(Span(7, 7 + len(text)))) == expected


def test_a_passage_is_known_by_product_alias_version_heading_and_words() -> None:
    ingested = ingest_text(
        "# Changelog\n\n## 2.45.1\n\n### Fixed\n\n- The zorb of [quux](https://example.org/path) works.\n"
    )
    document = Document(
        root="/r", source="a.md", title="t", product="Frobnicator", aliases=("frob",), version=None, date=None,
        authority=Authority.OFFICIAL, url=None, text=ingested.parsed.text, sha256="0", media_type="text/markdown",
    )  # fmt: skip
    passage = ingested.passages[-1]
    tokens = lexical_tokens(document, ingested.releases[passage.release], passage)
    alike = lexical_tokens(
        replace(document, product="zorb quux Frobnicator"), ingested.releases[passage.release], passage
    )
    assert len(alike) == len(tokens) + 2
    unnamed = lexical_tokens(replace(document, product="", aliases=()), ingested.releases[passage.release], passage)
    assert len(unnamed) == len(tokens) - 2
    assert "2.45.1" in tokens
    assert "2.45" in tokens
    assert not any("example.org" in token for token in tokens)
