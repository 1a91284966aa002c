"""The desk: places, the line before them, the time a question may take, and what is counted."""

import asyncio
import threading
from collections.abc import Callable
from contextlib import nullcontext

import pytest

from corpus.deadline import waited_for
from retrieval.llm.chat import Completion, CompletionError, Prompt
from ui.server.question_desk import (
    CLIENT,
    ComputingTurns,
    QuestionDesk,
    QuestionTimeoutError,
    TooManyQuestionsError,
    TurnLendingModel,
)

pytestmark = pytest.mark.anyio


def _waiting(gate: threading.Event) -> Callable[[], str]:
    return lambda: "done" if gate.wait(60) else "never"


async def test_what_is_given_up_ends_at_its_next_step_and_frees_its_turn() -> None:
    def endless() -> None:
        for _ in waited_for(iter(int, 1)):
            pass

    turns = ComputingTurns(1)
    with pytest.raises(QuestionTimeoutError):
        await QuestionDesk(max_questions=1, timeout_s=0.05, turns=turns).run(endless)
    assert await QuestionDesk(max_questions=1, timeout_s=10, turns=turns).run(lambda: "free") == "free"


async def _until(desk: QuestionDesk, *, working: int, waiting: int) -> None:
    while (desk.state.working, desk.state.waiting) != (working, waiting):
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
    assert desk.state.refused == 1
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


async def test_places_go_round_between_clients() -> None:
    gate, served = threading.Event(), list[str]()
    desk = QuestionDesk(max_questions=1, timeout_s=10, max_waiting=9)

    def ask(client: str) -> asyncio.Task[None]:
        async def run() -> None:
            CLIENT.set(client)
            await desk.run(lambda: gate.wait(60) and served.append(client))

        return asyncio.create_task(run())

    asked = [ask("much") for _ in range(6)]
    await _until(desk, working=1, waiting=5)
    asked += [ask("one"), ask("two")]
    await _until(desk, working=1, waiting=7)
    gate.set()
    await asyncio.gather(*asked)
    assert served == ["much", "much", "one", "two", *["much"] * 4]


async def test_a_question_that_is_given_up_before_its_turn_is_never_worked_on() -> None:
    gate, worked = threading.Event(), list[str]()
    desk = QuestionDesk(max_questions=2, timeout_s=0.1, turns=ComputingTurns(1))
    first = asyncio.create_task(desk.run(_waiting(gate)))
    await _until(desk, working=1, waiting=0)
    for task in (desk.run(lambda: worked.append("late")), first):
        with pytest.raises(QuestionTimeoutError):
            await task
    gate.set()
    await _until(desk, working=0, waiting=0)
    assert worked == []


class _Model:
    """A language model that is silent until the gate opens, and how long it was given."""

    name = "tiny"
    timeout_s = 60.0

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.given_s: list[float] = []

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        self.given_s.append(within_s)
        self.gate.wait(within_s)
        return Completion("read")


async def test_others_compute_while_a_language_model_is_waited_for() -> None:
    turns, slow = ComputingTurns(1), _Model()
    model = TurnLendingModel(slow, turns)
    desk = QuestionDesk(max_questions=4, timeout_s=10, turns=turns)
    read = asyncio.create_task(desk.run(lambda: model.complete(Prompt((), {}), within_s=60).text))
    await _until(desk, working=1, waiting=0)
    assert await desk.run(lambda: "answered") == "answered"
    slow.gate.set()
    assert await read == "read"


async def test_what_waited_long_asks_no_language_model() -> None:
    turns, quick = ComputingTurns(1), _Model()
    quick.gate.set()
    model = TurnLendingModel(quick, turns)
    for timeout_s, outcome in ((10, nullcontext()), (0.9, pytest.raises(CompletionError, match="waited long"))):
        desk = QuestionDesk(max_questions=4, timeout_s=timeout_s, turns=turns)
        with outcome:
            await desk.run(lambda: model.complete(Prompt((), {}), within_s=60))
    # A second is kept for what comes after it.
    (within_s,) = quick.given_s
    assert 5 < within_s <= 9
