"""What pages send as forms: bounded, read as text, and let go."""

from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import Request
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException

from corpus.errors import UsageError
from ui.http.guards import MAX_DIFF_BODY_BYTES

MAX_FILES = 200
MAX_FIELDS = 16
_MAX_NAME_CHARACTERS = 300


@dataclass(frozen=True, slots=True)
class SentForm:
    """The first value of each field, and the files, as text by name."""

    fields: Mapping[str, str]
    files: Mapping[str, str]
    left_out: tuple[str, ...]
    """Names of files that hold no text."""


async def read_form(request: Request) -> SentForm:
    """What a form brings; its body was bounded before (`ui.http.guards.BodyLimit`).

    Raises:
        UsageError: it is no form, or has too many parts.
    """
    try:
        sent = await request.form(max_files=MAX_FILES, max_fields=MAX_FIELDS, max_part_size=MAX_DIFF_BODY_BYTES)
    except HTTPException:
        raise UsageError(f"This form can't be read. Choose text files, {MAX_FILES} at most.") from None
    fields: dict[str, str] = {}
    files: dict[str, str] = {}
    left_out: list[str] = []
    for name, value in sent.multi_items():
        if not isinstance(value, UploadFile):
            fields.setdefault(name, value)
        elif value.filename:
            text = (await value.read()).decode(errors="replace")
            if "\0" in text:
                left_out.append(value.filename[-_MAX_NAME_CHARACTERS:])
            else:
                files[value.filename[-_MAX_NAME_CHARACTERS:]] = text
    return SentForm(fields, files, tuple(left_out))
