"""From the benchmark to rows of figures: each way of cutting, under each way of ranking."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from corpus.embedding import Embedder
from corpus.embedding.default_model import default_model_folder, load_tokenizer
from corpus.model import Span
from evals.lab.chunking.benchmark import Benchmark, ChunkingQuestion
from evals.lab.chunking.cuts import CutPassage, cut_as_product, cut_by_subjects, cut_recursively
from evals.lab.chunking.metric import RangeScore, precision_omega, score_ranges
from evals.lab.chunking.ranking import best_item_cosines, best_passages, fuse_with_words, whole_cosines
from ingest.passages.flat_prose import MAX_FLAT_CHARACTERS
from ingest.passages.splitting import Embed
from retrieval.assistant import Assistant

RETRIEVED = 5
"""Passages a question, as in the published tables."""
_OTHER_LENGTHS = (400, 550, 850, 1000)
_PUBLISHED_TOKENS = (250, 200)

Place = tuple[str, Span]
"""A retrieved range: the name of its corpus, and where it is there."""


@dataclass(frozen=True, slots=True)
class CutRow:
    """One way to cut and to rank, and its averages over the questions, in fractions."""

    cut: str
    ranking: str
    overall: RangeScore
    development: RangeScore
    test: RangeScore
    precision_omega: float
    retrieved_characters: float
    """Mean sum of the retrieved passages' lengths."""


def measure_cuts(benchmark: Benchmark, *, embedder: Embedder, embed: Embed) -> Iterator[CutRow]:
    """The published baseline, the product's cut of flat prose, and the same cut at other lengths.

    `embed` embeds what is cut, and may keep it; `embedder` embeds the questions.

    Raises:
        ModelError: the model fails.
    """
    texts = tuple(question.text for question in benchmark.questions)
    questions = embedder.embed(texts)

    def rows(cut: str, ranking: str, passages: Sequence[CutPassage], dense: NDArray[np.float32]) -> Iterator[CutRow]:
        yield _row(cut, ranking, benchmark, passages, dense)
        yield _row(cut, f"{ranking} + BM25", benchmark, passages, fuse_with_words(passages, texts, dense))

    for max_tokens in _PUBLISHED_TOKENS:
        count = _token_counter()
        passages = _flatten(cut_recursively(c, max_tokens=max_tokens, count_tokens=count) for c in benchmark.corpora)
        dense = whole_cosines(passages, questions, embed=embed)
        yield from rows(f"Recursive {max_tokens}/0", "whole passage", passages, dense)
    passages = _flatten(cut_as_product(corpus, embed=embed) for corpus in benchmark.corpora)
    name = f"ours, {MAX_FLAT_CHARACTERS} characters"
    yield from rows(name, "whole passage", passages, whole_cosines(passages, questions, embed=embed))
    yield from rows(name, "best sentence", passages, best_item_cosines(passages, questions, embed=embed))
    in_context = best_item_cosines(passages, questions, embed=embed, with_neighbours=True)
    yield from rows(name, "best sentence with its neighbours", passages, in_context)
    for length in _OTHER_LENGTHS:
        passages = _flatten(cut_by_subjects(c, max_characters=length, embed=embed) for c in benchmark.corpora)
        dense = best_item_cosines(passages, questions, embed=embed)
        yield from rows(f"ours, at {length} characters", "best sentence", passages, dense)


def measure_product(benchmark: Benchmark, assistant: Assistant) -> CutRow:
    """`relnotes search -k 5` over an index of the corpora, nothing changed for the benchmark."""
    found: list[tuple[Place, ...]] = []
    for question in benchmark.questions:
        hits = assistant.search(question.text, limit=RETRIEVED).passages
        found.append(tuple((_corpus_of(hit.source), Span(hit.start, hit.end)) for hit in hits))
    stored = assistant.index.load_passages(range(assistant.index.manifest.passages))
    everything = tuple((_corpus_of(one.document.source), one.span) for one in stored)
    return _average("relnotes ingest", "relnotes search", benchmark, everything, found)


def _row(
    cut: str, ranking: str, benchmark: Benchmark, passages: Sequence[CutPassage], scores: NDArray[np.float32]
) -> CutRow:
    found = [_places(best) for best in best_passages(passages, scores, limit=RETRIEVED)]
    return _average(cut, ranking, benchmark, _places(passages), found)


def _average(
    cut: str,
    ranking: str,
    benchmark: Benchmark,
    everything: Sequence[Place],
    found: Sequence[Sequence[Place]],
) -> CutRow:
    pairs = tuple(zip(benchmark.questions, found, strict=True))
    scores = [(question, _score(question, places)) for question, places in pairs]
    passages = {corpus.name: tuple(s for name, s in everything if name == corpus.name) for corpus in benchmark.corpora}
    return CutRow(
        cut=cut,
        ranking=ranking,
        overall=_mean(score for _, score in scores),
        development=_mean(score for question, score in scores if question.is_development),
        test=_mean(score for question, score in scores if not question.is_development),
        precision_omega=fmean(precision_omega(one.references, passages[one.corpus]) for one in benchmark.questions),
        retrieved_characters=fmean(sum(len(span) for _, span in places) for places in found),
    )


def _score(question: ChunkingQuestion, places: Iterable[Place]) -> RangeScore:
    own = [span for name, span in places if name == question.corpus]
    foreign = sum(len(span) for name, span in places if name != question.corpus)
    return score_ranges(question.references, own, foreign_characters=foreign)


def _mean(scores: Iterable[RangeScore]) -> RangeScore:
    several = tuple(scores)
    return RangeScore(
        recall=fmean(one.recall for one in several),
        precision=fmean(one.precision for one in several),
        iou=fmean(one.iou for one in several),
    )


def _flatten(cuts: Iterable[Sequence[CutPassage]]) -> tuple[CutPassage, ...]:
    return tuple(passage for cut in cuts for passage in cut)


def _places(passages: Iterable[CutPassage]) -> tuple[Place, ...]:
    return tuple((passage.corpus.name, passage.span) for passage in passages)


def _corpus_of(source: str) -> str:
    return source.removesuffix(".md")


def _token_counter() -> Callable[[str], int]:
    """Word pieces of the default model: within some percent the published tables' tokens, which need a download."""
    tokenizer = load_tokenizer(default_model_folder())
    tokenizer.no_truncation()

    def count(text: str) -> int:
        return len(tokenizer.encode(text, add_special_tokens=False).ids)

    return count
