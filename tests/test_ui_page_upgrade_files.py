"""Upgrade as a page without a browser: what it begins with, what an address lists, what of somebody's files is told."""

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_files import read_rows
from fastapi.testclient import TestClient
from httpx import Response
from page_app import page_app
from page_html import PageHtml, assert_harmless, main_of
from ui_small_index import index_notes

from corpus.embedding import Embedder

NAMES = ("cog", "gear", "lever", "pulley", "wedge", "winch")
CODE = "import cog\n\ncog.spin(90)\n"
REQUIREMENTS = "".join(f"{name}==1.{n}.0\n" for n, name in enumerate(NAMES))
LISTED = {
    "two versions": ({"product": "cog", "from": "1.0.0", "to": "2.0.0"}, "cog 1.0.0 → 2.0.0"),
    "open ends": ({"product": "COG"}, "cog 1.0.0 → 2.0.0"),
    "blanks": ({"product": " cog ", "from": " ", "to": "latest"}, "cog 1.0.0 → 2.0.0"),
}


@pytest.fixture(scope="module")
def index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Notes of six products, each with two releases."""
    text = (
        "# {name}\n\n## 2.0.0 (2024-05-01)\n\n### Removed\n\n- `{name}.spin` was removed.\n\n"
        "### Deprecated\n\n- `{name}.roll` is deprecated.\n\n## 1.0.0 (2023-05-01)\n\n- It begins.\n"
    )
    notes = {f"{name}/changes.md": text.format(name=name) for name in NAMES}
    return index_notes(tmp_path_factory.mktemp("six"), default_embedder, notes)


@pytest.fixture(scope="module")
def client(index: Path, default_embedder: Embedder) -> Iterator[TestClient]:
    with page_app(index, default_embedder) as client:
        yield client


def shown(response: Response) -> PageHtml:
    """The main part of a page; nothing in it acts on its own."""
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "Traceback" not in response.text
    return assert_harmless(main_of(response.text))


def check(client: TestClient, *files: tuple[str, str | bytes], **fields: str) -> PageHtml:
    """What is told of files that somebody chose."""
    response = client.post("/upgrade", data=fields, files=[("files", file) for file in files])
    assert response.status_code == 200
    return shown(response)


@pytest.mark.parametrize(("asked", "heading"), LISTED.values(), ids=LISTED)
def test_an_address_lists(client: TestClient, asked: dict[str, str], heading: str) -> None:
    response = client.get("/upgrade", params=asked)
    found = shown(response)
    assert (response.status_code, found.texts("h2")) == (200, [heading])
    assert found.texts("h3") == ["Removed 1", "Deprecated 1"]
    assert "2 changes in 1 release: 2.0.0 (1 May 2024)." in " ".join(found.text.split())
    quotes = ["- `cog.spin` was removed.", "- `cog.roll` is deprecated."]
    assert [quote for quote in found.texts("mark") if quote.startswith("- ")] == quotes
    assert client.head("/upgrade", params=asked).status_code == 200


@pytest.mark.parametrize(("asked", "said"), read_rows("ui-what-can-not-be-listed-is-told-beside-the-form"))
def test_what_can_not_be_listed_is_told_beside_the_form(client: TestClient, asked: dict[str, str], said: str) -> None:
    response = client.get("/upgrade", params=asked)
    found = shown(response)
    assert response.status_code == 200
    assert said in found.text
    assert found.texts("button")[:2] == ["Check", "Show changes"]


def test_a_requirements_file_brings_all_its_products_in_one_round(client: TestClient) -> None:
    found = check(client, ("requirements.txt", REQUIREMENTS), ("app.py", CODE))
    headings = [f"{name} 1.{n}.0 → 2.0.0" for n, name in enumerate(NAMES)]
    assert sorted(found.texts("h2")) == headings
    assert "Your files have older releases of 6 products." in found.text
    assert "requirements.txt, line 1, has cog 1.0.0." in found.texts("p")
    assert "Used in your code: app.py:3" in found.texts("p")
    # A list at the top leads to each; no two places share a name.
    ids, links = found.values("id"), [link for link in found.values("href") if link.startswith("#")]
    assert len(set(ids)) == len(ids)
    assert {link[1:] for link in links} <= set(ids)
    assert found.texts("tbody")[0].count("2.0.0") == 6
    # What the code uses comes first; without code nothing is said of uses.
    assert found.texts("tr")[:2] == ["ProductFromToUsedSecurity fixesChanges", "cog1.0.02.0.0102"]
    found = check(client, ("requirements.txt", REQUIREMENTS))
    assert found.texts("tr")[0] == "ProductFromToSecurity fixesChanges"
    assert "what your files use" not in found.text


LINES = {
    "words and line ends": ("a.js", "let" + "\n" * 1_900_000),
    "line ends": ("Dockerfile", "\n" * 1_900_000),
    "of old Macs": ("a.py", "\r" * 1_900_000),
    "blanks on each": ("a.yaml", " \n" * 950_000),
    "requirements": ("dev-requirements.txt", "a==1\n" * 380_000),
}


@pytest.mark.parametrize("file", LINES.values(), ids=LINES)
def test_files_of_lines_alone_hold_nobody_up(client: TestClient, file: tuple[str, str]) -> None:
    started = time.thread_time()
    assert "These files have more than 200,000 lines." in check(client, file, ("requirements.txt", "cog==1.0\n")).text
    assert time.thread_time() - started < 3


@pytest.mark.parametrize(
    ("files", "fields", "said"),
    [
        *read_rows("ui-of-files-it-is-told"),
        pytest.param(
            [("a.pyc", b"\0cog==1.0.0")], {"product": "cog"}, "Left out, for they hold no text: a.pyc.", id="no text"
        ),
        pytest.param(
            [("app.py", CODE)], {"product": "cog", "from": "x" * 999}, "Shorten it.", id="code for a wrong range"
        ),
        pytest.param([("requirements.txt", b"# caf\xe9\ncog==1.5\n")], {}, "line 2, has cog 1.5.", id="no UTF-8"),
    ],
)
def test_of_files_it_is_told(
    client: TestClient, files: list[tuple[str, str | bytes]], fields: dict[str, str], said: str
) -> None:
    assert said in check(client, *files, **fields).text
