"""Feedback as lines of an eval question file, for a person to look through before they are believed."""

import hashlib
import json
from collections.abc import Iterable

from retrieval.model import Status
from ui.feedback import Feedback, StoredFeedback

_KIND = "feedback"
_UNSEEN = "to be reviewed"


def render_questions(stored: Iterable[StoredFeedback]) -> str:
    """The questions that were kept, one line each in the form of `evals/questions/*.jsonl`, each once: its latest
    verdict. A good answer's quotes are gold; of a bad one only the question is known. Empty without any."""
    latest = {_key(one.feedback): one.feedback for one in stored if one.feedback.question}
    return "".join(_line(key, feedback) for key, feedback in latest.items())


def _key(feedback: Feedback) -> str:
    asked = (feedback.question, feedback.history, feedback.product, feedback.version)
    return hashlib.sha256(json.dumps(asked).encode("utf-8", "replace")).hexdigest()[:10]


def _line(key: str, feedback: Feedback) -> str:
    gold = [{"path": one.path, "quote": one.quote} for one in feedback.cited] if feedback.good else []
    is_found = feedback.status != Status.NOT_FOUND.value
    line: dict[str, object] = {
        "id": f"feedback-{key}",
        "kind": _KIND,
        "question": feedback.question,
        # An honest "not found" is right where nothing is there; that a bad one should have found something is a guess.
        "answerable": is_found if feedback.good else True,
        "gold": gold,
    }
    if len(gold) > 1:
        line["any_of"] = True
    if feedback.history:
        line["history"] = feedback.history
    line |= {name: value for name in ("product", "version") if (value := getattr(feedback, name))}
    if not gold:
        line["note"] = f"{_UNSEEN}: {feedback.reason}" if feedback.reason else _UNSEEN
    return json.dumps(line, ensure_ascii=False) + "\n"
