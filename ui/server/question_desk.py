"""Runs questions in a bounded pool of threads, with a bounded queue before it and a time limit for each."""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, Literal, TypeVar, get_args

from corpus.deadline import check_time, waited_until
from corpus.errors import RelnotesError
from retrieval.model import Status

_LOG = logging.getLogger("relnotes.questions")
_Result = TypeVar("_Result")
WHAT: ContextVar[str] = ContextVar("what", default="question")
"""What the current request asks for, in the words of an error: a question, a page, an upgrade, a claim, a review."""


class TooManyQuestionsError(RelnotesError):
    """All threads are busy and the queue is full; the same question can be asked again in a moment."""


class QuestionTimeoutError(RelnotesError):
    """A question took longer than the time limit."""


def too_long(seconds: float) -> QuestionTimeoutError:
    """Return the error for a request that took longer than its limit."""
    return QuestionTimeoutError(
        f"This {WHAT.get()} took longer than {seconds:g} s. Ask for less, or raise RELNOTES_QUESTION_TIMEOUT_S."
    )


Counted = Status | Literal["refused", "given up"]
Line = Literal["questions", "pages", "readings"]
"""What is worked on side by side: a page doesn't wait for questions, nor a question for language models."""


class QuestionDesk:
    """Runs the questions of all entrances, and counts them; safe to share between threads and event loops."""

    def __init__(
        self, *, max_questions: int, timeout_s: float, max_waiting: int = 0, log_questions: bool = False
    ) -> None:
        self._log_questions = log_questions
        self._timeout_s = timeout_s
        self._pools = {line: _Pool(max_questions, max_waiting=max_waiting) for line in get_args(Line)}
        self._lock = threading.Lock()
        self._counts: Counter[Counted] = Counter()
        self.elsewhere: Callable[[], tuple[int, int]] = lambda: (0, 0)
        """Returns the load of what is answered in other processes."""

    @property
    def load(self) -> tuple[int, int]:
        """Return the numbers of questions running and waiting."""
        working, waiting = self.elsewhere()
        in_threads = self._pools["questions"].load
        return working + in_threads[0], waiting + in_threads[1]

    def take_counts(self) -> Counter[Counted]:
        """Return the numbers of questions by their outcome, and begin to count anew."""
        with self._lock:
            counts, self._counts = self._counts, Counter()
        return counts

    def add_counts(self, counts: Counter[Counted]) -> None:
        """Add the numbers of questions that were answered in another process."""
        with self._lock:
            self._counts += counts

    def count(self, outcome: Counted) -> int:
        """Return the number of questions with this outcome since the desk opened."""
        with self._lock:
            return self._counts[outcome]

    def record(self, question: str, status: Status) -> None:
        """Count an answer; log its question only if the desk was made with `log_questions`."""
        self._add(status)
        if self._log_questions:
            _LOG.info("question", extra={"question": question, "answered": status.value})

    def _add(self, outcome: Counted) -> None:
        with self._lock:
            self._counts[outcome] += 1

    async def run(self, work: Callable[[], _Result], *, line: Line = "questions") -> _Result:
        """Run `work` in a thread of its own and return its result.

        The time limit includes waiting. A question that is given up keeps its thread until `corpus.deadline` ends it at
        its next step, so that the pool bounds the load. Each `line` has a pool of the same size.

        Raises:
            TooManyQuestionsError: all threads are busy and the queue is full.
            QuestionTimeoutError: `work` took longer than the limit.
        """
        arrived = time.monotonic()

        def timed() -> _Result:
            with waited_until(arrived + self._timeout_s):
                check_time()
                return work()

        try:
            outcome = self._pools[line].submit(timed)
            return await asyncio.wait_for(asyncio.wrap_future(outcome), self._timeout_s)
        except TooManyQuestionsError:
            self._add("refused")
            raise
        except TimeoutError:
            self._add("given up")
            raise too_long(self._timeout_s) from None


class _Pool:
    """A pool of `size` threads with a queue of at most `max_waiting` questions."""

    def __init__(self, size: int, *, max_waiting: int) -> None:
        self._size, self._max_waiting = size, max_waiting
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="question")
        self._lock = threading.Lock()
        self._questions = 0

    @property
    def load(self) -> tuple[int, int]:
        with self._lock:
            return min(self._questions, self._size), max(self._questions - self._size, 0)

    def submit(self, work: Callable[[], _Result]) -> Future[_Result]:
        """Start or queue `work`, until its future is cancelled; raise TooManyQuestionsError if the queue is full."""
        with self._lock:
            if self._questions >= self._size + self._max_waiting:
                in_line = f" and {self._max_waiting} wait" if self._max_waiting else ""
                raise TooManyQuestionsError(
                    f"{self._size} questions are being answered already{in_line}. Ask again in a few seconds."
                )
            self._questions += 1
        outcome = self._threads.submit(self._work, work)
        outcome.add_done_callback(self._forget)
        return outcome

    def _work(self, work: Callable[[], _Result]) -> _Result:
        try:
            return work()
        finally:
            # The place is free before the caller gets the answer.
            self._leave()

    def _forget(self, outcome: Future[Any]) -> None:
        if outcome.cancelled():
            self._leave()

    def _leave(self) -> None:
        with self._lock:
            self._questions -= 1
