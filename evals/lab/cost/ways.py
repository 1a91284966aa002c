"""The ways in by which a text reaches the product, each with what it is asked at most and with hostile families.

A family is a piece of `families.toml` that is repeated; `@` in it counts up.
"""

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import ceil
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from corpus.acts import act_terms
from corpus.dependencies.dependency_files import MAX_LINE_CHARACTERS, first_unread, read_dependencies
from corpus.dependencies.model import Line
from ingest.encoding import read_structure
from ingest.passages.splitting import split_passages
from ingest.releases.identity import Hints
from ingest.sources.files import FetchedDocument
from retrieval.assistant import Assistant
from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from retrieval.model import MAX_QUESTION_CHARACTERS

_PIECES: Mapping[str, Mapping[str, str]] = tomllib.loads((Path(__file__).parent / "families.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class Way:
    """What reads a text, with the families by name, each of which makes one of a size."""

    read: Callable[[str], object]
    largest: int
    """Of the sizes tried; what the entrance lets in, or less where that takes too long here."""
    families: Mapping[str, Callable[[int], str]]
    modules: tuple[str, ...]
    """How the names of those begin whose patterns read such a text."""


def ways(assistant: Assistant) -> dict[str, Way]:
    """All, by name."""
    words = {name: partial(repeated, piece) for name, piece in _PIECES["words"].items()}
    markup = {name: partial(repeated, piece) for name, piece in _PIECES["markup"].items()}
    words_of_all = ("corpus.acts", "corpus.lexicon", "corpus.plain_words", "corpus.symbols", "corpus.versions")
    asking, reading = (
        (*words_of_all, "retrieval."),
        (*words_of_all, "ingest.formats", "ingest.passages", "ingest.releases"),
    )
    hunk = {name: partial(_diff, piece) for name, piece in _PIECES["diffs"].items()}
    return {
        "question": Way(assistant.ask, MAX_QUESTION_CHARACTERS, words, asking),
        "history of ten questions": Way(
            lambda text: assistant.ask("And in pip?", history=[text[at::10] or "x" for at in range(10)]),
            10 * MAX_QUESTION_CHARACTERS,
            {name: words[name] for name in ("versions", "since", "CVEs", "one claim")},
            (),
        ),
        "version": Way(lambda text: assistant.upgrade("numpy", text, "latest"), 131_072, words, ()),
        "filter by version": Way(lambda text: assistant.understand("New?", version=text), 131_072, words, ()),
        "claims": Way(assistant.cite, MAX_TEXT_CHARACTERS, words, asking),
        "diff": Way(assistant.review, 131_072, hunk, ()),
        **{
            f"document: notes.{suffix}": Way(
                partial(_read_document, f"notes.{suffix}"), 16_384, markup, reading
            )
            for suffix in ("md", "rst", "adoc", "html", "txt")
        },
        "document: notes.pdf": Way(lambda text: _read_document("notes.pdf", _pdf(text)), 65_536, words, ()),
        **{
            f"dependencies: {path}": Way(partial(_read_file, path), 65_536, _lines(line), ("corpus.dependencies",))
            for path, line in _PIECES["files"].items()
        },
    }  # fmt: skip


def repeated(piece: str, size: int) -> str:
    """A piece as often as fits, each time with the next number."""
    if "@" not in piece:
        return (piece * (size // len(piece) + 1))[:size]
    made, length = [], 0
    for number in count():
        made.append(piece.replace("@", str(number)))
        length += len(made[-1])
        if length >= size:
            return "".join(made)[:size]
    raise AssertionError


def _diff(piece: str, size: int) -> str:
    if piece.startswith("---"):
        return repeated(piece, size).rpartition("--- ")[0]
    name = repeated(piece, size) if piece.endswith("/") else "requirements.txt" if "==" in piece else "a.py"
    body = "" if piece.endswith("/") else repeated(piece, size).rpartition("\n")[0]
    if not body.startswith("@@"):
        removed, added = (sum(line.startswith(sign) for line in body.splitlines()) for sign in "-+")
        body = f"@@ -1,{removed} +1,{added} @@\n{body}"
    return f"--- a/{name}\n+++ b/{name}\n{body}\n"


def _lines(line: str) -> dict[str, Callable[[int], str]]:
    """Files of such lines, of lines with a long value, and of lines of marks as long as lines may be."""
    start, _, end = line.replace("1.@", "\0", 1).replace("@", "1").partition("\0")

    def long(start: str, piece: str, end: str, size: int) -> str:
        return "\n".join(
            [start + repeated(piece, min(size, MAX_LINE_CHARACTERS - 100)) + end] * ceil(size / MAX_LINE_CHARACTERS)
        )

    long_ones = {name: partial(long, "", piece, "") for name, piece in _PIECES["lines"].items()}
    return {"bumps": partial(repeated, line + "\n"), "long values": partial(long, start, "1.", end), **long_ones}


def _read_file(path: str, text: str) -> None:
    lines = [Line(number, line) for number, line in enumerate(text.splitlines(), start=1)]
    read_dependencies(path, lines)
    first_unread(path, lines)


def _read_document(name: str, text: str | bytes) -> None:
    """Parse and split it as an ingest does, all but the model."""
    content = text if isinstance(text, bytes) else text.encode()
    source = FetchedDocument(name, name, "/notes", content, Hints()).below("/notes", Hints())
    parsed, identity, releases = read_structure(source, content)
    for passage in split_passages(parsed, releases, title=identity.title, embed=_embed):
        for item in passage.items:
            act_terms(item.span.slice(parsed.text), passage.heading)


def _embed(texts: Sequence[str]) -> NDArray[np.float32]:
    return np.full((len(texts), 2), 0.5**0.5, np.float32)


def _pdf(text: str) -> bytes:
    """A page that shows a text by lines of 90 characters."""
    shown = text.encode("ascii", "replace").translate(None, b"\\()\n")
    lines = b" ".join(b"(%b) '" % shown[at : at + 90] for at in range(0, len(shown), 90))
    stream = b"BT /F1 10 Tf 12 TL 50 800 Td %b ET" % lines
    objects = (
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [4 0 R] /Count 1 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
        b"<< /Length %d >> stream\n%b\nendstream" % (len(stream), stream),
    )
    made, offsets = b"%PDF-1.4\n", []
    for number, held in enumerate(objects, start=1):
        offsets.append(b"%010d 00000 n \n" % len(made))
        made += b"%d 0 obj\n%b\nendobj\n" % (number, held)
    table = b"xref\n0 6\n0000000000 65535 f \n%b" % b"".join(offsets)
    return made + b"%btrailer << /Root 1 0 R /Size 6 >>\nstartxref\n%d\n%%%%EOF\n" % (table, len(made))
