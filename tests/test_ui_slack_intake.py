"""Taking in comes first: a burst is on disk at once, whatever the answers are doing."""

import asyncio
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from corpus.embedding import Embedder
from ui.rendering.slack import render_slack_text
from ui.server.live_assistant import LiveAssistant
from ui.server.question_desk import QuestionDesk
from ui.slack import arrivals
from ui.slack.answering import SlackAnswers, SlackReply
from ui.slack.arrivals import Arrivals
from ui.slack.channels import ChannelFile
from ui.slack.intake import TakenIn
from ui.slack.memory import RequestMemory
from ui.slack.replying import Replier
from ui.slack.requests import RequestKind, Seal, SlackRequest
from ui.slack.settings import load_slack_settings
from ui.slack.web_api import SlackWebApi
from ui.slack.workers import SlackWorkers

TOKEN = "xoxb-relnotes"


class CountingMemory(RequestMemory):
    """Counts how often it writes to the disk."""

    writes = 0

    @contextmanager
    def together(self) -> Iterator[None]:
        self.writes += not self._db.in_transaction
        with super().together():
            yield


class HeldAnswers(SlackAnswers):
    """Answers nothing before it may."""

    released = threading.Event()

    def reply(self, request: SlackRequest) -> SlackReply:
        self.released.wait(timeout=60)
        return SlackReply(render_slack_text("an answer"))


@pytest.fixture
def main(small_index: Path, default_embedder: Embedder) -> Iterator[LiveAssistant]:
    assistant = LiveAssistant(small_index, open_embedder=lambda: default_embedder)
    yield assistant
    assistant.close()


def workers(main: LiveAssistant, folder: Path) -> tuple[SlackWorkers, CountingMemory]:
    # Nobody listens there: what is answered can't be posted, and waits.
    settings = load_slack_settings(SLACK_BOT_TOKEN=TOKEN, RELNOTES_SLACK_API_URL="http://127.0.0.1:9/api/")
    answers = HeldAnswers(ChannelFile(), main=main, others={})
    memory = CountingMemory(folder / "requests.sqlite", now=time.time)
    desk = QuestionDesk(max_questions=4, timeout_s=60)
    replier = Replier(answers, api=SlackWebApi(settings), desk=desk, counted_at=desk)
    return SlackWorkers(memory, replier, seal=Seal(TOKEN), workers=4, lock=folder / "workers.lock"), memory


def mention(name: str) -> TakenIn:
    request = SlackRequest(kind=RequestKind.QUESTION, channel="C1", user="U1", text="?", ts=name, thread_ts=name)
    return TakenIn((name,), request)


def states(folder: Path) -> dict[str, int]:
    with closing(sqlite3.connect(folder / "requests.sqlite")) as memory:
        return dict(memory.execute("SELECT state, count(*) FROM requests GROUP BY state").fetchall())


def test_a_burst_is_taken_in_while_every_answer_hangs(main: LiveAssistant, tmp_path: Path) -> None:
    working, memory = workers(main, tmp_path)

    async def burst() -> tuple[list[bool], dict[str, int]]:
        working.start()
        await working.take_in(mention("first"))
        while states(tmp_path) != {"claimed": 1}:
            await asyncio.sleep(0.01)
        taken = await asyncio.gather(*(working.take_in(mention(str(number))) for number in range(100)))
        seen = states(tmp_path)
        HeldAnswers.released.set()
        await working.stop(drain_s=0)
        return taken, seen

    taken, seen = asyncio.run(burst())
    assert taken == [True] * 100
    assert sum(seen.values()) == 101
    assert "answered" not in seen
    # The disk is waited for a few times, and not for each of them.
    assert memory.writes < 20


def test_a_request_that_cannot_be_remembered_takes_no_other_with_it(main: LiveAssistant, tmp_path: Path) -> None:
    working, _ = workers(main, tmp_path)

    async def burst() -> list[bool | BaseException]:
        names = ("one", "half a character: \ud800", "two")
        taken = await asyncio.gather(*(working.take_in(mention(name)) for name in names), return_exceptions=True)
        await working.stop(drain_s=0)
        return taken

    one, faulty, two = asyncio.run(burst())
    assert (one, two) == (True, True)
    assert isinstance(faulty, UnicodeEncodeError)
    assert states(tmp_path) == {"waiting": 2}


def test_what_is_written_together_is_there_or_isnt(tmp_path: Path) -> None:
    memory = RequestMemory(tmp_path / "requests.sqlite", now=time.time)

    def fail_half_way() -> None:
        with memory.together():
            memory.take_in(("a",), b"a")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail_half_way()
    assert memory.take_in(("a",), b"a")
    memory.close()


def test_no_answer_is_begun_while_something_arrives() -> None:
    async def story() -> None:
        arriving = Arrivals()
        with arriving.one():
            lull = asyncio.create_task(arriving.lull())
            done, _ = await asyncio.wait({lull}, timeout=0.3)
            assert not done
        await asyncio.wait_for(lull, timeout=60)

    asyncio.run(story())


def test_what_never_stops_arriving_holds_up_no_answer_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrivals, "_PATIENCE_S", 0.1)

    async def story() -> None:
        arriving = Arrivals()
        with arriving.one():
            await asyncio.wait_for(arriving.lull(), timeout=60)

    asyncio.run(story())
