"""What became of Slack's requests, counted where they are worked off; needs nothing of Slack's libraries."""

import threading
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum


class SlackEvent(StrEnum):
    """What can happen to a request; of one request several things do."""

    TAKEN_IN = "taken_in"
    """Remembered, and acknowledged."""
    REPEATED = "repeated"
    """Delivered once more; nothing is done for it."""
    ANSWERED = "answered"
    RETRIED = "retried"
    """An attempt failed; there will be another."""
    POSTPONED = "postponed"
    """Slack wants to be left alone for longer."""
    GIVEN_UP = "given_up"


class SlackCounts:
    """How often each of them happened since the process began; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._counts: Counter[SlackEvent] = Counter()

    def add(self, event: SlackEvent) -> None:
        """Count it."""
        with self._lock:
            self._counts[event] += 1

    def read(self) -> Mapping[SlackEvent, int]:
        """All counts, zeros too."""
        with self._lock:
            return {event: self._counts[event] for event in SlackEvent}
