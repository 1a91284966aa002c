"""Categories of changelogs folded to eight kinds."""

import pytest

from corpus.change_kinds import kind_of_heading, kind_of_passage, kind_of_text
from corpus.model import Kind


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("Breaking changes", Kind.BREAKING),
        ("⚠ BREAKING CHANGES", Kind.BREAKING),
        ("Break changes", Kind.BREAKING),
        ("API breaks", Kind.BREAKING),
        ("Backwards incompatible changes in 4.2", Kind.BREAKING),
        ("Backward-incompatible Changes", Kind.BREAKING),
        ("Removed", Kind.REMOVAL),
        ("Features removed in 5.0", Kind.REMOVAL),
        ("Expired deprecations", Kind.REMOVAL),
        ("Deprecations", Kind.DEPRECATION),
        ("Features deprecated in 4.2", Kind.DEPRECATION),
        ("Security", Kind.SECURITY),
        ("CVE-2024-1234: denial of service", Kind.SECURITY),
        ("Added", Kind.FEATURE),
        ("New Features", Kind.FEATURE),
        ("What's new in Foo 1.2", Kind.FEATURE),
        ("Performance improvements", Kind.PERFORMANCE),
        ("Optimizations", Kind.PERFORMANCE),
        ("Bug Fixes", Kind.FIX),
        ("Bugfixes", Kind.FIX),
        ("Fixed", Kind.FIX),
        ("Docs", Kind.OTHER),
        ("Internal", Kind.OTHER),
        ("Changed", Kind.OTHER),
        ("Chores", Kind.OTHER),
        ("Migration guide", Kind.BREAKING),
        ("Migrating existing columns", Kind.BREAKING),
        ("Migrations", None),
        ("torch.cond", None),
        ("1.2.3", None),
    ],
)
def test_headings(title: str, kind: Kind | None) -> None:
    assert kind_of_heading(title) is kind


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("- Fix a crash on start.", Kind.FIX),
        ("* Fixed #123 -- the cache", Kind.FIX),
        ("- Add `--flag`", Kind.FEATURE),
        ("- Support for more devices", Kind.FEATURE),
        ("`foo()` is deprecated; use `bar()`.", Kind.DEPRECATION),
        ("Support for Python 3.8 has been dropped.", Kind.REMOVAL),
        ("- Removed the `x` option", Kind.REMOVAL),
        ("Dropped support for Django 3.2", Kind.REMOVAL),
        ("The parser no longer accepts tabs.", Kind.BREAKING),
        ("Fixes CVE-2024-1234 in the parser", Kind.SECURITY),
        ("The compiler is up to 2x faster.", Kind.PERFORMANCE),
        ("The logo is blue.", Kind.OTHER),
        ("", Kind.OTHER),
        ("NEW: a parser\nDEL: XML export", Kind.REMOVAL),
        ("- [SEC] reads are checked", Kind.SECURITY),
        ("CHG: the order of keys", Kind.OTHER),
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
        pytest.param(
            ("Changed",), "`x` is deprecated", "", Kind.DEPRECATION, id="housekeeping that hides a deprecation"
        ),
        pytest.param(("Changed",), "Add `x`", "", Kind.OTHER, id="housekeeping stays it"),
        pytest.param(("Fixed",), "x", "usecase, orm", Kind.FEATURE, id="tags win"),
        pytest.param(("Fixed",), "x", "orm", Kind.FIX, id="tags that tell nothing"),
        pytest.param((), "- Fix x", "", Kind.FIX, id="no heading"),
    ],
)
def test_passages(heading: tuple[str, ...], text: str, tags: str, kind: Kind) -> None:
    assert kind_of_passage(heading, text, tags=tags) is kind
