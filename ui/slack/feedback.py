"""What users think of answers, one JSON object a line; without the question unless the user of relnotes wants it."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Feedback:
    """A click on "good answer" or "bad answer"."""

    good: bool
    status: str
    confidence: float
    question: str | None
    channel: str
    message_ts: str
    response_url: str | None


class FeedbackLog:
    """Appends feedback to a file; who clicked isn't kept."""

    def __init__(self, path: Path, *, with_questions: bool, now: Callable[[], float]) -> None:
        self._path = path
        self._with_questions = with_questions
        self._now = now

    def add(self, feedback: Feedback) -> None:
        """Append one line."""
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(self._now(), UTC).isoformat(timespec="seconds"),
            "verdict": "good" if feedback.good else "bad",
            "status": feedback.status,
            "confidence": feedback.confidence,
            "channel": feedback.channel,
            "message": feedback.message_ts,
        }
        if self._with_questions and feedback.question is not None:
            line["question"] = feedback.question
        # It may hold questions.
        self._path.touch(mode=0o600)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
