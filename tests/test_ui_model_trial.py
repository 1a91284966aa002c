"""`relnotes model`: what it says of language models behind real sockets, good and bad."""

import json
import time
from collections.abc import Mapping
from typing import Any

import pytest
from chat_server import Compose, Respond, completion, items_shown, reply, send, serving
from typer.testing import CliRunner

from ui.cli.app import app


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BASE_URL", "MODEL", "API_KEY", "TIMEOUT_S"):
        monkeypatch.delenv(f"RELNOTES_LLM_{name}", raising=False)


def chooses(asked: Mapping[str, Any]) -> str:
    """An honest large model."""
    wanted = "--legacy" if "breaks" in asked["question"] else f"{asked['question'].rstrip('?').split()[-1]} files"
    return reply(*[text for text in items_shown(asked).values() if wanted in text][:1])(asked)


def counts(compose: Compose, tokens_in: int) -> Respond:
    return lambda handler, seen, _: send(handler, completion(compose(seen.asked), tokens=(tokens_in, 40)))


def refuses(status: int) -> Respond:
    return lambda handler, _seen, _server: send(handler, b"{}", status=status)


def stalls(*_: object) -> None:
    time.sleep(1.5)


def tried(url: str, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str]:
    monkeypatch.setenv("RELNOTES_LLM_BASE_URL", url)
    monkeypatch.setenv("RELNOTES_LLM_MODEL", "large")
    result = CliRunner().invoke(app, ["model", *arguments])
    return result.exit_code, result.stdout


def test_a_model_that_chooses_well(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(counts(chooses, 5_000)) as server:
        status, told = tried(server.url, monkeypatch, "--json")
    trial = json.loads(told)
    assert (status, trial["model"], trial["keeps_to_numbers"], trial["change"]) == (0, "large", True, [])
    assert [one["is_right"] for one in trial["questions"]] == [True] * 4
    assert (trial["day"]["tokens_in"], trial["day"]["tokens_out"]) == (2_500_000, 20_000)
    sent = [sum(len(message["content"]) for message in seen.body["messages"]) for seen in server.seen]
    assert (len(sent), min(sent) > 1_600, max(sent) > 12_000) == (4, True, True), "its room shows with whole requests"


@pytest.mark.parametrize(
    ("respond", "change"),
    [
        (counts(chooses, 1_500), "context is too short"),
        (counts(lambda _: "The answer is 7.0.", 5_000), "response_format json_schema"),
        (refuses(400), "is its context too short"),
        (refuses(401), "RELNOTES_LLM_API_KEY"),
        (refuses(404), "is RELNOTES_LLM_MODEL served there"),
        (lambda handler, _seen, _server: send(handler, b"<html>"), "RELNOTES_LLM_BASE_URL"),
        (stalls, "RELNOTES_LLM_TIMEOUT_S"),
    ],
)
def test_which_setting_to_change(respond: Respond, change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELNOTES_LLM_TIMEOUT_S", "1")
    with serving(respond) as server:
        status, told = tried(server.url, monkeypatch)
    assert (status, told.count("\nLook at: ")) == (1, 1), told
    assert change in told


def test_nobody_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    status, told = tried("http://127.0.0.1:9/v1", monkeypatch)
    assert (status, "RELNOTES_LLM_BASE_URL" in told) == (1, True), told


def test_none_is_set() -> None:
    result = CliRunner().invoke(app, ["model"])
    assert (result.exit_code, "No language model is set" in result.stderr) == (2, True)
