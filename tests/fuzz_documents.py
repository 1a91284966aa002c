"""Fuzz targets of ingest: every format of document, what is read before it and beside it, feeds and archives."""

import bz2
import gzip
import lzma
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fuzz_line_families import FRAMES, GRAMMARS, line_kinds
from fuzz_target import JSON_SIGNS, TOML_SIGNS, Target, real_files, text_of
from ingest_documents import embed_lengths
from package_server import tar_gz, zipped
from test_ingest_connectors_feeds import ATOM, RSS
from test_ingest_pdf import lines, write_pdf

from corpus.errors import RelnotesError, SourceError, UsageError
from ingest.encoding import read_structure
from ingest.formats.encodings import decode
from ingest.formats.front_matter import split_front_matter
from ingest.passages.splitting import split_passages
from ingest.releases.dates import find_dates
from ingest.releases.identity import Hints
from ingest.releases.version_lines import read_version_line
from ingest.sources.connectors import Connectors, ConnectorSettings
from ingest.sources.connectors.feeds import is_feed, read_feed
from ingest.sources.connectors.github import FolderEntry, parse_answer
from ingest.sources.connectors.github_releases import Release, read_releases_file
from ingest.sources.connectors.page import may_fetch, parse_robots
from ingest.sources.connectors.pypi import read_package_page
from ingest.sources.connectors.registry_clients import parse_pip_settings
from ingest.sources.container_kinds import tell_container
from ingest.sources.containers import open_container
from ingest.sources.files import FetchedDocument, Source
from ingest.sources.requests import read_config
from ingest.sources.sources_toml import read_descriptions

_REAL_FILES = {
    "notes.md": ("corpus/documents/**/*.md", "corpora/*/*.md"),
    "notes.rst": ("corpora/*/*.rst", "corpora/django/*.txt"),
    "notes.adoc": ("corpora/git/**/*.adoc", "corpora/git/**/*.txt"),
    "notes.html": ("corpora/*/*.html", "tests/data/**/*.html"),
    "notes.txt": ("seeds/*.txt", "corpora/curl/*"),
    "changelog": ("corpora/*/changelog",),
    "gizmo.spec": ("corpora/*/*.spec",),
}
_EXTRACTED = frozenset({"text/html", "application/pdf"})
_BARE_HEAD = b"Gizmo 1.2 (2024-01-02)\n======================\n\n* one entry\n* another\n"
_NOTES_LINES = (
    b"Version 1.2.3 \xe2\x80\x94 2024-01-02",
    b"gizmo (1.2-3) unstable; urgency=low",
    b"* Mon Mar 02 2026 A - 1",
)


def _check_document(name: str, content: bytes) -> None:
    """Parse a document as ingest does, without the net under it; what is stored must be true to the text."""
    source = FetchedDocument(name, name, "/notes", content, Hints()).below("/notes", Hints())
    try:
        structure = read_structure(source, content)
        parsed, releases = structure.parsed, structure.releases
        passages = split_passages(parsed, releases, title=structure.identity.title, embed=embed_lengths)
    except SourceError as error:
        assert str(error).strip()
        return
    text = parsed.text
    text.encode("utf-8")  # what is stored and shown has no half characters
    if parsed.media_type not in _EXTRACTED:
        assert text == decode(content), "what is quoted is the file's own text"
    at = 0
    for release in releases:
        assert 0 <= release.span.start <= release.span.end <= len(text)
    for passage in passages:
        assert at <= passage.span.start < passage.span.end <= len(text)
        assert 0 <= passage.release < len(releases)
        at = passage.span.start
        for item in passage.items:
            assert at <= item.span.start < item.span.end <= passage.span.end
            assert item.span.slice(text) == text[item.span.start : item.span.end]
            at = item.span.end
        at = passage.span.end


def _check_dates(data: bytes) -> None:
    text = text_of(data)
    at = 0
    for mention in find_dates(text):
        assert at <= mention.span.start < mention.span.end <= len(text)
        at = mention.span.end


def _check_version_line(data: bytes) -> None:
    for line in text_of(data).splitlines()[:50]:
        read_version_line(line, ("Gizmo", "gz"))


def _check_front_matter(data: bytes) -> None:
    text = text_of(data)
    found = split_front_matter(text)
    assert 0 <= found.end <= len(text)
    assert all(isinstance(value, str) for value in found.values.values())


def _check_feed(data: bytes) -> None:
    is_feed(data, "application/xml")
    try:
        entries = read_feed(data, uri="feed.xml", url="https://gizmo.example/feed")
    except SourceError:
        return
    for entry in entries[:20]:
        _check_document(entry.place, entry.content)


def _check_releases(data: bytes) -> None:
    try:
        documents = read_releases_file(data, source="releases.json", place="/notes/releases.json")
    except SourceError:
        return
    for document in documents[:20]:
        _check_document(document.place, document.content)


def _check_answers_of_others(data: bytes) -> None:
    readers: tuple[Callable[[], object], ...] = (
        lambda: parse_answer(list[FolderEntry], data),
        lambda: parse_answer(Release, data),
        lambda: read_package_page(data, "text/html", url="https://packages.example/gizmo/", name="gizmo"),
        lambda: read_package_page(
            data, "application/vnd.pypi.simple.v1+json", url="https://packages.example/gizmo/", name="gizmo"
        ),
        lambda: may_fetch(parse_robots(text_of(data)), "https://a.example/news/2.0?a=b"),
        lambda: parse_pip_settings(text_of(data)),
    )
    for read in readers:
        try:
            read()
        except RelnotesError as error:
            assert str(error).strip()


def _check_container(folder: Path, data: bytes) -> None:
    path = folder / "given"
    path.write_bytes(data)
    kind = tell_container(path)
    source = Source(path=path, root=str(folder), name="given", hints=Hints())
    if kind is None:
        return
    try:
        documents, _ = open_container(source, kind)
    except SourceError as error:
        assert str(error).strip()
        return
    for document in documents[:10]:
        assert ".." not in Path(document.place).parts
        _check_document(document.place, document.content)


def _check_toml(folder: Path, data: bytes) -> None:
    connectors = Connectors(ConnectorSettings())
    (folder / "notes.md").touch()
    for name, read in (
        ("relnotes.toml", lambda path: read_config(path, connectors=connectors)),
        ("sources.toml", lambda path: read_descriptions(path, root=folder, siblings=[folder / "notes.md"])),
    ):
        path = folder / name
        path.write_bytes(data)
        try:
            read(path)
        except UsageError as error:
            assert name in str(error)


def _archives() -> tuple[bytes, ...]:
    names = ("gizmo-1.2/CHANGES.rst", "gizmo-1.2/setup.py", "gizmo-1.2/docs/old.md")
    tar = tar_gz(dict.fromkeys(names, _BARE_HEAD))
    bare = gzip.decompress(tar)
    return tar, bare, bz2.compress(bare), lzma.compress(bare), zipped({"gizmo/1.1/notes.md": _BARE_HEAD})


_RELEASES = b"""[{"tag_name": "v1.2", "name": "Gizmo 1.2", "body": "## Changes\\r\\n* one", "html_url":
"https://github.com/gizmo/gizmo/releases/tag/v1.2", "published_at": "2024-01-02T03:04:05Z", "draft": false,
"prerelease": false}]"""
_PAGE = b"""<html><body><a href="gizmo-1.2.tar.gz#sha256=00" data-yanked="no">gizmo-1.2.tar.gz</a></body></html>"""
_SIMPLE = b'{"files": [{"filename": "gizmo-1.2.tar.gz", "url": "gizmo-1.2.tar.gz", "hashes": {"sha256": "00"}}]}'
_CONFIG = b"""[[source]]
source = "github:gizmo/gizmo"
product = "Gizmo"
version = "1.2"
authority = "official"

[[document]]
path = "notes*"
aliases = ["gz"]
date = 2024-01-02
title = "Notes"
url = "https://gizmo.example"
"""


def _document_target(name: str, *seeds: bytes, per_input_s: float = 5.0) -> Target:
    target = f"document:{name}"
    lines = "\n".join(line_kinds(GRAMMARS[target])).encode()
    return Target(
        target, partial(_check_document, name), (FRAMES.get(target, bytes)(lines), *seeds), per_input_s=per_input_s
    )


def document_targets() -> tuple[Target, ...]:
    """Those of ingest."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    page = lines((24, 60, "Demo 2.0"), (10, 100, "Notes of a re-"), (10, 112, "lease."), (10, 124, "• A fix."))
    pdfs = (write_pdf(page, title="Demo"), write_pdf(page, page), *real_files("corpora/*/*.pdf", most=2))
    return (
        *(_document_target(name, _BARE_HEAD, *real_files(*patterns)) for name, patterns in _REAL_FILES.items()),
        _document_target("notes.pdf", *pdfs, per_input_s=20),
        Target(
            "dates",
            _check_dates,
            (b"Released 2 Jan 2024, 31 February 2024 and Jan 02nd, 2024/0000-00-00", *_NOTES_LINES),
        ),
        Target(
            "version-lines",
            _check_version_line,
            (*_NOTES_LINES, _BARE_HEAD, b"[Gizmo v1.2.x-rc1] (Unreleased, 2024-01-02)"),
        ),
        Target(
            "front-matter",
            _check_front_matter,
            (
                b"---\ntitle: &a Gizmo\nb: *a\n<<: *a\nc: {a: [1]}\n? d\n: |\n  x\ne: !!python/object:os.system x\n---\nText",
                b"%YAML 1.2\n---\ndate: 2024-01-02\nversion: 4.10\n---\nText",
                b'+++\ntitle = "Gizmo"\n+++\nText',
            ),
        ),
        Target("feed", _check_feed, (ATOM.encode(), RSS.encode(), b"<!DOCTYPE a [<!ENTITY b 'c'>]>&b;<![CDATA[a]]>")),
        Target("releases-file", _check_releases, (_RELEASES, _RELEASES + b"\n" + _RELEASES), JSON_SIGNS),
        Target(
            "answers-of-others",
            _check_answers_of_others,
            (
                _RELEASES,
                _PAGE,
                _SIMPLE,
                b"User-agent: *\nDisallow: /a*b%41$\nAllow: /",
                b"index-url='https://[a.example'",
            ),
        ),
        Target(
            "container",
            partial(_check_container, folder),
            (*_archives(), ATOM.encode(), _RELEASES),
            ("PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "ustar", "../"),
            per_input_s=10,
        ),
        Target("relnotes.toml", partial(_check_toml, folder), (_CONFIG,), TOML_SIGNS),
    )
