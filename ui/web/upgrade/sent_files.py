"""The files that a visitor's browser sends with the form: text by name, bounded, read and then let go."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from corpus.errors import UsageError
from ui.http.guards import MAX_DIFF_BODY_BYTES

MAX_FILES = 200
MAX_SENT_BYTES = MAX_DIFF_BODY_BYTES - 100_000
"""In all, escaped as JSON twice: what a request of the page may have, less the rest of the form."""
_MAX_NAME_CHARACTERS = 300


class _Sent(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class _SentFile(_Sent):
    name: Annotated[str, StringConstraints(min_length=1, max_length=_MAX_NAME_CHARACTERS)]
    text: str


class SentFiles(_Sent):
    """Files, and whether they have just come: then they fill in the form."""

    files: Annotated[tuple[_SentFile, ...], Field(max_length=MAX_FILES)] = ()
    are_new: bool = False

    @property
    def texts(self) -> dict[str, str]:
        """The texts by name."""
        return {file.name: file.text for file in self.files}


def parse_sent_files(sent: str | None) -> SentFiles:
    """What came with the form; none where nothing did.

    Raises:
        UsageError: it isn't what the page sends.
    """
    if not sent:
        return SentFiles()
    try:
        return SentFiles.model_validate_json(sent)
    except ValidationError as error:
        raise UsageError(
            f"These files can't be read. Choose text files, {MAX_FILES} at most, whose names are short."
        ) from error
