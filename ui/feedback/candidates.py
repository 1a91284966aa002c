"""Questions for the evals out of use: verdicts, readings that were taken back, and questions without an answer.

They are candidates: a person looks at each before it counts. Nothing is added to what the logs hold, and of that
neither the channel nor the message. Questions and reasons stand as people wrote them, who may have named themselves.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from corpus.errors import RelnotesError
from evals.labelled_places import load_labels
from retrieval.model import Status
from ui.feedback.log import Feedback, StoredFeedback, Unanswered, question_key


class _Line(BaseModel):
    id: str


def gather_candidates(
    stored: Iterable[StoredFeedback], unanswered: Iterable[Unanswered]
) -> tuple[Mapping[str, Any], ...]:
    """Every question that was kept as a line of a question file, unreviewed; each once, by its latest verdict: judged
    last comes last, after them those that nobody judged. `stored` is oldest first, `unanswered` newest first, as the
    log has them.
    """
    judged: dict[str, list[Feedback]] = {}
    for feedback in (told.feedback for told in stored):
        if question_key(feedback.question or ""):
            known = judged.pop(_id_of(feedback), [])
            judged[_id_of(feedback)] = [*known, feedback]
    lines = []
    for verdicts in judged.values():
        last = verdicts[-1]
        origin = "corrected" if last.without else "thumb-up" if last.good else "thumb-down"
        lines.append(_line(last, origin, times=len(verdicts)))
    words = {question_key(verdicts[-1].question or "") for verdicts in judged.values()}
    for missed in reversed(tuple(unanswered)):
        if question_key(missed.question) not in words | {""}:
            said = Feedback(good=False, status=Status.NOT_FOUND, confidence=0.0, question=missed.question)
            lines.append(_line(said, "unanswered", times=missed.times))
    return tuple(lines)


def _id_of(said: Feedback) -> str:
    """The same for the same question with the same filters and history, however they are spaced or capitalised."""
    earlier = tuple(map(question_key, said.history))
    filters = (said.product or "").casefold(), (said.version or "").casefold()
    asked = json.dumps((question_key(said.question or ""), earlier, *filters))
    return f"feedback-{hashlib.sha256(asked.encode()).hexdigest()[:10]}"


def _line(said: Feedback, origin: str, *, times: int) -> Mapping[str, Any]:
    gold = [{"path": cited.path, "quote": cited.quote} for cited in said.cited] if said.good else []
    optional = {
        "any_of": len(gold) > 1,
        "history": said.history,
        "product": said.product,
        "version": said.version,
        # What was read wrongly; the question is to be understood without such help.
        "without": said.without,
        "note": said.reason,
    }
    return {
        "id": _id_of(said),
        "kind": "feedback",
        "question": " ".join((said.question or "").split()),
        # For a person to decide: false only where someone called a "not found" good.
        "answerable": not said.good or said.status != Status.NOT_FOUND,
        "gold": gold,
        "reviewed": False,
        "from": origin,
        "times": times,
    } | {name: value for name, value in optional.items() if value}


def add_candidates(path: Path, lines: Iterable[Mapping[str, Any]]) -> tuple[Mapping[str, Any], ...]:
    """Add the lines to a question file whose ids it doesn't have, and return these; what is in it is a person's, and
    stays byte for byte.

    A new file is for its owner alone, like the logs that the questions are from.

    Raises:
        UsageError: it can't be read, or has lines without an id; all of them are listed.
        RelnotesError: it can't be written.
    """
    # What can't be read can't be told from what is new.
    read = partial(
        load_labels, parse=lambda line: _Line.model_validate_json(line).id, name="lines of the question file"
    )
    known = set(read(path)) if path.exists() else set()
    new = tuple(line for line in lines if line["id"] not in known)
    if not new:
        return ()
    added = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in new).encode("utf-8", "replace")
    try:
        with open(path, "a+b", opener=partial(os.open, mode=0o600)) as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                # What an editor or a full disk left without its end stays a line of its own.
                added = added if file.read() == b"\n" else b"\n" + added
            file.write(added)
    except OSError as error:
        raise RelnotesError(f"Cannot write {str(path)!r}: {error.strerror or error}. Name another file.") from None
    return new
