"""Runs questions, a few at once, with a bounded queue before them and a time limit for each."""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextvars import ContextVar
from typing import Literal, TypeVar, get_args

from anyio import CapacityLimiter, to_thread

from corpus.deadline import check_time, waited_until
from corpus.errors import RelnotesError
from retrieval.model import Status

_LOG = logging.getLogger("relnotes.questions")
_Result = TypeVar("_Result")
WHAT: ContextVar[str] = ContextVar("what", default="question")
"""What the current request asks for, in the words of an error: a question, a page, an upgrade, a claim, a review."""


class TooManyQuestionsError(RelnotesError):
    """All turns are taken and the queue is full; the same question can be asked again in a moment."""


class QuestionTimeoutError(RelnotesError):
    """A question took longer than the time limit."""


Counted = Status | Literal["refused", "given up"]
Line = Literal["questions", "pages", "checks", "readings"]
"""What is worked on side by side: a page doesn't wait for questions, nor a question for the claims of a text or for
language models."""


class QuestionDesk:
    """Runs the questions of all entrances in threads, some at once in each line, and counts them; for one event loop,
    its counts safe to share between threads."""

    def __init__(
        self, *, max_questions: int, timeout_s: float, max_waiting: int = 0, log_questions: bool = False
    ) -> None:
        self._log_questions = log_questions
        self._timeout_s = timeout_s
        self._max_waiting = max_waiting
        self._turns = {line: CapacityLimiter(max_questions) for line in get_args(Line)}
        self._lock = threading.Lock()
        self._counts: Counter[Counted] = Counter()

    @property
    def load(self) -> tuple[int, int]:
        """Return the numbers of questions running and waiting."""
        turns = [turns.statistics() for turns in self._turns.values()]
        return sum(turn.borrowed_tokens for turn in turns), sum(turn.tasks_waiting for turn in turns)

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
        self.add_counts(Counter({status: 1}))
        if self._log_questions:
            _LOG.info("question", extra={"question": question, "answered": status.value})

    async def run(self, work: Callable[[], _Result], *, line: Line = "questions") -> _Result:
        """Run `work` in a thread, at its turn in the line, and return its result.

        The time limit includes waiting. What is given up ends where it looks at `corpus.deadline` next.

        Raises:
            TooManyQuestionsError: all turns are taken and too many wait.
            QuestionTimeoutError: `work` took longer than the limit.
        """
        turns, until = self._turns[line].statistics(), time.monotonic() + self._timeout_s
        if turns.borrowed_tokens >= turns.total_tokens and turns.tasks_waiting >= self._max_waiting:
            self.add_counts(Counter({"refused": 1}))
            waiting = f" and {turns.tasks_waiting} wait" if turns.tasks_waiting else ""
            raise TooManyQuestionsError(
                f"{turns.total_tokens:g} questions are being answered already{waiting}. Ask again in a few seconds."
            )

        def timed() -> _Result:
            with waited_until(until):
                check_time()
                return work()

        try:
            async with asyncio.timeout(self._timeout_s):
                return await to_thread.run_sync(timed, abandon_on_cancel=True, limiter=self._turns[line])
        except TimeoutError:
            self.add_counts(Counter({"given up": 1}))
            _LOG.warning("ended: this %s took longer than %g s", WHAT.get(), self._timeout_s)
            raise QuestionTimeoutError(
                f"This {WHAT.get()} took longer than {self._timeout_s:g} s. "
                "Ask for less, or raise RELNOTES_QUESTION_TIMEOUT_S."
            ) from None
