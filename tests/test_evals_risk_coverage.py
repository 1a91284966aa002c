"""What a threshold costs, worked out by hand."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from handmade_notes import write_notes
from hypothesis import given
from hypothesis import strategies as st

from corpus.errors import RelnotesError
from evals import risk_coverage
from evals.risk_coverage import SHUT, JudgedQuestion, OperatingPoint, area_under_risk, judge, operate, render_page
from evals.suites import Suite

ALWAYS = float("inf")


def judgement(
    confidence: float | None, *, correct: bool = False, answerable: bool = True, split: str = "dev"
) -> JudgedQuestion:
    return JudgedQuestion("lamps", split, answerable, confidence, correct)


SIX = (
    judgement(ALWAYS, correct=True),
    judgement(0.9, correct=True),
    judgement(0.7),
    judgement(0.7, answerable=False),
    judgement(0.4, correct=True),
    judgement(None, answerable=False),
)


@pytest.mark.parametrize(
    ("threshold", "expected"),
    [
        (0.0, OperatingPoint(0.0, coverage=5 / 6, risk=2 / 5, false_answers=1 / 2, over_abstention=0.0)),
        (0.5, OperatingPoint(0.5, coverage=4 / 6, risk=2 / 4, false_answers=1 / 2, over_abstention=1 / 4)),
        (0.8, OperatingPoint(0.8, coverage=2 / 6, risk=0.0, false_answers=0.0, over_abstention=2 / 4)),
        (SHUT, OperatingPoint(SHUT, coverage=1 / 6, risk=0.0, false_answers=0.0, over_abstention=3 / 4)),
    ],
)
def test_what_a_threshold_does(threshold: float, expected: OperatingPoint) -> None:
    assert operate(SIX, threshold) == expected


def test_the_area_is_the_mean_risk_over_the_answers() -> None:
    """Risks after each answer, most confident first: 0, 0, then 2/4 for both at .7, and 2/5."""
    assert area_under_risk(SIX) == pytest.approx((0 + 0 + 2 / 4 + 2 / 4 + 2 / 5) / 5)
    assert area_under_risk((judgement(None),)) == 0.0


judgements = st.lists(
    st.builds(
        judgement, st.none() | st.floats(0, 1), correct=st.booleans(), answerable=st.booleans(), split=st.just("dev")
    ),
    max_size=30,
)


@given(judgements)
def test_a_higher_threshold_never_answers_more(drawn: list[JudgedQuestion]) -> None:
    confidences = {one.confidence for one in drawn if one.confidence is not None}
    points = [operate(drawn, threshold) for threshold in sorted(confidences, reverse=True)]
    assert list(points) == sorted(points, key=lambda one: one.coverage)
    assert all(a.false_answers <= b.false_answers for a, b in pairwise(points))
    assert all(a.over_abstention >= b.over_abstention for a, b in pairwise(points))


def test_the_page_marks_the_threshold_in_use() -> None:
    page = render_page((*SIX, judgement(0.2, split="test")), 0.5)
    assert "## dev (6 questions)" in page
    assert "| **0.500** | **0.667** | **0.500** | **0.500** | **0.250** |" in page
    assert page.splitlines()[-3:] == ["| --- | ---: | ---: |", "| lamps | 0.280 | 1.000 |", "| all | 0.280 | 1.000 |"]


def test_the_door_is_opened_and_shut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer, news that is given whatever the confidence, and a question of another world."""
    lines = (
        {
            "id": "a",
            "question": "What is there instead of lamp.glow()?",
            "answerable": True,
            "answer_key": ["lamp.shine()"],
        },
        {"id": "b", "question": "What is new in Lamp 2.0.0?", "answerable": True, "answer_key": ["Night mode"]},
        {"id": "c", "question": "Who won the bicycle race in Paris?", "answerable": False},
    )
    gold = [{"path": "lamp/CHANGELOG.md", "quote": "Night mode turns every bulb amber after sunset."}]
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setenv("RELNOTES_CACHE_DIR", str(cache))
    notes = write_notes(tmp_path / "documents")
    questions = tmp_path / "questions.jsonl"
    questions.write_text(
        "".join(
            json.dumps({"kind": "fact", "split": "dev", **line, "gold": gold if line["answerable"] else []}) + "\n"
            for line in lines
        ),
        encoding="utf-8",
    )
    fact, news, foreign = judge(Suite("lamps", questions, notes))
    assert fact.confidence is not None
    assert fact.confidence < SHUT
    assert fact.correct
    assert (news.confidence, news.correct) == (ALWAYS, True)
    assert foreign.confidence is None or foreign.confidence < fact.confidence
    assert not foreign.correct


def test_without_the_documents_nothing_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(risk_coverage, "RESULTS", tmp_path)
    monkeypatch.setattr(risk_coverage, "FULL_SUITES", (Suite("absent", tmp_path / "no.jsonl", tmp_path),))
    with pytest.raises(RelnotesError, match="nothing was changed"):
        risk_coverage.main()
    assert list(tmp_path.iterdir()) == []
