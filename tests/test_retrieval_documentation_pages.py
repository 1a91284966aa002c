"""Documentation that stands in the library once a release: which page there is, what a page lists, since when."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from ui_small_index import ingest

from corpus.embedding import Embedder
from retrieval.assistant import Assistant

_LIDS = """# Lids

The kettle can be closed with these lids:

- flat
- domed
- whistling
"""
_SPOUTS = """# Spouts

A spout leads the water out of the kettle without a drip.

## pour_angle

.. versionadded:: 1.4

Sets how far the kettle tips.

## Closing

.. versionadded:: 1.6

A spring shuts the flap of the spout.
"""
_HANDLES = "# Handles\n\nA handle stays cool for as long as the water boils.\n"


@pytest.fixture(scope="module")
def kettle(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Assistant]:
    folder = tmp_path_factory.mktemp("pages")
    for version in ("2.0.0", "3.0.0"):
        pages = {"lids": _LIDS, "spouts": _SPOUTS}
        if version == "3.0.0":
            pages["handles"] = _HANDLES
        for name, page in pages.items():
            path = Path(folder, "docs", "kettle", version, f"{name}.md")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{page}\n", encoding="utf-8")
    ingest(folder / "docs", index=folder / "index", embedder=default_embedder)
    with Assistant.open(folder / "index", embedder=default_embedder) as assistant:
        yield assistant


@pytest.mark.parametrize(
    ("question", "held"),
    [
        ("which versions of kettle have a page about handles?", ["3.0.0"]),
        ("for which kettle releases do you have the spouts page", ["2.0.0", "3.0.0"]),
    ],
)
def test_the_releases_that_have_a_page(kettle: Assistant, question: str, held: list[str]) -> None:
    answer = kettle.ask(question)
    assert sorted(str(citation.version) for citation in answer.citations) == held
    assert all(f"**kettle {version}**" in answer.answer for version in held)


def test_no_page_is_named_by_what_all_documents_are(kettle: Assistant) -> None:
    assert "5 documents of kettle" in kettle.ask("which pages of kettle are in the library?").answer


def test_a_list_is_told_with_the_line_above_it(kettle: Assistant) -> None:
    assert "these lids: flat; domed; whistling" in kettle.ask("which lids can the kettle be closed with?").answer


def test_since_when_is_told_by_a_mark_that_stands_above_what_was_added(kettle: Assistant) -> None:
    assert "1.4" in kettle.ask("since when does kettle have pour_angle?").answer
    assert "1.6" in kettle.ask("since when does a spring shut the flap of kettle's spout?").answer
