"""Whether an answer answers in its first line, as the person would judge it who typed the question."""

from dataclasses import dataclass

from evals.matching import holds_wording, plain_answer
from evals.question_set import Question
from retrieval.model import Answer, Status

LEAD_CHARACTERS, MOST_CHARACTERS = 300, 900
"""Within how many characters an answer must say what was asked for, and how long it may be."""


@dataclass(frozen=True, slots=True)
class TypedGrade:
    """What an answer to a question that has one is worth; neither: half of it stands in the answer or its quotes, or
    nothing was answered."""

    good: bool
    """It leads with what was asked for, holds all key facts and nothing it mustn't, cites, and is short."""
    wrong: bool
    """It answers, and neither it nor its quotes hold all key facts; or it says what it mustn't."""


def grade_typed(question: Question, answer: Answer | None) -> TypedGrade:
    """Grade the answer to a question that says what its first line must hold."""
    if answer is None or answer.status is Status.NOT_FOUND:
        return TypedGrade(good=False, wrong=False)
    said = plain_answer(answer.answer)
    quoted = plain_answer(" ".join((answer.answer, *(citation.quote for citation in answer.citations))))
    is_false = any(holds_wording(plain_answer(wording), said) for wording in question.mustnot)
    leads = _holds_all(question.lead, said[:LEAD_CHARACTERS]) and _holds_all(question.answer_key, said)
    good = leads and not is_false and bool(answer.citations) and len(said) <= MOST_CHARACTERS
    return TypedGrade(good, wrong=is_false or not _holds_all(question.answer_key, quoted))


def _holds_all(keys: tuple[tuple[str, ...], ...], text: str) -> bool:
    return all(any(holds_wording(plain_answer(wording), text) for wording in wordings) for wordings in keys)
