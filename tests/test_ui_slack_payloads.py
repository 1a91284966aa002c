"""Taking in comes first: a burst is on disk at once, whatever the answers are doing."""

import asyncio
import threading
from pathlib import Path

import pytest
from slack_workspace import open_workers, states
from waiting import until

import ui.slack.workers
from ui.rendering.slack import render_slack_text
from ui.server.live_assistant import LiveAssistant
from ui.slack.channel_answers import SlackAnswers, SlackReply
from ui.slack.request_queue import RequestKind, SlackRequest
from ui.slack.workers import SlackWorkers

pytestmark = pytest.mark.anyio


class HeldAnswers(SlackAnswers):
    """Answers nothing before it may."""

    released = threading.Event()

    def reply(self, request: SlackRequest) -> SlackReply:
        self.released.wait(timeout=60)
        return SlackReply(render_slack_text("an answer"))


@pytest.fixture
def working(live: LiveAssistant, tmp_path: Path) -> SlackWorkers:
    HeldAnswers.released.clear()
    return open_workers(live, tmp_path, answers=HeldAnswers)


def mention(name: str) -> SlackRequest:
    return SlackRequest(
        name=name, kind=RequestKind.QUESTION, channel="C1", user="U1", text="?", ts=name, thread_ts=name
    )


async def test_a_burst_is_taken_in_while_every_answer_hangs(working: SlackWorkers, tmp_path: Path) -> None:
    await working.start()
    await working.enqueue(mention("first"))
    await asyncio.to_thread(until, lambda: states(tmp_path) == ["claimed"])
    assert await asyncio.gather(*(working.enqueue(mention(str(number))) for number in range(100))) == [True] * 100
    seen = states(tmp_path)
    HeldAnswers.released.set()
    await working.stop(drain_s=0)
    assert len(seen) == 101
    assert "answered" not in seen


async def test_no_answer_is_begun_while_something_arrives(
    working: SlackWorkers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.slack.workers, "_LULL_PATIENCE_S", 60.0)
    monkeypatch.setattr(ui.slack.workers, "_LULL_S", 1.0)
    await working.start()
    for number in range(8):
        await working.enqueue(mention(str(number)))
        assert "claimed" not in states(tmp_path)
    await asyncio.to_thread(until, lambda: "claimed" in states(tmp_path))
    HeldAnswers.released.set()
    await working.stop(drain_s=0)
