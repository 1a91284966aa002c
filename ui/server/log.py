"""The server's log: one JSON object a line on stderr, without question texts unless that is asked for."""

import json
import logging
import sys
import traceback
from collections.abc import Sequence
from contextvars import ContextVar
from datetime import UTC, datetime

from ui.server.redaction import SECRET, own_secrets, redact

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the request that is being answered; None elsewhere."""
OURS = "relnotes"
"""Our own loggers are named below it; its level, where one is set, is what `--quiet` or `--verbose` asked for."""
_FIELDS = ("method", "route", "status", "ms", "token", "question", "answered")
"""What our own lines carry beside the message, in this order."""


class JsonLines(logging.Formatter):
    """A record as a JSON object.

    Of an exception it gives the type and the places. Its words may quote a question, so they are left out unless
    `with_words`. `secrets` are never written.
    """

    def __init__(self, *, with_words: bool, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._secrets = tuple(json.dumps(secret)[1:-1] for secret in secrets)
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
        text = json.dumps(line)
        for secret in self._secrets:
            text = text.replace(secret, SECRET)
        return text


def start_logging(*, log_questions: bool) -> None:
    """Send the server's log to stderr: its own lines, and the warnings of its libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(with_words=log_questions, secrets=own_secrets()))
    # Some libraries set the level of their own loggers when they are imported.
    handler.addFilter(lambda record: record.levelno >= logging.WARNING or record.name.startswith(f"{OURS}."))
    ours = logging.getLogger(OURS)
    if ours.level == logging.NOTSET:
        ours.setLevel(logging.INFO)
    logging.basicConfig(level=max(logging.WARNING, ours.level), handlers=[handler], force=True)
    # The command line turns off what isn't a warning, for all loggers at once.
    logging.disable(logging.NOTSET)
