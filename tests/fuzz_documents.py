"""Fuzz targets of ingest: every format of document, what is read before it and beside it, feeds and archives."""

import io
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from fuzz_target import Target, real_files, text_of
from ingest_documents import embed_lengths
from test_ingest_connectors_feeds import ATOM, RSS
from test_ingest_offsets import SIGNS
from test_ingest_pdf import lines, write_pdf

from corpus.errors import RelnotesError, SourceError, UsageError
from corpus.model import ParsedDocument
from ingest.formats.encodings import decode
from ingest.formats.front_matter import split_front_matter
from ingest.passages.splitting import split_passages
from ingest.releases.dates import find_dates
from ingest.releases.identity import Hints
from ingest.releases.structure import read_structure
from ingest.releases.version_lines import read_version_line
from ingest.sources.connectors import Connectors, ConnectorSettings
from ingest.sources.connectors.feeds import is_feed, read_feed
from ingest.sources.connectors.github import FolderEntry, parse_answer
from ingest.sources.connectors.github_releases import Release, read_releases_file
from ingest.sources.connectors.pypi import read_package_page
from ingest.sources.connectors.registry_clients import parse_pip_settings
from ingest.sources.container_kinds import tell_container
from ingest.sources.containers import open_container
from ingest.sources.files import FetchedDocument, Source
from ingest.sources.requests import read_config
from ingest.sources.sources_toml import read_descriptions
from ingest.sources.web.robots import parse_robots

FILES = {
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


def check_document(name: str, content: bytes) -> ParsedDocument | None:
    """Parse a document as ingest does, without the net under it; what is stored must be true to the text."""
    source = FetchedDocument(name, name, "/notes", content, Hints()).below("/notes", Hints())
    try:
        structure = read_structure(source, content)
        parsed, releases = structure.parsed, structure.releases
        passages = split_passages(parsed, releases, title=structure.identity.title, embed=embed_lengths)
    except SourceError as error:
        assert str(error).strip()
        return None
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
    return None


def _check_file(name: str, data: bytes) -> None:
    check_document(name, data)


def _check_dates(data: bytes) -> None:
    text = text_of(data)
    at = 0
    for mention in find_dates(text):
        assert at <= mention.span.start < mention.span.end <= len(text)
        at = mention.span.end


def _check_version_line(data: bytes) -> None:
    text = text_of(data)
    for line in text.splitlines()[:50]:
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
        check_document(entry.place, entry.content)


def _check_releases(data: bytes) -> None:
    try:
        documents = read_releases_file(data, source="releases.json", place="/notes/releases.json")
    except SourceError:
        return
    for one in documents[:20]:
        check_document(one.place, one.content)


def _check_answers_of_others(data: bytes) -> None:
    readers: tuple[Callable[[], object], ...] = (
        lambda: parse_answer(list[FolderEntry], data),
        lambda: parse_answer(Release, data),
        lambda: read_package_page(data, "text/html", url="https://packages.example/gizmo/", name="gizmo"),
        lambda: read_package_page(
            data, "application/vnd.pypi.simple.v1+json", url="https://packages.example/gizmo/", name="gizmo"
        ),
        lambda: parse_robots(text_of(data)).allows("/news/2.0?a=b"),
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
    for one in documents[:10]:
        assert ".." not in Path(one.place).parts
        check_document(one.place, one.content)


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
    made = []
    for mode in ("w", "w:gz", "w:bz2", "w:xz"):
        held = io.BytesIO()
        with tarfile.open(fileobj=held, mode=mode) as tar:
            for name in ("gizmo-1.2/CHANGES.rst", "gizmo-1.2/setup.py", "gizmo-1.2/docs/old.md"):
                member = tarfile.TarInfo(name)
                member.size = len(_BARE_HEAD)
                tar.addfile(member, io.BytesIO(_BARE_HEAD))
        made.append(held.getvalue())
    for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        held = io.BytesIO()
        with zipfile.ZipFile(held, "w", method) as archive:
            archive.writestr("gizmo/CHANGELOG.md", _BARE_HEAD)
            archive.writestr("gizmo/1.1/notes.txt", _BARE_HEAD)
        made.append(held.getvalue())
    return tuple(made)


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


def document_targets() -> tuple[Target, ...]:
    """Those of ingest."""
    folder = Path(tempfile.mkdtemp(prefix="fuzz-"))
    words = (
        "Gizmo 1.2.3 (2024-01-02)\n",
        "- entry\n",
        "\n\n",
        "A sentence. Another.\n",
        "\r\n",
        "\t",
        "\x00",
        "\ufeff",
    )
    documents = tuple(
        Target(
            f"document:{name}",
            partial(_check_file, name),
            ("".join(SIGNS[name]).encode(), _BARE_HEAD, *real_files(*patterns)),
            (*SIGNS[name], *words, *"#*_`[](){}<>|=-~+.:!&;\"'\\/"),
        )
        for name, patterns in FILES.items()
    )
    page = lines((24, 60, "Demo 2.0"), (10, 100, "Notes of a re-"), (10, 112, "lease."), (10, 124, "• A fix."))
    toml_signs = (
        "[[source]]\n",
        "[[document]]\n",
        "[",
        "]",
        "= ",
        '"',
        "'''",
        '"""',
        "{",
        "}",
        "1979-05-27",
        "\\u0000",
    )
    xml_signs = (
        "<entry>",
        "</entry>",
        "<item>",
        "<!DOCTYPE a [<!ENTITY b 'c'>]>",
        "&b;",
        "<![CDATA[",
        "]]>",
        "<title>",
    )
    return (
        *documents,
        Target(
            "document:notes.pdf",
            partial(_check_file, "notes.pdf"),
            (write_pdf(page, title="Demo"), write_pdf(page, page), *real_files("corpora/*/*.pdf", most=2)),
            (
                "BT ",
                " Tf",
                " Tm ",
                "(a) Tj",
                "ET",
                "/Contents 5 0 R",
                "stream\n",
                "endobj",
                "/Kids [4 0 R 4 0 R]",
                "2 0 R",
            ),
            per_input_s=20,
        ),
        Target(
            "dates",
            _check_dates,
            (b"Released 2 Jan 2024, 2024-01-02 and Jan 02, 2024", *_NOTES_LINES),
            ("2024-01-02", "31 February 2024", "Jan", "th,", "/", "-", "2024", "0000-00-00", "99"),
        ),
        Target(
            "version-lines",
            _check_version_line,
            (*_NOTES_LINES, _BARE_HEAD),
            (
                "1.2.3",
                "v",
                " (",
                ")",
                "unstable; urgency=low",
                "Gizmo ",
                "-rc1",
                ".x",
                "2024-01-02",
                "Unreleased",
                "[",
                "]",
            ),
        ),
        Target(
            "front-matter",
            _check_front_matter,
            (b"---\ntitle: Gizmo\ndate: 2024-01-02\nversion: 4.10\n---\nText", b'+++\ntitle = "Gizmo"\n+++\nText'),
            (
                "---\n",
                "+++\n",
                "&a ",
                "*a",
                "- ",
                ": ",
                "|\n",
                "!!python/object:os.system ",
                "{",
                "[",
                "? ",
                "<<: *a",
                "%YAML",
            ),
        ),
        Target("feed", _check_feed, (ATOM.encode(), RSS.encode()), xml_signs),
        Target(
            "releases-file",
            _check_releases,
            (_RELEASES, _RELEASES + b"\n" + _RELEASES),
            ('"body": ', '"tag_name": ', "[", "]", "{", "}", "null", "1e999", '"\\ud800"', ",", "NaN"),
        ),
        Target(
            "answers-of-others",
            _check_answers_of_others,
            (_RELEASES, _PAGE, _SIMPLE, b"User-agent: *\nDisallow: /a*b$\nAllow: /", b"index-url='https://a.example'"),
            ("<a href=", ">", '"files": ', "[", "{", "Disallow: ", "*", "$", "%", "://[", "\n", "User-agent: *\n"),
        ),
        Target(
            "container",
            partial(_check_container, folder),
            (*_archives(), ATOM.encode(), _RELEASES),
            ("PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "ustar", "../", "\x1f\x8b\x08", "BZh9"),
            per_input_s=10,
        ),
        Target("relnotes.toml", partial(_check_toml, folder), (_CONFIG,), toml_signs),
    )
