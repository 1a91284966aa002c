"""Questions that people asked and got no answer to, kept where the operator turned that on: what the notes lack.

A file of JSON lines beside the index, readable by its owner alone: each question once, with how often and when last,
the newest few hundred. Who asked isn't kept.
"""

import contextlib
import json
import logging
import os
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from pydantic import TypeAdapter

from ui.server.redaction import redact
from ui.server.retention import guard

_LOG = logging.getLogger("relnotes.questions")
MAX_KEPT = 200
"""Questions of a file; the one that was asked longest ago makes room."""


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question as it was last put."""

    question: str
    times: int
    last_asked: datetime


_UNANSWERED = TypeAdapter(Unanswered)


def _now() -> datetime:
    return datetime.now(tz=UTC)


def unanswered_file(index: Path) -> Path:
    """Where the questions to an index are kept."""
    return index / "unanswered.jsonl"


def load_unanswered(path: Path) -> tuple[Unanswered, ...]:
    """The questions that are kept, asked last first; none where there is no file. A damaged line is passed over."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except FileNotFoundError:
        return ()
    kept = []
    for line in reversed(lines):
        with contextlib.suppress(ValueError):
            kept.append(_UNANSWERED.validate_json(line))
    return tuple(kept)


class UnansweredQuestions:
    """The file, as those write it who answer; safe to share between threads and processes."""

    def __init__(self, path: Path, *, max_kept: int = MAX_KEPT, now: Callable[[], datetime] = _now) -> None:
        self._path = path
        self._max_kept = max_kept
        self._now = now

    def add(self, question: str) -> None:
        """Keep the question, or count it once more; the same words in another case or spacing are the same question.

        An answer must not fail for it: where the file can't be written, that is logged.
        """
        # JSON can't hold half a character.
        words = redact(" ".join(question.split()).encode("utf-8", "replace").decode())
        try:
            with guard(self._path):
                self._add(words)
        except OSError as error:
            _LOG.warning("Cannot keep a question without an answer in %s: %s", self._path, error)

    def _add(self, words: str) -> None:
        kept = {question_key(missed.question): missed for missed in reversed(load_unanswered(self._path))}
        before = kept.pop(question_key(words), None)
        kept[question_key(words)] = Unanswered(words, before.times + 1 if before else 1, self._now())
        part = self._path.with_suffix(".part")
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            for missed in tuple(kept.values())[-self._max_kept :]:
                last_asked = missed.last_asked.isoformat(timespec="seconds")
                file.write(json.dumps(asdict(missed) | {"last_asked": last_asked}) + "\n")
        part.replace(self._path)


def question_key(question: str) -> str:
    """The same for the same words in another case or spacing, whatever mark ends them; empty without a word."""
    return " ".join(question.casefold().split()).rstrip(" ?!.")
