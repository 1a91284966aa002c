"""What the Upgrade tab begins with: a last step, an example, or the releases that somebody's files state."""

import json
from datetime import date
from pathlib import Path

import pytest
from ui_small_index import ingest

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.dependencies.model import Dependency, Ecosystem
from corpus.embedding import Embedder
from corpus.errors import UsageError
from corpus.versions import Version
from retrieval.assistant import Assistant
from ui.web.upgrade.ranges import ExampleUpgrade, FilledRange, Range, default_range, fill_range
from ui.web.upgrade.sent_files import MAX_FILES, parse_sent_files


def product(*releases: tuple[str, str | None], passages: int = 1, name: str = "Widget") -> CatalogueProduct:
    """A product of the catalogue with releases as (version, date), oldest first."""
    known = tuple(
        CatalogueRelease(Version.parse(version), date.fromisoformat(day) if day else None, ())
        for version, day in reversed(releases)
    )
    return CatalogueProduct(name, (), known, documents=1, passages=passages)


DEFAULTS = {
    "the series before": ((("1.4", None), ("1.5", None), ("1.5.1", None), ("2.0", None)), ("1.5", "2.0")),
    "pre-releases aside": ((("1.9", None), ("2.0", None), ("2.1rc1", None)), ("1.9", "2.0")),
    "one series": ((("1.0.0", None), ("1.0.1", None), ("1.0.2", None)), ("1.0.0", "1.0.2")),
    "pre-releases alone": ((("0.1a1", None), ("0.1a2", None)), ("0.1a1", "0.1a2")),
    "one release": ((("1.0", None),), ("", "1.0")),
    "no release": ((), ("", "")),
}


@pytest.mark.parametrize(("releases", "expected"), DEFAULTS.values(), ids=DEFAULTS.keys())
def test_form_begins_with_the_last_step(
    releases: tuple[tuple[str, str | None], ...], expected: tuple[str, str]
) -> None:
    assert default_range(product(*releases)) == expected


WIDGET = product(("1.5", None), ("2.0", None), ("2.1", None), passages=5)
GADGET = product(("3.0", None), ("3.1", None), passages=9, name="gadget")


def stated(name: str, version: str, *, line: int = 1) -> Dependency:
    """A line of requirements."""
    return Dependency(name, Ecosystem.PYPI, version, "requirements.txt", line)


def test_files_fill_in_the_release_in_use_and_keep_where_one_goes() -> None:
    assert fill_range(Range("Widget", "2.0", "2.1"), [(WIDGET, stated("widget", "1.5.2", line=3))]) == FilledRange(
        Range("Widget", "1.5.2", "2.1"), ("requirements.txt, line 3, names Widget 1.5.2, so From is 1.5.2.",)
    )


def test_files_that_name_other_products_choose_the_one_with_most_notes() -> None:
    found = fill_range(Range("Cog", "1", "2"), [(WIDGET, stated("widget", "1.5")), (GADGET, stated("gadget", "3.0"))])
    assert found.range == Range("gadget", "3.0", "3.1")
    assert found.told[1] == "Your files also name Widget 1.5. Pick another product above for its changes."


def test_who_has_the_newest_release_is_told_so() -> None:
    found = fill_range(Range("Widget", "1.5", "2.1"), [(WIDGET, stated("widget", "2.1"))])
    assert found == FilledRange(
        Range("Widget", "1.5", "2.1"),
        ("requirements.txt, line 1, names Widget 2.1; the notes here know of nothing newer.",),
    )


def test_an_end_that_is_no_newer_gives_way() -> None:
    assert fill_range(Range("Widget", "1.0", "1.5"), [(WIDGET, stated("widget", "2.0"))]).range.end == "2.1"


def test_files_without_a_release_leave_the_form() -> None:
    assert fill_range(Range("Widget", "1.5", "2.1"), []) == FilledRange(Range("Widget", "1.5", "2.1"), ())


def test_the_example_is_the_one_with_most_kinds_of_change(small_index: Path, default_embedder: Embedder) -> None:
    example = ExampleUpgrade()
    with Assistant.open(small_index, embedder=default_embedder) as assistant:
        upgrade = example.of(assistant)
        assert upgrade is not None
        assert (upgrade.product, upgrade.start, upgrade.end) == ("widget", "1.5.0", "2.0.0")
        assert example.of(assistant) is upgrade


def test_without_two_releases_there_is_no_example(default_embedder: Embedder, tmp_path: Path) -> None:
    notes = tmp_path / "documents" / "cog" / "1.0.md"
    notes.parent.mkdir(parents=True)
    notes.write_text("# Cog 1.0\n\n- It begins.\n", encoding="utf-8")
    ingest(tmp_path / "documents", index=tmp_path / "index", embedder=default_embedder)
    with Assistant.open(tmp_path / "index", embedder=default_embedder) as assistant:
        assert ExampleUpgrade().of(assistant) is None


def test_files_come_by_name() -> None:
    sent = parse_sent_files(json.dumps({"files": [{"name": "a/app.py", "text": "x"}], "are_new": True}))
    assert (sent.texts, sent.are_new) == ({"a/app.py": "x"}, True)
    assert parse_sent_files(None).texts == parse_sent_files("").texts == {}


@pytest.mark.parametrize(
    "sent",
    [
        "{",
        "[]",
        json.dumps({"files": [{"name": "x"}]}),
        json.dumps({"files": [{"name": "x", "text": "", "path": "/etc/passwd"}]}),
        json.dumps({"files": [{"name": "x" * 301, "text": ""}]}),
        json.dumps({"files": [{"name": str(n), "text": ""} for n in range(MAX_FILES + 1)]}),
        '{"files": [{"name": "half \\ud800", "text": ""}]}',
    ],
    ids=["no JSON", "a list", "no text", "a path", "a long name", "too many", "half a character"],
)
def test_what_the_page_does_not_send_is_refused_with_the_next_step(sent: str) -> None:
    with pytest.raises(UsageError, match="Choose text files"):
        parse_sent_files(sent)
