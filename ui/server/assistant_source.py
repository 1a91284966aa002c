"""What the entrances of a server answer from."""

from contextlib import AbstractContextManager
from typing import Protocol

from retrieval.assistant import Assistant


class AssistantSource(Protocol):
    """Lends out an open assistant; `ui.server.live_assistant.LiveAssistant` is the one in use."""

    def borrow(self) -> AbstractContextManager[Assistant]:
        """Lend the assistant for a `with` block.

        Raises:
            IndexUnavailable: there is no index to serve.
        """
