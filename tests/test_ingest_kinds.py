"""Categories of changelogs folded to eight kinds."""

from pathlib import Path

import pytest
from ui_small_index import open_notes

from corpus.change_kinds import kind_of_heading, kind_of_passage, kind_of_text
from corpus.embedding import Embedder
from corpus.model import Act, Kind
from corpus.sections import section_of, section_of_title
from corpus.versions import Version
from retrieval.upgrades.released_changes import read_releases

HEADINGS = {
    Kind.BREAKING: "Breaking changes|⚠ BREAKING CHANGES|Break changes|API breaks|Backwards incompatible changes in 4.2"
    "|Backward-incompatible Changes|Migration guide|Migrating existing columns",
    Kind.REMOVAL: "Removed|Features removed in 5.0|Expired deprecations",
    Kind.DEPRECATION: "Deprecations|Features deprecated in 4.2",
    Kind.SECURITY: "Security|CVE-2024-1234: denial of service",
    Kind.FEATURE: "Added|New Features|What's new in Foo 1.2",
    Kind.PERFORMANCE: "Performance improvements|Speedups",
    Kind.FIX: "Bug Fixes|Bugfixes|Fixed",
    Kind.OTHER: "Docs|Internal|Changed|Chores",
    None: "Migrations|torch.cond|1.2.3",
}


@pytest.mark.parametrize(("title", "kind"), [(one, kind) for kind in HEADINGS for one in HEADINGS[kind].split("|")])
def test_headings(title: str, kind: Kind | None) -> None:
    assert kind_of_heading(title) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("- Fix a crash on start.", Kind.FIX),
        ("- Add `--flag`", Kind.FEATURE),
        ("`foo()` is deprecated; use `bar()`.", Kind.DEPRECATION),
        ("Support for Python 3.8 has been dropped.", Kind.REMOVAL),
        ("Dropped support for Django 3.2", Kind.REMOVAL),
        ("The parser no longer accepts tabs.", Kind.BREAKING),
        ("Fixes CVE-2024-1234 in the parser", Kind.SECURITY),
        ("The compiler is up to 2x faster.", Kind.PERFORMANCE),
        ("The logo is blue.", Kind.OTHER),
        ("NEW: a parser\nDEL: XML export", Kind.REMOVAL),
        ("- [SEC] reads are checked", Kind.SECURITY),
    ],
)
def test_texts(text: str, kind: Kind) -> None:
    assert kind_of_text(text) is kind


@pytest.mark.parametrize(
    ("heading", "text", "tags", "kind"),
    [
        pytest.param(("1.2", "Fixed"), "Adds x", "", Kind.FIX, id="the heading decides"),
        pytest.param(("Fixed", "torch.cond"), "Adds x", "", Kind.FIX, id="an outer heading where the inner is silent"),
        pytest.param(("Deprecations and Removals",), "`x` is deprecated", "", Kind.DEPRECATION, id="two, the text one"),
        pytest.param(("Deprecations and Removals",), "`x` is gone", "", Kind.REMOVAL, id="two, the text neither"),
        pytest.param(("Changed",), "`x` is deprecated", "", Kind.DEPRECATION, id="housekeeping with a deprecation"),
        pytest.param(("Changed",), "Add `x`", "", Kind.OTHER, id="housekeeping stays it"),
        pytest.param(("Fixed",), "x", "usecase, orm", Kind.FEATURE, id="tags win"),
        pytest.param(("Fixed",), "x", "orm", Kind.FIX, id="tags that tell nothing"),
        pytest.param((), "- Fix x", "", Kind.FIX, id="no heading"),
    ],
)
def test_passages(heading: tuple[str, ...], text: str, tags: str, kind: Kind) -> None:
    assert kind_of_passage(heading, text, tags=tags) is kind


def test_the_innermost_heading_of_a_kind_decides_what_a_section_promises() -> None:
    heading = ("2.0", "New features", "Bug fixes", "Parser")
    assert section_of(heading, frozenset()) is section_of_title("Bug fixes") is not section_of_title("New features")


def test_entries_are_what_the_heading_of_their_release_says(default_embedder: Embedder, tmp_path: Path) -> None:
    notes = "# Lamp\n\n## 3.0.0 - removals\n\n- Glass shades of the lamp\n\n## 2.0.0\n\n- x y.\n"
    with open_notes(tmp_path, default_embedder, lamp=notes) as assistant:
        removals, *_ = (one for one in assistant.index.load_passages(range(3)) if str(one.release) == "3.0.0")
        assert [item.act for item in removals.items] == [Act.REMOVED]


def test_a_paragraph_ends_the_group_that_a_line_above_its_list_opens(
    default_embedder: Embedder, tmp_path: Path
) -> None:
    notes = "# Lamp\n\n## 2.0.0\n\nBug fixes:\n\n- The cord.\n\nThe lamp comes in green too.\n\n- The shade.\n"
    with open_notes(tmp_path, default_embedder, lamp=notes) as assistant:
        (product,) = assistant.catalogue()
        readings = dict(read_releases(assistant.index, product))
        assert [kind for _, kind in readings[Version.parse("2.0.0")].counted()].count(Kind.FIX) == 1


def test_what_changes_something_is_new_or_a_fix(default_embedder: Embedder, tmp_path: Path) -> None:
    notes = """# Lamp

## 2.0.0

- Logs the user's name in the message about a failed connection
- Treats `dim5` as a valid scheme
- Looks for plugs in two more places
- Cords don't leave their length between two plugs.
"""
    with open_notes(tmp_path, default_embedder, lamp=notes) as assistant:
        kinds = [
            entry.kind for (one,) in [assistant.index.load_entries(assistant.index.load_passages([1]))] for entry in one
        ]
        assert kinds == [Kind.FEATURE, Kind.FEATURE, Kind.FEATURE, Kind.FIX]
