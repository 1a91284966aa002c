"""Plain text to blocks: structure inferred from shape, then what holds for any text."""

import time
from collections import Counter
from collections.abc import Iterable
from typing import SupportsIndex, overload

import pytest
from block_promises import assert_blocks_hold, outline

from ingest.blocks import ParsedText
from ingest.formats.front_matter import split_front_matter
from ingest.formats.line_shapes import HeadingStyle, heading_style, is_code
from ingest.formats.lines import TextLine, split_lines
from ingest.formats.plain_text import parse_plain_text
from ingest.formats.plain_text_pieces import PieceCutter


def headings(text: str) -> list[tuple[int, str]]:
    return [(level, title) for kind, level, title in outline(parse_plain_text(text)) if kind == "heading"]


def assert_parses(text: str) -> ParsedText:
    """`text` is what was parsed, and its blocks hold from its front matter on."""
    parsed = parse_plain_text(text)
    assert parsed.text == text
    assert_blocks_hold(parsed, begin=split_front_matter(text)[1])
    return parsed


SHELL_BLOCK = "# install it\npip install lib==2.0\n\n# or the nightly build\npip install --pre lib"
LIBRARY_BLOCK = (
    "import lib\n\n# mark the region\n@lib.strict(True)\ndef train(model):\n    # errors here\n    return model(1)"
)
C_BLOCK = "// built once\n#include <lib/stable.h>\n\nauto x = lib::Tensor(1);\nif (x.is_cpu()) {\n    // run\n}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("", [], id="empty"),
        pytest.param(" \n\t\n", [], id="blank"),
        pytest.param("Just a title", [("paragraph", 0, "Just a title")], id="nothing below: no heading"),
        pytest.param(
            "A paragraph that its author\nwrapped by hand.\n\nAnother.",
            [("paragraph", 0, "A paragraph that its author\nwrapped by hand."), ("paragraph", 0, "Another.")],
            id="wrapped lines are one paragraph",
        ),
        pytest.param(
            "Changes:\n[core] ADDED: axles() by @ada\n[core] FIXED: hub\n[draw] GONE: spokes\nRims\nThe end.",
            [
                ("heading", 2, "Changes"),
                ("list_item", 1, "[core] ADDED: axles() by @ada"),
                ("list_item", 1, "[core] FIXED: hub"),
                ("list_item", 1, "[draw] GONE: spokes"),
                ("list_item", 1, "Rims"),
                ("list_item", 1, "The end."),
            ],
            id="lines that end where the next word fitted are entries",
        ),
        pytest.param(
            "Axles() is for wheels of\nany size; the hub is kept\nwhere it is.",
            [("paragraph", 0, "Axles() is for wheels of\nany size; the hub is kept\nwhere it is.")],
            id="lines that go on are no entries",
        ),
        pytest.param(
            "--- lamp 0.2.0 ---\n - add glow\n--- lamp 0.1.0 ---\n - add wick",
            [
                ("heading", 2, "lamp 0.2.0"),
                ("list_item", 1, "- add glow"),
                ("heading", 2, "lamp 0.1.0"),
                ("list_item", 1, "- add wick"),
            ],
            id="a release between rules is a heading",
        ),
        pytest.param(
            "x " * 100 + "\n" + "y " * 100,
            [("paragraph", 0, ("x " * 100).strip()), ("paragraph", 0, ("y " * 100).strip())],
            id="a long line is a paragraph of its own",
        ),
        pytest.param(
            "Overview\n" + "x " * 100 + "\nFixes\n" + "y " * 100,
            [
                ("heading", 1, "Overview"),
                ("paragraph", 0, ("x " * 100).strip()),
                ("heading", 2, "Fixes"),
                ("paragraph", 0, ("y " * 100).strip()),
            ],
            id="short lines between long ones are headings",
        ),
        pytest.param(
            "  • one\n  • two, which\n    goes on\n    • nested\n  • three",
            [
                ("list_item", 1, "• one"),
                ("list_item", 1, "• two, which\n    goes on"),
                ("list_item", 2, "• nested"),
                ("list_item", 1, "• three"),
            ],
            id="bullets nest by indent",
        ),
        pytest.param(
            " * First entry,\n   wrapped.\n\n   Its second.\n\n       $ lib --run\n\n   And a third.\n\nAfter.",
            [
                ("list_item", 1, "* First entry,\n   wrapped.\n\n   Its second."),
                ("code", 1, "$ lib --run"),
                ("paragraph", 1, "And a third."),
                ("paragraph", 0, "After."),
            ],
            id="an item keeps its paragraphs and code",
        ),
        pytest.param(
            "Steps:\n\n1. Stop it.\n2. Start it\n   again.\n10. Done.",
            [
                ("heading", 2, "Steps"),
                ("list_item", 1, "1. Stop it."),
                ("list_item", 1, "2. Start it\n   again."),
                ("list_item", 1, "10. Done."),
            ],
            id="ordered list",
        ),
        pytest.param(
            "It was released in\n2024. It was good, and\n- well - not bad.",
            [("paragraph", 0, "It was released in\n2024. It was good, and"), ("list_item", 1, "- well - not bad.")],
            id="a number at a line's head doesn't end prose",
        ),
        pytest.param(
            " Releases:    276\n Options:     278\n Authors:     1506",
            [("table", 0, "Releases:    276\n Options:     278\n Authors:     1506")],
            id="aligned fields",
        ),
        pytest.param(
            "[1] = https://example.org/1\n [2] = https://example.org/2",
            [("markup", 0, "[1] = https://example.org/1\n [2] = https://example.org/2")],
            id="link targets",
        ),
        pytest.param(
            "[net]: faster\n[ui]: new colours\n", [("table", 0, "[net]: faster\n[ui]: new colours")], id="tagged values"
        ),
        pytest.param(
            "+---+---+\n| a | b |\n+---+---+", [("table", 0, "+---+---+\n| a | b |\n+---+---+")], id="drawn table"
        ),
        pytest.param(
            f"setup\n\nuse a wheel:\n\n{SHELL_BLOCK}\n\nnote: that is all.",
            [
                ("heading", 1, "setup"),
                ("paragraph", 0, "use a wheel:"),
                ("code", 0, SHELL_BLOCK),
                ("paragraph", 0, "note: that is all."),
            ],
            id="comments in code are no headings",
        ),
        pytest.param(
            f"Errors are stricter.\n\n{LIBRARY_BLOCK}\n\nThe end.",
            [("paragraph", 0, "Errors are stricter."), ("code", 0, LIBRARY_BLOCK), ("paragraph", 0, "The end.")],
            id="code stays whole over blank lines",
        ),
        pytest.param(f"In C++.\n\n{C_BLOCK}", [("paragraph", 0, "In C++."), ("code", 0, C_BLOCK)], id="c++"),
        pytest.param(
            "Run this:\npip install lib==2.0",
            [("paragraph", 0, "Run this:"), ("code", 0, "pip install lib==2.0")],
            id="code tight below its lead-in",
        ),
        pytest.param("---\ntitle: T\n---\nText.\n", [("paragraph", 0, "Text.")], id="front matter is in no block"),
    ],
)
def test_document_becomes_blocks(text: str, expected: list[tuple[str, int, str]]) -> None:
    assert outline(parse_plain_text(text)) == expected


REDIS_LIKE = """\
Lib 7.2 release notes
=====================

--------------------------------------------------------------------------------
Upgrade urgency levels:

LOW:      No need to upgrade unless there are new features you want to use.
HIGH:     There is a critical bug that may affect some of you. Upgrade!
--------------------------------------------------------------------------------

================================================================================
Lib 7.2.4    Released Tue 09 Jan 2024 10:45:52 IST
================================================================================

Upgrade urgency SECURITY: See security fixes below.

Security fixes
==============

* (CVE-2023-41056) A buffer may grow
  too much.

================================================================================
Lib 7.2.3    Released Wed 01 Nov 2023 12:00:00 IST
================================================================================

Bug fixes
=========

* Fix a crash
"""
CURL_LIKE = """\
lib and liblib 8.22.0

 Public releases:    276
 Options:            278

This release includes the following changes:

 o one [1]
 o two

For all changes ever done:

 See https://example.org/changes

References to bug reports:

 [1] = https://example.org/1
"""
CPAN_LIKE = """\
Revision history for Lib

1.02  2024-03-01
    - A fix
    - Another

1.01  2024-02-01
    First line of prose,
    wrapped.
"""
GIT_LIKE = """\
Lib v2.45 Release Notes
=======================

UI, Workflows & Features

 * One.

   Merge it.

Performance, Internals etc.

 * Two.

Fixes since v2.44
-----------------

 * Three.
"""
PAGE = """\
lib 2.9 release

published: October 15, 2025

Some introduction that is prose.

breaking changes

python version

minimum python 3.10:

# 3.9 is gone
pip install lib==2.9

macos support

It needs macos 14.

training

optimizer

new optimizer text here.

benefits:

  • fast

on this page
"""
CAPITALS = """\
The Lib Project

BREAKING CHANGES
The old call is gone, and
the new one stays.

Fix the cache
 - it was stale
"""
NUMBERED = """\
Guide

1. Introduction

Prose on it.

1.1 Scope

More prose.

2. Changes

Even more.
"""
OUTLINE = """\
Lib NEWS

* Noteworthy changes in release 9.4 (2023-08-29) [stable]

** Bug fixes

  A bug is fixed,
  at last.

* Noteworthy changes in release 9.3 (2023-04-18) [stable]

** New features

  A feature.
"""
HASHED = "# Title\n\nProse of it.\n\n## 1.0\n\nText.\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            REDIS_LIKE,
            [
                (1, "Lib 7.2 release notes"),
                (2, "Upgrade urgency levels"),
                (2, "Lib 7.2.4 Released Tue 09 Jan 2024 10:45:52 IST"),
                (3, "Security fixes"),
                (2, "Lib 7.2.3 Released Wed 01 Nov 2023 12:00:00 IST"),
                (3, "Bug fixes"),
            ],
            id="rules above and below outrank rules below",
        ),
        pytest.param(
            CURL_LIKE,
            [
                (1, "lib and liblib 8.22.0"),
                (2, "This release includes the following changes"),
                (2, "For all changes ever done"),
                (2, "References to bug reports"),
            ],
            id="a lead-in to a listing is a heading",
        ),
        pytest.param(
            CPAN_LIKE,
            [(1, "Revision history for Lib"), (2, "1.02 2024-03-01"), (2, "1.01 2024-02-01")],
            id="versions tight on their entries",
        ),
        pytest.param(
            GIT_LIKE,
            [
                (1, "Lib v2.45 Release Notes"),
                (3, "UI, Workflows & Features"),
                (3, "Performance, Internals etc."),
                (2, "Fixes since v2.44"),
            ],
            id="underlined outranks bare",
        ),
        pytest.param(
            PAGE,
            [
                (1, "lib 2.9 release"),
                (2, "breaking changes"),
                (3, "python version"),
                (3, "macos support"),
                (2, "training"),
                (3, "optimizer"),
                (4, "benefits"),
            ],
            id="a heading on a heading is a section",
        ),
        pytest.param(
            CAPITALS,
            [(1, "The Lib Project"), (2, "BREAKING CHANGES"), (3, "Fix the cache")],
            id="capitals outrank bare",
        ),
        pytest.param(
            NUMBERED, [(1, "Guide"), (2, "1. Introduction"), (3, "1.1 Scope"), (2, "2. Changes")], id="numbered"
        ),
        pytest.param(
            OUTLINE,
            [
                (1, "Lib NEWS"),
                (2, "Noteworthy changes in release 9.4 (2023-08-29) [stable]"),
                (3, "Bug fixes"),
                (2, "Noteworthy changes in release 9.3 (2023-04-18) [stable]"),
                (3, "New features"),
            ],
            id="stars of an outline",
        ),
        pytest.param("* 1.2\n* 1.1\n\n- 2.0\n- 2.1\n", [], id="a list of nothing but versions"),
        pytest.param("* Version 1.2\n - Faster.\n", [], id="one version isn't a list of them"),
        pytest.param(HASHED, [(1, "Title"), (2, "1.0")], id="hash marks"),
        pytest.param("1.1\n===\n\nText.\n\n1.0\n===\n\nText.\n", [(2, "1.1"), (2, "1.0")], id="equals without a title"),
        pytest.param(
            "Home\n\nNews\n\nBlog\n\nShop\n\nAbout\n\nText.",
            [(1, "Home"), (2, "About")],
            id="a menu isn't a list of headings",
        ),
        pytest.param(
            "Intro text.\n\nSources\n\n1. Lib Blog\n\nDisclosure: none.\n",
            [(2, "Sources")],
            id="a lone item isn't a numbered heading",
        ),
    ],
)
def test_headings_and_their_levels(text: str, expected: list[tuple[int, str]]) -> None:
    assert headings(text) == expected


@pytest.mark.parametrize(
    ("line", "style"),
    [
        ("platform support", HeadingStyle.BARE),
        ("[API-Unstable] lib::stable::Tensor", HeadingStyle.BARE),
        ("Will Lib 2.12 Change Everything at Scale?", HeadingStyle.BARE),
        ("BREAKING CHANGES", HeadingStyle.CAPITALS),
        ("ROCm", HeadingStyle.BARE),
        ("Version 1.2.3 (2024-01-02)", HeadingStyle.VERSION),
        ("v2.0.0rc1, released on 3rd March 2024", HeadingStyle.VERSION),
        ("lib and liblib 8.22.0", HeadingStyle.VERSION),
        ("updating from lib 2.8", HeadingStyle.BARE),
        ("key benefits:", HeadingStyle.COLON),
        ("It is done.", None),
        ("did you know this is prose?", None),
        ("June 23, 2026", None),
        ("published: October 15, 2025", None),
        ("Note: it needs an argument", None),
        ("See https://example.org", None),
        ("and more! See below", None),
        ("1", None),
        ("word " * 13, None),
    ],
)
def test_heading_style_of_a_line(line: str, style: HeadingStyle | None) -> None:
    assert heading_style(line.strip()) == style


@pytest.mark.parametrize(
    "line",
    [
        "import torch",
        "from lib.optim import Muon",
        'device = lib.device("cuda:0")',
        "lib.backends.conv.fp32_precision = 'tf32'",
        "major, minor = map(int, version.split('.')[:2])",
        'print(f"available: {lib.available()}")  # False',
        "quantize_(model, Config())  # cpu compatible",
        "model = lib.Sequential(",
        "@lib.strict(True)",
        "with lib.strict(True):",
        "if major == 13:  # old",
        "try:",
        "lib::ScalarType dtype = lib::kFloat32;",
        "#include <lib.h>",
        "pip install lib libvision",
        "uv venv",
        "python --version  # must be 3.10+",
        "curl -LsSf https://example.org/install.sh | sh",
        "$ lib --run",
        "const x = await load()",
        '"vite": "^8.0.0",',
    ],
)
def test_line_is_code(line: str) -> None:
    assert is_code(line)


@pytest.mark.parametrize(
    "line",
    [
        "curl and libcurl 8.22.0",
        "python 3.10 minimum",
        "cargo improvements",
        "git pull is faster now",
        "make sure that the cache is empty",
        "with pip (traditional)",
        "for cuda 13.0:",
        "if you need it, read the guide (or ask):",
        "Use x = 1 when the old value is no longer wanted here.",
        "eigh() is now faster (see below)",
        "import maps and their uses",
        "new stable apis:",
        "class of errors",
    ],
)
def test_line_is_prose(line: str) -> None:
    assert not is_code(line)


@pytest.mark.parametrize(
    "line",
    ["* Thu Feb 08 2024 x <a>" + " " * 200_000 + "x", "-*-" * 70_000 + "x"],
    ids=["package-entry", "editor-line"],
)
def test_one_line_without_end_stays_linear(line: str) -> None:
    began = time.process_time()
    assert_parses(line)
    assert time.process_time() - began < 20


class _CountedLines(list[TextLine]):
    """Lines that count how many of them are copied, in all their slices together."""

    def __init__(self, lines: Iterable[TextLine], count: Counter[str]) -> None:
        super().__init__(lines)
        self._count = count

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> TextLine: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[TextLine]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> TextLine | list[TextLine]:
        if not isinstance(at, slice):
            return super().__getitem__(at)
        part = super().__getitem__(at)
        self._count["copied"] += len(part)
        return _CountedLines(part, self._count)


@pytest.mark.parametrize("line", ["word word\n", "** word\n", "* 1.0\n", "* 1.0\n- word\n", "A SHOUT\n"])
def test_each_line_of_a_long_stanza_is_copied_a_few_times(line: str) -> None:
    lines, count = list(split_lines(line * 1_000)), Counter[str]()
    assert list(PieceCutter(_CountedLines(lines, count)).cut())
    assert count["copied"] < 20 * len(lines)


def test_text_of_one_line_is_one_paragraph() -> None:
    text = "A release with many changes - and no line end. " * 300
    assert outline(parse_plain_text(text)) == [("paragraph", 0, text.strip())]
