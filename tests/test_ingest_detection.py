"""Bytes to text and format: what content decides, and what a name adds."""

from pathlib import Path

import pytest
from case_files import read_rows
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import SourceError
from ingest.formats.detection import detect_media_type
from ingest.formats.encodings import decode

SHARED = Path(__file__).parents[2] / "shared"

RST_NOTE = """\
==========================
Lib 4.2.1 release notes
==========================

.. _fixes:

Fixes a regression in :class:`~lib.Model` (:ticket:`1234`), see ``Model.save()``.

.. code-block:: python

    ## a comment
"""
SMALL_RST_NOTE = (
    "=======================\nLib 5.0.6 release notes\n=======================\n\n*May 7, 2024*\n\nA fix.\n"
)
MARKDOWN_NOTE = "# Lib 2.0\n\n## Changes\n\n* One ([#1](https://example.org/1))\n\n```sh\npip install lib\n```\n"
ASCIIDOC_NOTE = "= Lib 2.0\n\n== Changes\n\n[source,sh]\n----\nmake\n----\n\nSee link:a.html[the guide].\n"
PLAIN_NOTE = (
    "Lib 2.0\n\nThis release includes the following changes:\n\n o one [1]\n o two\n\n [1] = https://example.org/1\n"
)
SHELL_PAGE = "lib 2.0\n\nintro text.\n\n# install it\npip install lib\n\n# or\npip install lib[all]\n"
FIXED_RULES = "=" * 60 + "\nLib 7.2.4    Released Tue 09 Jan 2024\n" + "=" * 60 + "\n\n* Fix a crash\n"
HTML_FRAGMENT = "<h1>Lib 2.0</h1>\n<p>New.</p>\n<ul><li>One</li><li>Two</li></ul>\n"
HTML_BANNER = '<p align="center"><img src="a.png"></p>\n\n# Lib\n\n## 2.0\n\n- one\n- two\n'


@pytest.mark.parametrize(
    ("name", "text", "media_type"),
    [
        ("notes/4.2.txt", RST_NOTE, "text/x-rst"),
        ("5.0.6.txt", SMALL_RST_NOTE, "text/x-rst"),
        ("CHANGES", RST_NOTE, "text/x-rst"),
        ("NEWS.rst", "Title\n=====\n\nProse.\n", "text/x-rst"),
        ("notes.txt", MARKDOWN_NOTE, "text/markdown"),
        ("CHANGES", MARKDOWN_NOTE, "text/markdown"),
        ("NEWS.md", "Prose only.\n", "text/markdown"),
        ("README.md", HTML_BANNER, "text/markdown"),
        ("README", HTML_BANNER, "text/markdown"),
        ("CHANGELOG.rst", MARKDOWN_NOTE * 5, "text/markdown"),
        ("2.0.adoc", "Title\n=====\n\nProse.\n", "text/asciidoc"),
        ("RELEASE", ASCIIDOC_NOTE, "text/asciidoc"),
        ("RELEASE-NOTES", PLAIN_NOTE, "text/plain"),
        ("00-RELEASENOTES", FIXED_RULES, "text/plain"),
        ("page.txt", SHELL_PAGE, "text/plain"),
        ("page.txt", "", "text/plain"),
        ("page", "<!-- saved -->\n<!DOCTYPE html><html><body>x</body></html>", "text/html"),
        ("page.md", "\ufeff  <html><body># x</body></html>", "text/html"),
        ("page", HTML_FRAGMENT, "text/html"),
        ("page.html", "<p>x</p>", "text/html"),
        ("page.php", '<?xml version="1.0"?>\n<?xml-stylesheet href="a"?>\n<html><p>x</p></html>', "text/html"),
        ("changelog.php", "Lib 2.0\n\n- one\n", "text/plain"),
        ("post.md", '{"title": "Lib 2.0"}\n\n## New\n\n## Fixed\n', "text/markdown"),
        ("CHANGES", "[1.0]\n- one\n", "text/plain"),
        ("CHANGES", "v1.1:\n  date: x\n  changes:\n    - [a](b) [c](d)\n" * 2, "text/plain"),
        ("lib.spec", "Name: lib\n\n%changelog\n", "text/plain"),
        ("notes.pdf", "%PDF-1.7\n", "application/pdf"),
        ("notes.txt", "%PDF-1.7\n", "application/pdf"),
    ],
)
def test_content_decides_the_media_type(name: str, text: str, media_type: str) -> None:
    assert detect_media_type(name, text.encode()) == media_type


@pytest.mark.parametrize(("name", "text", "kind"), read_rows("ingest-data-and-code-are-refused-by-name-or-start"))
def test_data_and_code_are_refused_by_name_or_start(name: str, text: str, kind: str) -> None:
    with pytest.raises(SourceError, match=rf"is .*{kind}.*, which isn't read as notes; give the changelog or the page"):
        detect_media_type(name, text.encode())


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"\x89PNG\r\n\x1a\n\x00\x00", id="png"),
        pytest.param(b"PK\x03\x04rest", id="zip"),
        pytest.param(b"text\x00text", id="NUL"),
        pytest.param(bytes(range(1, 256)) * 20, id="control characters"),
        pytest.param(b"\xff\xfea", id="half a UTF-16 character"),
    ],
)
def test_binary_content_is_refused(content: bytes) -> None:
    with pytest.raises(SourceError, match="looks binary"):
        detect_media_type("notes.txt", content)
    with pytest.raises(SourceError, match="looks binary"):
        decode(content)


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs", "Cc"])))
def test_utf8_is_decoded_exactly(text: str) -> None:
    assert decode(text.encode()) == text


@pytest.mark.skipif(not (SHARED / "corpora").is_dir(), reason="needs ../shared/corpora and ../shared/seeds")
@pytest.mark.parametrize(("pattern", "media_type"), read_rows("ingest-every-shared-file-is-recognised"))
def test_every_shared_file_is_recognised(pattern: str, media_type: str) -> None:
    paths = sorted(SHARED.glob(pattern))
    assert paths
    assert {path.name: detect_media_type(path.name, path.read_bytes()) for path in paths} == {
        path.name: media_type for path in paths
    }
