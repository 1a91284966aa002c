"""reStructuredText: where its blocks lie, for Sphinx changelogs and everything that isn't one."""

import pytest

from ingest.formats.restructuredtext import parse_restructuredtext

CHANGELOG = """\
=============
2.0 Changelog
=============

.. changelog::
    :version: 2.0.1
    :released: May 2, 2024

    .. change::
        :tags: bug, orm
        :tickets: 123,
          124

        Fixed it.

        See why::

            f()

        Further words.

.. changelog::
    :version: 2.0.0
"""


@pytest.mark.parametrize("version", ["", "  ", "``\\ ``"], ids=["nothing", "white space", "markup alone"])
def test_sphinx_changelog_without_a_version_is_no_heading(version: str) -> None:
    parsed = parse_restructuredtext(
        f".. changelog::\n    :version: {version}\n    :released: May 2, 2024\n\n    Fixed it.\n"
    )
    assert [(str(block.kind), block.title) for block in parsed.blocks] == [("markup", ""), ("paragraph", "")]


def test_sphinx_changelog_gives_releases_and_their_changes() -> None:
    parsed = parse_restructuredtext(CHANGELOG)
    assert [(str(b.kind), b.level, b.title, dict(b.attributes)) for b in parsed.blocks] == [
        ("heading", 1, "2.0 Changelog", {}),
        ("heading", 2, "2.0.1 (May 2, 2024)", {"version": "2.0.1", "released": "May 2, 2024"}),
        ("markup", 0, "", {}),
        ("list_item", 1, "", {"tags": "bug, orm", "tickets": "123, 124"}),
        ("code", 1, "", {}),
        ("paragraph", 1, "", {}),
        ("heading", 2, "2.0.0", {"version": "2.0.0"}),
    ]
    change = parsed.blocks[3]
    assert parsed.text[change.start : change.end] == "Fixed it.\n\n        See why::"
