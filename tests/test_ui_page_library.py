"""The Library as HTML."""

from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import page_answers
import pytest
from case_files import read_rows
from page_answers import HOSTILE
from page_html import PageHtml, assert_harmless

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.versions import Version
from ingest.sources.files import FailedSource, SkippedSource
from ui.contract.index import ProductBody
from ui.contract.ingest import IngestBody, IngestedDocumentsBody
from ui.ingests import Ingest
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


def _report(product: CatalogueProduct, **left_out: tuple[object, ...]) -> IngestBody:
    counts = {"added": 1, "updated": 0, "unchanged": 2, "removed": 0, "skipped": (), "failed": (), "suspicious": ()}
    documents = IngestedDocumentsBody.model_validate(counts | left_out)
    products = (ProductBody.from_product(product, gaps=()),)
    return IngestBody(documents=documents, sources=(), products=products, passages=1300, seconds=0.5)


def test_hostile_names_stay_text() -> None:
    product = CatalogueProduct(HOSTILE, (), WIDGET.releases, documents=1, passages=1)
    document = replace(DOCUMENT, source=HOSTILE, title=HOSTILE + "x", product=HOSTILE)
    report = _report(product, failed=(FailedSource(HOSTILE, HOSTILE),), skipped=(SkippedSource(HOSTILE, HOSTILE),))
    told = (Ingest(HOSTILE), Ingest(HOSTILE, report=report), Ingest(HOSTILE, error=HOSTILE))
    for markup in (
        render("library", "coverage", rows=((product, HOSTILE, product.releases[0]),), documents=1, today=TODAY),
        render("library", "documents", rows=((document, HOSTILE, None, TODAY),)),
        *(render("library", "ingest", ingest=one) for one in told),
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


def test_a_document_of_no_known_product_is_not_passed_off_as_one() -> None:
    report = _report(replace(WIDGET, name="unknown"))
    found = PageHtml(render("library", "ingest", ingest=Ingest("a.md", report=report)))
    assert "name the product and add it again" in found.texts("li")[0]
    assert not found.values("href")


def test_an_address_that_a_refusal_names_can_be_tried_but_for_the_one_that_failed() -> None:
    place = "https://forge.example/gizmo"
    failed = (FailedSource("npm:gizmo", f"no changelog; its project is at {place}"), FailedSource(place, f"no {place}"))
    told = Ingest("gizmo", report=_report(WIDGET, failed=failed))
    assert PageHtml(render("library", "ingest", ingest=told)).values("data-source") == [place]
