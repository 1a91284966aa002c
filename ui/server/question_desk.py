"""Questions in threads: a bounded pool, a bounded line before it, a bounded time for each.

Of one client two are worked on at once, and an eighth of the line is for others: who asks much waits behind himself.
"""

import asyncio
import logging
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import ContextVar
from typing import Any, Literal, NamedTuple, TypeVar

from corpus.deadline import check_time, waited_until
from corpus.errors import RelnotesError
from retrieval.model import Status
from ui.log import redact

_LOG = logging.getLogger("relnotes.questions")
_Result = TypeVar("_Result")
CLIENT: ContextVar[str] = ContextVar("client", default="")
"""Who sends the request that is being answered: the name of its token, else its address."""
_OF_A_CLIENT = 2  # Worked on at once. In-process callers are no client.
_OF_OTHERS = 8  # One place in so many to wait in is for other clients.


class TooManyQuestionsError(RelnotesError):
    """All places are taken, and those to wait in too; the same question can be asked again in a moment."""


class TooManyOfClientError(TooManyQuestionsError):
    """The client's own questions fill its share of the line."""


class QuestionTimeoutError(RelnotesError):
    """A question took longer than it may."""


Counted = Status | Literal["refused", "given up"]


class QuestionDesk:
    """Where the entrances hand in questions; safe to share between threads and event loops."""

    def __init__(
        self, *, max_questions: int, timeout_s: float, max_waiting: int = 0, log_questions: bool = False
    ) -> None:
        self._log_questions = log_questions
        self._timeout_s = timeout_s
        self._pool = _Pool(max_questions, max_waiting=max_waiting)
        self._aside = _Pool(max_questions, max_waiting=max_waiting)
        self._lock = threading.Lock()
        self._counts: Counter[Counted] = Counter()

    @property
    def load(self) -> tuple[int, int]:
        """How many questions are worked on now, and how many wait."""
        return self._pool.load

    def count(self, what: Counted) -> int:
        """Return how many questions were answered so, refused or given up since the desk opened."""
        with self._lock:
            return self._counts[what]

    def record(self, question: str, status: Status) -> None:
        """Count an answer that goes out; its question is logged only where the desk was opened to do so."""
        self._add(status)
        if self._log_questions:
            _LOG.info("question", extra={"question": redact(question), "answered": status.value})

    def _add(self, what: Counted) -> None:
        with self._lock:
            self._counts[what] += 1

    async def run(self, work: Callable[[], _Result], *, is_aside: bool = False) -> _Result:
        """Run `work` in a thread of its own and return its result.

        The time it may take begins here, waiting included. A question that is given up keeps its place until its
        thread ends, so that places bound the load: `corpus.deadline` ends it at its next step. What `is_aside` is
        shown while questions wait, and has other places.

        Raises:
            TooManyQuestionsError: all places are taken, and those to wait in too.
            QuestionTimeoutError: it took longer than the limit.
        """
        came = time.monotonic()

        def timed() -> _Result:
            with waited_until(came + self._timeout_s):
                check_time()
                return work()

        pool = self._aside if is_aside else self._pool
        try:
            outcome = pool.submit(timed, client=CLIENT.get())
            return await asyncio.wait_for(asyncio.wrap_future(outcome), self._timeout_s)
        except TooManyQuestionsError:
            self._add("refused")
            raise
        except TimeoutError:
            self._add("given up")
            raise QuestionTimeoutError(
                f"The question took longer than {self._timeout_s:g} s. Ask a narrower one, or raise "
                "RELNOTES_QUESTION_TIMEOUT_S."
            ) from None


class _Waiting(NamedTuple):
    """A question in line."""

    client: str
    outcome: Future[Any]
    work: Callable[[], Any]


class _Pool:
    """So many threads, and so many questions that wait in line for one."""

    def __init__(self, most: int, *, max_waiting: int) -> None:
        self._most, self._max_waiting = most, max_waiting
        self._threads = ThreadPoolExecutor(most, thread_name_prefix="question")
        self._lock = threading.Lock()
        self._working: Counter[str] = Counter()
        self._line: list[_Waiting] = []

    @property
    def load(self) -> tuple[int, int]:
        with self._lock:
            self._begin()
            return self._working.total(), len(self._line)

    def submit(self, work: Callable[[], _Result], *, client: str) -> Future[_Result]:
        """Begin `work`, or put it in line; cancelling the future gives up a place in line."""
        waiting = _Waiting(client, Future(), work)
        with self._lock:
            self._line.append(waiting)
            self._begin()
            is_full = waiting in self._line and len(self._line) > self._max_waiting
            of_client = sum(one.client == client for one in self._line if client and waiting in self._line)
            if is_full or of_client > self._max_waiting - self._max_waiting // _OF_OTHERS:
                self._line.pop()
                if not (is_full and self._working.total() == self._most):
                    raise TooManyOfClientError(
                        f"{_OF_A_CLIENT} of yours are being answered already, more wait. Ask again in a few seconds."
                    )
                in_line = f" and {self._max_waiting} wait" * bool(self._max_waiting)
                raise TooManyQuestionsError(
                    f"{self._most} questions are being answered already{in_line}. Ask again in a few seconds."
                )
        return waiting.outcome

    def _begin(self) -> None:
        """Begin the first in line whose client may have another one, for as long as there are places."""
        self._line = [one for one in self._line if not one.outcome.done()]
        for one in tuple(self._line):
            is_free = not one.client or self._working[one.client] < _OF_A_CLIENT
            if self._working.total() < self._most and is_free:
                self._line.remove(one)
                self._working[one.client] += 1
                self._threads.submit(self._work, one)

    def _work(self, one: _Waiting) -> None:
        result, fault, is_wanted = None, None, one.outcome.set_running_or_notify_cancel()
        try:
            result = one.work() if is_wanted else None
        except BaseException as error:  # it is for whoever waits, as in an executor of Python's own
            fault = error
        # Free the place before the caller gets the answer.
        with self._lock:
            self._working -= Counter((one.client,))  # Who has none left is forgotten.
            self._begin()
        if fault:
            one.outcome.set_exception(fault)
        elif is_wanted:
            one.outcome.set_result(result)
