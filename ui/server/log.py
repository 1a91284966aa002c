"""The server's log: one JSON object a line on stderr, without question texts unless that is asked for."""

import json
import logging
import sys
import traceback
from collections.abc import Sequence
from datetime import UTC, datetime

from ui.http.request_id import REQUEST_ID
from ui.server.redaction import SECRET, own_secrets, redact

_OURS = "relnotes"
_FIELDS = ("method", "route", "status", "ms", "token", "trace_id", "question", "answered")
"""What our own lines carry beside the message, in this order."""


class JsonLines(logging.Formatter):
    """A record as a JSON object.

    Of an exception it gives the type and the places. Its words may quote a question, so they are left out unless
    `with_words`. `secrets` never come out, whoever quotes them.
    """

    def __init__(self, *, with_words: bool, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._secrets = tuple(json.dumps(one)[1:-1] for one in secrets)
        self._with_words = with_words

    def format(self, record: logging.LogRecord) -> str:
        """One line, in ASCII."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, tz=UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        line |= {name: record.__dict__[name] for name in _FIELDS if record.__dict__.get(name) is not None}
        if record.exc_info and record.exc_info[0] is not None:
            kind, error, trace = record.exc_info
            line["error"] = kind.__qualname__
            line["at"] = [f"{at.filename}:{at.lineno} {at.name}" for at in traceback.extract_tb(trace)]
            if self._with_words:
                line["said"] = redact(str(error))
        told = json.dumps(line)
        for secret in self._secrets:
            told = told.replace(secret, SECRET)
        return told


def start_logging(*, log_questions: bool) -> None:
    """Send the server's log to stderr: its own lines, and the warnings of its libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(with_words=log_questions, secrets=own_secrets()))
    handler.addFilter(_is_ours_or_a_warning)
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(_OURS).setLevel(logging.INFO)
    # The command line turns off what isn't a warning, for all loggers at once.
    logging.disable(logging.NOTSET)


def _is_ours_or_a_warning(record: logging.LogRecord) -> bool:
    # Some libraries set the level of their own loggers when they are imported.
    return record.levelno >= logging.WARNING or record.name.startswith(f"{_OURS}.")
