"""Versions as requests write them."""

from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from corpus.errors import NotIndexed
from corpus.versions import Version

_CHARACTERS = r"[0-9A-Za-z.*_+~-]"
_FORM = f"{_CHARACTERS}*[0-9]{_CHARACTERS}*"
_MAX_CHARACTERS = 64
_LATEST = "latest"


def _check_version(text: str) -> str:
    # Not a fault of form, which is told by its place in the request: what has this form may still be no version.
    if text != _LATEST and Version.try_parse(text.removesuffix(".x").removesuffix(".*")) is None:
        raise NotIndexed(f"Not a version: {text!r}. No release can be called that; write it like 2.9, v5 or 8.0.0rc1.")
    return text


VersionText = Annotated[
    str, StringConstraints(max_length=_MAX_CHARACTERS, pattern=f"^{_FORM}$"), AfterValidator(_check_version)
]
"""One version; raises NotIndexed for what has the form of one and isn't."""
VersionOrLatestText = Annotated[
    str,
    StringConstraints(max_length=_MAX_CHARACTERS, pattern=f"^(?:{_LATEST}|{_FORM})$"),
    AfterValidator(_check_version),
]
"""One version, or `latest`."""
