"""The Library as HTML."""

from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import page_answers
import pytest
from case_files import read_rows
from page_answers import HOSTILE
from page_html import assert_harmless

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.versions import Version
from ui.web.html import render
from ui.web.products import newest_release_day

TODAY = date(2026, 11, 20)


def _releases(*dated: tuple[str, str | None]) -> tuple[CatalogueRelease, ...]:
    return tuple(
        CatalogueRelease(Version.parse(version), date.fromisoformat(day) if day else None, ()) for version, day in dated
    )


WIDGET = CatalogueProduct(
    "widget",
    (),
    _releases(("2.11", "2026-06-20"), ("2.9", "2025-10-15"), ("2.8", None), ("1.0", "2020-01-01")),
    documents=3,
    passages=40,
)
DOCUMENT = replace(page_answers.DOCUMENT, root="/notes", passages=1234, synced_at="2026-11-19T08:00:00+00:00")


def test_hostile_names_stay_text() -> None:
    product = CatalogueProduct(HOSTILE, (), WIDGET.releases, documents=1, passages=1)
    document = replace(DOCUMENT, source=HOSTILE, title=HOSTILE + "x", product=HOSTILE)
    for markup in (
        render("library", "coverage", rows=((product, HOSTILE, product.releases[0]),), documents=1, today=TODAY),
        render("library", "documents", rows=((document, HOSTILE, None, TODAY),)),
    ):
        assert_harmless(markup)


@pytest.mark.parametrize(("days", "own", "told"), read_rows("ui-a-document-is-as-new-as-its-newest-release-or-its-own"))
def test_a_document_is_as_new_as_its_newest_release_or_its_own_day(
    days: dict[str, str | None], own: str | None, told: str | None
) -> None:
    releases = tuple(replace(one, sources=(DOCUMENT.source,)) for one in _releases(*days.items()))
    index = SimpleNamespace(products_named=lambda _: (replace(WIDGET, releases=releases),))
    document = replace(DOCUMENT, date=date.fromisoformat(own) if own else None)
    assert newest_release_day(index, document) == (date.fromisoformat(told) if told else None)
