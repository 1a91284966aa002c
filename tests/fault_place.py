"""An index in two states that trials go between, and what must be true of it whatever happened on the way."""

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from small_corpus import HashedEmbedder

from corpus.index.layout import connect
from corpus.index.reader import IndexReader
from retrieval.answers.evidence import load_calibration
from retrieval.assistant import Assistant

QUESTIONS = (
    "What is the latest version of Kettle?",
    "By how many degrees was the lid of Still 1.7 turned?",
    "Which versions of Gone are there?",
)
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


@dataclass(frozen=True, slots=True)
class State:
    """What an index holds and what it answers."""

    content: str
    """SHA-256 (hex) over all that is stored of its documents, whatever their ids."""
    answers: tuple[str, ...]
    """Of `QUESTIONS`, as JSON, without times and ids."""


def write_notes(notes: Path, *, changed: bool) -> None:
    """Write the documents of the old state, or of the new one, in place of what is there."""
    shutil.rmtree(notes, ignore_errors=True)
    notes.mkdir(parents=True)
    (notes / "still.md").write_text(changelog("Still", 10), "utf-8")
    (notes / "kettle.md").write_text(changelog("Kettle", 20 if changed else 8), "utf-8")
    if changed:
        (notes / "new.md").write_text(changelog("New", 12), "utf-8")
    else:
        (notes / "gone.md").write_text(changelog("Gone", 4), "utf-8")


def read_state(index: Path) -> State:
    """The state that an index is in.

    Raises:
        IndexUnavailable: it can't be read, or a quote isn't the slice of its document that it is said to be.
    """
    # First: where nothing was ever committed, it says so.
    answers = read_answers(index)
    digest = hashlib.sha256()
    for row in each_row(index):
        digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return State(digest.hexdigest(), answers)


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


def read_answers(index: Path) -> tuple[str, ...]:
    """The answers to `QUESTIONS`, each quote held against its document.

    Raises:
        IndexUnavailable: the index says that it can't be served.
        ValueError: a quote isn't the slice of its document that it is said to be.
    """
    with IndexReader.open(index) as reader:
        return told_answers(Assistant(reader, HashedEmbedder(), load_calibration()))


def told_answers(assistant: Assistant) -> tuple[str, ...]:
    """What an assistant answers to `QUESTIONS`, each quote held against its document.

    Raises:
        IndexUnavailable, ValueError: as for `read_answers`.
    """
    printed = []
    for question in QUESTIONS:
        answer = assistant.ask(question)
        citations = [
            (citation.source, citation.start, citation.end, citation.quote, citation.version)
            for citation in answer.citations
        ]
        for citation in answer.citations:
            if assistant.index.document_text(citation.document_id)[citation.start : citation.end] != citation.quote:
                raise ValueError(f"a quote of {citation.source} isn't at {citation.start}-{citation.end}")
        printed.append(json.dumps([answer.status.value, round(answer.confidence, 6), answer.answer, citations]))
    return tuple(printed)


def put(copy: Path, index: Path) -> None:
    """Make `index` what `copy` is."""
    shutil.rmtree(index, ignore_errors=True)
    shutil.copytree(copy, index)


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
