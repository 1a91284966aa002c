"""Claim checking measured: worked examples by hand for each figure, and how checks are graded and reported."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest
from page_answers import CITATION

from evals.claims.claim_set import ExpectedClaim, parse_claim, parse_text
from evals.claims.grading import ClaimGrade, combine_verdicts, grade_claim, grade_text, measure_claims
from evals.pages import Pages
from retrieval.blocks import words_of
from retrieval.claims.model import CheckedClaim, Claim, ClaimCheck, Verdict
from retrieval.model import Citation

S, C, P, N = Verdict.SUPPORTED, Verdict.CONTRADICTED, Verdict.PARTLY, Verdict.NOT_FOUND
NOTES = "# Widget 2.0\n\n- `spin` is deprecated.\n- Python 3.8 is required.\n- `turn` is faster.\n"
TEXTS = {"widget.md": NOTES}


PAGES = Pages(TEXTS.get)


SAID = "spin is deprecated"
SPIN = ({"path": "widget.md", "quote": "`spin` is deprecated."},)


def expected(verdict: Verdict = S, *, gold: Sequence[Mapping[str, str]] = SPIN, **changes: object) -> ExpectedClaim:
    line = {"id": "w1", "project": "widget", "split": "dev", "type": "true", "claim": SAID}
    line |= {"verdict": str(verdict), "gold": list(gold)}
    return parse_claim(json.dumps({**line, **changes}))


def grade(right: Verdict, given: Verdict, **changes: object) -> ClaimGrade:
    plain = ClaimGrade(expected(right), given, "so it is", (), (), covered=None, most_citations=0, elapsed_ms=1.0)
    return replace(plain, **changes)  # type: ignore[arg-type]


def citation(quote: str) -> Citation:
    start = NOTES.index(quote) if quote in NOTES else 0
    return replace(CITATION, quote=quote, source="widget.md", start=start, end=start + len(quote))


def check(text: str, *parts: tuple[str, Verdict, tuple[str, ...]]) -> ClaimCheck:
    checked = (
        CheckedClaim(
            Claim(said, text.index(said), text.index(said) + len(said)),
            verdict,
            words_of("why"),
            tuple(map(citation, quotes)),
        )
        for said, verdict, quotes in parts
    )
    return ClaimCheck(text, tuple(checked), elapsed_ms=8.0)


# Four claims deserve `supported`, two of them get it; one of the three that get it doesn't deserve it.
SIX = [grade(S, S), grade(S, S), grade(S, N), grade(S, C), grade(C, S), grade(C, C)]


def figures(grades: Sequence[ClaimGrade]) -> Mapping[str, float]:
    return measure_claims("all", grades).figures


def test_verdict_precision_recall_and_f1_by_hand() -> None:
    measured = figures(SIX)
    assert measured["supported_precision"] == pytest.approx(2 / 3)
    assert measured["supported_recall"] == pytest.approx(2 / 4)
    assert measured["supported_f1"] == pytest.approx(4 / 7)
    assert measured["contradicted_precision"] == measured["contradicted_recall"] == pytest.approx(1 / 2)


def test_evidence_by_hand() -> None:
    grades = [
        grade(S, S, overlaps=(True, False), covered=True),
        grade(S, S, overlaps=(True,), covered=False),
        grade(C, C, overlaps=(), covered=False),
        grade(N, S, overlaps=(False,), covered=None),
    ]
    assert figures(grades)["evidence_precision"] == pytest.approx(2 / 3)
    assert figures(grades)["evidence_recall"] == pytest.approx(1 / 3)
    assert not [name for name in figures(grades[3:]) if name.startswith("evidence")]


@pytest.mark.parametrize(
    ("parts", "whole"),
    [((), N), ((S,), S), ((S, S), S), ((S, C), P), ((S, N), P), ((C, N), C), ((C, C), C), ((P, C), P), ((N, N), N)],
)
def test_parts_of_a_sentence_give_its_verdict(parts: tuple[Verdict, ...], whole: Verdict) -> None:
    assert combine_verdicts(parts) is whole


def test_a_citation_that_covers_the_gold_is_evidence() -> None:
    graded = grade_claim(expected(), check(SAID, (SAID, S, ("- `spin` is deprecated.", "`turn` is faster."))), PAGES)
    assert (graded.is_right, graded.overlaps, graded.covered) == (True, (True, False), True)
    assert (graded.verbatim, graded.most_citations, graded.elapsed_ms) == ((True, True), 2, 8.0)


TEXT = "Bump:\n- spin is deprecated.\n- turn is slower.\nThanks a lot."
TEXT_LINE = {
    "id": "t1",
    "suite": "corpus",
    "project": "widget",
    "split": "test",
    "text": TEXT,
    "claims": [
        {"claim": "spin is deprecated.", "start": 8, "end": 27, "type": "true", "verdict": "supported"},
        {"claim": "turn is slower.", "start": 30, "end": 45, "type": "false_polarity", "verdict": "contradicted"},
    ],
}


def test_sentences_of_a_text_are_graded_by_their_place() -> None:
    text = parse_text(json.dumps(TEXT_LINE))
    checked = check(TEXT, ("spin is deprecated.", S, ()), ("turn is slower.", N, ()), ("Thanks a lot.", C, ()))
    graded = grade_text(text, checked, PAGES)
    assert [(sentence.expected.id, sentence.given) for sentence in graded.sentences] == [("t1.1", S), ("t1.2", N)]
    assert graded.surplus == 1


def test_a_sentence_that_was_passed_over_is_not_found_and_small_talk_may_be_checked_in_vain() -> None:
    graded = grade_text(parse_text(json.dumps(TEXT_LINE)), check(TEXT, ("Thanks a lot.", N, ())), PAGES)
    assert [sentence.given for sentence in graded.sentences] == [N, N]
    assert graded.surplus == 0
