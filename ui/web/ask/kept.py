"""What is worked out once for each state of an index, and goes with it."""

import threading
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from corpus.index.reader import IndexReader
from retrieval.assistant import Assistant

Value = TypeVar("Value")


class KeptByIndex(Generic[Value]):
    """Calls `work_out` for the first assistant that comes with a state of the index, and remembers what it gave; safe
    to share between threads, of which the others wait for the first."""

    def __init__(self, work_out: Callable[[Assistant], Value]) -> None:
        self._work_out = work_out
        self._lock = threading.Lock()
        self._kept: WeakKeyDictionary[IndexReader, Value] = WeakKeyDictionary()

    def of(self, assistant: Assistant) -> Value:
        """What `work_out` gives for the assistant's index, or has given."""
        with self._lock:
            if assistant.index not in self._kept:
                self._kept[assistant.index] = self._work_out(assistant)
            return self._kept[assistant.index]

    def has(self, assistant: Assistant) -> bool:
        """Whether it was worked out for the assistant's index."""
        return assistant.index in self._kept
