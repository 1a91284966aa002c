"""Pages of the web in the index: what is kept, replaced, marked as gone and removed; against a real local server."""

from dataclasses import replace

import pytest
from case_files import read_rows
from connector_place import ConnectorPlace
from notes_server import Answer, page
from package_server import zipped

from corpus.errors import UsageError
from corpus.index.commit import remove_documents
from corpus.index.source_records import write_source_records
from ingest.sources.requests import SourceState

NOTES = "# Gizmo 2.0\n\n- Removed the lever.\n- Added a crank.\n"


@pytest.fixture
def url(place: ConnectorPlace) -> str:
    """The address of a page that was ingested."""
    place.server.pages["/a.md"] = page(NOTES, etag='"1"', Last_Modified="Fri, 02 Jan 2026 10:00:00 GMT")
    address = place.server.url("/a.md")
    place.ingest(address)
    return address


def test_a_page_is_cited_by_its_address(place: ConnectorPlace) -> None:
    place.server.pages["/gizmo/CHANGES.md"] = page(NOTES)
    url = place.server.url("/gizmo/CHANGES.md")
    report = place.ingest(url)
    assert (report.added, report.failed) == (1, ())
    (document,) = place.documents()
    assert (document.source, document.root, document.url) == (url, url, url)
    assert (document.product, document.version, document.media_type) == ("Gizmo", "2.0", "text/markdown")
    assert document.synced_at is not None
    assert place.text(url) == NOTES


def test_a_page_that_did_not_change_is_kept_without_being_sent(place: ConnectorPlace, url: str) -> None:
    report = place.ingest(url)
    assert (report.added, report.updated, report.unchanged, report.removed) == (0, 0, 1, 0)
    assert report.sources[0].state is SourceState.UNCHANGED
    asked = place.server.asked[-1].headers
    assert (asked["if-none-match"], asked["if-modified-since"]) == ('"1"', "Fri, 02 Jan 2026 10:00:00 GMT")
    remove_documents(place.index, every=True)
    assert place.ingest(url).added == 1


def test_a_page_that_could_not_be_read_is_asked_for_whole_again(place: ConnectorPlace, url: str) -> None:
    place.server.pages["/a.md"] = page(NOTES + "\0" * 100, etag='"2"')
    for _ in range(2):
        assert [one.source for one in place.ingest(url).failed] == [url]
        assert "if-none-match" not in place.server.asked[-1].headers or '"1"' in str(place.server.asked[-1].headers)


def test_a_page_that_changed_is_replaced(place: ConnectorPlace, url: str) -> None:
    place.server.pages["/a.md"] = page(NOTES.replace("crank", "pedal"), etag='"2"')
    report = place.ingest(url)
    assert (report.added, report.updated) == (0, 1)
    assert "pedal" in place.text(url)


@pytest.mark.parametrize("status", [404, 410])
def test_a_page_that_is_gone_is_kept_with_the_time_it_went(place: ConnectorPlace, status: int) -> None:
    place.server.pages["/a.md"] = page(NOTES)
    place.server.pages["/b.md"] = page("# Widget 1.0\n\nAdded a wheel.\n")
    gone, other = place.server.url("/a.md"), place.server.url("/b.md")
    place.ingest(gone, other)
    place.server.pages["/a.md"] = Answer(status=status)
    report = place.ingest(gone, other)
    assert (report.unchanged, report.removed) == (1, 0)
    assert [one.source for one in report.failed] == [gone]
    assert {one.source for one in place.documents()} == {gone, other}
    (record,) = [one for one in place.records() if one.root == gone]
    assert record.gone_since is not None
    write_source_records(place.index, [replace(record, gone_since="2026-01-02T00:00:00+00:00")])
    place.ingest(gone, other)
    assert "2026-01-02T00:00:00+00:00" in [one.gone_since for one in place.records()]


def test_a_failing_source_stops_none_and_loses_nothing(place: ConnectorPlace, url: str) -> None:
    before = place.records()
    place.server.pages["/a.md"] = Answer(status=500)
    place.server.pages["/b.md"] = page("# Widget 1.0\n\nAdded a wheel.\n")
    report = place.ingest("https://nowhere.invalid/x", url, place.server.url("/b.md"))
    assert (report.added, len(report.failed)) == (1, 2)
    assert len(place.documents()) == 2
    assert place.records()[0] == before[0]


def test_a_rebuild_that_would_lose_a_page_is_refused(place: ConnectorPlace, url: str) -> None:
    place.server.pages["/a.md"] = Answer(status=503)
    report = place.ingest(url, rebuild=True)
    assert "not rebuilt" in report.failed[0].error
    assert len(place.documents()) == 1


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        pytest.param(page("  \n"), "is empty", id="nothing"),
        pytest.param(page("x", "image/png"), "is image/png, no document", id="a picture"),
        pytest.param(page("x {}", "text/css"), "is text/css, no document; give the address", id="a style sheet"),
        pytest.param(page("x()", "text/javascript"), "is text/javascript, no document", id="a script"),
        pytest.param(Answer(zipped({"a.md": "x"}), headers={"Content-Type": "application/zip"}),
                     "is application/zip, no document; give the address of the notes themselves",
                     id="an archive by its type"),
        pytest.param(Answer(b"\x89PNG\0\0"), "The content looks binary", id="a picture without a type"),
        pytest.param(Answer(zipped({"a.md": "x"})), "The content looks binary", id="an archive"),
    ],
)  # fmt: skip
def test_what_is_no_document_is_told_in_one_line(place: ConnectorPlace, answer: Answer, error: str) -> None:
    place.server.pages["/a"] = answer
    report = place.ingest(place.server.url("/a"))
    assert not report.succeeded
    assert error in report.failed[0].error
    assert "\n" not in report.failed[0].error


@pytest.mark.parametrize(("argument", "message"), read_rows("ingest-an-address-that-cannot-be-fetched-is-wrong-usage"))
def test_an_address_that_cannot_be_fetched_is_wrong_usage(place: ConnectorPlace, argument: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        place.ingest(argument)
    assert message in str(caught.value)
    assert "hush" not in str(caught.value)
    assert not place.index.exists()
