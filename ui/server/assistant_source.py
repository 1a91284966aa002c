"""What the entrances of a server answer from."""

from contextlib import AbstractContextManager
from typing import Protocol

from retrieval.assistant import Assistant
from ui.server.live_assistant import Openings, Readiness


class AssistantSource(Protocol):
    """Lends out an open assistant; `ui.server.live_assistant.LiveAssistant` is the one in use."""

    def borrow(self) -> AbstractContextManager[Assistant]:
        """Lend the assistant for a `with` block.

        Raises:
            IndexUnavailable: there is no index to serve.
        """


class ServedIndex(AssistantSource, Protocol):
    """And tells what it lends from; `ui.server.live_assistant.LiveAssistant` is the one in use."""

    def readiness(self) -> Readiness:
        """What is served, told within a second.

        Raises:
            IndexUnavailable: there is no index, or not one that can be served.
        """

    @property
    def openings(self) -> Openings:
        """How much was opened so far."""
