"""Where a run of sentences changes its subject."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from corpus.model import Span
from ingest.topics import segment_topics

TOPICS = np.eye(3, dtype=np.float32)


def spans(count: int, length: int = 50) -> list[Span]:
    return [Span(start, start + length - 1) for start in range(0, count * length, length)]


def lengths(topics: list[int], limit: int = 10_000) -> list[int]:
    vectors: NDArray[np.float32] = TOPICS[topics]
    return [len(segment) for segment in segment_topics(spans(len(topics)), vectors, max_characters=limit)]


def test_a_change_of_subject_is_a_cut() -> None:
    assert lengths([0, 0, 0, 1, 1, 2, 2, 2, 2]) == [3, 2, 4]


def test_one_subject_is_one_segment() -> None:
    assert lengths([1] * 8) == [8]


def test_one_subject_is_cut_where_the_limit_demands() -> None:
    assert max(lengths([1] * 9, limit=199)) <= 4


def test_a_sentence_over_the_limit_stands_alone() -> None:
    long = [Span(0, 40), Span(41, 400), Span(401, 440)]
    assert [len(one) for one in segment_topics(long, TOPICS[[0, 0, 0]], max_characters=100)] == [1, 1, 1]


def test_no_sentences_give_no_segments() -> None:
    assert segment_topics([], np.empty((0, 3), dtype=np.float32), max_characters=100) == ()


@settings(deadline=None)
@given(
    arrays(np.float32, st.tuples(st.integers(1, 25), st.just(3)), elements=st.floats(-1, 1, width=32)),
    st.integers(40, 400),
)
def test_segments_are_all_sentences_in_order_within_the_limit(raw: NDArray[np.float32], limit: int) -> None:
    vectors = raw / np.maximum(np.linalg.norm(raw, axis=1, keepdims=True), np.float32(1e-6))
    sentences = spans(len(raw))
    segments = segment_topics(sentences, vectors, max_characters=limit)
    assert [one for segment in segments for one in segment] == sentences
    assert all(len(segment) == 1 or segment[-1].end - segment[0].start <= limit for segment in segments)
