"""Answers as terminal text, JSON and values: whole outputs compared, hostile documents disarmed."""

import json
import re
from dataclasses import replace

import page_answers
from hypothesis import given
from hypothesis import strategies as st
from page_answers import on_terminal, saying

from corpus.model import Span
from retrieval.blocks import Blocks, Run, Words
from retrieval.model import Interpretation, SearchResult
from ui.contract.answer import AnswerBody
from ui.rendering.answer_terminal import render_answer, render_search
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
INTERPRETATION = Interpretation(("widget",), "2.0", ("widget.spin",), "since_when", versions_words="2.0")
ANSWER = replace(
    page_answers.ANSWER,
    blocks=saying("`widget.spin` is deprecated.", 1),
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
        blocks=Blocks(Words((Run(hostile),))),
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


def test_batch_line_is_one_line_with_its_id_first() -> None:
    answer = replace(ANSWER, blocks=saying("two\nlines \N{LINE SEPARATOR}", 1))
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
    body = AnswerBody.model_validate(replace(ANSWER, question=hostile))
    written = body.to_json()
    assert json.loads(written)["question"] == hostile
    assert printable(written) == written
    assert "ü" in written
