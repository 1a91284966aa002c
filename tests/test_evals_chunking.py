"""The chunking benchmark: its metric by hand, its splitters' promises, its data."""

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ingest_documents import embed_lengths
from numpy.typing import NDArray

from corpus.errors import UsageError
from corpus.model import Span
from evals.lab.chunking.benchmark import Corpus, load_benchmark
from evals.lab.chunking.cuts import CutPassage, cut_as_product, cut_by_subjects, cut_recursively
from evals.lab.chunking.metric import RangeScore, covered_characters, precision_omega, score_ranges
from evals.lab.chunking.ranking import best_item_cosines, best_passages, fuse_with_words
from evals.lab.chunking.report import PUBLISHED, TARGET, meets_target, render_json, render_markdown
from evals.lab.chunking.runner import CutRow

BENCHMARK = Path(__file__).parents[2] / "shared" / "chunking_evaluation"
needs_benchmark = pytest.mark.skipif(not BENCHMARK.is_dir(), reason="needs the chunking benchmark in ../shared")

TEXT = (
    "Rivers carry water to the sea. Some of them are long!\nOthers run dry in summer.\n\n"
    "Bread is baked from flour. It needs an hour, sometimes more? Salt helps the taste of it.\n\n"
    "Stars are far away. Their light is old."
)


def spans(*ranges: tuple[int, int]) -> list[Span]:
    return [Span(start, end) for start, end in ranges]


disjoint_spans = st.lists(st.integers(0, 200), min_size=2, max_size=12, unique=True).map(
    lambda ends: [Span(a, b) for a, b in zip(sorted(ends)[::2], sorted(ends)[1::2], strict=False)]
)
any_spans = st.lists(
    st.tuples(st.integers(0, 200), st.integers(1, 60)).map(lambda one: Span(one[0], one[0] + one[1])), max_size=8
)


# The metric


@pytest.mark.parametrize(
    ("references", "retrieved", "foreign", "expected"),
    [
        pytest.param(spans((10, 30)), spans((10, 30)), 0, RangeScore(1.0, 1.0, 1.0), id="the reference itself"),
        # 10 of 20 covered; 40 shown; 40 + the 10 that are missing.
        pytest.param(spans((10, 30)), spans((20, 60)), 0, RangeScore(0.5, 0.25, 0.2), id="half of it"),
        # The passage of another corpus is in the sum of lengths only.
        pytest.param(spans((10, 30)), spans((10, 30)), 60, RangeScore(1.0, 0.25, 0.25), id="another corpus's passage"),
        # 20 covered once, though two passages hold them; 20 + 30 shown.
        pytest.param(
            spans((10, 30)), spans((10, 30), (5, 35)), 0, RangeScore(1.0, 0.4, 0.4), id="overlapping passages"
        ),
        # 10 and 5 of 10 and 10 covered; 30 shown; 30 + 5.
        pytest.param(spans((0, 10), (50, 60)), spans((0, 20), (55, 65)), 0, RangeScore(0.75, 0.5, 15 / 35), id="two"),
        pytest.param(spans((10, 30)), spans((40, 60)), 0, RangeScore(0.0, 0.0, 0.0), id="beside it"),
        pytest.param(spans((10, 30)), spans((30, 60)), 0, RangeScore(0.0, 0.0, 0.0), id="touching it"),
        pytest.param(spans((10, 30)), [], 0, RangeScore(0.0, 0.0, 0.0), id="nothing retrieved"),
        pytest.param(spans((10, 30)), [], 50, RangeScore(0.0, 0.0, 0.0), id="only another corpus's"),
    ],
)
def test_ranges_are_scored_as_by_hand(
    references: list[Span], retrieved: list[Span], foreign: int, expected: RangeScore
) -> None:
    assert score_ranges(references, retrieved, foreign_characters=foreign) == expected


@pytest.mark.parametrize(
    ("passages", "expected"),
    [
        pytest.param(spans((0, 100)), 0.2, id="one passage"),
        pytest.param(spans((0, 25), (25, 50), (50, 100)), 0.4, id="two that meet it and one that doesn't"),
        # Met are 0 to 40 and 20 to 60: 60 characters together.
        pytest.param(spans((0, 40), (20, 60)), 20 / 60, id="overlapping passages count once"),
        pytest.param(spans((15, 20)), 1.0, id="inside the reference"),
        pytest.param(spans((30, 100)), 0.0, id="none that meets it"),
    ],
)
def test_precision_omega_takes_every_passage_that_meets_a_reference(passages: list[Span], expected: float) -> None:
    assert precision_omega(spans((10, 30)), passages) == pytest.approx(expected)


@given(disjoint_spans, any_spans, st.integers(0, 500))
def test_scores_keep_their_order_and_bounds(references: list[Span], retrieved: list[Span], foreign: int) -> None:
    score = score_ranges(references, retrieved, foreign_characters=foreign)
    assert 0 <= score.iou <= score.precision <= 1
    assert score.iou <= score.recall <= 1


@given(disjoint_spans, any_spans, st.integers(0, 200), st.integers(1, 60))
def test_another_passage_never_lowers_recall(
    references: list[Span], retrieved: list[Span], start: int, length: int
) -> None:
    more = [*retrieved, Span(start, start + length)]
    assert score_ranges(references, more).recall >= score_ranges(references, retrieved).recall


@given(any_spans)
def test_characters_are_counted_once(several: list[Span]) -> None:
    assert covered_characters(several) == len({place for span in several for place in range(span.start, span.end)})


# The cuts


def count_words(text: str) -> int:
    return len(text.split())


@given(st.text(alphabet="ab .?!\n", max_size=300), st.integers(1, 20))
def test_the_recursive_cut_loses_nothing_but_white_space(text: str, max_tokens: int) -> None:
    passages = cut_recursively(Corpus("a", text), max_tokens=max_tokens, count_tokens=len)
    assert all(before.span.end <= after.span.start for before, after in pairwise(passages))
    assert "".join("".join(one.span.slice(text) for one in passages).split()) == "".join(text.split())


def test_the_recursive_cut_takes_the_most_welcome_separator_and_packs_what_fits() -> None:
    passages = cut_recursively(Corpus("a", TEXT), max_tokens=12, count_tokens=count_words)
    assert [one.span.slice(TEXT) for one in passages] == [
        "Rivers carry water to the sea. Some of them are long!",
        "Others run dry in summer.",
        "Bread is baked from flour",
        ". It needs an hour, sometimes more",
        "? Salt helps the taste of it",
        ".",
        "Stars are far away. Their light is old.",
    ]


@pytest.mark.parametrize("max_characters", [40, 90, 400])
def test_a_cut_by_subjects_keeps_its_length_and_its_sentences(max_characters: int) -> None:
    passages = cut_by_subjects(Corpus("a", TEXT), max_characters=max_characters, embed=embed_lengths)
    assert all(len(one.items) == 1 or len(one.span) <= max_characters for one in passages)
    assert all((one.items[0].start, one.items[-1].end) == (one.span.start, one.span.end) for one in passages)
    assert "".join("".join(one.span.slice(TEXT) for one in passages).split()) == "".join(TEXT.split())


# The rankings


def embed_rivers(texts: Sequence[str]) -> NDArray[np.float32]:
    """Two dimensions: about rivers, about anything else."""
    return np.array([[1.0, 0.0] if "river" in text.lower() else [0.0, 1.0] for text in texts], dtype=np.float32)


def two_passages() -> tuple[CutPassage, ...]:
    corpus = Corpus("a", "Bread is good. Rivers run. Stars shine. Salt helps.")
    return (
        CutPassage(corpus, Span(27, 51), tuple(spans((27, 39), (40, 51)))),
        CutPassage(corpus, Span(0, 26), tuple(spans((0, 14), (15, 26)))),
    )


def test_a_passage_scores_as_its_best_sentence() -> None:
    cosines = best_item_cosines(two_passages(), embed_rivers(["the river"]), embed=embed_rivers)
    assert cosines.tolist() == [[0.0, 1.0]]


def test_a_sentence_is_read_with_its_neighbours_across_passages_in_the_order_given() -> None:
    ordered = tuple(reversed(two_passages()))
    cosines = best_item_cosines(ordered, embed_rivers(["the river"]), embed=embed_rivers, with_neighbours=True)
    assert cosines.tolist() == [[1.0, 1.0]]


def test_words_decide_where_vectors_are_level() -> None:
    passages = two_passages()
    scores = fuse_with_words(passages, ["which stars shine?"], np.zeros((1, 2), dtype=np.float32))
    assert list(best_passages(passages, scores, limit=1)) == [(passages[0],)]


# The data, the report, the command


@needs_benchmark
def test_the_benchmark_is_the_published_one() -> None:
    benchmark = load_benchmark(BENCHMARK)
    assert len(benchmark.corpora) == 5
    assert len(benchmark.questions) == 472
    assert sum(len(question.references) for question in benchmark.questions) == 790
    assert 200 < sum(question.is_development for question in benchmark.questions) < 272


@needs_benchmark
def test_the_products_cut_of_flat_prose_leaves_no_reference_out() -> None:
    benchmark = load_benchmark(BENCHMARK)
    corpus = next(one for one in benchmark.corpora if one.name == "state_of_the_union")
    cut = [passage.span for passage in cut_as_product(corpus, embed=embed_lengths)]
    asked = [one.references for one in benchmark.questions if one.corpus == corpus.name]
    # White space between two passages is in neither.
    assert min(score_ranges(references, cut).recall for references in asked) > 0.98


def write_benchmark(folder: Path, *, corpus: str, content: str) -> Path:
    (folder / "corpora").mkdir()
    (folder / "corpora" / "a.md").write_bytes(TEXT.encode())
    references = json.dumps([{"content": content, "start_index": 0, "end_index": 30}]).replace('"', '""')
    (folder / "questions_df.csv").write_text(f'question,references,corpus_id\nWhere to?,"{references}",{corpus}\n')
    return folder


def test_references_are_ranges_of_the_text(tmp_path: Path) -> None:
    benchmark = load_benchmark(write_benchmark(tmp_path, corpus="a", content=TEXT[:30]))
    assert benchmark.questions[0].references == (Span(0, 30),)


@pytest.mark.parametrize(
    ("corpus", "content"),
    [pytest.param("b", TEXT[:30], id="no such corpus"), pytest.param("a", "other words", id="other words")],
)
def test_data_that_do_not_fit_are_refused(tmp_path: Path, corpus: str, content: str) -> None:
    with pytest.raises(UsageError, match="Question 1 of"):
        load_benchmark(write_benchmark(tmp_path, corpus=corpus, content=content))


def row(score: RangeScore) -> CutRow:
    return CutRow("ours", "dense", score, score, score, precision_omega=0.4, retrieved_characters=2600.4)


def test_the_report_shows_percents_and_the_published_rows() -> None:
    report = render_markdown([row(RangeScore(0.859, 0.0851, 0.0841))], questions=472)
    halves = "85.9 / 8.51 / 8.41"
    assert f"| ours | dense | 85.9 | 8.51 | 8.41 | 40.0 | 2,600 | {halves} | {halves} |" in report.splitlines()
    assert all(f"| {one.cut} |" in report for one in PUBLISHED)


@pytest.mark.parametrize(
    ("score", "met"),
    [
        pytest.param(TARGET, True, id="just"),
        pytest.param(RangeScore(0.829, 0.5, 0.5), False, id="recall"),
        pytest.param(RangeScore(0.9, 0.0719, 0.5), False, id="precision"),
        pytest.param(RangeScore(0.9, 0.5, 0.0719), False, id="iou"),
    ],
)
def test_the_target_wants_all_three_together(score: RangeScore, met: bool) -> None:
    assert meets_target(score) is met
    assert json.loads(render_json([row(score)], questions=1))["meets_target"] is met


def test_the_command_tells_its_options() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "evals.lab.chunking", "--help"], capture_output=True, text=True, check=True
    )
    assert "--json" in done.stdout
