"""How long what people asked and said is kept: some days."""

import logging
import threading
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from corpus.errors import RelnotesError
from ui.feedback.log import FeedbackLog

_LOG = logging.getLogger("relnotes.retention")
_EVERY_S = 6 * 3600.0


class Retention(threading.Thread):
    """A thread that deletes what is older than `days` from the logs, at the start and every six hours."""

    def __init__(
        self, logs: Sequence[FeedbackLog], *, days: int, now: Callable[[], datetime] = lambda: datetime.now(UTC)
    ) -> None:
        super().__init__(name="retention", daemon=True)
        self._logs = logs
        self._days = days
        self._now = now
        self._over = threading.Event()

    def close(self) -> None:
        """End."""
        self._over.set()

    def forget(self) -> int:
        """Do it once; how much was deleted. What can't be written is logged."""
        before = self._now() - timedelta(days=self._days)
        deleted = 0
        for log in self._logs:
            try:
                deleted += log.forget_before(before)
            except RelnotesError as error:
                _LOG.warning("%s", error)
        return deleted

    def run(self) -> None:
        """Do it until it is closed."""
        while True:
            self.forget()
            if self._over.wait(_EVERY_S):
                return
