"""An answer in blocks: the order of its lines, and that nothing of a document in it comes to life in Markdown."""

import re
from dataclasses import replace

import pytest
from answer_contract import CODE_SPAN, html_in, markers, shown_markers
from case_files import read_rows
from hypothesis import example, given
from hypothesis import strategies as st
from page_answers import told

from retrieval.blocks import Blocks, Closing, More, code_line, markdown_of, name_of, plain_text_of, safe, words_of
from retrieval.quoting.wording import fit_sentences, shorten

SPIN = told("`spin` is gone.", 1, speaker="Widget 2.0")
TURN = told("It turns.", 2, speaker="Widget 2.0")
OLD = told("It wobbles.", 3, speaker="Widget 1.5")
LINES = {
    "nothing": (Blocks(), ""),
    "a lead": (Blocks(words_of("Not found."), aside=words_of("Covered: widget.")), "Not found. Covered: widget."),
    "yes": (
        Blocks(statements=(replace(SPIN, verdict="Yes", opening=words_of("Removed in "), leads=True), OLD)),
        "Yes: removed in **Widget 2.0**: `spin` is gone. [1]\n\n- **Widget 1.5**: It wobbles. [3]",
    ),
    "of one release": (Blocks(statements=(SPIN, TURN)), "**Widget 2.0**:\n\n- `spin` is gone. [1]\n- It turns. [2]"),
    "on the line of the lead": (
        Blocks(name_of("Widget 2.0") + ":", (told("It spins.", 1), told("It turns.", 2)), leads_on=True),
        "**Widget 2.0**: It spins. [1]\n\n- It turns. [2]",
    ),
    "by group": (
        Blocks(
            name_of("Widget 2.0") + ":",
            (
                *(replace(told(text, 1), group="New") for text in ("It spins.", "It turns.")),
                replace(told("A leak.", 2), group="Fixed"),
            ),
            leads_on=True,
        ),
        "**Widget 2.0**. New: It spins. [1]\n\n- It turns. [1]\n\nFixed: A leak. [2]",
    ),
    "code": (
        Blocks(statements=(replace(SPIN, code="a[1]\n\nb"), OLD)),
        "- **Widget 2.0**: `spin` is gone. [1]\n\n```\na[1]\n\nb\n```\n\n- **Widget 1.5**: It wobbles. [3]",
    ),
    "more": (
        Blocks(statements=(SPIN,), closing=Closing(4, More("relnotes upgrade widget 1 2", ("widget", "1", "2")))),
        "**Widget 2.0**: `spin` is gone. [1]\n\n4 more: `relnotes upgrade widget 1 2`",
    ),
}


@pytest.mark.parametrize(("blocks", "written"), LINES.values(), ids=LINES)
def test_lines_stand_in_order(blocks: Blocks, written: str) -> None:
    assert markdown_of(blocks) == written
    unmarked = re.sub("```\n(.*?)\n```", lambda code: re.sub("(?m)^(?=.)", "    ", code[1]), written, flags=re.DOTALL)
    assert plain_text_of(blocks) == unmarked.replace("**", "").replace("`", "")


@pytest.mark.parametrize(("text", "expected"), read_rows("retrieval-what-a-document-may-say-in-an-answer"))
def test_what_a_document_may_say_in_an_answer(text: str, expected: str) -> None:
    assert safe(text) == expected


HOSTILE = st.lists(
    st.one_of(
        st.sampled_from(
            ["[", "]", "[1]", "[99]", "[<b>1]", "<", ">", "<b>", "</b>", "<a b='", "`", "``", "```", "](", "!", "\\"]
        ),
        st.sampled_from(["0", "7", "12", " ", "x", "\u202e", "\u2028", "٣", "(", ")", "*", "^"]),
        st.text(max_size=6),
    ),
    max_size=40,
).map("".join)


PIECES = st.lists(HOSTILE, min_size=4, max_size=4)


@given(PIECES)
@example(["`<a [1]`<b \\`<b>`"] * 4)
@example(["[<a [1]>2]", "[[1]2][<i>3</i>]", "[1]`[2]``[3]", "**"])
def test_nothing_but_our_markers_lives_whatever_is_told(pieces: list[str]) -> None:
    lead, speaker, text, code = (" ".join(piece.split()) for piece in pieces)
    statement = replace(told(text, 4, speaker=speaker), code=code_line(code))
    blocks = Blocks(
        words_of(lead),
        (statement, replace(statement, verdict="No", opening=words_of("Removed in "), leads=True)),
        aside=name_of(code),
        closing=Closing(2, More(speaker)),
    )
    for one in (blocks, replace(blocks, leads_on=True)):
        written = markdown_of(one)
        assert not html_in(written)
        assert markers(written) == shown_markers(one) == (4, 4)
        assert "](" not in CODE_SPAN.sub("", written)


@given(HOSTILE, st.integers(1, 60))
def test_only_our_own_markers_are_left_of_what_is_cut(text: str, limit: int) -> None:
    cut_before = safe(shorten(text, max_characters=limit))
    cut_after = shorten(safe(text), max_characters=limit)
    cut_to_a_clause = fit_sentences(safe(text), max_characters=limit)
    for said in (cut_before, cut_after, cut_to_a_clause):
        assert markers(" ".join(f"{said} [4]".split())) == (4,)


def test_many_brackets_are_read_in_time() -> None:
    assert words_of("[" * 4_000 + "1" * 4_000).text.count("1") == 4_000
