"""What is stored of an index, to be compared before and after, and notes of any length."""

from collections.abc import Iterator
from pathlib import Path

from corpus.index.layout import connect

_DOCUMENTS = """
SELECT root, source, title, product, aliases, version, date, authority, url, sha256, text
FROM documents ORDER BY root, source
"""
_PASSAGES = """
SELECT d.root, d.source, r.version, r.label, r.date, r.start, r.end, r.yanked,
       p.start, p.end, p.heading, p.kind, p.symbols, p.refs, p.versions, p.boilerplate, p.items, p.tokens, p.vectors
FROM documents d JOIN releases r ON r.document_id = d.id LEFT JOIN passages p ON p.release_id = r.id
ORDER BY d.root, d.source, r.start, p.start
"""


def stored_rows(index: Path) -> list[tuple[object, ...]]:
    """All that is stored of an index's documents, whatever their ids.

    Raises:
        IndexUnavailable: it can't be opened.
    """
    return list(each_row(index))


def each_row(index: Path) -> Iterator[tuple[object, ...]]:
    """The same, row by row: documents, then their passages.

    Raises:
        IndexUnavailable: it can't be opened.
    """
    connection = connect(index)
    try:
        yield from connection.execute(_DOCUMENTS)
        yield from connection.execute(_PASSAGES)
    finally:
        connection.close()


def changelog(product: str, minors: int) -> str:
    """Notes of a product with so many minor releases and one, the newest first."""
    releases = (
        f"## 1.{minor}.0 (2024-{minor % 12 + 1:02}-01)\n\n"
        + "".join(
            f"- The lid {line} of {product} 1.{minor} was turned by {minor * line} degrees.\n" for line in range(3)
        )
        for minor in range(minors, -1, -1)
    )
    return f"# {product}\n\n" + "\n".join(releases)
