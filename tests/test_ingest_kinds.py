"""Categories of changelogs folded to eight kinds."""

from collections import Counter
from pathlib import Path

import pytest
from upgrade_notes import index_notes

from corpus.change_kinds import kind_of_heading, kind_of_passage, kind_of_text
from corpus.index.tables import TableReader
from corpus.model import Kind

HEADINGS = {
    Kind.BREAKING: "Breaking changes|⚠ BREAKING CHANGES|Break changes|API breaks|Backwards incompatible changes in 4.2"
    "|Backward-incompatible Changes|Migration guide|Migrating existing columns",
    Kind.REMOVAL: "Removed|Features removed in 5.0|Expired deprecations",
    Kind.DEPRECATION: "Deprecations|Features deprecated in 4.2",
    Kind.SECURITY: "Security|CVE-2024-1234: denial of service",
    Kind.FEATURE: "Added|New Features|What's new in Foo 1.2",
    Kind.PERFORMANCE: "Performance improvements|Optimizations",
    Kind.FIX: "Bug Fixes|Bugfixes|Fixed",
    Kind.OTHER: "Docs|Internal|Changed|Chores",
    None: "Migrations|torch.cond|1.2.3",
}
HEADS = {
    "Fixes and Minor Enhancements": {"Fixed a crash on start.": "fix", "Added a `--blur` option.": "feature"},
    "Documentation": {"Added a page on lamps.": "other"},
    "Interface": {"**Feature**: The names of folders stay in sight.": "feature"},
    "Fixed": {"Improved performance: lookups are 20% faster.": "performance"},
    "Major changes and deprecations": {"Added the `shine` command.": "feature"},
    "Deprecated": {"The `--old` option was removed.": "removal", "`--new` is deprecated.": "deprecation"},
    "What's next": {"The `--dim` option will be removed in a future release.": "deprecation"},
    "Kinds": {
        "[FEATURE] Hub:"
        + 2 * "\n  - Counts all that it holds on each start, and says so to whoever asks it.": "feature"
    },
    "New Contributors": {"@ada made their first contribution": None},
}


@pytest.mark.parametrize(("title", "kind"), [(one, kind) for kind in HEADINGS for one in HEADINGS[kind].split("|")])
def test_headings(title: str, kind: Kind | None) -> None:
    assert kind_of_heading(title) is kind


def test_an_entry_stands_under_the_head_of_what_it_does(tmp_path: Path) -> None:
    listed = (f"### {title}\n\n" + "\n".join(f"- {one}" for one in HEADS[title]) for title in HEADS)
    notes = "\n\n".join(("# Lamp\n\n## 2.0.0\n\nThis release adds a hub. It removes little.", *listed))
    with TableReader.open(index_notes(tmp_path, {"lamp.md": notes})) as reader:
        (count,) = reader.entry_counts.values()
    told = [kind for entries in HEADS.values() for kind in entries.values() if kind]
    assert count == Counter([*told, "feature"])  # The one with two below it counts twice.


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
