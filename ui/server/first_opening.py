"""The first opening of the index, beside a server that answers its probes already."""

import threading
from collections.abc import Callable

from corpus.errors import IndexUnavailable
from ui.server.live_assistant import LiveAssistant
from ui.web.ask.examples import example_questions


class FirstOpening:
    """Opens the index while the server answers probes already; a model that can't be had ends the server."""

    def __init__(self, assistants: LiveAssistant, *, warn: Callable[[str], None]) -> None:
        self._assistants = assistants
        self._warn = warn
        self._failure: BaseException | None = None

    def start(self, *, then: Callable[[], None], otherwise: Callable[[], None]) -> None:
        """Open it in the background and ask what the page offers to ask.

        `then` is called when questions can be answered, `otherwise` when they never will.
        """

        def work() -> None:
            try:
                with self._assistants.borrow() as assistant:
                    # A first question takes many times a second one: modules and pages of the index are read for it.
                    for question in example_questions(assistant.catalogue()):
                        assistant.ask(question)
            except IndexUnavailable as error:
                self._warn(f"{error} Serving goes on; the index is picked up when it is there.")
            except BaseException as error:
                self._failure = error
                otherwise()
                return
            then()

        threading.Thread(target=work, name="open index", daemon=True).start()

    def check(self) -> None:
        """Raise what kept the server from answering, if something did."""
        if self._failure is not None:
            raise self._failure
