"""Leaving out parts of the answer: which can be, what stands in for them, and that nothing stays replaced."""

from collections import Counter
from collections.abc import Iterator, Sequence

import pytest

from evals.ablation import Part, find_parts, render, replaced
from retrieval import answers
from retrieval.answers.fact import draft_across_releases
from retrieval.answers.sources import tell_voices
from retrieval.composing import Draft
from retrieval.findings import Findings
from retrieval.model import Form, Status

PARTS = {part.name: part for part in find_parts()}
DRAFT = Draft(Status.ANSWERED, "It is so.")


@pytest.mark.parametrize(
    ("name", "given", "left"),
    [
        ("answers.sources.tell_voices", (DRAFT, None), DRAFT),
        ("answers.news.draft_news", (None,), None),
        ("answers.not_found.says_nothing", (None,), False),
        ("answers.since_when._stated", ((), None), ()),
    ],
    ids=["a draft as it came", "nothing found", "it isn't so", "none of them"],
)
def test_what_stands_in_for_a_part_is_what_changes_nothing(name: str, given: Sequence[object], left: object) -> None:
    assert PARTS[name].leave_out(*given) == left


def test_what_makes_what_others_need_is_no_part() -> None:
    assert "answers.fact.draft_fact" not in PARTS
    assert not any(name.startswith("claims.") for name in PARTS)


def test_a_part_is_left_out_wherever_it_is_called_by_and_comes_back() -> None:
    def other(draft: Draft, findings: Findings) -> Draft:
        return draft

    def fact(findings: Findings) -> Draft:
        return DRAFT

    before = dict(answers._SHAPES)
    with replaced({tell_voices: other, draft_across_releases: fact}):
        assert answers.tell_voices is other
        assert answers._SHAPES[Form.WHATS_NEW] is fact
    assert answers.tell_voices is tell_voices
    assert before == answers._SHAPES


@pytest.mark.parametrize(("lost", "won", "star"), [(6, 0, True), (5, 0, False), (0, 0, False), (9, 8, False)])
def test_a_star_marks_what_chance_seldom_does(lost: int, won: int, star: bool) -> None:
    def part(words: str) -> Iterator[str]:
        yield words

    one = Part(part, lambda *_: iter(()))
    page = render([one], {one.name: Counter(works=20, asked=20, lost=lost, won=won)}, 20)
    assert page.rstrip().endswith("* |") is star
