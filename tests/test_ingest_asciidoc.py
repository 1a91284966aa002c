"""AsciiDoc: where its blocks lie, strict documents and Git's plain ones alike."""

from collections.abc import Callable
from time import thread_time

import pytest
from case_files import read_rows

from ingest.formats.asciidoc import parse_asciidoc

DEEP = 3_000


@pytest.mark.parametrize(
    "bullet", [lambda depth: "*" * depth, lambda depth: "." * depth, lambda depth: " " * depth + "*-"[depth % 2]],
    ids=["stars", "full stops", "indents"],
)  # fmt: skip
def test_bullets_of_any_depth_are_entries_of_a_bounded_one(bullet: Callable[[int], str]) -> None:
    parsed = parse_asciidoc("= Demo\n\n" + "".join(f"{bullet(depth)} entry\n" for depth in range(1, DEEP)))
    assert [block.kind for block in parsed.blocks] == ["heading"] + ["list_item"] * (DEEP - 1)
    assert max(block.level for block in parsed.blocks) <= 40


def test_titles_are_filled_in_with_what_the_document_sets() -> None:
    text = ":line: 1\n:version: {line}.2\n= Demo {version} on {platform}\n\nOf {version}.\n"
    parsed = parse_asciidoc(text)
    assert [block.title for block in parsed.blocks if block.title] == ["Demo 1.2 on platform"]
    assert parsed.text == text, "what is quoted is the source"


def test_a_line_with_a_dot_above_a_list_is_its_title_and_an_author_needs_no_address() -> None:
    parsed = parse_asciidoc(
        "= Demo\nThe crew\n:rel: 2.1\n\n== {rel}\n\n.Removed\n* A lid\n\n.Added\n- A door\n\n.Not this\n"
    )
    titles = [(block.level, block.title) for block in parsed.blocks if block.title]
    assert titles == [(1, "Demo"), (2, "2.1"), (3, "Removed"), (3, "Added")]


@pytest.mark.parametrize(("line", "stated"), read_rows("ingest-a-revision-line-states-what-the-document-is"))
def test_a_revision_line_states_what_the_document_is(line: str, stated: dict[str, str]) -> None:
    assert parse_asciidoc(f"= Demo\nAnn <ann@b.org>\n{line}\n\nText\n").front_matter == stated


@pytest.mark.timeout(120)
def test_thousands_of_attributes_take_linear_time() -> None:
    began = thread_time()
    parsed = parse_asciidoc(":a: b\n" * 40_000)
    assert {block.kind for block in parsed.blocks} == {"markup"}
    assert thread_time() - began < 10


@pytest.mark.parametrize(
    ("attributes", "title", "told"),
    [
        *read_rows("ingest-what-is-filled-in-stays-short"),
        pytest.param(f":a: {'l' * 300_000}\n", "{a}", "{a}", id="a value that is long itself"),
    ],
)
def test_what_is_filled_in_stays_short(attributes: str, title: str, told: str) -> None:
    assert parse_asciidoc(f"= Demo\n{attributes}\n== {title}\n").blocks[-1].title == told


def test_each_block_that_is_set_apart_begins_where_it_opens() -> None:
    blocks = ["____\nA lid.\n____", "____\nA door.\n____"]
    text = "\n\nA key.\n\n".join(blocks)
    assert [text[one.start : one.end] for one in parse_asciidoc(text).asides] == blocks
