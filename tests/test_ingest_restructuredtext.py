"""reStructuredText: where its blocks lie, for Sphinx changelogs and everything that isn't one."""

import pytest
from block_promises import assert_blocks_hold, outline

from ingest.formats.restructuredtext import parse_restructuredtext, plain_title

DOCUMENTS = {
    "title-with-overline-then-sections-by-first-use": (
        "====\nDemo\n====\n\nIntro text.\n\nFeatures\n--------\n\nFixes\n~~~~~\n\nRemovals\n--------\n",
        [
            ("heading", 1, "Demo"),
            ("paragraph", 0, "Intro text."),
            ("heading", 2, "Features"),
            ("heading", 3, "Fixes"),
            ("heading", 2, "Removals"),
        ],
    ),
    "underline-shorter-than-its-title": (
        "A rather long title\n=====\n\nText\n",
        [("heading", 1, "A rather long title"), ("paragraph", 0, "Text")],
    ),
    "title-needs-no-blank-line-behind-it": (
        "1.0\n===\nText\n",
        [("heading", 1, "1.0"), ("paragraph", 0, "Text")],
    ),
    "inline-markup-is-removed-from-titles": (
        ":class:`~pkg.mod.Thing` and ``__len__`` in `the docs <https://x.test>`_\n====\n",
        [("heading", 1, "Thing and __len__ in the docs")],
    ),
    "transition-is-markup": (
        "One\n\n-----\n\nTwo\n",
        [("paragraph", 0, "One"), ("markup", 0, "-----"), ("paragraph", 0, "Two")],
    ),
    "list-items-hang-and-nest": (
        "* one\n  goes on\n\n  - inner\n\n* two\n",
        [("list_item", 1, "* one\n  goes on"), ("list_item", 2, "- inner"), ("list_item", 1, "* two")],
    ),
    "paragraphs-of-an-item-belong-to-it": (
        "- one\n\n  More of one.\n\n- two\n\nAfter.\n",
        [("list_item", 1, "- one\n\n  More of one."), ("list_item", 1, "- two"), ("paragraph", 0, "After.")],
    ),
    "code-inside-an-item-has-its-depth": (
        "* Call::\n\n    f()\n\n  Then rest.\n",
        [("list_item", 1, "* Call::"), ("code", 1, "f()"), ("paragraph", 1, "Then rest.")],
    ),
    "enumerated-items": (
        "1. one\n2. two\n\n#. auto\n\n(a) letter\n",
        [
            ("list_item", 1, "1. one"),
            ("list_item", 1, "2. two"),
            ("list_item", 1, "#. auto"),
            ("list_item", 1, "(a) letter"),
        ],
    ),
    "initials-are-prose": (
        "A. Einstein was\na physicist.\n",
        [("paragraph", 0, "A. Einstein was\na physicist.")],
    ),
    "bullets-inside-a-definition": (
        "Changes\n  * one\n  * two\n",
        [("paragraph", 0, "Changes"), ("list_item", 1, "* one"), ("list_item", 1, "* two")],
    ),
    "a-term-keeps-its-definition": (
        "first\n  What it is.\nsecond\n  Another.\n",
        [("paragraph", 0, "first\n  What it is."), ("paragraph", 0, "second\n  Another.")],
    ),
    "literal-block-after-a-paragraph": (
        "Use this::\n\n    a = 1\n\n    b = 2\n\nDone.\n",
        [("paragraph", 0, "Use this::"), ("code", 0, "a = 1\n\n    b = 2"), ("paragraph", 0, "Done.")],
    ),
    "literal-marker-alone-belongs-to-the-code": (
        "Text\n\n::\n\n  code\n",
        [("paragraph", 0, "Text"), ("code", 0, "::\n\n  code")],
    ),
    "title-inside-a-literal-block-is-code": (
        "See::\n\n    Title\n    =====\n",
        [("paragraph", 0, "See::"), ("code", 0, "Title\n    =====")],
    ),
    "code-block-directive-with-options": (
        ".. code-block:: python\n   :caption: x\n\n   f()\n\nText\n",
        [("code", 0, ".. code-block:: python\n   :caption: x\n\n   f()"), ("paragraph", 0, "Text")],
    ),
    "doctest": (
        "Text\n\n>>> 1\n1\n",
        [("paragraph", 0, "Text"), ("code", 0, ">>> 1\n1")],
    ),
    "grid-table": (
        "+---+---+\n| a | b |\n+---+---+\n\nText\n",
        [("table", 0, "+---+---+\n| a | b |\n+---+---+"), ("paragraph", 0, "Text")],
    ),
    "simple-table-with-a-blank-row": (
        "=== ===\na   b\n=== ===\n1   2\n\n3   4\n=== ===\n\nText\n",
        [("table", 0, "=== ===\na   b\n=== ===\n1   2\n\n3   4\n=== ==="), ("paragraph", 0, "Text")],
    ),
    "list-table-directive": (
        ".. list-table::\n\n   * - a\n     - b\n",
        [("table", 0, ".. list-table::\n\n   * - a\n     - b")],
    ),
    "comments-targets-and-substitutions-are-markup": (
        ".. a comment\n\n   still\n\n.. _label:\n\n.. |x| replace:: y\n\n__ https://x.test\n\nText\n",
        [
            ("markup", 0, ".. a comment\n\n   still"),
            ("markup", 0, ".. _label:"),
            ("markup", 0, ".. |x| replace:: y"),
            ("markup", 0, "__ https://x.test"),
            ("paragraph", 0, "Text"),
        ],
    ),
    "admonition-content-is-prose": (
        ".. note::\n\n   Be careful.\n\n   - one\n\nText\n",
        [
            ("markup", 0, ".. note::"),
            ("paragraph", 0, "Be careful."),
            ("list_item", 1, "- one"),
            ("paragraph", 0, "Text"),
        ],
    ),
    "admonition-that-states-prose-on-its-line": (
        ".. tip:: Use it\n   often.\n\n   And well.\n",
        [("paragraph", 0, ".. tip:: Use it\n   often."), ("paragraph", 0, "And well.")],
    ),
    "version-directives": (
        ".. versionchanged:: 3.11\n   Gained it.\n\n.. deprecated:: 3.12\n\n   Use that.\n\n.. versionadded:: 3.1\n",
        [
            ("paragraph", 0, ".. versionchanged:: 3.11\n   Gained it."),
            ("paragraph", 0, ".. deprecated:: 3.12"),
            ("paragraph", 0, "Use that."),
            ("paragraph", 0, ".. versionadded:: 3.1"),
        ],
    ),
    "signatures-are-headings-below-their-section": (
        "Queues\n======\n\n.. class:: Queue(size)\n\n   Holds work.\n\n   .. method:: drain()\n      :async:\n\n"
        "      Empties it.\n\n.. py:function:: open()\n\n   Opens.\n",
        [
            ("heading", 1, "Queues"),
            ("heading", 2, "Queue(size)"),
            ("paragraph", 0, "Holds work."),
            ("heading", 3, "drain()"),
            ("paragraph", 0, "Empties it."),
            ("heading", 2, "open()"),
            ("paragraph", 0, "Opens."),
        ],
    ),
    "an-unknown-directive-holds-prose": (
        ".. shiny:: thing\n   :opt: 1\n\n   Words.\n",
        [("markup", 0, ".. shiny:: thing\n   :opt: 1"), ("paragraph", 0, "Words.")],
    ),
    "titles-inside-directives-are-no-headings": (
        ".. only:: html\n\n   Unreleased\n   ^^^^^^^^^^\n\n1.0\n===\n",
        [("markup", 0, ".. only:: html"), ("markup", 0, "Unreleased\n   ^^^^^^^^^^"), ("heading", 1, "1.0")],
    ),
    "fields": (
        ":Author: Someone\n:orphan:\n\nText\n",
        [("paragraph", 0, ":Author: Someone"), ("markup", 0, ":orphan:"), ("paragraph", 0, "Text")],
    ),
    "footnote-body-is-prose": (
        ".. [1] A note\n   on two lines.\n",
        [("paragraph", 0, ".. [1] A note\n   on two lines.")],
    ),
    "text-without-structure": ("just words", [("paragraph", 0, "just words")]),
    "nothing": (" \n\n", []),
}


@pytest.mark.parametrize(("text", "expected"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_blocks(text: str, expected: list[tuple[str, int, str]]) -> None:
    parsed = parse_restructuredtext(text)
    assert outline(parsed) == expected
    assert parsed.text == text
    assert_blocks_hold(parsed)


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


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("``__prepare__`` is removed", "__prepare__ is removed"),
        (":func:`!f` and :meth:`.C.m`", "f and C.m"),
        ("`name` of :pep:`649`", "name of 649"),
        ("**bold** *it* a*b*c", "bold it a*b*c"),
        ("v |release| for links_", "v release for links"),
        (r"a \* b", "a * b"),
        ("2 * 3 snake_case_name", "2 * 3 snake_case_name"),
    ],
)
def test_plain_title(markup: str, title: str) -> None:
    assert plain_title(markup) == title


def test_docinfo_states_what_the_document_is() -> None:
    parsed = parse_restructuredtext("Demo\n====\n\n:Version: 1.2\n:Date: 2024-05-02\n\nText\n\n:Version: 9\n")
    assert parsed.front_matter == {"version": "1.2", "date": "2024-05-02"}
