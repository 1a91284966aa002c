"""Where a run of sentences changes its subject."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from corpus.model import Span
from ingest.passages.topics import segment_topics

TOPICS = np.eye(3, dtype=np.float32)


def spans(count: int, length: int = 50) -> list[Span]:
    return [Span(start, start + length - 1) for start in range(0, count * length, length)]


def segment(sentences: list[Span], vectors: NDArray[np.float32], limit: int) -> tuple[tuple[Span, ...], ...]:
    return segment_topics(sentences, vectors, begins_paragraph=[False] * len(sentences), max_characters=limit)


def lengths(topics: list[int], limit: int = 10_000) -> list[int]:
    return [len(one) for one in segment(spans(len(topics)), TOPICS[topics], limit)]


def test_a_change_of_subject_is_a_cut() -> None:
    assert lengths([0, 0, 0, 1, 1, 2, 2, 2, 2]) == [3, 2, 4]


def test_one_subject_is_one_segment() -> None:
    assert lengths([1] * 8) == [8]


def test_one_subject_is_cut_where_the_limit_demands() -> None:
    assert max(lengths([1] * 9, limit=199)) <= 4


def test_a_sentence_over_the_limit_stands_alone() -> None:
    long = [Span(0, 40), Span(41, 400), Span(401, 440)]
    assert [len(one) for one in segment(long, TOPICS[[0, 0, 0]], 100)] == [1, 1, 1]


def test_of_two_cuts_as_good_the_one_between_paragraphs_is_taken() -> None:
    begins = [False, False, True, False, False, False]
    segments = segment_topics(spans(6), TOPICS[[0] * 6], begins_paragraph=begins, max_characters=249)
    assert [len(one) for one in segments] == [2, 4]


def test_a_paragraph_alone_is_no_change_of_subject() -> None:
    segments = segment_topics(spans(8), TOPICS[[1] * 8], begins_paragraph=[True] * 8, max_characters=10_000)
    assert len(segments) == 1


def test_no_sentences_give_no_segments() -> None:
    assert segment([], np.empty((0, 3), dtype=np.float32), 100) == ()


@given(
    arrays(np.float32, st.tuples(st.integers(1, 25), st.just(3)), elements=st.floats(-1, 1, width=32)),
    st.integers(40, 400),
)
def test_segments_are_all_sentences_in_order_within_the_limit(raw: NDArray[np.float32], limit: int) -> None:
    vectors = raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), np.float32(1e-6))
    sentences = spans(len(raw))
    segments = segment(sentences, vectors, limit)
    assert [one for several in segments for one in several] == sentences
    assert all(len(several) == 1 or several[-1].end - several[0].start <= limit for several in segments)
