"""What an upgrade lists from changelogs of every convention: one item for each change, as the notes list it."""

from pathlib import Path

import pytest
from upgrade_notes import listed, upgrade_between

KEEP_A_CHANGELOG = """\
# Changelog

## [2.0.0] - 2024-05-01

### Added

- `widget.turn` rotates a widget.
- The `--dry-run` flag, which removes nothing.

### Changed

- `Widget.size` returns a tuple instead of a list.
- Improve the speed of `turn`.

### Deprecated

- `widget.spin` in favour of `widget.turn`.

### Removed

- Support for Python 3.7.
- The `legacy` argument of `Widget()`.

### Fixed

- Fixed a regression that broke `widget.load` when the default encoding was changed.

## [1.5.0] - 2023-11-20

### Removed

- `widget.old`.
"""

TITLED_SUBSECTIONS = """\
========================
Widget 2.0 release notes
========================

*May 1, 2024*

Welcome to Widget 2.0! These release notes cover the new features, as well as some backwards incompatible changes.

What's new in Widget 2.0
========================

Minor features
--------------

* The new ``Widget.turn()`` method rotates a widget by an angle.

Backwards incompatible changes in 2.0
=====================================

Database backend API
--------------------

This section describes changes that may be needed in third-party backends.

* ``Features.can_spin`` is removed, because all databases spin.

* Backends must now implement ``turn()``.
  Those that don't are refused.

Dropped support for MySQL 5.7
-----------------------------

Upstream support for MySQL 5.7 ends in October 2023. Widget 2.0 supports MySQL 8 and higher.

Setting ``angle`` may now be required
-------------------------------------

In order to avoid surprises, ``turn()`` doesn't guess the angle any more.

To restore the previous behaviour, pass ``angle=90``::

    widget.turn(angle=90)

Features deprecated in 2.0
==========================

Miscellaneous
-------------

* ``Widget.spin()`` is deprecated.

Features removed in 2.0
=======================

These features have reached the end of their deprecation cycle and are removed in Widget 2.0.

* The ``WHEEL`` setting is removed.
"""

CONVENTIONAL_COMMITS = """\
## [2.0.0](https://example.org/compare/v1.9.0...v2.0.0) (2024-05-01)

### ⚠ BREAKING CHANGES

* drop node 18 support ([#12](https://example.org/issues/12)) ([a384d8f](https://example.org/commit/a384d8f))
* **html:** support more sources ([#13](https://example.org/issues/13)) ([b384d8f](https://example.org/commit/b384d8f))

### Features

* **html:** support more sources ([#13](https://example.org/issues/13)) ([b384d8f](https://example.org/commit/b384d8f))
* add a `turn` option ([#14](https://example.org/issues/14)) ([c384d8f](https://example.org/commit/c384d8f))

### Code Refactoring

* remove _onTurn ([#15](https://example.org/issues/15)) ([d384d8f](https://example.org/commit/d384d8f))

## [1.9.0](https://example.org/compare/v1.8.0...v1.9.0) (2024-01-01)

### Bug Fixes

* no longer break when the default is changed ([e384d8f](https://example.org/commit/e384d8f))
"""

TOWNCRIER = """\
2.0.0 (2024-05-01)
==================

Deprecations and Removals
-------------------------

- Drop support for the ``spin`` command. (`#120 <https://example.org/120>`_)
- Constraints no longer affect builds. Use ``--build-constraint`` instead.

  The ``--use-feature`` flag has no effect. (`#121 <https://example.org/121>`_)
- Deprecate ``--wheel``. (`#122 <https://example.org/122>`_)

Features
--------

- Add ``--turn``. It replaces nothing. (`#123 <https://example.org/123>`_)
- ``widget show`` now fails with an error for unknown names, which it ignored; this is now an error. (`#124`_)

Vendored Libraries
------------------

- Remove wheelhouse

1.9.0 (2024-01-01)
==================

Features
--------

- Something old.
"""

PLAIN_TEXT = """\
Widget v2.0 Release Notes
=========================

Backward Compatibility Notes

 * The "--spin" option used to be a valid way to turn, but from this
   release, it is an error.  Use "--turn" instead.

UI, Workflows & Features

 * "widget log" learned a new "--since" option, and the old one is kept.

Performance, Internal Implementation, Development Support etc.

 * The turn machinery has been removed from the wheel layer.

Fixes since v1.9
----------------

 * "widget show" no longer crashes when nothing is there.
"""

ASCIIDOC = """\
= Widget Release Notes

== 2.0.0

=== Breaking Changes

* `Wheel.turn()` now throws `AngleException`.
** It was silent before.
* `Wheel.spin()` was renamed to `Wheel.rotate()`.

=== New Features

* New `Wheel.stop()` method.

== 1.9.0

=== Bug Fixes

* A fix.
"""

TAGGED_ENTRIES = """\
# Changelog

## 2.0.0 / 2024-05-01

- [CHANGE] Config: the `spin` block is spelled `turn`. #101
- [FEATURE] Add a wheel, which makes the old default wheel unnecessary. #102
- [BUGFIX] Stop removing wheels by default. #103

## 1.9.0 / 2024-01-01

- [FEATURE] Old.
"""

GROUP_LINES = """\
2.0.0 (2024-05-01)
==================
Widget 2 turns faster.

BREAKING CHANGES:

* `widget -C` is the same as `widget -B -A`.

Feature enhancements:

* Make `-d` a short flag for `--depth`.

Bug fixes:

* No longer fails on empty input.

1.9.0 (2024-01-01)
==================
Bug fixes:

* A fix.
"""

GROUP_BULLETS = """\
2.0.0 / 2024-05-01
==================

  * remove:
    - `app.del` - use `app.delete`
    - `req.query` middleware
  * change:
    - `res.status()` no longer takes strings
  * deps: send@1.0.0
  * Fix a crash on empty input

1.9.0 / 2024-01-01
==================

  * Fix an old one
"""

CHANGE_DIRECTIVES = """\
=============
2.0 Changelog
=============

.. changelog::
    :version: 2.0.0
    :released: May 1, 2024

    .. change::
        :tags: bug, engine
        :tickets: 13157

        Fixed an issue where turning was removed from the cache.

    .. change::
        :tags: removed, engine
        :tickets: 13158

        The ``spin`` argument of ``create_wheel()`` went away.

        Use ``turn`` in its place.

    .. change::
        :tags: usecase, orm
        :tickets: 13159

        ``Wheel.spin()`` is now deprecated; it will be removed in 3.0.

.. changelog::
    :version: 1.9.0
    :released: January 1, 2024

    .. change::
        :tags: bug
        :tickets: 1

        A fix.
"""

MARKED_ENTRIES = """\
# Changelog

## 2.0.0

### Features

- `[wheel]` [**BREAKING**] Count wheels from 1 ([#104](https://example.org/104))
- `[wheel]` Add spokes, and remove the need for a hub ([#105](https://example.org/105))

### Changed

- \u2757\ufe0f Disallow wheels without a hub.
- Spell the name of the hub in full.

## 1.9.0

### Fixes

- A fix.
"""

MIGRATION_GUIDE = """\
# Migrate to v2.0

## Table of Contents

- [Wheels are counted from 1](#wheels-are-counted-from-1)
- [Removed spin](#removed-spin)

## Wheels are counted from 1

Prior to v2.0 the first wheel had the number 0.

## Removed spin

`spin` is gone.

- `spin.left`
- `spin.right`
"""

WHATS_CHANGED = """\
## v2.0.0 (2024-05-01)

### What's Changed

Widget v2.0 is about speed. It moved to a new home.

#### Changes

* Raise an error if names clash by @someone in https://example.org/pull/11
* Raise a deprecation warning when a wheel is final by @someone in https://example.org/pull/12
* Only support the latest MyTool version by @someone in https://example.org/pull/13

#### Fixes

* Fix issue where spokes no longer turned by @someone in https://example.org/pull/14

## v1.9.0 (2024-01-01)

* Old.
"""

LINKED_CHANGES = """\
# Widget 2.0 is out!

We are happy to announce Widget 2, which contains breaking changes.

## Main Changes

- [Wheels are counted from 1](/guide/migration#wheels)
- [The home page](/home#top)

## Deprecations

### Wheel.spin

`Wheel.spin` is deprecated.
"""

HOUSE_CLEANING = """\
## 2.0.0 (2024-05-01)

### Code Refactoring

* remove unused wheels
* remove deprecated wheel options
* deprecate `widget spin` command

### Documentation

* deprecate the old tutorial

## 1.9.0 (2024-01-01)

* Old.
"""

PLAIN_LIST = """\
# Changelog

## 2.0.0

- `Wheel.load()` works with all tyres - previously it would throw errors on floats.
- Broken spokes are shown as they are instead of throwing an error.
- Now available as a wheel package on the index.
- `widget tui` is now provided by the widget-tui plugin.
- tests: Python 3.9 is now required.

## 1.9.0

- Old.
"""

INDENTED_O = """\
widget and libwidget 2.0.0

This release includes the following changes:

 o wheels: drop support for square ones [1]

This release includes the following bugfixes:

 o hub.md: require spoke 0.20.0+ [2]
 o tests: target Python 3.9 as the minimum Python version [3]

For all changes ever done in widget:

 See https://widget.example/changes.html
"""

NESTED_TITLES = """\
=========================
What's New in Widget 2.0?
=========================

Wheels
======

Wheels now turn to the left
---------------------------

They turned to the right.

Limitations
^^^^^^^^^^^

A hub can no longer be moved from wheel to wheel.

turn_right is deprecated
^^^^^^^^^^^^^^^^^^^^^^^^

It is deprecated, for nothing turns right.
"""


COMMITS = """\
## 2.0.0 (2024-05-01)

* [`8485d76`](https://example.org/commit/8485d76b) feat!: remove the rules `a-b` and `c-d` (#123) (Jane Doe)
* [`1234567`](https://example.org/commit/1234567) fix!: rename quux to quuz (J. Doe)
* [`abcdef1`](https://example.org/commit/abcdef1) feat: add `x` (Jane Doe)
* `a1b2c3d` chore!: drop support for Node 16
* 0bcdef9 refactor(core)!: new signature of `quack()`
* [[`6d5fc16d2`](https://example.org/commit/6d5fc16d2)] - **(SEMVER-MAJOR)** lib: remove `hub.binding`
* **BREAKING** `hub.bar` takes three arguments (0bcdef2)
* The `zap` format is not supported anymore.
* Python 3.7 is not supported anymore.
* Remove the `roll` wheel by @JaneDoe in https://example.org/pull/12

## 1.9.1 (2024-02-01)

UPGRADE NOTES:

* The cache lies in `cache_home`.

FEATURES:

* Shiny wheels.

## 1.9.0 (2024-01-01)

* Old.
"""


LEADS_IN = """\
We’re proud to announce Widget, which is no longer slow and breaks nothing.

## 2.0.0 (2024-05-01)

Upgrade urgency: LOW. No need to upgrade unless there are new features you want to use.

### Changes

- Python 3.7 support is dropped.
- `turn()` is deprecated and will be removed in the next major release.

### Removed

- The default of `angle` is changed from 1 to 2.
- `Widget.spin`.

## 1.9.0 (2024-01-01)

- Old.
"""


CODE_BELOW = """\
Widget 2.0 release notes
========================

Backwards incompatible changes in 2.0
-------------------------------------

* These are refused::

    old = 1
    new = 2

* The attribute :attr:`.Wheel.spin` is no longer set.

Removed names
-------------

The following were dropped:

.. code-block:: python

    spin()

    turn()
"""

FOR_BUILDERS = """\
Widget 2.0.0 Release Notes
==========================

Note to those who build from the source

 * You may need to define NO_SPOKES if you build with hub older than 1.2.9.

New features

 * "widget turn" learned "--left".
"""

SECTION_OF_CHANGES = """\
# Widget 2.0.0 release notes

## Compatibility notes

- `hub.spin` is gone.

## New features

### A new `rim` option

Now wheels have rims.

## Changes

### `hub.core` made private

`hub.core` was renamed to `hub._core`, as it is internal.

### A `tyre` guide

It explains tyres.

- `hub.turn()` now returns a tuple rather than a list.
- `hub.load()` is faster.
"""

LEADING_LINKS = """\
# Widget 2.0.0 is out!

## Main changes

- [Align hubs and rims](https://v2.widget.example/guide/migration#align-hubs)
- [The Spoke API has been deprecated](/guide/migration#spokes)
"""

SPEAKS_ONLY = """\
# Changelog

## 2.0.0

### Added

- A page describes how we introduce breaking changes.

### Changed

- [Hub] Remove `hub.rim`
"""


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        pytest.param("CHANGELOG.md", KEEP_A_CHANGELOG, """\
2.0.0 removed: Removed: The legacy argument of Widget().
2.0.0 breaks: Widget.size returns a tuple instead of a list.
2.0.0 requirement: Removed: Support for Python 3.7.
2.0.0 deprecated: Deprecated: widget.spin in favour of widget.turn.
""", id="keep a changelog"),
        pytest.param("2.0.txt", TITLED_SUBSECTIONS, """\
2.0 removed: Features.can_spin is removed, because all databases spin.
2.0 breaks: Backends must now implement turn(). Those that don't are refused.
2.0 breaks: Setting angle may now be required: In order to avoid surprises, turn() doesn't guess the angle any more.
2.0 requirement: Dropped support for MySQL 5.7: Upstream support for MySQL 5.7 ends in October 2023. Widget 2.0 \
supports MySQL 8 and higher.
2.0 removed: The WHEEL setting is removed.
2.0 deprecated: Widget.spin() is deprecated.
""", id="titled subsections in reStructuredText"),
        pytest.param("CHANGELOG.md", CONVENTIONAL_COMMITS, """\
2.0.0 breaks: html: support more sources
2.0.0 requirement: drop node 18 support
""", id="conventional commits"),
        pytest.param("NEWS.rst", TOWNCRIER, """\
2.0.0 removed: Drop support for the spin command.
2.0.0 breaks: Constraints no longer affect builds. Use --build-constraint instead. The --use-feature flag has \
no effect.
2.0.0 breaks: widget show now fails with an error for unknown names, which it ignored; this is now an error.
2.0.0 deprecated: Deprecate --wheel.
""", id="towncrier"),
        pytest.param("2.0.txt", PLAIN_TEXT, """\
2.0 breaks: The "--spin" option used to be a valid way to turn, but from this release, it is an error. Use \
"--turn" instead.
""", id="plain text with sections"),
        pytest.param("notes.adoc", ASCIIDOC, """\
2.0.0 breaks: Wheel.turn() now throws AngleException.
2.0.0 breaks: Wheel.spin() was renamed to Wheel.rotate().
""", id="AsciiDoc"),
        pytest.param("CHANGELOG.md", TAGGED_ENTRIES, """\
2.0.0 breaks: [CHANGE] Config: the spin block is spelled turn.
""", id="tags before entries"),
        pytest.param("CHANGELOG.md", MARKED_ENTRIES, """\
2.0.0 breaks: [wheel] [BREAKING] Count wheels from 1
2.0.0 breaks: \u2757\ufe0f Disallow wheels without a hub.
""", id="signs before entries"),
        pytest.param("CHANGELOG.md", GROUP_LINES, """\
2.0.0 breaks: widget -C is the same as widget -B -A.
""", id="lines that name a group"),
        pytest.param("History.md", GROUP_BULLETS, """\
2.0.0 removed: Removed: app.del - use app.delete
2.0.0 removed: Removed: req.query middleware
2.0.0 breaks: res.status() no longer takes strings
""", id="bullets that name a group"),
        pytest.param("changelog.rst", CHANGE_DIRECTIVES, """\
2.0.0 removed: Removed: The spin argument of create_wheel() went away. Use turn in its place.
2.0.0 deprecated: Wheel.spin() is now deprecated; it will be removed in 3.0.
""", id="change directives"),
        pytest.param("migrate-2.0.md", MIGRATION_GUIDE, """\
2.0 removed: Removed spin: spin is gone.
2.0 breaks: Wheels are counted from 1: Prior to v2.0 the first wheel had the number 0.
""", id="migration guide"),
        pytest.param("CHANGELOG.md", WHATS_CHANGED, """\
2.0.0 breaks: Raise an error if names clash
2.0.0 breaks: Only support the latest MyTool version
2.0.0 deprecated: Raise a deprecation warning when a wheel is final
""", id="categories named by a question"),
        pytest.param("2.0.md", LINKED_CHANGES, """\
2.0 breaks: Wheels are counted from 1
2.0 deprecated: Wheel.spin: Wheel.spin is deprecated.
""", id="links into a guide, announcements"),
        pytest.param("CHANGELOG.md", HOUSE_CLEANING, """\
2.0.0 removed: remove deprecated wheel options
2.0.0 deprecated: deprecate widget spin command
""", id="what users see of refactorings"),
        pytest.param("CHANGELOG.md", PLAIN_LIST, """\
2.0.0 removed: widget tui is now provided by the widget-tui plugin.
""", id="what failed before, and the project's own tests"),
        pytest.param("RELEASE-NOTES", INDENTED_O, """\
2.0.0 removed: wheels: drop support for square ones [1]
2.0.0 requirement: hub.md: require spoke 0.20.0+ [2]
""", id="bullets that are letters, and a pointer with a title"),
        pytest.param("2.0.rst", NESTED_TITLES, """\
2.0 breaks: Wheels now turn to the left: They turned to the right.
2.0 deprecated: turn_right is deprecated: It is deprecated, for nothing turns right.
""", id="details below a title that tells the change"),
        pytest.param("2.0.rst", CODE_BELOW, """\
2.0 breaks: These are refused: old = 1 new = 2
2.0 breaks: The attribute Wheel.spin is no longer set.
2.0 removed: Removed names: The following were dropped: spin() turn()
""", id="code that a line leads to"),
        pytest.param("CHANGELOG.md", LEADS_IN, """\
2.0.0 removed: Removed: Widget.spin.
2.0.0 requirement: Python 3.7 support is dropped.
2.0.0 default: The default of angle is changed from 1 to 2.
2.0.0 deprecated: turn() is deprecated and will be removed in the next major release.
""", id="what leads in, and a default under removals"),
        pytest.param("CHANGELOG.md", COMMITS, """\
1.9.1 breaks: The cache lies in cache_home.
2.0.0 removed: feat!: remove the rules a-b and c-d
2.0.0 removed: (SEMVER-MAJOR) lib: remove hub.binding
2.0.0 breaks: fix!: rename quux to quuz
2.0.0 breaks: refactor(core)!: new signature of quack()
2.0.0 breaks: BREAKING hub.bar takes three arguments
2.0.0 requirement: chore!: drop support for Node 16
2.0.0 removed: The zap format is not supported anymore.
2.0.0 removed: Remove the roll wheel
2.0.0 requirement: Python 3.7 is not supported anymore.
""", id="hashes of commits, and notes for the upgrade"),
        pytest.param("2.0.0.adoc", FOR_BUILDERS, """\
2.0.0 action: You may need to define NO_SPOKES if you build with hub older than 1.2.9.
""", id="notes to a group of readers"),
        pytest.param("2.0.0.md", SECTION_OF_CHANGES, """\
2.0.0 breaks: hub.spin is gone.
2.0.0 breaks: hub.core made private: hub.core was renamed to hub._core, as it is internal.
2.0.0 breaks: hub.turn() now returns a tuple rather than a list.
""", id="a section of changes beside one of what breaks"),
        pytest.param("2.0.0.md", LEADING_LINKS, """\
2.0.0 breaks: Align hubs and rims
2.0.0 deprecated: The Spoke API has been deprecated
""", id="links into a guide, wherever it lies"),
        pytest.param("CHANGELOG.md", SPEAKS_ONLY, """\
2.0.0 removed: [Hub] Remove hub.rim
""", id="what only speaks of changes"),
    ],
)  # fmt: skip
def test_lists_what_the_notes_list(name: str, text: str, expected: str, tmp_path: Path) -> None:
    found = listed(upgrade_between(tmp_path, {name: text}, "1.9.0", "2.0.0"))
    assert [f"{release} {change}: {summary}" for release, change, summary in found] == expected.splitlines()


def test_the_hash_of_a_commit_is_no_name_of_code(tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {"CHANGELOG.md": COMMITS}, "1.9.0", "2.0.0")
    named = {symbol for release in upgrade.releases for item in release.items for symbol in item.symbols}
    assert named == {"cache_home", "a-b", "c-d", "hub.binding", "zap", "roll", "quack", "hub.bar"}


@pytest.mark.parametrize(
    ("name", "text", "about", "begins", "ends"),
    [
        ("2.0.txt", TITLED_SUBSECTIONS, "MySQL", "Dropped support for MySQL 5.7\n---", "supports MySQL 8 and higher."),
        ("NEWS.rst", TOWNCRIER, "Constraints", "- Constraints", "(`#121 <https://example.org/121>`_)"),
    ],
    ids=["a title with its explanation", "an entry with what continues it"],
)
def test_a_quote_holds(name: str, text: str, about: str, begins: str, ends: str, tmp_path: Path) -> None:
    upgrade = upgrade_between(tmp_path, {name: text}, "1.9", "2.0")
    (quote,) = (item.citation.quote for item in upgrade.releases[0].items if about in item.summary)
    assert quote.startswith(begins)
    assert quote.endswith(ends)
