"""The Library as HTML, and the files that people give over the page."""

import os
import re
import time
from dataclasses import replace
from datetime import date
from pathlib import Path

import page_answers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_answers import HOSTILE
from page_html import PageHtml, assert_harmless
from property_examples import examples

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.errors import UsageError
from corpus.model import Authority, Release, Span
from corpus.versions import Version
from ingest.pipeline import IngestReport
from ingest.releases.identity import Hints
from ingest.report import SourceOutcome, SuspiciousSource
from ingest.sources.files import FailedSource, SkippedSource
from ingest.sources.requests import SourceState
from ui.library.ingest_desk import IngestCancelled, IngestJob, IngestOutcome, IngestState
from ui.library.requests import check_address, read_hints
from ui.library.uploads import (
    MAX_UPLOADS,
    Uploads,
    UploadTooManyError,
    folder_name,
    safe_name,
    stored_name,
)
from ui.web.html import render
from ui.web.library import (
    LibraryDocument,
    LibraryView,
    document_versions,
    render_coverage_table,
    render_outcome_html,
)

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
DOCUMENT = replace(page_answers.DOCUMENT, root="/index/uploads", passages=1234, synced_at="2026-11-19T08:00:00+00:00")
VIEW = LibraryView(
    products=(WIDGET,),
    documents=(LibraryDocument(DOCUMENT, "1.0–2.11", date(2026, 6, 20), is_uploaded=True),),
    today=TODAY,
)
REPORT = IngestReport(added=1, updated=0, unchanged=2, removed=0, skipped=(), failed=(), passages=1300, seconds=0.52)


def test_coverage_tells_counts_ages_and_gaps() -> None:
    found = PageHtml(render_coverage_table(VIEW))
    assert found.texts("td", "th")[6:] == [
        "widget",
        "4",
        "2.11 20 June 2026, 5 months ago",
        "1.0 1 January 2020, 6 years ago",
        "3",
        "2.10",
    ]
    # On a phone no heading is shown.
    assert found.values("data-label") == ["Releases", "Newest", "Oldest", "Documents", "Missing notes"]


def test_a_document_is_linked_dated_and_can_be_removed() -> None:
    found = PageHtml(render("library", "documents", rows=VIEW.documents, may_remove=True))
    assert found.texts("td", "th")[8:] == [
        "widget/CHANGELOG.mdWidget",
        "widget",
        "1.0–2.11",
        "20 June 2026",
        "official",
        "1,234",
        "19 November 2026",
        "Remove",
    ]
    assert found.values("href") == ["/documents/7", "/p/widget"]
    removing = {("data-remove", "7"), ("data-name", DOCUMENT.source), ("data-uploaded", "")}
    assert removing < {*found.attributes}
    assert "data-remove" not in render("library", "documents", rows=VIEW.documents, may_remove=False)


def test_an_empty_index_says_how_to_fill_it() -> None:
    empty = replace(VIEW, products=(), documents=())
    assert "Nothing is here yet" in render_coverage_table(empty)
    assert render("library", "documents", rows=empty.documents, may_remove=True) == ""


def test_hostile_names_stay_text() -> None:
    product = CatalogueProduct(HOSTILE, (), WIDGET.releases, documents=1, passages=1)
    document = replace(DOCUMENT, source=HOSTILE, title=HOSTILE + "x", product=HOSTILE)
    view = replace(VIEW, products=(product,), documents=(LibraryDocument(document, HOSTILE, None, is_uploaded=True),))
    report = replace(REPORT, failed=(FailedSource(HOSTILE, HOSTILE),), skipped=(SkippedSource(HOSTILE, HOSTILE),))
    outcome = IngestOutcome(report, (FailedSource(HOSTILE, HOSTILE),), (HOSTILE,))
    for markup in (
        render_coverage_table(view),
        render("library", "documents", rows=view.documents, may_remove=True),
        render_outcome_html(outcome, view),
        render("library", "progress", state=IngestState(HOSTILE)),
        render("library", "note", message=HOSTILE, role="alert"),
    ):
        assert_harmless(markup)


@pytest.mark.parametrize(
    ("labels", "version", "words"),
    [((), None, ""), ((), "2.0", "2.0"), (("2.0",), None, "2.0"), (("1.0", "1.5", "2.0"), None, "1.0–2.0")],
    ids=["none", "the document's own", "one", "a range"],
)
def test_versions_of_a_document(labels: tuple[str, ...], version: str | None, words: str) -> None:
    releases = [Release(Version.parse(label), label, None, Span(0, 1)) for label in labels]
    assert document_versions(releases, version) == words


def test_progress_has_a_measure_where_there_is_one() -> None:
    assert '<progress aria-label="Making it searchable" max="40" value="10">' in render(
        "library", "progress", state=IngestState("2 files", "Embedding", 10, 40)
    )
    assert '<progress aria-label="Saving">' in render(
        "library", "progress", state=IngestState("2 files", "Writing", 0, 1)
    )
    assert "Cancelling" in render(
        "library", "progress", state=IngestState("2 files", "Reading", 1, 4, is_cancelled=True)
    )


def test_a_report_is_told_in_words() -> None:
    report = replace(
        REPORT,
        failed=(FailedSource("a.md", "is empty"),),
        suspicious=(SuspiciousSource("b.md", "one release"),),
        skipped=(SkippedSource("c.csv", "is data"),),
    )
    outcome = IngestOutcome(report, (FailedSource("d.png", "isn't text"),), ("widget/CHANGELOG.md",))
    words = re.sub(r"<[^>]+>", " ", render_outcome_html(outcome, VIEW))
    for printed in (
        "Added 1 document. The library has 1 document about 1 product now.",
        "widget 1.0–2.11: 1 document, 1,234 passages.",
        "Not added:  d.png  isn&#x27;t text",
        "Couldn&#x27;t be read:  a.md  is empty",
        "Have a look at it:  b.md  one release",
        "Left out:  c.csv  is data",
    ):
        assert printed in words


@pytest.mark.parametrize(
    ("releases", "asked"),
    [
        (WIDGET.releases, "What+is+new+in+widget+2.11%3F"),
        (
            (CatalogueRelease(Version.parse("3.0"), None, (), pending=True), *WIDGET.releases),
            "What+is+new+in+widget+2.11%3F",
        ),
        ((), "What+is+new+in+widget%3F"),
    ],
    ids=["newest", "beside one to come", "none"],
)
def test_what_was_added_can_be_asked_about_and_opened(releases: tuple[CatalogueRelease, ...], asked: str) -> None:
    view = replace(VIEW, products=(replace(WIDGET, releases=releases),))
    found = PageHtml(render_outcome_html(IngestOutcome(REPORT, (), ("widget/CHANGELOG.md",)), view))
    assert found.values("href") == [f"/?q={asked}", "/documents/7"]


def test_documents_of_an_address_are_told_by_product() -> None:
    address = "https://widget.example/changes"
    documents = tuple(
        replace(
            VIEW.documents[0],
            document=replace(DOCUMENT, id=number, root=address, source=f"{number}.md", passages=1),
            is_uploaded=False,
        )
        for number in range(2)
    )
    report = replace(
        REPORT, added=2, sources=(SourceOutcome(address, SourceState.READ, documents=2, changed=2, note=""),)
    )
    found = PageHtml(render_outcome_html(IngestOutcome(report), replace(VIEW, documents=documents)))
    assert (
        "widget: 2 documents, 2 passages. Ask about it: What is new in widget 2.11? Open 0.md Open 1.md"
        in found.texts("li")
    )


@pytest.mark.parametrize(
    ("report", "said"),
    [
        (replace(REPORT, added=0), "Nothing new: all of it is here already."),
        (replace(REPORT, added=0, unchanged=0), "Nothing was added."),
        (
            replace(REPORT, updated=2, removed=1),
            "Added 1 document, updated 2 documents, removed 1 document. "
            "The library has 1 document about 1 product now.",
        ),
    ],
    ids=["known", "nothing", "all at once"],
)
def test_what_an_ingest_did_is_summed_up(report: IngestReport, said: str) -> None:
    assert said in PageHtml(render_outcome_html(IngestOutcome(report), VIEW)).texts("p")


NAMES: dict[str, tuple[str, str]] = {
    "plain": ("CHANGELOG.md", "CHANGELOG.md"),
    "a path": ("../../etc/passwd", "passwd"),
    "a Windows path": ("C:\\notes\\..\\News.txt", "News.txt"),
    "absolute": ("/etc/cron.d/x", "x"),
    "hidden": (".bashrc", "bashrc"),
    "a glob": ("*[a-z]?.md", "a-z.md"),
    "NUL": ("a\x00.md", "a.md"),
    "a turning mark": ("a\u202emd.exe", "a_md.exe"),
    "decomposed": ("e\u0301.md", "é.md"),
    "other letters": ("変更履歴.md", "変更履歴.md"),
    "spaces and dots": ("  notes.md . ", "notes.md"),
    "long": ("x" * 500 + ".md", "x" * 60 + ".md"),
    "a long ending": ("notes." + "y" * 500, "notes." + "y" * 54),
}


@pytest.mark.parametrize(("name", "safe"), NAMES.values(), ids=NAMES.keys())
def test_names_of_uploads_are_made_safe(name: str, safe: str) -> None:
    assert safe_name(name) == safe


@pytest.mark.parametrize("name", ["", "..", "/", "...", "a/", "\\", " . "])
def test_a_file_without_a_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="no name"):
        safe_name(name)


@examples(60)
@given(st.text(max_size=40))
def test_whatever_a_file_or_product_is_called_it_stays_one_plain_part_of_a_path(name: str) -> None:
    try:
        parts = [stored_name(safe_name(name), "text/markdown"), folder_name(name)]
    except UsageError:
        return
    for part in parts:
        assert part == Path(part).name
        assert not re.search(r"[\x00-\x1f/\\*?\[\]\"]", part)
        assert not part.startswith(".")
        assert len(part.encode()) <= 255


@pytest.mark.parametrize(
    ("name", "media_type", "stored"),
    [
        ("CHANGELOG", "text/markdown", "CHANGELOG.md"),
        ("notes.log", "text/plain", "notes.log.txt"),
        ("sources.toml", "text/plain", "sources.toml.txt"),
        ("News.HTML", "text/html", "News.HTML"),
    ],
)
def test_the_content_decides_the_ending(name: str, media_type: str, stored: str) -> None:
    assert stored_name(name, media_type) == stored


def test_products_that_look_alike_have_folders_of_their_own() -> None:
    assert folder_name("Django") == "django"
    assert folder_name("C++") == "c++"
    assert len({folder_name(name) for name in ("a b", "a-b", "a/b", "🦀", "🐍")}) == 5


def test_a_waiting_file_is_handed_out_once(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    key = uploads.take_in("../a.md", b"# A")
    (claimed,) = uploads.claim([key, key, "../../x"])
    assert (claimed.name, claimed.path.read_bytes()) == ("a.md", b"# A")
    assert claimed.path.is_relative_to(tmp_path / "uploads" / ".incoming")
    assert uploads.claim([key]) == ()
    assert uploads.files == ()


def test_no_more_than_a_lot_of_files_waits(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    for number in range(MAX_UPLOADS):
        uploads.take_in(f"{number}.md", b"#")
    with pytest.raises(UploadTooManyError):
        uploads.take_in("more.md", b"#")


def test_what_a_killed_server_left_a_day_ago_is_cleared_and_nothing_of_one_that_runs(tmp_path: Path) -> None:
    running = Uploads(tmp_path)
    key = running.take_in("a.md", b"# A")
    left = tmp_path / "uploads" / ".incoming" / "left"
    left.write_bytes(b"#")
    os.utime(left, times=(time.time() - 25 * 3600,) * 2)
    Uploads(tmp_path).take_in("b.md", b"# B")
    assert not left.exists()
    (claimed,) = running.claim([key])
    assert claimed.path.read_bytes() == b"# A"


def test_a_file_waits_for_an_hour(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    key = uploads.take_in("a.md", b"# A")
    os.utime(tmp_path / "uploads" / ".incoming" / key, times=(time.time() - 3700,) * 2)
    uploads.take_in("b.md", b"# B")
    assert uploads.claim([key]) == ()


def test_what_lies_behind_a_link_is_neither_swept_nor_added_to(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine.md").write_bytes(b"#")
    (tmp_path / "uploads").mkdir()
    (tmp_path / "uploads" / ".incoming").symlink_to(elsewhere)
    uploads = Uploads(tmp_path)
    with pytest.raises(OSError, match="is a link"):
        uploads.take_in("a.md", b"# A")
    assert [path.name for path in elsewhere.iterdir()] == ["mine.md"]


def test_what_was_said_of_files_is_kept_as_long_as_they_are(tmp_path: Path) -> None:
    uploads = Uploads(tmp_path)
    for name in ("widget/a.md", "widget/b.md"):
        (uploads.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (uploads.folder / name).write_text("#", encoding="utf-8")
    said = Hints(product='Wid"get\\ 🦀', version=Version.parse("2.0"), authority=Authority.OFFICIAL)
    uploads.describe({"widget/a.md": said, "widget/b.md": Hints(product="b"), "gone.md": Hints(product="c")})
    assert uploads.described == {"widget/a.md": said, "widget/b.md": Hints(product="b")}
    uploads.remove("widget/b.md")
    uploads.remove("../../etc/passwd")
    assert (uploads.files, uploads.described) == (("widget/a.md",), {"widget/a.md": said})


ADDRESSES = ("https://example.org/changes", " http://example.org ", "github:owner/name", "pypi:torch", "npm:react")
PLACES = (
    *("/etc/passwd", "~/notes", "notes.md", ".", "", "file:///etc/passwd", "FILE:/etc/passwd", "git:../x"),
    *("ssh://host/x", "ftp://host/x", "https:///etc/passwd", "github:/etc/passwd", "https://a b"),
    *("https://" + "x" * 3000, "https://a\nfile:///x"),
)


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_are_taken(address: str) -> None:
    assert check_address(address) == address.strip()


@pytest.mark.parametrize("place", PLACES)
def test_places_on_the_server_are_refused(place: str) -> None:
    with pytest.raises(UsageError, match="reads no files of this server"):
        check_address(place)


def test_a_path_that_looks_like_an_address_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "github:owner").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError):
        check_address("github:owner")


@pytest.mark.parametrize(
    "form",
    [("x" * 101, "", ""), ("", "two", ""), ("a\nb", "", ""), ("", "", "pope")],
    ids=["long", "no version", "two lines", "unknown authority"],
)
def test_hints_that_say_nothing_sensible_are_refused(form: tuple[str, str, str]) -> None:
    with pytest.raises(UsageError):
        read_hints(*form)


def test_what_is_committed_is_not_called_off() -> None:
    job = IngestJob("x")
    job.phase("Committing", 1)
    job.cancel()
    job.advance(1)
    with pytest.raises(IngestCancelled):
        job.phase("Reading", 1)
