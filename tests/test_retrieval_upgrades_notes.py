"""What an upgrade tells from changelogs and guides of every convention (`tests/data/upgrades`): each change once."""

from pathlib import Path

import pytest
from case_files import read_rows
from upgrade_notes import CASES, case, items_of, told, upgrade_between

from ingest.entries.reading import guided_release, stated_release
from retrieval.blocks import markdown_words


@pytest.mark.parametrize("name", sorted(path.name for path in CASES.iterdir()))
def test_tells_what_the_notes_list(name: str, tmp_path: Path) -> None:
    files, bounds, expected = case(name)
    assert list(told(upgrade_between(tmp_path, files, *bounds))) == expected


def test_what_the_notes_take_back_is_not_listed(tmp_path: Path) -> None:
    notes = """\
# Widget 2.0

## Removed

`widget.spin()` was removed.

Updated 2024-03-10: we removed the following sentence, because it was wrong: "`widget.turn()` was removed."
"""
    upgrade = upgrade_between(tmp_path, {"1.0.md": "# Widget 1.0\n\nThe first.\n", "2.0.md": notes}, "1.0", "2.0")
    assert [markdown_words(item.summary) for item in items_of(upgrade)] == ["`widget.spin()` was removed."]


@pytest.mark.parametrize(
    ("name", "about", "begins", "ends"),
    [
        (
            "titled-subsections-in-restructuredtext",
            "MySQL",
            "Dropped support for MySQL 5.7\n---",
            "supports MySQL 8 and higher.",
        ),
        ("towncrier", "Constraints", "- Constraints", "(`#121 <https://example.org/121>`_)"),
    ],
    ids=["a title with its explanation", "an entry with what continues it"],
)
def test_a_quote_holds(name: str, about: str, begins: str, ends: str, tmp_path: Path) -> None:
    files, bounds, _ = case(name)
    (quote,) = (
        i.citation.quote for i in items_of(upgrade_between(tmp_path, files, *bounds)) if about in i.summary.text
    )
    assert quote.startswith(begins)
    assert quote.endswith(ends)


@pytest.mark.parametrize(("heading", "expected"), read_rows("retrieval-a-heading-leads-to-a-release"))
def test_a_heading_leads_to_a_release(heading: tuple[str, ...], expected: str | None) -> None:
    found = guided_release(heading, "Widget")
    assert (found and found.label) == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        pytest.param("The old parser (removed in 8.2)", "8.2", id="in brackets"),
        pytest.param("SMB became opt-in in version 8.20.0.", "8.20.0", id="a sentence"),
        pytest.param("The parser that was removed in 8.2 came back", None, id="not at its end"),
        pytest.param("Runs twice as fast as in 8.2", None, id="no change"),
        pytest.param("Removed in September 2026", None, id="a month"),
    ],
)
def test_an_entry_states_the_release_of_its_change(words: str, expected: str | None) -> None:
    found = stated_release(words)
    assert (found and found.label) == expected
