"""Questions in threads: few that compute at once, a bounded line of those that wait, a bounded time for each.

Places and turns go round between clients: one who asks much waits behind himself. Long work has few places of its own:
it can neither take all places nor wait behind what is soon done.
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Any, Generic, TypeVar

from corpus.deadline import check_time, left_s, waited_until
from corpus.errors import RelnotesError
from retrieval.llm.chat import ChatModel, Completion, CompletionError, Prompt
from retrieval.model import Status
from ui.feedback.log import FeedbackLog
from ui.log import redact

_LOG = logging.getLogger("relnotes.questions")
_Result = TypeVar("_Result")
_Waiting = TypeVar("_Waiting")
CLIENT: ContextVar[str] = ContextVar("client", default="")
"""Who sends the request that is being answered: the name of its token, else its address."""
_MAX_LONG = 2
"""Long questions worked on at once; each computes for seconds, in which the others get half of a processor less."""
_MAX_LONG_WAITING = 8  # And that wait: one further behind wouldn't be done within the time of a question.
COMPUTING = 2
"""One whose work is outside of Python just now, in the index or the model, and one who goes on meanwhile: with eight,
probes took three times as long under overload, and no more was served."""
_LOOK_S = 0.01
_RESERVE_S = 1.0  # Of a question's time, for what comes after the language model.


class _Lines(Generic[_Waiting]):
    """Who waits: a line for each client, whose heads are called in turn."""

    def __init__(self) -> None:
        self._lines: dict[str, deque[_Waiting]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._lines.values()))

    def add(self, client: str, waiting: _Waiting) -> None:
        self._lines.setdefault(client, deque()).append(waiting)

    def call(self) -> _Waiting | None:
        """Take the head of the line that was called longest ago; None where nobody waits."""
        for client in self._lines:
            line = self._lines.pop(client)
            called = line.popleft()
            if line:
                self._lines[client] = line
            return called
        return None

    def keep(self, is_waiting: Callable[[_Waiting], bool]) -> None:
        """Let those go that no longer wait."""
        kept = {client: deque(filter(is_waiting, line)) for client, line in self._lines.items()}
        self._lines = {client: line for client, line in kept.items() if line}

    def turn_away(self, client: str) -> _Waiting | None:
        """Take the last one of the longest line, for a `client` whose line is shorter by two; None where none is."""
        longest = max(self._lines.values(), key=len, default=deque[_Waiting]())
        return longest.pop() if len(longest) > len(self._lines.get(client, ())) + 1 else None


class ComputingTurns:
    """So many turns; safe to share between threads and desks."""

    def __init__(self, most: int = COMPUTING) -> None:
        self._free = self._most = most
        self._lock = threading.Lock()
        self._lines: _Lines[threading.Event] = _Lines()
        self._thread = threading.local()

    @contextlib.contextmanager
    def one(self, client: str = "") -> Iterator[None]:
        """Have a turn for a `with` block; its thread waits until there is one for this client."""
        self._acquire(client)
        self._thread.client = client
        try:
            yield
        finally:
            self._thread.client = None
            self._release()

    @contextlib.contextmanager
    def lent(self) -> Iterator[None]:
        """Let another thread have this one's turn for a `with` block; nothing where this thread has none."""
        client: str | None = getattr(self._thread, "client", None)
        if client is None:
            yield
            return
        self._release()
        try:
            yield
        finally:
            self._acquire(client)

    def let_others(self, until: float) -> None:
        """Wait while anybody computes, but no longer than to `until`, in seconds of the monotonic clock."""
        while self._free < self._most and time.monotonic() < until:
            time.sleep(_LOOK_S)

    def _acquire(self, client: str) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            called = threading.Event()
            self._lines.add(client, called)
        called.wait()

    def _release(self) -> None:
        with self._lock:
            called = self._lines.call()
            self._free += called is None
        if called is not None:
            called.set()


class TurnLendingModel:
    """A `ChatModel` whose caller's thread lends its turn while it waits."""

    def __init__(self, model: ChatModel, turns: ComputingTurns) -> None:
        self.name = model.name
        self.timeout_s = model.timeout_s
        self._model = model
        self._turns = turns

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        within_s = min(within_s, left_s() - _RESERVE_S)
        if within_s <= 0:
            raise CompletionError("wasn't asked, for this has waited long already")
        with self._turns.lent():
            return self._model.complete(prompt, within_s=within_s)


class TooManyQuestionsError(RelnotesError):
    """All places are taken, and those to wait in too; the same question can be asked again in a moment."""


class QuestionTimeoutError(RelnotesError):
    """A question took longer than it may."""


class Stage(StrEnum):
    """What a question's time goes into."""

    WAITING = "waiting"
    WORKING = "working"  # To the end of its thread, whether or not somebody still waits for it.


Observe = Callable[[Stage, float], None]  # Called with the seconds of a stage that is over, from any thread.


@dataclass(frozen=True, slots=True)
class DeskState:
    """How busy a desk is now, and what it has seen since it opened."""

    working: int
    waiting: int
    refused: int
    given_up: int
    answers: Mapping[Status, int]


class QuestionDesk:
    """Where the entrances hand in questions; safe to share between threads and event loops."""

    def __init__(
        self,
        *,
        max_questions: int,
        timeout_s: float,
        max_waiting: int = 0,
        turns: ComputingTurns | None = None,
        log_questions: bool = False,
        unanswered: FeedbackLog | None = None,
    ) -> None:
        """Without `turns`, all that have a place compute at once."""
        self._turns = turns
        self._log_questions = log_questions
        self._unanswered = unanswered
        self._timeout_s = timeout_s
        self._places = _Places(max_questions, max_waiting=max_waiting)
        self._long = _Places(min(_MAX_LONG, max_questions), max_waiting=min(_MAX_LONG_WAITING, max_waiting))
        self._aside = _Places(max_questions, max_waiting=max_waiting)
        self._lock = threading.Lock()
        self._refused = 0
        self._given_up = 0
        self._answers: Counter[Status] = Counter()
        self._observe: Observe = lambda _stage, _seconds: None

    @property
    def state(self) -> DeskState:
        (working, waiting), (long, long_waiting) = self._places.load, self._long.load
        with self._lock:
            answers = {status: self._answers[status] for status in Status}
            return DeskState(working + long, waiting + long_waiting, self._refused, self._given_up, answers)

    def watch(self, observe: Observe) -> None:
        """Tell `observe` of every stage from now on."""
        self._observe = observe

    def record(self, question: str, status: Status) -> None:
        """Count an answer that goes out; its question is logged and kept only where the desk was opened to do so."""
        with self._lock:
            self._answers[status] += 1
        if self._log_questions:
            _LOG.info("question", extra={"question": redact(question), "answered": status.value})
        if self._unanswered is not None and status is Status.NOT_FOUND:
            self._unanswered.add_unanswered(question)

    async def run(self, work: Callable[[], _Result], *, is_long: bool = False, is_aside: bool = False) -> _Result:
        """Run `work` in a thread of its own, in turn with other clients', and return its result.

        The time it may take begins here, waiting included. A question that is given up keeps its place until its
        thread ends, so that places bound the load: `corpus.deadline` ends it at its next step. What `is_long` may
        compute for many seconds: it has other places, and takes nobody's turn; so does what `is_aside`, which is shown
        while questions wait.

        Raises:
            TooManyQuestionsError: all places are taken, and those to wait in too.
            QuestionTimeoutError: it took longer than the limit.
        """
        came, client = time.monotonic(), CLIENT.get()
        has_turn = None if is_long or is_aside else self._turns
        places = self._aside if is_aside else self._long if is_long else self._places

        def timed() -> _Result:
            turn = has_turn.one(client) if has_turn else contextlib.nullcontext()
            with turn, waited_until(came + self._timeout_s):
                check_time()
                began = time.monotonic()
                self._observe(Stage.WAITING, began - came)
                try:
                    return work()
                finally:
                    self._observe(Stage.WORKING, time.monotonic() - began)

        try:
            return await asyncio.wait_for(asyncio.wrap_future(places.submit(timed, client=client)), self._timeout_s)
        except TooManyQuestionsError:
            with self._lock:
                self._refused += 1
            raise
        except TimeoutError:
            with self._lock:
                self._given_up += 1
            raise QuestionTimeoutError(
                f"The question took longer than {self._timeout_s:g} s. Ask a narrower one, or raise "
                "RELNOTES_QUESTION_TIMEOUT_S."
            ) from None


class _Places:
    """So many threads at once, and so many questions that wait in line for one."""

    def __init__(self, most: int, *, max_waiting: int) -> None:
        self._most = most
        self._max_waiting = max_waiting
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="question")
        self._lock = threading.Lock()
        self._working = 0
        self._lines: _Lines[tuple[Future[Any], Callable[[], Any]]] = _Lines()

    @property
    def load(self) -> tuple[int, int]:
        """How many work, and how many wait."""
        with self._lock:
            self._lines.keep(_still_waits)
            return self._working, len(self._lines)

    def submit(self, work: Callable[[], _Result], *, client: str) -> Future[_Result]:
        """Begin `work`, or put it in line; cancelling the future gives up a place in line."""
        in_line = f" and {self._max_waiting} wait" if self._max_waiting else ""
        refusal = TooManyQuestionsError(
            f"{self._most} questions are being answered already{in_line}. Ask again in a few seconds."
        )
        outcome: Future[_Result] = Future()
        with self._lock:
            if self._working < self._most:
                self._working += 1
                self._threads.submit(self._work, (outcome, work))
                return outcome
            self._lines.keep(_still_waits)
            if len(self._lines) >= self._max_waiting:
                if (away := self._lines.turn_away(client)) is None:
                    raise refusal
                away[0].set_exception(refusal)
            self._lines.add(client, (outcome, work))
        return outcome

    def _work(self, called: tuple[Future[Any], Callable[[], Any]] | None) -> None:
        """Do this, and then what is called, until nobody waits."""
        while called:
            outcome, work = called
            notify: Callable[[], None] | None = None
            if outcome.set_running_or_notify_cancel():
                try:
                    notify = partial(outcome.set_result, work())
                except BaseException as error:  # it is for whoever waits, as in an executor of Python's own
                    notify = partial(outcome.set_exception, error)
            # Free the place before the caller gets the answer.
            called = self._call()
            if notify is not None:
                notify()
            del outcome, work, notify

    def _call(self) -> tuple[Future[Any], Callable[[], Any]] | None:
        with self._lock:
            self._lines.keep(_still_waits)
            called = self._lines.call()
            self._working -= called is None
            return called


def _still_waits(waiting: tuple[Future[Any], Callable[[], Any]]) -> bool:
    return not waiting[0].done()
