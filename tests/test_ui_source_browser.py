"""Sources in the browser: each format reads without its markup, the quote marked, the raw text at hand."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from page_browser import running_page, visit
from ui_small_index import NOTES, ingest

from corpus.embedding import Embedder

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SOURCES = {
    "anvil": ("changes.rst", "Removed the SPIN setting of psycopg; turn() takes its place."),
    "brick": ("changes.md", "Breaking: removed the spin setting & its SPIN variable (#12)."),
    "crate": ("changes.adoc", "Removed the spin setting, see its page #12."),
}
MARKUP = re.compile(r"`|\.\. |={3,}|:setting:|psycopg_|\]\(|&amp;|\*\*|link:|\[\[|<<|\|-|<kbd>|<SETTINGS")


@pytest.fixture(scope="module")
def address(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    index = tmp_path_factory.mktemp("markup") / "index"
    assert not ingest(NOTES / "markup", index=index, embedder=default_embedder).failed
    with running_page(index) as served:
        yield served


@pytest.mark.parametrize("product", SOURCES)
def test_a_citation_reads_without_markup_and_shows_its_raw_text(browser: "Browser", address: str, product: str) -> None:
    name, quoted = SOURCES[product]
    text = (NOTES / "markup" / product / name).read_text("utf-8")
    with visit(browser, f"{address}/upgrade?product={product}&from=1.0&to=2.0") as page:
        card = page.locator(".rn-evidence").first
        card.locator("summary").press("Enter")
        source = card.locator("blockquote")
        assert not MARKUP.search(source.inner_text())
        # What a quote has of several blocks is marked in each.
        mark = card.locator("mark").first
        assert mark.is_visible()
        assert quoted in " ".join(mark.inner_text().split())
        swap = card.locator(".rn-swap")
        swap.press("Enter")
        assert swap.inner_text() == "As it reads"
        assert card.locator("mark").count() == 1
        assert str(mark.text_content()) in text
        assert MARKUP.search(str(mark.text_content()))
        swap.press("Space")
        assert not MARKUP.search(source.inner_text())
        relations = source.locator("a").evaluate_all("found => found.map(one => one.rel)")
        assert set(relations) <= {"noopener nofollow"}
