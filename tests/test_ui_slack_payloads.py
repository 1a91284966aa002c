"""Taking in comes first: a burst is on disk at once, whatever the answers are doing."""

import asyncio
import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest
from waiting import until

import ui.slack.workers
from ui.rendering.slack import render_slack_text
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.slack.channel_answers import ChannelFile, SlackAnswers, SlackReply
from ui.slack.replying import Replier
from ui.slack.request_queue import RequestKind, RequestQueue, SlackRequest
from ui.slack.web_api import SlackWebApi
from ui.slack.workers import SlackWorkers

TOKEN = "xoxb-relnotes"


class HeldAnswers(SlackAnswers):
    """Answers nothing before it may."""

    released = threading.Event()

    def reply(self, request: SlackRequest) -> SlackReply:
        self.released.wait(timeout=60)
        return SlackReply(render_slack_text("an answer"))


@pytest.fixture(autouse=True)
def _held() -> None:
    HeldAnswers.released.clear()


def workers(live: LiveAssistant, folder: Path) -> SlackWorkers:
    # Nobody listens there: what is answered can't be posted, and waits.
    answers = HeldAnswers(ChannelFile(), main=live, open_index=pytest.fail)
    desk = QuestionDesk(max_questions=4, timeout_s=60)
    replier = Replier(answers, api=SlackWebApi("http://127.0.0.1:9/api/", TOKEN), desk=desk, counted_at=desk)
    memory = RequestQueue(folder / "requests.sqlite", token=TOKEN)
    return SlackWorkers(memory, replier, workers=4, lock=folder / "workers.lock")


def mention(name: str) -> SlackRequest:
    return SlackRequest(
        name=name, kind=RequestKind.QUESTION, channel="C1", user="U1", text="?", ts=name, thread_ts=name
    )


def states(folder: Path) -> dict[str, int]:
    with closing(sqlite3.connect(folder / "requests.sqlite")) as memory:
        return dict(memory.execute("SELECT state, count(*) FROM requests GROUP BY state").fetchall())


def test_a_burst_is_taken_in_while_every_answer_hangs(live: LiveAssistant, tmp_path: Path) -> None:
    working = workers(live, tmp_path)

    async def burst() -> tuple[list[bool], dict[str, int]]:
        await working.start()
        await working.take_in(mention("first"))
        await asyncio.to_thread(until, lambda: states(tmp_path) == {"claimed": 1})
        taken = await asyncio.gather(*(working.take_in(mention(str(number))) for number in range(100)))
        seen = states(tmp_path)
        HeldAnswers.released.set()
        await working.stop(drain_s=0)
        return taken, seen

    taken, seen = asyncio.run(burst())
    assert taken == [True] * 100
    assert sum(seen.values()) == 101
    assert "answered" not in seen


def test_a_request_that_cannot_be_remembered_takes_no_other_with_it(live: LiveAssistant, tmp_path: Path) -> None:
    working = workers(live, tmp_path)

    async def burst() -> list[bool | BaseException]:
        names = ("one", "half a character: \ud800", "two")
        taken = await asyncio.gather(*(working.take_in(mention(name)) for name in names), return_exceptions=True)
        await working.stop(drain_s=0)
        return taken

    one, faulty, two = asyncio.run(burst())
    assert (one, two) == (True, True)
    assert isinstance(faulty, ValueError)
    assert states(tmp_path) == {"waiting": 2}


def test_no_answer_is_begun_while_something_arrives(
    live: LiveAssistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.slack.workers, "_LULL_PATIENCE_S", 60.0)
    monkeypatch.setattr(ui.slack.workers, "_LULL_S", 1.0)
    working = workers(live, tmp_path)

    async def story() -> None:
        await working.start()
        for number in range(8):
            await working.take_in(mention(str(number)))
            assert "claimed" not in states(tmp_path)
        await asyncio.to_thread(until, lambda: "claimed" in states(tmp_path))
        HeldAnswers.released.set()
        await working.stop(drain_s=0)

    asyncio.run(story())


def test_what_never_stops_arriving_holds_up_no_answer_for_ever(
    live: LiveAssistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ui.slack.workers, "_LULL_PATIENCE_S", 0.1)
    monkeypatch.setattr(ui.slack.workers, "_LULL_S", 1.0)
    working = workers(live, tmp_path)

    async def story() -> None:
        await working.start()
        number = 0
        while "claimed" not in states(tmp_path):
            await working.take_in(mention(str(number := number + 1)))
        HeldAnswers.released.set()
        await working.stop(drain_s=0)

    asyncio.run(story())
