"""Answers in a terminal, in Slack and on the page: what no document can do to them, and that Slack takes them whole."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from cli_calls import run
from hypothesis import example, given
from hypothesis import strategies as st
from page_answers import ANSWER, CITATION, told
from page_app import page_app
from page_html import assert_harmless, main_of
from slack_workspace import shown_texts
from ui_small_index import index_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from retrieval.blocks import Blocks
from retrieval.model import Answer
from ui.rendering.slack import (
    MAX_BLOCK_CHARACTERS,
    MAX_BLOCKS,
    MAX_MESSAGE_CHARACTERS,
    SlackMessage,
    render_slack_answer,
)

HOSTILE = (
    "<!channel> <!everyone|all> <@U012AB> <https://evil.example|here> <script>alert(1)</script> *bold* `code` "
    "[x](javascript:alert(1)) \u202eevil\u2066 \x1b[2J\x07"
)
NOTES = f"# Trap 2.0\n\nReleased 2024-05-01.\n\n- The setting `marble` was removed. {HOSTILE}\n"
QUESTION = "Was marble removed in Trap 2.0?"
STEERING = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def hostile_index(default_embedder: Embedder, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return index_notes(tmp_path_factory.mktemp("hostile"), default_embedder, {"trap/2.0.md": NOTES})


@pytest.fixture(scope="module")
def hostile(hostile_index: Path, default_embedder: Embedder) -> Iterator[Answer]:
    with Assistant.open(hostile_index, embedder=default_embedder) as assistant:
        yield assistant.ask(QUESTION)


COMMANDS = {
    "ask": (QUESTION,),
    "search": ("marble",),
    "cite": ("Trap 2.0 removed marble.",),
    "upgrade": ("trap", "1.0", "2.0"),
    "docs": (),
    "status": (),
}


@pytest.mark.parametrize(("command", "words"), COMMANDS.items(), ids=COMMANDS)
def test_no_command_prints_what_drives_a_screen(command: str, words: tuple[str, ...], hostile_index: Path) -> None:
    shown = run(command, *words, "--index", hostile_index)
    assert shown.exit_code == 0
    assert "rap" in shown.stdout
    assert not STEERING.search(shown.stdout)


def test_hostile_text_stays_text_on_every_page(hostile_index: Path, default_embedder: Embedder) -> None:
    diff = f"--- a/requirements.txt\n+++ b/requirements.txt\n@@ -1 +1 @@\n-trap==1.0\n+trap==2.0 # {HOSTILE}\n"
    with page_app(hostile_index, default_embedder) as client:
        for path in ("/", "/library", "/p/Trap", "/p/Trap/2.0", "/upgrade?product=Trap&from=1&to=2"):
            assert_harmless(main_of(client.get(path).text))
        answer = assert_harmless(client.post("/page/ask", data={"q": f"{QUESTION} {HOSTILE}"}).text)
        assert "<!channel>" in "".join(answer.texts("mark"))
        for text in (diff, f"Trap 2.0 removed marble. {HOSTILE}"):
            assert_harmless(main_of(client.post("/review", files={"text": (None, text)}).text))


def texts(messages: tuple[SlackMessage, ...]) -> str:
    """Every text that Slack shows of the messages, in order."""
    return "".join(shown_texts([message.blocks for message in messages]))


def test_slack_shows_hostile_text_as_text(hostile: Answer) -> None:
    messages = render_slack_answer(hostile)
    assert "<!channel>" in texts(messages)
    for message in messages:
        assert "<" not in message.text
        assert {block["type"] for block in message.blocks} == {"rich_text"}
        assert not STEERING.search(json.dumps(message.blocks, ensure_ascii=False))
        assert "javascript:" not in re.findall(r'"url": "([^"]*)', json.dumps(message.blocks))


@given(st.lists(st.text(st.characters(codec="utf-8"), min_size=1, max_size=9_000), min_size=1, max_size=4))
@example(["x" * 20_000])
@example(["a b " * 3_000, '"' * 9_000])
@example(["`c` " * 2_000])
@example([f"entry {n} says {'much ' * 60}" for n in range(90)])
def test_any_text_fits_into_slack_and_arrives_whole(quotes: list[str]) -> None:
    citations = tuple(replace(CITATION, n=n, quote=quote) for n, quote in enumerate(quotes, start=1))
    messages = render_slack_answer(
        replace(ANSWER, blocks=Blocks(statements=tuple(map(told, quotes))), citations=citations)
    )
    for message in messages:
        assert len(message.blocks) <= MAX_BLOCKS
        assert len(json.dumps(message.blocks, ensure_ascii=False)) <= MAX_MESSAGE_CHARACTERS + 2 * MAX_BLOCKS
        for block in message.blocks:
            assert block["elements"]
            assert len(json.dumps(block, ensure_ascii=False)) <= MAX_BLOCK_CHARACTERS
    shown = re.sub(r"\s|\N{REPLACEMENT CHARACTER}", "", texts(messages))
    for quote in quotes:
        assert re.sub(r"[\s\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufffd]", "", quote) in shown
