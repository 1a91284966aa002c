"""What counted: named points that add up to the probability and to the order, and that change nothing."""

from collections.abc import Iterator
from dataclasses import astuple, fields, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexes_by_hand import note, open_index
from small_corpus import HashedEmbedder

from corpus.index.reader import IndexReader
from retrieval.assistant import Assistant
from retrieval.evidence import (
    EXPLAINED_PASSAGES,
    LACKS,
    SMALLEST_POINTS,
    Calibration,
    Evidence,
    explain_decision,
    load_calibration,
    name_lack,
    weigh_signals,
)
from retrieval.model import Answer, Explanation, Status

SIGNALS = tuple(field.name for field in fields(Evidence))
SHARE = st.floats(0, 1)
EVIDENCE = st.builds(Evidence, *[SHARE] * len(SIGNALS))
HALF = tuple(0.5 for _ in SIGNALS)
ONES = tuple(1.0 for _ in SIGNALS)
EVEN = Calibration(ONES, bias=0.0, threshold=0.5, typical=HALF)
"""Every signal weighs 1, and is 0.5 where there is an answer."""
FULL, TYPICAL = Evidence(*ONES), Evidence(*HALF)
ALWAYS, NEVER = replace(load_calibration(), threshold=0.0), replace(load_calibration(), threshold=1.0)


def explained(answer: Answer) -> Explanation:
    assert answer.explanation is not None
    return answer.explanation


@pytest.fixture
def lamps(tmp_path: Path) -> Iterator[IndexReader]:
    notes = (note(f"The amber lamp number {n} shines.", source=f"{n}.md", version=f"{n}.0") for n in range(1, 9))
    with open_index(tmp_path, *notes) as index:
        yield index


def assistant(index: IndexReader, calibration: Calibration = ALWAYS) -> Assistant:
    return Assistant(index, HashedEmbedder(), calibration)


def test_every_signal_has_a_sentence_for_people() -> None:
    assert set(LACKS) == set(SIGNALS)
    assert all(sentence[0].isupper() and sentence.endswith(".") for sentence in LACKS.values())
    assert len(set(LACKS.values())) == len(LACKS)


def test_points_are_weight_times_what_is_more_than_typical() -> None:
    calibration = replace(EVEN, weights=(4.0, *ONES[1:]))
    first, *others = weigh_signals(replace(TYPICAL, **{SIGNALS[0]: 0.25}), calibration)
    assert (first.signal, first.value, first.typical, first.points) == (SIGNALS[0], 0.25, 0.5, -1.0)
    assert {one.points for one in others} == {0.0}


@pytest.mark.parametrize("signal", SIGNALS)
def test_the_reason_is_the_signal_that_spoke_most_against_an_answer(signal: str) -> None:
    second = next(one for one in SIGNALS if one != signal)
    assert name_lack(replace(FULL, **{signal: 0.1, second: 0.2}), EVEN) == LACKS[signal]


def test_there_is_no_reason_where_nothing_speaks_against_an_answer() -> None:
    assert name_lack(TYPICAL, EVEN) is None
    assert name_lack(None, EVEN) is None


@given(EVIDENCE)
def test_the_decision_tells_every_signal_the_worst_first(evidence: Evidence) -> None:
    decision = explain_decision(evidence, EVEN, status=Status.ANSWERED, by_confidence=True)
    assert sorted(one.signal for one in decision.signals) == sorted(SIGNALS)
    points = [one.points for one in decision.signals]
    assert points == sorted(points)
    assert sum(points) == pytest.approx(sum(astuple(evidence)) - sum(HALF), abs=0.001)
    assert decision.probability == pytest.approx(EVEN.probability(astuple(evidence)), abs=0.0001)


def test_where_nothing_was_found_there_are_no_signals() -> None:
    decision = explain_decision(None, EVEN, status=Status.NOT_FOUND, by_confidence=False)
    assert (decision.probability, decision.threshold, decision.signals) == (0.0, 0.5, ())


def test_explaining_changes_nothing_of_the_answer(lamps: IndexReader) -> None:
    for calibration in (ALWAYS, NEVER):
        asked = assistant(lamps, calibration)
        plain, told = (asked.ask("Does the amber lamp shine?", explain=explain) for explain in (False, True))
        assert plain.explanation is None
        assert replace(plain, elapsed_ms=0.0) == replace(told, elapsed_ms=0.0, explanation=None)


def test_what_makes_a_score_is_told_largest_first_and_trifles_are_not(lamps: IndexReader) -> None:
    answer = assistant(lamps).ask("Does the amber lamp of 3.0 shine?", explain=True)
    told = explained(answer).passages
    assert [one.place for one in told] == list(range(1, EXPLAINED_PASSAGES + 1))
    assert "exact_release" in {part.feature for part in told[0].contributions}
    for one, passage in zip(told, answer.passages, strict=False):
        assert (one.product, one.release, one.search_score) == (passage.product, passage.version, passage.score)
        sizes = [abs(part.points) for part in one.contributions]
        assert sizes == sorted(sizes, reverse=True)
        assert all(round(size, 3) >= SMALLEST_POINTS for size in sizes)
        assert one.search_score == pytest.approx(sum(part.points for part in one.contributions), abs=0.02)


def test_no_more_passages_are_explained_than_are_listed(lamps: IndexReader) -> None:
    answer = assistant(lamps).ask("Does the amber lamp shine?", limit=2, explain=True)
    assert len(explained(answer).passages) == len(answer.passages) == 2


@pytest.mark.parametrize(
    ("calibration", "question", "by_confidence", "has_reason"),
    [
        pytest.param(ALWAYS, "Does the amber lamp shine?", True, False, id="confident"),
        pytest.param(NEVER, "Does the amber lamp shine?", True, True, id="not confident"),
        pytest.param(NEVER, "Does the amber lamp of 99.0 shine?", False, False, id="a release without notes"),
        pytest.param(NEVER, "Which versions of demo do you have?", False, False, id="the catalogue knows"),
    ],
)
def test_a_reason_is_given_where_the_confidence_decided_against_an_answer(
    lamps: IndexReader, calibration: Calibration, question: str, by_confidence: bool, has_reason: bool
) -> None:
    answer = assistant(lamps, calibration).ask(question, explain=True)
    decision = explained(answer).decision
    assert (decision.by_confidence, decision.status) == (by_confidence, answer.status)
    assert (answer.reason in LACKS.values()) is has_reason
    assert has_reason or answer.reason is None


def test_a_product_that_is_not_indexed_is_a_rule(handmade: Assistant) -> None:
    answer = handmade.ask("What is new in React 19?", explain=True)
    assert (answer.status, answer.reason) == (Status.NOT_FOUND, None)
    assert not explained(answer).decision.by_confidence
