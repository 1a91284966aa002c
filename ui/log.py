"""The server's log on stderr, without questions unless asked for."""

import json
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current request; None outside a request."""
OURS = "relnotes"
"""The parent of our loggers; `--quiet` and `--verbose` set its level."""
_FIELDS = ("method", "route", "status", "ms", "question", "answered")
"""The fields that our log lines have beside the message, in this order."""


class JsonLines(logging.Formatter):
    """Formats a record as a JSON object; an exception gets its type and traceback places, and its message, which may
    quote a question, only if `with_words`."""

    def __init__(self, *, with_words: bool) -> None:
        super().__init__()
        self._with_words = with_words

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON in ASCII."""
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
                line["said"] = str(error)
        return json.dumps(line)


def start_logging(*, log_questions: bool) -> None:
    """Send the server's log to stderr: its own lines, and the warnings of its libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines(with_words=log_questions))
    # Some libraries set the level of their own loggers when they are imported.
    handler.addFilter(lambda record: record.levelno >= logging.WARNING or record.name.startswith(f"{OURS}."))
    ours = logging.getLogger(OURS)
    if ours.level == logging.NOTSET:
        ours.setLevel(logging.INFO)
    logging.basicConfig(level=max(logging.WARNING, ours.level), handlers=[handler], force=True)
    # The command line has disabled all records below warnings.
    logging.disable(logging.NOTSET)
