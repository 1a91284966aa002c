"""The server's log on stderr, without questions unless asked for; and the redaction of texts before they are stored or
logged: secrets recognised by their form, and e-mail addresses.

Secrets without a form, such as names or short passwords, aren't recognised: questions aren't stored by default.
"""

import json
import logging
import os
import re
import sys
import traceback
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import UTC, datetime

from ui.rendering.words import printable

REQUEST_ID: ContextVar[str | None] = ContextVar("request_id", default=None)
"""The id of the current request; None outside a request."""
OURS = "relnotes"
"""The parent of our loggers; `--quiet` and `--verbose` set its level."""
_FIELDS = ("method", "route", "status", "ms", "token", "question", "answered")
"""The fields that our log lines have beside the message, in this order."""

SECRET, ADDRESS = "[secret]", "[e-mail]"
_FORMS = re.compile(
    r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|\Z)"
    r"|\brn_[\w-]{20,200}"  # ours
    r"|\bxox[a-z]-[\w-]{8,300}|\bxapp-[\w-]{8,300}"  # Slack
    r"|\bgh[pousr]_\w{20,300}|\bgithub_pat_\w{20,300}|\bglpat-[\w-]{16,300}"
    r"|\bnpm_\w{30,100}|\bpypi-[\w-]{40,400}"
    r"|\bsk-[\w-]{16,300}|\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"
    r"|\beyJ[\w-]{8,2000}\.[\w-]{4,4000}\.[\w-]{0,1000}"  # a JSON web token
)
_LOGIN = re.compile(r"(?<=://)[^\s/@:]{1,200}:[^\s/@]{1,200}(?=@)")
_HEADER = re.compile(r"\b(bearer|basic) +[\w.~+/=-]{8,2000}", re.IGNORECASE)
_STATED = re.compile(
    r"\b((?:[\w-]{0,40}[_-])?(?:password|passwd|secret|token|api[_-]?key)[\"']?\s{0,3}[=:]\s{0,3})"
    r"[\"']?[^\s\"',;]{6,500}[\"']?",
    re.IGNORECASE,
)
_MAIL = re.compile(r"[\w.+-]{1,64}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}\b", re.IGNORECASE)
_VARIABLES = """RELNOTES_TOKEN RELNOTES_LLM_API_KEY RELNOTES_MILVUS_TOKEN GITHUB_TOKEN SLACK_BOT_TOKEN SLACK_APP_TOKEN
    SLACK_SIGNING_SECRET""".split()
_MIN_SECRET = 6  # Replacing shorter values would hide unrelated words.


class JsonLines(logging.Formatter):
    """Formats a record as a JSON object, `secrets` replaced; an exception gets its type and traceback places, and its
    message, which may quote a question, only if `with_words`."""

    def __init__(self, *, with_words: bool, secrets: Sequence[str] = ()) -> None:
        super().__init__()
        self._secrets = tuple(json.dumps(secret)[1:-1] for secret in secrets)
        self._with_words = with_words

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON in ASCII, without the server's secrets."""
        text = json.dumps(self._fields(record))
        for secret in self._secrets:
            text = text.replace(secret, SECRET)
        return text

    def _fields(self, record: logging.LogRecord) -> dict[str, object]:
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
        return line


class PlainLines(JsonLines):
    """Formats a record for people at a terminal, without control characters: `14:05:32  POST /v1/ask 200, 48 ms`."""

    def format(self, record: logging.LogRecord) -> str:
        """Return a record as one line: the time, the message or the request with its status, then details."""
        line = json.loads(super().format(record))
        parts = [line["level"], line["message"]] if "route" not in line else [f"{line['method']} {line['route']}"]
        if "status" in line:
            parts[-1] += f" {line['status']}, {line['ms']:.0f} ms"
        if "error" in line:
            parts[-1] += f" ({line['error']} at {line['at'][-1] if line['at'] else '?'})"
        parts += [f"{name}: {line[name]}" for name in ("token", "question", "said") if name in line]
        return f"{datetime.fromtimestamp(record.created):%H:%M:%S}  {printable('  '.join(parts))}"


def start_logging(*, log_questions: bool) -> None:
    """Send the server's log to stderr: its own lines, and the warnings of its libraries."""
    handler = logging.StreamHandler(sys.stderr)
    formatter = PlainLines if sys.stderr.isatty() else JsonLines
    handler.setFormatter(formatter(with_words=log_questions, secrets=own_secrets()))
    # Some libraries set the level of their own loggers when they are imported.
    handler.addFilter(lambda record: record.levelno >= logging.WARNING or record.name.startswith(f"{OURS}."))
    ours = logging.getLogger(OURS)
    if ours.level == logging.NOTSET:
        ours.setLevel(logging.INFO)
    logging.basicConfig(level=max(logging.WARNING, ours.level), handlers=[handler], force=True)
    # The command line has disabled all records below warnings.
    logging.disable(logging.NOTSET)


def redact(text: str) -> str:
    """Replace whatever looks like a secret or an e-mail address in `text` by `[secret]` or `[e-mail]`."""
    text = _FORMS.sub(SECRET, text)
    text = _LOGIN.sub(SECRET, text)
    text = _HEADER.sub(rf"\1 {SECRET}", text)
    text = _STATED.sub(rf"\1{SECRET}", text)
    return _MAIL.sub(ADDRESS, text)


def own_secrets(environment: Mapping[str, str] = os.environ) -> tuple[str, ...]:
    """Return the values of relnotes' secret variables, each once, longest first, without those under 6 characters."""
    values = {environment.get(name, "") for name in _VARIABLES}
    return tuple(sorted((value for value in values if len(value) >= _MIN_SECRET), key=len, reverse=True))
