"""The chunking benchmark: its metric by hand, its data, its target."""

import json
from argparse import Namespace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from ingest_documents import embed_lengths

from corpus.cache_folder import cache_folder
from corpus.errors import UsageError
from corpus.model import Span
from evals.lab import chunking
from evals.lab.chunking import (
    BENCHMARK,
    TARGET,
    RangeScore,
    covered_characters,
    load_benchmark,
    meets_target,
    precision_omega,
    score_ranges,
)
from ingest.formats import parse_blocks
from ingest.passages.splitting import split_passages
from ingest.releases.splitting import split_releases

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


# The data and the target


@needs_benchmark
def test_the_benchmark_is_the_published_one() -> None:
    benchmark = load_benchmark(BENCHMARK)
    assert len(benchmark.corpora) == 5
    assert len(benchmark.questions) == 472
    assert sum(len(question.references) for question in benchmark.questions) == 790
    assert 200 < sum(question.half == "development" for question in benchmark.questions) < 272


@needs_benchmark
def test_the_products_cut_of_flat_prose_leaves_no_reference_out() -> None:
    benchmark = load_benchmark(BENCHMARK)
    corpus = next(one for one in benchmark.corpora if one.name == "state_of_the_union")
    parsed = parse_blocks(f"{corpus.name}.md", corpus.text.encode())
    releases = split_releases(parsed, products=(), version=None, day=None)
    cut = [passage.span for passage in split_passages(parsed, releases, title="", embed=embed_lengths)]
    asked = [question.references for question in benchmark.questions if question.corpus == corpus.name]
    # White space between two passages is in neither.
    assert min(score_ranges(references, cut).recall for references in asked) > 0.98


def write_benchmark(folder: Path, *, corpus: str, content: str) -> Path:
    (folder / "corpora").mkdir()
    (folder / "corpora" / "a.md").write_bytes(TEXT.encode())
    references = json.dumps([{"content": content, "start_index": 0, "end_index": 30}]).replace('"', '""')
    lines = (f'{question},"{references}",{corpus}\n' for question in ("Where to?", "What do rivers carry?"))
    (folder / "questions_df.csv").write_text("".join(("question,references,corpus_id\n", *lines)))
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


@pytest.mark.usefixtures("default_embedder")  # so that the exported model is there to be linked to
def test_the_product_is_measured_beside_the_published_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = tmp_path / "cache"
    cache.mkdir()
    (cache / "models").symlink_to(cache_folder() / "models")
    monkeypatch.setenv("RELNOTES_CACHE_DIR", str(cache))
    monkeypatch.setattr(chunking, "BENCHMARK", write_benchmark(tmp_path, corpus="a", content=TEXT[:30]))
    found = chunking.run(Namespace())
    (table,) = found.tables
    assert table.rows[0][:2] == ("relnotes ingest, relnotes search", "100.0")
    assert [row[0] for row in table.rows[1:3]] == ["the same, development half", "the same, test half"]
    assert table.rows[3:] == chunking.PUBLISHED
    assert found.summary[0][3], "the whole of one small text is retrieved"
