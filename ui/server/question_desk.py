"""Questions in threads: a bounded number at once, a bounded line of those that wait, a bounded time for each.

What a question does is plain blocking Python; the event loop must stay free to refuse the next one. All entrances of a
server share one desk, so it is also where what was answered is counted. Long work, such as the review of a large diff,
has few places of its own: it can neither take all places nor wait behind what is soon done. Of all others that have a
place, few compute at a time (`ui.server.computing_turns`).
"""

import asyncio
import contextlib
import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

from corpus.errors import RelnotesError
from retrieval.model import Status
from ui.feedback.unanswered import UnansweredQuestions
from ui.server.computing_turns import ComputingTurns
from ui.server.redaction import redact

_LOG = logging.getLogger("relnotes.questions")
_Result = TypeVar("_Result")
_MAX_LONG = 2
"""Long questions worked on at once; each computes for seconds, in which the others get half of a processor less."""
_MAX_LONG_WAITING = 8
"""And that wait: whoever is further behind wouldn't be done within the time of a question."""


class TooManyQuestionsError(RelnotesError):
    """All places are taken, and those to wait in too; the same question can be asked again in a moment."""


class QuestionTimeoutError(RelnotesError):
    """A question took longer than it may."""


class Stage(StrEnum):
    """What a question's time goes into."""

    WAITING = "waiting"
    WORKING = "working"
    """To the end of its thread, whether or not somebody still waits for it."""


Observe = Callable[[Stage, float], None]
"""Is told the seconds of a stage that is over, from whatever thread."""


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
        unanswered: UnansweredQuestions | None = None,
    ) -> None:
        """Without `turns`, all that have a place compute at once."""
        self._turns = turns
        self._log_questions = log_questions
        self._unanswered = unanswered
        self._timeout_s = timeout_s
        self._places = _Places(max_questions, max_waiting=max_waiting)
        self._long = _Places(min(_MAX_LONG, max_questions), max_waiting=min(_MAX_LONG_WAITING, max_waiting))
        self._lock = threading.Lock()
        self._refused = 0
        self._given_up = 0
        self._answers: Counter[Status] = Counter()
        self._observe: Observe = _look_away

    @property
    def state(self) -> DeskState:
        """How busy the desk is."""
        (working, waiting), (long, long_waiting) = self._places.taken, self._long.taken
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
            self._unanswered.add(question)

    async def run(self, work: Callable[[], _Result], *, is_long: bool = False) -> _Result:
        """Run `work` in a thread of its own, first come first served, and return its result.

        The time it may take begins here, waiting included. A question that is given up keeps its place until its
        thread ends, so that places bound the load. What `is_long` may compute for many seconds: it has other places,
        and takes nobody's turn.

        Raises:
            TooManyQuestionsError: all places are taken, and those to wait in too.
            QuestionTimeoutError: it took longer than the limit.
        """
        began = time.monotonic()
        deadline = began + self._timeout_s
        places = self._long if is_long else self._places
        try:
            place = places.take_or_wait()
        except TooManyQuestionsError:
            with self._lock:
                self._refused += 1
            raise
        try:
            if place is not None:
                await places.wait_in_line(place, timeout_s=self._timeout_s)
            started = _start(lambda: self._timed(work, began), places, turns=None if is_long else self._turns)
            return await asyncio.wait_for(asyncio.wrap_future(started), deadline - time.monotonic())
        except TimeoutError:
            with self._lock:
                self._given_up += 1
            raise QuestionTimeoutError(
                f"The question took longer than {self._timeout_s:g} s. Ask a narrower one, or raise "
                "RELNOTES_QUESTION_TIMEOUT_S."
            ) from None

    def _timed(self, work: Callable[[], _Result], came: float) -> _Result:
        began = time.monotonic()
        self._observe(Stage.WAITING, began - came)
        try:
            return work()
        finally:
            self._observe(Stage.WORKING, time.monotonic() - began)


class _Places:
    """So many at once, and so many that wait in line; safe to share between threads and event loops."""

    def __init__(self, most: int, *, max_waiting: int) -> None:
        self._most = most
        self._max_waiting = max_waiting
        self._lock = threading.Lock()
        self._working = 0
        self._line: deque[Future[None]] = deque()

    @property
    def taken(self) -> tuple[int, int]:
        """How many work, and how many wait."""
        with self._lock:
            return self._working, len(self._line)

    def take_or_wait(self) -> Future[None] | None:
        """None: a place is taken. Otherwise what tells when one is.

        Raises:
            TooManyQuestionsError: all are taken, and those to wait in too.
        """
        with self._lock:
            if self._working < self._most:
                self._working += 1
                return None
            if len(self._line) >= self._max_waiting:
                in_line = f" and {self._max_waiting} wait" if self._max_waiting else ""
                raise TooManyQuestionsError(
                    f"{self._most} questions are being answered already{in_line}. Ask again in a few seconds."
                )
            place: Future[None] = Future()
            self._line.append(place)
            return place

    async def wait_in_line(self, place: Future[None], *, timeout_s: float) -> None:
        """Return when the place is there.

        Raises:
            TimeoutError: it isn't, after that time; then it is given up.
        """
        try:
            await asyncio.wait_for(asyncio.shield(asyncio.wrap_future(place)), timeout_s)
        except BaseException:
            # The place may have come in the same moment in which the wait ended.
            with self._lock, contextlib.suppress(ValueError):
                self._line.remove(place)
                raise
            self.leave()
            raise

    def leave(self) -> None:
        """Hand the place to the first in line, or give it back."""
        with self._lock:
            if not self._line:
                self._working -= 1
                return
            heir = self._line.popleft()
        heir.set_result(None)


def _look_away(_stage: Stage, _seconds: float) -> None:
    pass


def _start(work: Callable[[], _Result], places: _Places, *, turns: ComputingTurns | None) -> Future[_Result]:
    outcome: Future[_Result] = Future()
    # A daemon: a question that hangs must not keep the process from ending.
    thread = threading.Thread(target=_work, args=(work, outcome, places, turns), name="question", daemon=True)
    try:
        thread.start()
    except RuntimeError:
        places.leave()
        raise
    return outcome


def _work(work: Callable[[], _Result], outcome: Future[_Result], places: _Places, turns: ComputingTurns | None) -> None:
    with turns.one() if turns is not None else contextlib.nullcontext():
        # Whoever asked may be gone by the time that its turn comes.
        if not outcome.set_running_or_notify_cancel():
            places.leave()
            return
        try:
            result = work()
        except BaseException as error:
            places.leave()
            outcome.set_exception(error)
        else:
            places.leave()
            outcome.set_result(result)
