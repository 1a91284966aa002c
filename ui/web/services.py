"""What pages work with, and what they say where something can't be done."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from corpus.catalogue import CatalogueProduct
from corpus.errors import IndexUnavailable, ModelError, RelnotesError
from retrieval.assistant import Assistant
from ui.library.changes import Library
from ui.server.live_assistant import AssistantSource
from ui.server.question_desk import QuestionDesk
from ui.settings import Settings

_LOG = logging.getLogger("relnotes.page")
NO_INDEX = "No index can be served. Add release notes in the Library; the server's log says more."
_NO_MODEL = "The server can't load its model, and so can't answer; its log says why."
_DEFECT = "relnotes met an error it didn't expect; the server's log has it. Try it again."

_Result = TypeVar("_Result")


class PageDefect(RelnotesError):
    """Something failed that shouldn't have; the log has what."""


@dataclass(frozen=True, slots=True)
class PageServices:
    """The server's own parts that pages share with its other entrances."""

    assistants: AssistantSource
    desk: QuestionDesk
    settings: Settings
    library: Library

    def catalogue(self) -> tuple[CatalogueProduct, ...]:
        """The products of the index.

        Raises:
            RelnotesError: there is no index to serve.
        """
        with self.assistants.borrow() as assistant:
            return assistant.catalogue()

    async def ask(self, work: Callable[[Assistant], _Result], *, is_long: bool = False) -> _Result:
        """Have the assistant do `work` at the desk.

        Raises:
            RelnotesError: as `run_at_desk`; `IndexUnavailable` where there is no index.
        """

        def borrow() -> _Result:
            with self.assistants.borrow() as assistant:
                return work(assistant)

        return await run_at_desk(self.desk, borrow, is_long=is_long)


def tell_trouble(error: RelnotesError) -> str:
    """What went wrong, for a reader of the page; the log alone has what names a place on the server."""
    match error:
        case IndexUnavailable():
            told = NO_INDEX
        case ModelError():
            told = _NO_MODEL
        case _:
            return str(error)
    _LOG.error("%s", error)
    return told


async def run_at_desk(desk: QuestionDesk, work: Callable[[], _Result], *, is_long: bool = False) -> _Result:
    """Run `work` as `QuestionDesk.run` does, which the page would wait for in vain where it fails in silence.

    Raises:
        RelnotesError: it was refused, or failed; `PageDefect` for what nobody foresaw.
    """
    try:
        return await desk.run(work, is_long=is_long)
    except RelnotesError:
        raise
    except Exception as error:
        _LOG.exception("defect")
        raise PageDefect(_DEFECT) from error
