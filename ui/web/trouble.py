"""What the page says where something can't be done; what only the log may know stays there."""

import logging
from collections.abc import Callable
from typing import TypeVar

from corpus.errors import IndexUnavailable, ModelError, RelnotesError
from ui.server.question_desk import QuestionDesk

_LOG = logging.getLogger("relnotes.page")
_NO_INDEX = "No index can be served. Add release notes in the Library; the server's log says more."
_NO_MODEL = "The server can't load its model, and so can't answer; its log says why."
_DEFECT = "relnotes met an error it didn't expect; the server's log has it. Try it again."

_Result = TypeVar("_Result")


class PageDefect(RelnotesError):
    """Something failed that shouldn't have; the log has what."""


def tell_trouble(error: RelnotesError) -> str:
    """What went wrong, for whoever looks at the page: it names no place on the server."""
    match error:
        case IndexUnavailable():
            told = _NO_INDEX
        case ModelError():
            told = _NO_MODEL
        case _:
            return str(error)
    _LOG.error("%s", error)
    return told


async def run_at_desk(desk: QuestionDesk, work: Callable[[], _Result], *, is_long: bool = False) -> _Result:
    """Run `work` at the desk, as `QuestionDesk.run` does; the page would wait for ever for what fails unsaid.

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
