"""The id of the request that is being answered: in its response, its problem document and its log line."""

import re
import uuid
from contextvars import ContextVar

HEADER = "X-Request-ID"
REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""Set by `ui.http.request_record` around each request; None elsewhere."""

# What goes into a log must not be able to break out of it, nor fill it.
_ACCEPTED = re.compile(r"[A-Za-z0-9._-]{1,64}")


def choose_request_id(presented: str | None) -> str:
    """The id that the client sent, where it is short and plain; otherwise a new random one."""
    return presented if presented and _ACCEPTED.fullmatch(presented) else uuid.uuid4().hex
