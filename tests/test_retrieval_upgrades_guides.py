"""Migration guides without a version of their own: which release their headings lead to, and what they list for it."""

from pathlib import Path

import pytest
from upgrade_notes import listed, upgrade_between

from retrieval.upgrades.reading import guided_release, stated_release


@pytest.mark.parametrize(
    ("heading", "expected"),
    [
        pytest.param(("Upgrade guide", "Upgrading to 13.0 from 12.x"), "13.0", id="to and from"),
        pytest.param(("Upgrading from 1.4 to Widget 2.0",), "2.0", id="to a product's release"),
        pytest.param(("Migration", "v2.4 to v3.0"), "3.0", id="bare numbers"),
        pytest.param(("Migration", "v3 → v4", "Wheels"), "4", id="an arrow, and a section below"),
        pytest.param(("Migration from 1.4",), None, id="from a version to an unknown one"),
        pytest.param(("Widget", "Wheels from 3 to 5 spokes"), "5", id="anything that goes to a number"),
        pytest.param(("Widget", "Installation of 2.0"), None, id="no move"),
    ],
)
def test_a_heading_leads_to_a_release(heading: tuple[str, ...], expected: str | None) -> None:
    found = guided_release(heading)
    assert (found and found.label) == expected


GUIDE = """\
# Upgrade Guide

- [Upgrading to 3.0 from 2.x](#upgrading-to-3)

## Upgrading to 3.0 from 2.x

### Wheels

#### The hub of a wheel

**Likelihood Of Impact: Low**

`Wheel.hub` is now read-only.

### Security

#### Locks

**Likelihood Of Impact: Very Low**

`Lock` has been renamed to `Bolt`.

## Upgrading to 2.0 from 1.x

### Spokes

`Wheel.spokes` is now a tuple.
"""


def test_a_guide_is_listed_for_the_release_that_it_leads_to(tmp_path: Path) -> None:
    files = {"CHANGELOG.md": "# Changelog\n\n## 2.0.0\n\n- Old.\n\n## 1.0.0\n\n- Older.\n", "guide.md": GUIDE}
    assert listed(upgrade_between(tmp_path, files, "2.0.0", "3.0.0")) == [
        ("3.0", "breaks", "The hub of a wheel: Wheel.hub is now read-only."),
        ("3.0", "breaks", "Locks: Lock has been renamed to Bolt."),
    ]


REMOVALS = """\
# Items to be removed from future releases

## Drop wheels

Wheels get removed in May 2030.

## Past removals

- hubs (removed in 1.9.0)
- spokes (removed in 2.1.0)
- rims (became opt-in in 2.2.0)
- axles (removed in 4.0.0)
"""


def test_a_page_of_removals_is_listed_for_the_releases_that_it_states(tmp_path: Path) -> None:
    files = {"NEWS.md": "# News\n\n## 3.0.0\n\n- New.\n\n## 2.0.0\n\n- Old.\n", "DEPRECATE.md": REMOVALS}
    upgrade = upgrade_between(tmp_path, files, "2.0.0", "3.0.0")
    assert [(release, summary) for release, _, summary in listed(upgrade)] == [
        ("2.1.0", "Removed: spokes (removed in 2.1.0)"),
        ("2.2.0", "Removed: rims (became opt-in in 2.2.0)"),
    ]


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


CHANGES = """\
=============
2.0 Changelog
=============

.. changelog::
    :version: 2.0.0
    :released: May 1, 2024

    .. change::
        :tags: changed, wheels
        :tickets: 130

        The default wheel has been changed to ``Oval``.

    .. change::
        :tags: changed, hubs
        :tickets: 130

        The default hub has been changed to ``Square``.
"""
NEWS = """\
What's New in Widget 2.0?
=========================

The default wheel is an oval
----------------------------

``Oval`` wheels are now used by default, as each driver of the road test preferred them.

:ticket:`130`
"""


def test_a_guide_and_a_changelog_that_name_one_ticket_tell_one_change(tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"changelog_20.rst": CHANGES, "migration_20.rst": NEWS}, "1.9", "2.0")
    assert len(listed(upgrade)) == 2


LOG = """\
# Changelog

## 2.0.0

### Breaking changes

- Set default `max_wheels` to 12
- Drop Ruby 2.6, 2.7 (now 3.0+)
- Removed `Hub::Spoke`

## 1.9.0

- Old.
"""
ADVICE = """\
# Welcome to Widget 2

## Upgrade

Check whether you depend on any of these:

1. The `max_wheels` default is now 12. You needn't do anything if you set it yourself.
1. We no longer support Ruby 2.6 or 2.7.
1. `Hub::Rim` has been removed.
"""


def test_what_a_guide_says_in_other_words_than_the_changelog_is_said_once(tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": LOG, "2.0-Upgrade.md": ADVICE}, "1.9", "2.0")
    said = " ".join(summary for _, _, summary in listed(upgrade))
    assert [said.count(name) for name in ("max_wheels", "Ruby", "Hub::Spoke", "Hub::Rim")] == [1, 1, 1, 1]


SUMMED_UP = """\
# Migrating to 2.0.0

## Breaking changes

- [removed the `spokes` property](#removed-the-spokes-property)

### Removed the `spokes` property

Spokes were a first try at [`rims`](https://widget.example/rims).

## Security

- CVE-2024-1111: wheels could be turned by others.
- CVE-2024-2222: wheels could be turned by others.
"""


def test_what_a_page_sums_up_is_said_once_and_two_vulnerabilities_are_two(tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"to-2.0.0.md": SUMMED_UP}, "1.9", "2.0")
    assert [change for _, change, _ in listed(upgrade)] == ["removed"]
    assert len(upgrade.security) == 2
