"""Questions for the evals out of use: verdicts, readings that were taken back, and questions without an answer.

They are candidates: a person looks at each before it counts. Nothing is added to what the logs hold, and of that
neither the channel nor the message. Questions and reasons stand as people wrote them, who may have named themselves.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from enum import StrEnum

from evals.labelled_places import Place
from retrieval.model import Status
from ui.feedback.log import CitedQuote, Feedback, StoredFeedback
from ui.feedback.unanswered import Unanswered, question_key

_KIND = "feedback"


class CandidateOrigin(StrEnum):
    """What made a question a candidate."""

    THUMB_UP = "thumb-up"
    THUMB_DOWN = "thumb-down"
    CORRECTED = "corrected"
    """The verdict is on an answer to a question of which the person took a part of the reading back."""
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question as it was last judged or put.

    `times` is how often it is known to have been asked. `answerable` is what a person has to decide: false only where
    someone called a "not found" good. `without` are the facets that were read wrongly; the question is to be
    understood without such help, so it says what was wrong and nothing of how to ask.
    """

    question: str
    origin: CandidateOrigin
    times: int
    answerable: bool
    gold: tuple[CitedQuote, ...] = ()
    history: tuple[str, ...] = ()
    product: str | None = None
    version: str | None = None
    without: tuple[str, ...] = ()
    reason: str | None = None

    @property
    def id(self) -> str:
        """The same for the same question, however it is spaced or capitalised."""
        asked = _asked(self.question, self.history, self.product, self.version)
        return f"feedback-{hashlib.sha256(json.dumps(asked).encode()).hexdigest()[:10]}"

    @property
    def lacks_gold(self) -> bool:
        """Whether someone has to find the passage that answers it."""
        return self.answerable and not self.gold


_Asked = tuple[str, tuple[str, ...], str, str]


def _asked(question: str, history: Iterable[str], product: str | None, version: str | None) -> _Asked:
    """What two askings of the same question have in common."""
    earlier = tuple(question_key(one) for one in history)
    return question_key(question), earlier, (product or "").casefold(), (version or "").casefold()


def gather_candidates(stored: Iterable[StoredFeedback], unanswered: Iterable[Unanswered]) -> tuple[Candidate, ...]:
    """Every question that was kept, once, by its latest verdict: judged last comes last, after them those that
    nobody judged. `stored` is oldest first, `unanswered` newest first, as their files are read.

    A question without an answer that was judged as well, with whatever filter, is told by the verdict alone.
    """
    judged: dict[_Asked, tuple[Feedback, ...]] = {}
    for one in stored:
        said = one.feedback
        asked = _asked(said.question or "", said.history, said.product, said.version)
        if asked[0]:
            judged[asked] = (*judged.pop(asked, ()), said)
    missed = {question_key(one.question): one for one in unanswered}
    latest = {asked[0]: asked for asked in judged}
    candidates = [
        _judged(verdicts, missed.get(asked[0]) if latest[asked[0]] == asked else None)
        for asked, verdicts in judged.items()
    ]
    candidates += [
        Candidate(_on_one_line(one.question), CandidateOrigin.UNANSWERED, one.times, answerable=True)
        for words, one in reversed(missed.items())
        if words and words not in latest
    ]
    return tuple(candidates)


def _judged(verdicts: Sequence[Feedback], missed: Unanswered | None) -> Candidate:
    last = verdicts[-1]
    not_found = sum(one.status == Status.NOT_FOUND for one in verdicts)
    # A "not found" that was judged is among those that were counted when they were asked.
    times = len(verdicts) - not_found + max(not_found, missed.times if missed else 0)
    thumb = CandidateOrigin.THUMB_UP if last.good else CandidateOrigin.THUMB_DOWN
    return Candidate(
        question=_on_one_line(last.question or ""),
        origin=CandidateOrigin.CORRECTED if last.without else thumb,
        times=times,
        answerable=not last.good or last.status != Status.NOT_FOUND,
        gold=last.cited if last.good else (),
        history=last.history,
        product=last.product,
        version=last.version,
        without=last.without,
        reason=last.reason,
    )


def _on_one_line(question: str) -> str:
    # The log escapes half characters, which no model reads.
    return " ".join(question.split()).encode("utf-8", "replace").decode()


def render_candidate(candidate: Candidate, places: Sequence[Place] = ()) -> str:
    """The candidate as a line of a question file, unreviewed; `places` are passages to choose its gold from."""
    line: dict[str, object] = {
        "id": candidate.id,
        "kind": _KIND,
        "question": candidate.question,
        "answerable": candidate.answerable,
        "gold": [{"path": one.path, "quote": one.quote} for one in candidate.gold],
        "reviewed": False,
        "from": candidate.origin.value,
        "times": candidate.times,
    }
    if len(candidate.gold) > 1:
        line["any_of"] = True
    told = {name: getattr(candidate, name) for name in ("history", "product", "version", "without")}
    told["note"] = candidate.reason
    told["candidates"] = [asdict(place) for place in places]
    line |= {name: value for name, value in told.items() if value}
    return json.dumps(line, ensure_ascii=False) + "\n"
