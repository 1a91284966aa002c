"""What pages work with, and what they say where something can't be done."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from corpus.errors import IndexUnavailable, ModelError, RelnotesError
from retrieval.assistant import Assistant
from ui.http.answering import Answering, Result
from ui.library.changes import Library
from ui.settings import Settings

_LOG = logging.getLogger("relnotes.page")
NO_INDEX = "No index can be served. Add release notes in the Library; the server's log says more."
_NO_MODEL = "The server can't load its model, and so can't answer; its log says why."
_DEFECT = "relnotes met an error it didn't expect; the server's log has it. Try it again."


@dataclass(frozen=True)
class PageServices(Answering):
    """The server's own parts that pages share with its other entrances."""

    settings: Settings
    library: Library

    async def run(self, ask: Callable[[Assistant], Result], *, is_long: bool = False) -> Result:
        """What `ask` makes of the assistant; a page would wait in vain for what fails in silence.

        Raises:
            RelnotesError: it was refused, or failed.
        """
        try:
            return await super().run(ask, is_long=is_long)
        except RelnotesError:
            raise
        except Exception as error:
            _LOG.exception("defect")
            raise RelnotesError(_DEFECT) from error


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
