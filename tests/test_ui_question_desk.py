"""The desk: places, the line before them, the time a question may take, and what is counted."""

import asyncio
import itertools
import threading
from collections.abc import Callable
from typing import get_args

import pytest

from corpus.deadline import waited_for
from retrieval.llm.chat import CompletionError, Prompt
from retrieval.llm.client import ChatClient, ChatEndpoint
from ui.server.question_desk import (
    Line,
    QuestionDesk,
    QuestionTimeoutError,
    TooManyQuestionsError,
)

pytestmark = pytest.mark.anyio


def _waiting(gate: threading.Event) -> Callable[[], str]:
    return lambda: "done" if gate.wait(60) else "never"


async def test_what_is_given_up_ends_at_its_next_step_and_frees_its_turn() -> None:
    def endless() -> None:
        for _ in waited_for(iter(int, 1)):
            pass

    desk = QuestionDesk(max_questions=1, timeout_s=0.5, max_waiting=1)
    with pytest.raises(QuestionTimeoutError):
        await desk.run(endless)
    assert await desk.run(lambda: "free") == "free"


async def _until(desk: QuestionDesk, *, working: int, waiting: int) -> None:
    while desk.load != (working, waiting):
        await asyncio.sleep(0.001)


async def test_questions_wait_in_line_and_are_served_in_turn() -> None:
    served: list[int] = []
    gate = threading.Event()
    desk = QuestionDesk(max_questions=1, timeout_s=10, max_waiting=3)

    def numbered(number: int) -> Callable[[], None]:
        def work() -> None:
            gate.wait(60)
            served.append(number)

        return work

    asked = []
    for number in range(4):
        asked.append(asyncio.create_task(desk.run(numbered(number))))
        await _until(desk, working=1, waiting=number)
    with pytest.raises(TooManyQuestionsError, match="1 questions are being answered already and 3 wait"):
        await desk.run(numbered(4))
    gate.set()
    await asyncio.gather(*asked)
    await _until(desk, working=0, waiting=0)
    assert desk.count("refused") == 1
    assert served == [0, 1, 2, 3]


async def test_whoever_leaves_the_line_costs_no_place() -> None:
    gate = threading.Event()
    desk = QuestionDesk(max_questions=1, timeout_s=10, max_waiting=1)
    first = asyncio.create_task(desk.run(_waiting(gate)))
    await _until(desk, working=1, waiting=0)
    leaving = asyncio.create_task(desk.run(_waiting(gate)))
    await _until(desk, working=1, waiting=1)
    leaving.cancel()
    await asyncio.wait([leaving])
    following = asyncio.create_task(desk.run(lambda: "served"))
    await asyncio.sleep(0)
    gate.set()
    assert (await first, await following) == ("done", "served")
    assert [await desk.run(lambda: "free") for _ in range(3)] == ["free"] * 3
    await _until(desk, working=0, waiting=0)


@pytest.mark.parametrize(("busy", "free"), list(itertools.permutations(get_args(Line), 2)))
async def test_no_line_waits_for_another(busy: Line, free: Line) -> None:
    gate, began = threading.Event(), threading.Event()
    desk = QuestionDesk(max_questions=1, timeout_s=10)
    first = asyncio.create_task(desk.run(lambda: began.set() or gate.wait(10), line=busy))
    await asyncio.to_thread(began.wait, 10)
    assert await desk.run(lambda: "done", line=free) == "done"
    gate.set()
    await first


async def test_what_waited_long_asks_no_language_model() -> None:
    model = ChatClient(ChatEndpoint("http://127.0.0.1:9/v1", "tiny"))
    desk = QuestionDesk(max_questions=1, timeout_s=0.9)
    with pytest.raises(CompletionError, match="waited long"):
        # A second is kept for what comes after it.
        await desk.run(lambda: model.complete(Prompt((), {}), within_s=60))
