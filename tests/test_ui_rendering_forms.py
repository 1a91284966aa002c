"""Each form of each kind of answer, compared with a file; and what no document can do to any of them.

`RELNOTES_WRITE_GOLDEN=1` writes the files in tests/data/rendering anew; look at what changed before committing them.
"""

import json
import os
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from page_answers import ANSWER, CITATION, PASSAGE, on_terminal, saying, told
from slack_workspace import shown_texts

from corpus.model import Authority, Span
from retrieval.blocks import Blocks, Closing, More, Run, StatementBlock, Words, name_of, words_of
from retrieval.model import Answer, Interpretation, SearchResult, Status
from ui.contract.answer import AnswerBody
from ui.rendering.answer_markdown import render_markdown
from ui.rendering.answer_terminal import render_answer, render_search
from ui.rendering.slack import (
    MAX_BLOCK_CHARACTERS,
    MAX_BLOCKS,
    MAX_MESSAGE_CHARACTERS,
    SlackMessage,
    render_slack_answer,
)
from ui.web.ask.layout import lay_out
from ui.web.html import render
from ui.web.source import Surroundings

GOLDEN = Path(__file__).parent / "data" / "rendering"

OFFICIAL = replace(
    CITATION,
    document_id=7,
    quote="`widget.spin` is deprecated. Use `widget.turn` instead.",
    start=120,
    end=175,
    telling=Span(120, 175),
    url="https://widget.example/2.0#:~:text=widget.spin",
)
NEWS = replace(
    OFFICIAL,
    n=2,
    quote="| old | new |\n| --- | --- |\n| `spin` | `turn` |",
    source="news/widget.txt",
    url=None,
    title="",
    version=None,
    date=None,
    authority=Authority.NEWS,
)
WIDGET = name_of("Widget 2.0") + " (2024-05-01)"
SPINS = told("`spin` is gone.", 1, speaker="Widget 2.0")
ANSWERED = replace(
    ANSWER,
    question="Is widget.spin deprecated?",
    confidence=0.91,
    blocks=Blocks(
        statements=(
            StatementBlock(words_of("`widget.spin` is deprecated."), (1,), speaker=WIDGET),
            StatementBlock(words_of("Use `widget.turn`."), (2,), speaker=WIDGET, code="widget.turn(90)  # not [3]"),
        )
    ),
    citations=(OFFICIAL, NEWS),
    passages=(PASSAGE,),
    interpretation=Interpretation(("widget",), "2.0", ("widget.spin",), "since_when", versions_words="2.0"),
    elapsed_ms=12.3456,
)
HOSTILE = (
    "<!channel> <!everyone|all> <@U012AB> <https://evil.example|here> &lt;!here&gt; <script>alert(1)</script> "
    "https://evil.example/bare www.evil.example @torvalds #12 GH-12 "
    "*bold* _it_ ~gone~ `code` > quote [9] [x](https://evil.example) ![i](https://evil.example/i.png) "
    "<img src=x onerror=alert(1)> # head :tada: [bold]b[/bold] {{ 7*7 }} "
    "${HOME} \u202eevil\u2066 \x1b[2J\x07 &amp; 1. one"
)
_ENTRIES = tuple(told(f"entry {n} says {'much ' * 60}about `thing_{n}`.", 1, speaker=f"{n}.0") for n in range(1, 90))
ANSWERS = {
    "answered": ANSWERED,
    "passage": replace(
        ANSWERED,
        blocks=Blocks(
            statements=(
                StatementBlock(
                    "Spin is old. " + words_of("It is deprecated, use `widget.turn`.").strong() + " It will go.",
                    (1, 2),
                    opening=words_of("Deprecated in "),
                    speaker=WIDGET,
                    leads=True,
                ),
            )
        ),
    ),
    "partial": replace(
        ANSWERED,
        status=Status.PARTIAL,
        confidence=0.6,
        blocks=Blocks(words_of("Nothing on spin."), (told("Turning is new.", 1),)),
    ),
    "not_found": replace(
        ANSWERED,
        status=Status.NOT_FOUND,
        confidence=0.05,
        blocks=Blocks(words_of("Not found."), aside=words_of("The index covers widget 1.5.0–2.0.0.")),
        citations=(),
        reason="Nothing is close.",
    ),
    "yes": replace(
        ANSWERED,
        blocks=Blocks(
            statements=(
                replace(SPINS, verdict="Yes", opening=words_of("Removed in "), leads=True),
                told("It turns.", 2, speaker="Widget 1.5"),
            )
        ),
    ),
    "sides": replace(
        ANSWERED,
        blocks=Blocks(statements=(SPINS, *(told(text, 2, speaker="Widget 1.5") for text in ("It.", "It is.")))),
    ),
    "news": replace(
        ANSWERED,
        blocks=Blocks(
            WIDGET + ":",
            (
                *(replace(told(text, 1), group="Breaking") for text in ("Spin goes.", "It turns.")),
                replace(told("A leak.", 2), group="Fixed"),
                told("It wobbles.", 1),
            ),
            leads_on=True,
        ),
    ),
    "notes": replace(ANSWERED, notes=("Widget 2.1 isn't in the index.", "Read as widget 2.0.")),
    "long": replace(ANSWERED, blocks=Blocks(statements=_ENTRIES)),
    "more": replace(
        ANSWERED,
        blocks=Blocks(
            statements=(told(f"Run `relnotes upgrade widget 1.5 2.0` or read `{OFFICIAL.source}`.", 1),),
            closing=Closing(4, More("relnotes upgrade 'widget & co' 1.5 2.0", ("widget & co", "1.5", "2.0"))),
        ),
    ),
    "more_of_a_document": replace(
        ANSWERED, blocks=replace(saying("It turns.", 1), closing=Closing(3, More(OFFICIAL.source)))
    ),
    "hostile": replace(
        ANSWERED,
        blocks=Blocks(
            statements=(
                StatementBlock(Words((Run(HOSTILE),)), (1,), leads=True),
                StatementBlock(Words((Run(HOSTILE, is_code=True),)), (2,)),
            )
        ),
        citations=(
            replace(OFFICIAL, quote=HOSTILE, title=HOSTILE, source=HOSTILE, product=HOSTILE),
            replace(NEWS, quote=f"{HOSTILE}\n```\n{HOSTILE}", url="javascript:alert(1)"),
        ),
        notes=(HOSTILE,),
    ),
}


def html(answer: Answer) -> str:
    around = {cited.n: Surroundings("before ", " after", True, False) for cited in answer.citations}
    parts = (
        render("ask", "answer_text", answer=answer, layout=lay_out(answer), prefix="rn-t1"),
        render("cards", "sources", citations=answer.citations, surroundings=around, prefix="rn-t1"),
    )
    return "".join(parts).replace("><", ">\n<") + "\n"


def slack(answer: Answer) -> str:
    messages = [{"text": message.text, "blocks": message.blocks} for message in render_slack_answer(answer)]
    return json.dumps(messages, indent=1, ensure_ascii=False) + "\n"


FORMS: dict[str, Callable[[Answer], str]] = {
    "txt": lambda answer: on_terminal(render_answer(answer)) + "\n",
    "json": lambda answer: AnswerBody.model_validate(answer).to_json() + "\n",
    "md": render_markdown,
    "slack.json": slack,
    "html": html,
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ANSWERS)
def test_an_answer_looks_as_it_did(kind: str, form: str) -> None:
    path = GOLDEN / f"{kind}.{form}"
    rendered = FORMS[form](ANSWERS[kind])
    if os.environ.get("RELNOTES_WRITE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(rendered, encoding="utf-8", newline="")
    assert rendered == path.read_bytes().decode()


def texts(messages: tuple[SlackMessage, ...]) -> str:
    """Every text that Slack shows of the messages, in order."""
    return "".join(shown_texts([message.blocks for message in messages]))


def test_a_long_answer_is_split_below_slacks_limits_and_nothing_is_lost() -> None:
    messages = render_slack_answer(ANSWERS["long"])
    assert len(messages) > 1
    check_limits(messages)
    shown = texts(messages)
    for n in range(1, 90):
        assert f"thing_{n}" in shown


def check_limits(messages: tuple[SlackMessage, ...]) -> None:
    for message in messages:
        assert len(message.blocks) <= MAX_BLOCKS
        assert len(json.dumps(message.blocks, ensure_ascii=False)) <= MAX_MESSAGE_CHARACTERS + 2 * MAX_BLOCKS
        for block in message.blocks:
            if block["type"] == "rich_text":
                assert len(json.dumps(block, ensure_ascii=False)) <= MAX_BLOCK_CHARACTERS
                assert block["elements"]


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=9_000), min_size=1, max_size=4))
@example(["x" * 20_000])
@example(["a b " * 3_000, '"' * 9_000])
@example(["`c` " * 2_000])
def test_any_text_fits_into_slack_and_arrives_whole(quotes: list[str]) -> None:
    citations = tuple(replace(NEWS, n=n, quote=quote) for n, quote in enumerate(quotes, start=1))
    answer = replace(ANSWERED, blocks=Blocks(statements=tuple(map(told, quotes))), citations=citations)
    messages = render_slack_answer(answer)
    check_limits(messages)
    shown = re.sub(r"\s|\N{REPLACEMENT CHARACTER}", "", texts(messages))
    for quote in quotes:
        assert re.sub(r"[\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffd]", "", quote) in shown


def test_slack_shows_hostile_text_as_text() -> None:
    messages = render_slack_answer(ANSWERS["hostile"])
    for message in messages:
        assert "<" not in message.text
        assert ">" not in message.text
        kinds = {block["type"] for block in message.blocks}
        assert kinds == {"rich_text"}
    elements = re.findall(r'"type": "(\w+)"', slack(ANSWERS["hostile"]))
    assert set(elements) <= {
        "rich_text",
        "rich_text_section",
        "rich_text_list",
        "rich_text_quote",
        "rich_text_preformatted",
        "text",
        "link",
    }
    assert "javascript:" not in json.dumps([message.blocks for message in messages])


@pytest.mark.parametrize("form", FORMS)
def test_no_form_passes_on_what_drives_a_screen(form: str) -> None:
    shown = FORMS[form](ANSWERS["hostile"])
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)


def test_passages_say_where_they_are_from() -> None:
    found = on_terminal(render_search(SearchResult("spin", (PASSAGE,), ANSWERED.interpretation, 1.0)))
    assert found.splitlines()[0] == "1. Widget 2.0 › Deprecations"
    assert "    widget 2.0 · 1 May 2024 · official · deprecation · widget/2.0.md:100-160" in found
