"""Questions in threads: a bounded number at once, each for a bounded time.

What a question does is plain blocking Python; the event loop must stay free to refuse the next one.
"""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from corpus.errors import RelnotesError

_Result = TypeVar("_Result")


class TooManyQuestionsError(RelnotesError):
    """All places are taken; the same question can be asked again in a moment."""


class QuestionTimeoutError(RelnotesError):
    """A question took longer than it may."""


class QuestionDesk:
    """Where the entrances hand in questions. Nothing waits in line: a full desk says so at once."""

    def __init__(self, *, max_questions: int, timeout_s: float) -> None:
        self._places = threading.BoundedSemaphore(max_questions)
        self._max_questions = max_questions
        self._timeout_s = timeout_s

    async def run(self, work: Callable[[], _Result]) -> _Result:
        """Run `work` in a thread of its own and return its result.

        A question that is given up keeps its place until its thread ends, so that places bound the load.

        Raises:
            TooManyQuestionsError: all places are taken.
            QuestionTimeoutError: `work` took longer than the limit.
        """
        if not self._places.acquire(blocking=False):
            raise TooManyQuestionsError(
                f"{self._max_questions} questions are being answered already. Ask again in a few seconds."
            )
        outcome: Future[_Result] = Future()
        # A daemon: a question that hangs must not keep the process from ending.
        threading.Thread(target=self._work, args=(work, outcome), name="question", daemon=True).start()
        try:
            return await asyncio.wait_for(asyncio.wrap_future(outcome), self._timeout_s)
        except TimeoutError:
            raise QuestionTimeoutError(
                f"The question took longer than {self._timeout_s:g} s. Ask a narrower one, or raise "
                "RELNOTES_QUESTION_TIMEOUT_S."
            ) from None

    def _work(self, work: Callable[[], _Result], outcome: Future[_Result]) -> None:
        outcome.set_running_or_notify_cancel()
        try:
            result = work()
        except BaseException as error:
            self._places.release()
            outcome.set_exception(error)
        else:
            self._places.release()
            outcome.set_result(result)
