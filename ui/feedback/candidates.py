"""Questions for the evals out of use: verdicts, readings that were taken back, and questions without an answer.

They are candidates: a person looks at each before it counts. Nothing is added to what the logs hold, and of that
neither the channel nor the message. Questions and reasons stand as people wrote them, who may have named themselves.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path

from pydantic import BaseModel

from corpus.errors import RelnotesError
from evals.labelled_places import Place, load_labels
from retrieval.model import Status
from ui.feedback.log import CitedQuote, Feedback, StoredFeedback, Unanswered, question_key

_Asked = tuple[str, tuple[str, ...], str, str]


class CandidateOrigin(StrEnum):
    """What made a question a candidate."""

    THUMB_UP = "thumb-up"
    THUMB_DOWN = "thumb-down"
    CORRECTED = "corrected"
    """The verdict is on an answer to a question of which the person took a part of the reading back."""
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question as it was last judged or put, and how often it is known to have been asked."""

    said: Feedback
    origin: CandidateOrigin
    times: int

    @property
    def question(self) -> str:
        """The question on one line."""
        return " ".join((self.said.question or "").split())

    @property
    def answerable(self) -> bool:
        """What a person has to decide: false only where someone called a "not found" good."""
        return not self.said.good or self.said.status != Status.NOT_FOUND

    @property
    def gold(self) -> tuple[CitedQuote, ...]:
        """What answers it, where someone called the answer good."""
        return self.said.cited if self.said.good else ()

    @property
    def lacks_gold(self) -> bool:
        """Whether someone has to find the passage that answers it."""
        return self.answerable and not self.gold

    @property
    def id(self) -> str:
        """The same for the same question, however it is spaced or capitalised."""
        return f"feedback-{hashlib.sha256(json.dumps(_asked(self.said)).encode()).hexdigest()[:10]}"


def _asked(said: Feedback) -> _Asked:
    """What two askings of the same question have in common."""
    earlier = tuple(map(question_key, said.history))
    return question_key(said.question or ""), earlier, (said.product or "").casefold(), (said.version or "").casefold()


def gather_candidates(stored: Iterable[StoredFeedback], unanswered: Iterable[Unanswered]) -> tuple[Candidate, ...]:
    """Every question that was kept, once, by its latest verdict: judged last comes last, after them those that
    nobody judged. `stored` is oldest first, `unanswered` newest first, as the log has them.

    A question without an answer that was judged as well, with whatever filter, is told by the verdict alone.
    """
    judged: dict[_Asked, tuple[Feedback, ...]] = {}
    for told in stored:
        asked = _asked(told.feedback)
        if asked[0]:
            judged[asked] = (*judged.pop(asked, ()), told.feedback)
    missed = {question_key(question.question): question for question in unanswered}
    latest = {asked[0]: asked for asked in judged}
    candidates = [
        _judged(verdicts, missed.get(asked[0]) if latest[asked[0]] == asked else None)
        for asked, verdicts in judged.items()
    ]
    for words, question in reversed(missed.items()):
        if words and words not in latest:
            said = Feedback(good=False, status=Status.NOT_FOUND, confidence=0.0, question=question.question)
            candidates.append(Candidate(said, CandidateOrigin.UNANSWERED, question.times))
    return tuple(candidates)


def _judged(verdicts: Sequence[Feedback], missed: Unanswered | None) -> Candidate:
    last = verdicts[-1]
    not_found = sum(verdict.status == Status.NOT_FOUND for verdict in verdicts)
    # A "not found" that was judged is among those that were counted when they were asked.
    times = len(verdicts) - not_found + max(not_found, missed.times if missed else 0)
    thumb = CandidateOrigin.THUMB_UP if last.good else CandidateOrigin.THUMB_DOWN
    return Candidate(last, CandidateOrigin.CORRECTED if last.without else thumb, times)


def render_candidate(candidate: Candidate, places: Sequence[Place] = ()) -> str:
    """The candidate as a line of a question file, unreviewed; `places` are passages to choose its gold from.

    `without` are the facets that were read wrongly; the question is to be understood without such help.
    """
    said = candidate.said
    optional: dict[str, object] = {
        "any_of": len(candidate.gold) > 1,
        "history": said.history,
        "product": said.product,
        "version": said.version,
        "without": said.without,
        "note": said.reason,
        "candidates": [asdict(place) for place in places],
    }
    line = {
        "id": candidate.id,
        "kind": "feedback",
        "question": candidate.question,
        "answerable": candidate.answerable,
        "gold": [{"path": cited.path, "quote": cited.quote} for cited in candidate.gold],
        "reviewed": False,
        "from": candidate.origin.value,
        "times": candidate.times,
    } | {name: value for name, value in optional.items() if value}
    return json.dumps(line, ensure_ascii=False) + "\n"


def load_ids(path: Path) -> frozenset[str]:
    """The ids of the lines of a question file, reviewed or not; none where there is no file.

    Raises:
        UsageError: it can't be read, or has lines without an id; all of them are listed.
    """
    if not path.exists():
        return frozenset()
    # What can't be read can't be told from what is new.
    return frozenset(
        load_labels(path, lambda line: _Line.model_validate_json(line).id, name="lines of the question file")
    )


class _Line(BaseModel):
    id: str


def append_lines(path: Path, lines: Iterable[str]) -> None:
    """Add whole lines at the end of a question file; what is in it is a person's, and stays byte for byte.

    A new file is for its owner alone, like the logs that the questions are from.

    Raises:
        RelnotesError: it can't be written.
    """
    added = "".join(lines).encode("utf-8", "replace")
    try:
        with open(path, "a+b", opener=partial(os.open, mode=0o600)) as file:
            if file.tell():
                file.seek(-1, os.SEEK_END)
                # What an editor or a full disk left without its end stays a line of its own.
                added = added if file.read() == b"\n" else b"\n" + added
            file.write(added)
    except OSError as error:
        raise RelnotesError(f"Cannot write {str(path)!r}: {error.strerror or error}. Name another file.") from None
