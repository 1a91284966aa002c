"""What the review of a hand-written diff is worth."""

from dataclasses import replace

import pytest
from page_answers import CITATION

from evals.labelled_places import words_sha
from evals.pages import Pages
from evals.reviews import ReviewDiff, grade_review
from retrieval.reviews.model import Review, ReviewedSymbol

NOTES = "# 2.0\n\n- `spin` is gone.\n- `turn` is new.\n"
GONE = "- `spin` is gone."


PAGES = Pages({"kit/changes.md": NOTES}.get)


def _case(**changes: object) -> ReviewDiff:
    start = NOTES.index(GONE)
    gold = {"path": "kit/changes.md", "start": start, "end": start + len(GONE), "sha": words_sha(GONE)}
    expected = {"symbol": "spin", "releases": ["2.0"], "gold": [gold]}
    told = {"id": "r1", "suite": "kit", "project": "kit", "split": "dev", "diff": "--- a", "expected": [expected]}
    return ReviewDiff.model_validate(told | changes)


def _review(symbol: str, quote: str, version: str) -> Review:
    start = NOTES.index(quote)
    place = replace(
        CITATION, quote=quote, source="kit/changes.md", start=start, end=start + len(quote), version=version
    )
    return Review((), (ReviewedSymbol(symbol, "Kit", "a.py", 1, (place,)),), (), 2.0)


@pytest.mark.parametrize(
    ("symbol", "quote", "version", "missed", "wrong"),
    [
        pytest.param("kit.spin", GONE, "9.0", (), (), id="the labelled place"),
        pytest.param("kit.spin", "- `turn` is new.", "2.0", (), (), id="the labelled release"),
        pytest.param("kit.spin", "- `turn` is new.", "1.0", ("spin",), (), id="another place and release"),
        pytest.param("kit.turn", "- `turn` is new.", "2.0", ("spin",), ("turn",), id="another name"),
    ],
)
def test_a_name_is_found_by_its_place_or_release(
    symbol: str, quote: str, version: str, missed: tuple[str, ...], wrong: tuple[str, ...]
) -> None:
    grade = grade_review(_case(), _review(symbol, quote, version), PAGES)
    assert (grade.missed, grade.wrong, grade.expected, grade.reported) == (missed, wrong, 1, 1)
