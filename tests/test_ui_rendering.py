"""Answers as terminal text, JSON and values: whole outputs compared, hostile documents disarmed."""

import json
import re
from dataclasses import replace

import page_answers
from hypothesis import given
from hypothesis import strategies as st
from page_answers import on_terminal, saying

from retrieval.blocks import Blocks, Run, Words
from retrieval.model import Interpretation, SearchResult
from ui.contract.answer import AnswerBody
from ui.rendering.answer_terminal import render_answer, render_search
from ui.rendering.words import printable

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
    assert {"\x1b", "\u2028", "\u2029"}.isdisjoint(printable(f"{text}\u2028\u2029"))


def test_json_for_a_terminal_says_the_same_and_drives_nothing() -> None:
    hostile = "\x9b31m \x7f \u202eabc\u2066 \u2028 \x1b[2J ü"
    body = AnswerBody.model_validate(replace(ANSWER, question=hostile))
    written = body.to_json()
    assert json.loads(written)["question"] == hostile
    assert printable(written) == written
    assert "ü" in written
