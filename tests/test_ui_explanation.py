"""What counted for an answer, for people and for programs."""

from dataclasses import replace

import page_answers
import pytest
from page_answers import ANSWER, on_terminal

from retrieval.model import (
    Answer,
    Contribution,
    Decision,
    Explanation,
    PassagePoints,
    SignalPoints,
    Status,
)
from ui.contract.answer import AnswerBody, ExplainedAnswerBody, answer_body
from ui.rendering.answer_terminal import render_answer

PASSAGE = replace(
    page_answers.PASSAGE,
    document_id=3,
    score=1.25,
    heading=("Widget 2.0", "Deprecations\x1b[2J [bold]"),
)
DECISION = Decision(
    probability=0.8123,
    threshold=0.45,
    status=Status.ANSWERED,
    by_confidence=True,
    signals=(SignalPoints("one_thing", 0.25, 0.5, -1.0), SignalPoints("another", 0.9, 0.9, -0.001)),
)
EXPLANATION = Explanation(
    DECISION,
    (
        PassagePoints(
            place=1,
            product="widget",
            release="2.0",
            search_score=1.25,
            contributions=(Contribution("near_words", 0.7, 0.31), Contribution("length", 0.2, -0.06)),
        ),
        PassagePoints(place=2, product="gadget", release=None, search_score=0.5, contributions=()),
    ),
)
EXPLAINED = replace(
    ANSWER,
    passages=(PASSAGE, replace(PASSAGE, product="gadget", version=None, heading=(), score=0.5)),
    explanation=EXPLANATION,
)


def lines_of(answer: Answer) -> list[str]:
    """The lines of what counted, on a terminal of 80 columns."""
    lines = [line.strip() for line in on_terminal(render_answer(answer)).splitlines()]
    start = next(i for i, line in enumerate(lines) if line.startswith("What counted"))
    return [line for line in lines[start:] if line and not set(line) <= {"─"}]


def test_two_tables_tell_what_counted() -> None:
    assert [" ".join(line.split()) for line in lines_of(EXPLAINED)] == [
        "What counted for the decision answered: probability 0.81, threshold 0.45",
        "signal value typical points",
        "one thing 0.25 0.50 -1.00",
        "another 0.90 0.90 0.00",
        "What counted for the order points of the search",
        "passage score by",
        "1 widget 2.0 › 1.250 +0.310 near words",
        "Deprecations\N{REPLACEMENT CHARACTER}[2J [bold] -0.060 length",
        "2 gadget 0.500 –",
    ]


def test_of_many_contributions_the_largest_are_shown() -> None:
    many = tuple(Contribution(f"figure_{number}", 0.5, 1 / number) for number in range(1, 7))
    first = replace(EXPLANATION.passages[0], contributions=many)
    lines = lines_of(replace(EXPLAINED, explanation=Explanation(DECISION, (first,))))
    assert [line[-17:].strip() for line in lines[-4:]] == [
        "+1.000 figure 1",
        "+0.500 figure 2",
        "+0.333 figure 3",
        "and 3 smaller",
    ]


def test_a_decision_by_a_rule_says_so() -> None:
    ruled = replace(DECISION, status=Status.NOT_FOUND, by_confidence=False, probability=0.0, signals=())
    lines = lines_of(replace(EXPLAINED, explanation=Explanation(ruled, ())))
    assert lines == ["What counted for the decision  not found by a rule, probability 0.00"]


@pytest.mark.parametrize("status", Status)
def test_the_longest_headings_fit_80_columns(status: Status) -> None:
    for by_confidence in (True, False):
        decision = replace(DECISION, status=status, by_confidence=by_confidence, signals=())
        assert len(lines_of(replace(EXPLAINED, explanation=Explanation(decision, ())))) == 1


def test_the_json_has_an_explanation_only_where_there_is_one() -> None:
    """Its names are those of the example in docs/contract.md, which a test of the documentation reads."""
    plain, body = answer_body(replace(EXPLAINED, explanation=None)), answer_body(EXPLAINED)
    assert type(plain) is AnswerBody
    assert isinstance(body, ExplainedAnswerBody)
    assert body.model_dump(exclude={"explanation"}) == plain.model_dump()
    assert set(body.model_dump()) - set(plain.model_dump()) == {"explanation"}
