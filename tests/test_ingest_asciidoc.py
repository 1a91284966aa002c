"""AsciiDoc: where its blocks lie, strict documents and Git's plain ones alike."""

from collections.abc import Callable

import pytest
from block_promises import assert_blocks_hold, outline

from ingest.formats.asciidoc import parse_asciidoc

DOCUMENTS = {
    "titles-by-sign": (
        "= Demo\n\nIntro.\n\n== *New* `code` ==\n\n=== Deep\n",
        [("heading", 1, "Demo"), ("paragraph", 0, "Intro."), ("heading", 2, "New code"), ("heading", 3, "Deep")],
    ),
    "titles-by-underline": (
        "Demo v1.0 Notes\n===============\n\nFixes since 0.9\n---------------\n\nText.\n",
        [("heading", 1, "Demo v1.0 Notes"), ("heading", 2, "Fixes since 0.9"), ("paragraph", 0, "Text.")],
    ),
    "underline-of-another-length-that-nothing-closes": (
        "A title that is longer\n===========\n",
        [("heading", 1, "A title that is longer")],
    ),
    "dashes-under-a-short-line-that-close-later-are-a-listing": (
        "Run this example:\n----\nx\n----\n",
        [("paragraph", 0, "Run this example:"), ("code", 0, "----\nx\n----")],
    ),
    "indented-bullets-hang": (
        "Notes\n=====\n\n * One goes\n   on here.\n\n   Second paragraph.\n\n * Two\n   - inner\n",
        [
            ("heading", 1, "Notes"),
            ("list_item", 1, "* One goes\n   on here.\n\n   Second paragraph."),
            ("list_item", 1, "* Two"),
            ("list_item", 2, "- inner"),
        ],
    ),
    "bullets-nest-by-marker": (
        "* a\n** b\n* c\n. d\n.. e\n",
        [
            ("list_item", 1, "* a"),
            ("list_item", 2, "** b"),
            ("list_item", 1, "* c"),
            ("list_item", 2, ". d"),
            ("list_item", 3, ".. e"),
        ],
    ),
    "continuation-attaches-code-and-text": (
        "* a\n+\n----\nx\n----\n+\nMore.\n\nAfter.\n",
        [("list_item", 1, "* a"), ("code", 1, "----\nx\n----"), ("paragraph", 1, "More."), ("paragraph", 0, "After.")],
    ),
    "a-continued-paragraph-belongs-to-the-item": (
        "* a\n+\nMore.\n\n* b\n",
        [("list_item", 1, "* a\n+\nMore."), ("list_item", 1, "* b")],
    ),
    "numbers": ("1. one\n2. two\n", [("list_item", 1, "1. one"), ("list_item", 1, "2. two")]),
    "a-year-at-a-line-start-is-no-number": (
        " * Copyright since\n   2016. All of it.\n",
        [("list_item", 1, "* Copyright since\n   2016. All of it.")],
    ),
    "description-list": (
        "term:: What it is\nother::\n  That.\n",
        [("list_item", 1, "term:: What it is"), ("list_item", 1, "other::\n  That.")],
    ),
    "literal-blocks": (
        "Text\n\n....\na\n\nb\n....\n\n  indented\n  code\n",
        [("paragraph", 0, "Text"), ("code", 0, "....\na\n\nb\n...."), ("code", 0, "indented\n  code")],
    ),
    "fenced-code": ("```sh\n= x\n```\n", [("code", 0, "```sh\n= x\n```")]),
    "table": ("|===\n|a |b\n\n|1 |2\n|===\n", [("table", 0, "|===\n|a |b\n\n|1 |2\n|===")]),
    "comments-attributes-and-metadata-are-markup": (
        "// note\n:toc: left\n[source,ruby]\n////\nhidden\n////\ninclude::x.adoc[]\n\nText\n",
        [
            ("markup", 0, "// note"),
            ("markup", 0, ":toc: left"),
            ("markup", 0, "[source,ruby]"),
            ("markup", 0, "////\nhidden\n////"),
            ("markup", 0, "include::x.adoc[]"),
            ("paragraph", 0, "Text"),
        ],
    ),
    "example-blocks-hold-prose": (
        "[NOTE]\n====\nCareful.\n====\n\nText\n",
        [
            ("markup", 0, "[NOTE]"),
            ("markup", 0, "===="),
            ("paragraph", 0, "Careful."),
            ("markup", 0, "===="),
            ("paragraph", 0, "Text"),
        ],
    ),
    "block-title-is-text": (".A title\n----\nx\n----\n", [("paragraph", 0, ".A title"), ("code", 0, "----\nx\n----")]),
    "unclosed-delimiter-swallows-nothing": (
        "Text\n\n--------\nmore\n\n== Next\n",
        [("paragraph", 0, "Text"), ("markup", 0, "--------"), ("paragraph", 0, "more"), ("heading", 2, "Next")],
    ),
    "bare-title-before-a-list": (
        "Demo\n====\n\nPerformance, Internals etc.\n\n * One.\n\nThe rest is this.\n\n * Two.\n",
        [
            ("heading", 1, "Demo"),
            ("heading", 2, "Performance, Internals etc."),
            ("list_item", 1, "* One."),
            ("paragraph", 0, "The rest is this."),
            ("list_item", 1, "* Two."),
        ],
    ),
    "authors-and-revision-below-the-title-are-markup": (
        "= Demo [[top]]\nAnn Bo <ann@b.org>; Cy <c@d.org>\nv1.2, 2024-05-02: a remark\n:toc:\n\nText\n",
        [
            ("heading", 1, "Demo"),
            ("markup", 0, "Ann Bo <ann@b.org>; Cy <c@d.org>"),
            ("markup", 0, "v1.2, 2024-05-02: a remark"),
            ("markup", 0, ":toc:"),
            ("paragraph", 0, "Text"),
        ],
    ),
    "prose-below-the-title-is-prose": (
        "= Demo\nNew features\nv1.2, 2024-05-02\n",
        [("heading", 1, "Demo"), ("paragraph", 0, "New features\nv1.2, 2024-05-02")],
    ),
    "conditions-end-a-paragraph": (
        "ifdef::x[]\nText\nendif::[]\n",
        [("markup", 0, "ifdef::x[]"), ("paragraph", 0, "Text"), ("markup", 0, "endif::[]")],
    ),
    "nothing": ("\n \n", []),
}
DEEP = 3_000


@pytest.mark.parametrize(("text", "expected"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_blocks(text: str, expected: list[tuple[str, int, str]]) -> None:
    parsed = parse_asciidoc(text)
    assert outline(parsed) == expected
    assert parsed.text == text
    assert_blocks_hold(parsed)


@pytest.mark.parametrize(
    "bullet", [lambda depth: "*" * depth, lambda depth: "." * depth, lambda depth: " " * depth + "*-"[depth % 2]],
    ids=["stars", "full stops", "indents"],
)  # fmt: skip
def test_bullets_of_any_depth_are_entries_of_a_bounded_one(bullet: Callable[[int], str]) -> None:
    parsed = parse_asciidoc("= Demo\n\n" + "".join(f"{bullet(depth)} entry\n" for depth in range(1, DEEP)))
    assert [block.kind for block in parsed.blocks] == ["heading"] + ["list_item"] * (DEEP - 1)
    assert max(block.level for block in parsed.blocks) <= 40


def test_header_attributes_state_what_the_document_is() -> None:
    parsed = parse_asciidoc("= Demo\n:revnumber: 1.2\n:revdate: 2024-05-02\n\nText\n\n:revnumber: 9\n")
    assert parsed.front_matter == {"version": "1.2", "date": "2024-05-02"}


def test_titles_are_filled_in_with_what_the_document_sets() -> None:
    text = ":line: 1\n:version: {line}.2\n= Demo {version} on {platform}\n\nOf {version}.\n"
    parsed = parse_asciidoc(text)
    assert [block.title for block in parsed.blocks if block.title] == ["Demo 1.2 on {platform}"]
    assert parsed.text == text, "what is quoted is the source"


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("v1.2, 2024-05-02: Autumn", {"version": "1.2", "date": "2024-05-02"}),
        ("v1.2", {"version": "1.2"}),
        ("1.2, May 2, 2024", {"version": "1.2", "date": "May 2, 2024"}),
        ("1.2, 2 May 2024", {"version": "1.2", "date": "2 May 2024"}),
        ("2024-05-02", {"date": "2024-05-02"}),
        ("Fixes a crash", {}),
    ],
)
def test_a_revision_line_states_what_the_document_is(line: str, stated: dict[str, str]) -> None:
    assert parse_asciidoc(f"= Demo\nAnn <ann@b.org>\n{line}\n\nText\n").front_matter == stated


@pytest.mark.timeout(120)
def test_a_megabyte_of_attributes_ends() -> None:
    parsed = parse_asciidoc(":a: b\n" * 166_000)
    assert {block.kind for block in parsed.blocks} == {"markup"}


@pytest.mark.timeout(20)
def test_values_made_of_values_stay_short() -> None:
    doubled = "".join(f":a{n}: {{a{n - 1}}}{{a{n - 1}}}\n" for n in range(1, 31))
    parsed = parse_asciidoc(f"= Demo\n:a0: ten letter\n{doubled}\n== {{a30}}\n")
    assert len(parsed.blocks[-1].title) <= 300


@pytest.mark.parametrize(
    ("attributes", "title", "told"),
    [
        pytest.param(f":a: {'l' * 300_000}\n", "{a}", "{a}", id="a value that is long itself"),
        pytest.param(f":a: {'l' * 200}\n", "{a}{a}", "{a}{a}", id="a title of long values"),
        pytest.param(":a: 1\n:a: {a}.2\n", "{a}", "1.2", id="a value made of the one before it"),
    ],
)  # fmt: skip
def test_what_is_filled_in_stays_short(attributes: str, title: str, told: str) -> None:
    assert parse_asciidoc(f"= Demo\n{attributes}\n== {title}\n").blocks[-1].title == told
