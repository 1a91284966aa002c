"""Answers as terminal text, JSON and values: whole outputs compared, hostile documents disarmed."""

import json
import re
from dataclasses import replace

import page_answers
import pytest
from hypothesis import given
from hypothesis import strategies as st
from page_answers import on_terminal

from corpus.model import Span
from retrieval.model import Interpretation, SearchResult
from ui.contract.answer import AnswerBody
from ui.rendering.answer_terminal import render_answer, render_search
from ui.rendering.answer_text import (
    AnswerBlock,
    Code,
    CodeBlock,
    Inline,
    ListEntry,
    Marker,
    Name,
    Paragraph,
    Text,
    split_answer,
)
from ui.rendering.words import printable
from ui.web.source import split_surroundings

CITATION = replace(
    page_answers.CITATION,
    document_id=7,
    quote="`widget.spin` is deprecated.",
    start=120,
    end=148,
    url="https://widget.example/2.0",
)
PASSAGE = replace(page_answers.PASSAGE, text="Deprecations: `widget.spin` is deprecated. Use `widget.turn`.")
INTERPRETATION = Interpretation(("widget",), "2.0", ("widget.spin",), "since_when")
ANSWER = replace(
    page_answers.ANSWER,
    answer="`widget.spin` is deprecated. [1]",
    citations=(CITATION,),
    passages=(PASSAGE,),
    interpretation=INTERPRETATION,
    notes=("Widget 2.1 isn't in the index.",),
)


def test_terminal_search_ranks_passages() -> None:
    result = SearchResult("spin", (PASSAGE,), INTERPRETATION, 1.0)
    assert on_terminal(render_search(result)) == "\n".join(
        (
            "1. Widget 2.0 › Deprecations",
            "    Deprecations: `widget.spin` is deprecated. Use `widget.turn`.",
            "    widget 2.0 · 1 May 2024 · official · deprecation · widget/2.0.md:100-160",
            "",
            "Read as: widget · 2.0 · since when · widget.spin",
        )
    )


def test_document_text_is_never_rich_markup() -> None:
    quote = "[bold]use [link=https://evil.example]this[/link][/bold]"
    assert quote in on_terminal(render_answer(replace(ANSWER, citations=(replace(CITATION, quote=quote),))))


def test_document_text_cannot_drive_the_terminal() -> None:
    hostile = "\x1b]0;owned\x07\x1b[2J\x9b31m"
    answer = replace(
        ANSWER,
        answer=f"{hostile} [1]",
        citations=(replace(CITATION, quote=hostile, title=hostile, source=hostile, url=hostile, product=hostile),),
        notes=(hostile,),
    )
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]", on_terminal(render_answer(answer)))


@given(st.text())
def test_printable_keeps_everything_but_control_characters(text: str) -> None:
    kept = [char for char in text if char.isprintable()]
    assert [char for char in printable(text) if char.isprintable() and char != "\N{REPLACEMENT CHARACTER}"] == [
        char for char in kept if char != "\N{REPLACEMENT CHARACTER}"
    ]
    assert "\x1b" not in printable(text)


ANSWER_TEXTS: dict[str, tuple[str, tuple[AnswerBlock, ...]]] = {
    "nothing": ("", ()),
    "marker": ("Yes. [1]", (Paragraph((Text("Yes. "), Marker(1))),)),
    "adjacent markers": ("[1][23]", (Paragraph((Marker(1), Marker(23))),)),
    "zero is no marker": ("a[0] [01]", (Paragraph((Text("a[0] [01]"),)),)),
    "marker in a code span": ("`x[1]` [1]", (Paragraph((Code("x[1]"), Text(" "), Marker(1))),)),
    "span of two backticks": ("``a`b``", (Paragraph((Code("a`b"),)),)),
    "span padded with spaces": ("`` `a` ``", (Paragraph((Code("`a`"),)),)),
    "backtick that closes nowhere": ("it`s [2]", (Paragraph((Text("it`s "), Marker(2))),)),
    "wrapped lines": ("one\ntwo", (Paragraph((Text("one two"),)),)),
    "two paragraphs": ("one\n\ntwo", (Paragraph((Text("one"),)), Paragraph((Text("two"),)))),
    "entries": ("- a [1]\n- b", (ListEntry(0, (Text("a "), Marker(1))), ListEntry(0, (Text("b"),)))),
    "nested entry": ("- a\n  - b", (ListEntry(0, (Text("a"),)), ListEntry(1, (Text("b"),)))),
    "entry over two lines": ("- a\n  more", (ListEntry(0, (Text("a more"),)),)),
    "fenced code": ("```py\nx[1] = 2\n\ny\n```\nend", (CodeBlock("x[1] = 2\n\ny"), Paragraph((Text("end"),)))),
    "fence that closes nowhere": ("```\nx", (CodeBlock("x"),)),
    "inner fence is shorter": ("````\n```\n````", (CodeBlock("```"),)),
    "name": ("- **Widget 2.0**: gone [1]", (ListEntry(0, (Name("Widget 2.0"), Text(": gone "), Marker(1))),)),
    "names in a row": ("**1.0**, **2.0**", (Paragraph((Name("1.0"), Text(", "), Name("2.0"))),)),
    "powers": ("2**31 and 2**63", (Paragraph((Text("2**31 and 2**63"),)),)),
    "Markdown of a document": ("see **a** <b> # c", (Paragraph((Text("see "), Name("a"), Text(" <b> # c"))),)),
}


@pytest.mark.parametrize(("answer", "blocks"), ANSWER_TEXTS.values(), ids=ANSWER_TEXTS.keys())
def test_answer_text_splits_into(answer: str, blocks: tuple[AnswerBlock, ...]) -> None:
    assert split_answer(answer) == blocks


@given(st.text(alphabet="ab `[]123-\n").filter(lambda answer: "```" not in answer))
def test_splitting_keeps_every_letter_in_order(answer: str) -> None:
    def plain(inlines: tuple[Inline, ...]) -> str:
        return "".join("" if isinstance(inline, Marker) else inline.text for inline in inlines)

    def letters(text: str) -> str:
        return "".join(char for char in text if char in "ab")

    parts = [block.text if isinstance(block, CodeBlock) else plain(block.inlines) for block in split_answer(answer)]
    assert letters("".join(parts)) == letters(answer)


def test_batch_line_is_one_line_with_its_id_first() -> None:
    answer = replace(ANSWER, answer="two\nlines \N{LINE SEPARATOR} [1]")
    line = AnswerBody.model_validate(answer).to_batch_line("q1")
    assert line.startswith('{"id": "q1", "question": ')
    assert len(line.splitlines()) == 1
    assert json.loads(line)["answer"] == "two\nlines \N{LINE SEPARATOR} [1]"


@given(st.text(max_size=60), st.data())
def test_surroundings_and_quote_are_one_slice(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    span = Span(start, data.draw(st.integers(start, len(text))))
    around = split_surroundings(text, span, width=data.draw(st.integers(0, 20)))
    first = span.start - len(around.before)
    last = span.end + len(around.after)
    assert around.before + span.slice(text) + around.after == text[first:last]
    assert around.goes_on_before == bool(text[:first].strip())
    assert around.goes_on_after == bool(text[last:].strip())


def test_json_for_a_terminal_says_the_same_and_drives_nothing() -> None:
    hostile = "\x9b31m \x7f \u202eabc\u2066 \u2028 \x1b[2J ü"
    body = AnswerBody.model_validate(replace(ANSWER, answer=hostile))
    written = body.to_json()
    assert json.loads(written)["answer"] == hostile
    assert printable(written) == written
    assert "ü" in written
