"""What pages share: the assistant, the reading of forms, and the messages of errors."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from corpus.errors import RelnotesError, UsageError
from retrieval.assistant import Assistant
from ui.http.answering import Answering, Result
from ui.http.guards import MAX_DIFF_BODY_BYTES
from ui.http.problems import public_message
from ui.server.question_desk import Line

_LOG = logging.getLogger("relnotes.page")
NO_INDEX = "No index can be served. See the Library, or the server's log, which says more."
_DEFECT = "relnotes met an error it didn't expect; the server's log has it. Try it again."
MAX_FILES = 200
MAX_FIELDS = 16
_MAX_NAME_CHARACTERS = 300


@dataclass(frozen=True)
class PageServices(Answering):
    """The assistant and desk of the server, as pages use them."""

    async def run(self, ask: Callable[[Assistant], Result], *, line: Line = "questions") -> Result:
        """Return the result of `ask`, called with the assistant; log unexpected errors and raise them as RelnotesError.

        Raises:
            RelnotesError: the request was refused, or `ask` failed.
        """
        try:
            return await super().run(ask, line=line)
        except RelnotesError:
            raise
        except Exception as error:
            _LOG.exception("defect")
            raise RelnotesError(_DEFECT) from error


page_message = partial(public_message, no_index=NO_INDEX)  # Returns an error's message for a visitor of the page.


@dataclass(frozen=True, slots=True)
class SentForm:
    """A form: the first value of each field, and the text of each file, by name."""

    fields: Mapping[str, str]
    files: Mapping[str, str]
    left_out: tuple[str, ...]  # Names of the binary files.


async def read_form(request: Request) -> SentForm:
    """Read the form in a request, files that aren't text left out; `ui.http.guards.BodyLimit` has limited its size.

    Raises:
        UsageError: the body is no form, or has too many parts.
    """
    try:
        form = await request.form(max_files=MAX_FILES, max_fields=MAX_FIELDS, max_part_size=MAX_DIFF_BODY_BYTES)
    except HTTPException:
        raise UsageError(f"This form can't be read. Choose text files, {MAX_FILES} at most.") from None
    fields: dict[str, str] = {}
    files: dict[str, str] = {}
    left_out: list[str] = []
    for name, value in form.multi_items():
        if not isinstance(value, UploadFile):
            fields.setdefault(name, value)
        elif value.filename:
            text = (await value.read()).decode(errors="replace")
            if "\0" in text:
                left_out.append(value.filename[-_MAX_NAME_CHARACTERS:])
            else:
                files[value.filename[-_MAX_NAME_CHARACTERS:]] = text
    return SentForm(fields, files, tuple(left_out))
