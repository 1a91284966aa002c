"""Quality as HTML: figures with their intervals, pictures with tables beside them, gaps told as they are."""

import json
from dataclasses import replace
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest

from evals.comparison import QuestionScores
from evals.grading import Score
from evals.last_run import AskedQuestion, Mean
from evals.metrics import METRIC_NAMES
from evals.question_set import parse_question
from evals.run_history import RecordedRun, SuiteFigures
from evals.run_log import LOGGED
from ui.feedback.unanswered import Unanswered
from ui.web.quality.charts import ChartLine, percent, render_bars, render_lines
from ui.web.quality.figures_html import ALL_SUITES, render_gaps_html, render_measure_html, render_overview_html
from ui.web.quality.measures import MEASURES, measure_of

HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{value}}${alert(1)}\u202e"
START = datetime(2026, 3, 1, 9, tzinfo=UTC)


class Outline(HTMLParser):
    """Tags in order, rows of tables as their cells' text."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.rows: list[list[str]] = []
        self._in_cell = False
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self._in_cell = True
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self._in_cell = False

    def handle_data(self, data: str) -> None:
        if self._in_cell:
            self.rows[-1][-1] += data.replace("\u202f", " ")


def asked(name: str, *, suite: str = "corpus", kind: str = "since_when", **figures: float) -> AskedQuestion:
    line = {"id": name, "kind": kind, "question": f"What of {name}?", "answerable": True}
    scores = tuple(Score(metric, value) for metric, value in figures.items())
    return AskedQuestion(parse_question(json.dumps(line)), QuestionScores(suite, name, "dev", scores))


def run(minute: int, name: str = "gate", **shares: float) -> RecordedRun:
    suites = (SuiteFigures(suite, "", 2, (Score("end_to_end", share),)) for suite, share in shares.items())
    return RecordedRun(START.replace(minute=minute), name, tuple(suites))


def test_every_measure_is_one_that_runs_keep() -> None:
    assert {one.metric for one in MEASURES} <= set(LOGGED) <= set(METRIC_NAMES)
    assert [measure_of(one.metric) for one in MEASURES] == list(MEASURES)
    assert measure_of("none such") == MEASURES[0]


def test_the_overview_has_a_row_for_each_suite_and_says_what_was_not_asked() -> None:
    questions = [asked("a", end_to_end=1.0), asked("b", end_to_end=0.0), asked("c", suite="seeds", end_to_end=1.0)]
    found = Outline(render_overview_html(questions, [run(0, corpus=0.5)]))
    assert found.rows[1][:3] == ["Bundled documents corpus", "2", "50 %9.5 % to 90.5 %"]
    assert found.rows[2][:2] == ["Seed pages seeds", "1"]
    assert set(found.rows[1][3:]) == {"not asked"}


def test_without_a_run_the_overview_says_how_to_make_one() -> None:
    markup = render_overview_html([], [])
    assert "No run is kept here" in markup
    assert "<table" not in markup


def test_bars_are_rows_with_value_interval_and_number() -> None:
    found = Outline(render_bars([Mean("since_when", 12, 0.75, 0.5, 0.9)], caption="c"))
    assert found.rows[1] == ["since when", "", "75 %", "50 % to 90 %", "12"]
    assert found.tags.count("svg") == 1


def test_a_measure_shows_kinds_all_of_them_and_the_runs() -> None:
    questions = [asked("a", end_to_end=1.0), asked("b", kind="fact", end_to_end=0.0)]
    history = [run(0, corpus=0.25), run(1, corpus=0.5), run(2, "full", corpus=0.5, corpora=0.7)]
    markup = render_measure_html(questions, history, suite=ALL_SUITES, measure=MEASURES[0])
    found = Outline(markup)
    assert [row[0] for row in found.rows[1:4]] == ["fact", "since when", "all of them"]
    assert found.rows[-3:] == [
        ["2026-03-01 09:02", "–", "70 %"],
        ["2026-03-01 09:01", "50 %", "–"],
        ["2026-03-01 09:00", "25 %", "–"],
    ]
    assert 'role="img"' in markup
    assert markup.count("<circle") == 3


def test_a_suite_shows_its_own_runs_only() -> None:
    history = [run(0, corpus=0.25), run(1, seeds=0.5)]
    markup = render_measure_html([asked("a", end_to_end=1.0)], history, suite="seeds", measure=MEASURES[0])
    assert "No question of this suite has this figure" in markup
    assert Outline(markup).rows == [["Run", "all questions"], ["2026-03-01 09:01", "50 %"]]


def test_a_measure_that_no_run_has_says_so() -> None:
    markup = render_measure_html([asked("a", recall=1.0)], [run(0, corpus=1.0)], suite="corpus", measure=MEASURES[1])
    assert "No recorded run has this figure" in markup


def test_one_run_stands_in_the_middle() -> None:
    assert 'cx="53%"' in render_lines([ChartLine("all", (0,), (1.0,))], title="t", runs=["2026-03-01"])


@pytest.mark.parametrize(("share", "text"), [(1.0, "100 %"), (0.735, "73.5 %"), (0.0, "0 %"), (0.09999, "10 %")])
def test_shares_have_one_digit_at_most(share: float, text: str) -> None:
    assert percent(share).replace("\u202f", " ") == text


def test_gaps_are_the_answerable_questions_that_got_nothing_each_once() -> None:
    gap = asked("a", over_abstention_rate=1.0)
    again = replace(gap, scores=replace(gap.scores, suite="corpora"))
    found = Outline(render_gaps_html([gap, again, asked("b", over_abstention_rate=0.0)], [], is_kept=True))
    assert found.rows == [
        ["Question", "Kind", "Suite", "Id"],
        ["What of a?", "since when", "Bundled documents", "a"],
    ]


def test_questions_asked_here_are_listed_or_how_to_keep_them() -> None:
    one = Unanswered("How do I bake?", 3, START)
    assert Outline(render_gaps_html([], [one], is_kept=True)).rows[1] == ["How do I bake?", "3", "2026-03-01"]
    assert "None yet" in render_gaps_html([], [], is_kept=True)
    assert "RELNOTES_LOG_QUESTIONS=1" in render_gaps_html([], [], is_kept=False)


def test_hostile_words_stay_words() -> None:
    question = replace(asked("a", suite=HOSTILE, over_abstention_rate=1.0, end_to_end=0.0))
    hostile = replace(question, question=replace(question.question, question=HOSTILE, kind=HOSTILE, id=HOSTILE))
    history = [RecordedRun(START, "gate", (SuiteFigures(HOSTILE, HOSTILE, 1, (Score("end_to_end", 1.0),)),))]
    markup = "".join(
        (
            render_overview_html([hostile], history),
            render_measure_html([hostile], history, suite=HOSTILE, measure=MEASURES[0]),
            render_gaps_html([hostile], [Unanswered(HOSTILE, 1, START)], is_kept=True),
        )
    )
    assert {"script", "img"}.isdisjoint(Outline(markup).tags)
    assert not set("{}$") & set(markup)
