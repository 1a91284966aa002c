"""The derived files: BM25 as defined, FAISS as given, both checked against their digests."""

import hashlib
import math
import re
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from corpus.derived import DerivedFile, LexicalIndex, load_vectors, sweep, write_vectors
from corpus.errors import IndexCorrupt

PASSAGES = (("cache", "cache", "removed"), ("cache", "added"), ("flag", "added", "flag", "flag", "removed"))


def write_rows(index: Path, rows: NDArray[np.float32]) -> DerivedFile:
    return write_vectors(index, [rows], count=len(rows), dimensions=rows.shape[1])


def unit_rows(count: int, *, dimensions: int = 8) -> np.ndarray[tuple[int, int], np.dtype[np.float32]]:
    rows = np.random.default_rng(7).standard_normal((count, dimensions)).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def bm25_by_hand(query: tuple[str, ...], passage: tuple[str, ...]) -> float:
    """Lucene's: idf = ln(1 + (N - n + 0.5) / (n + 0.5)); tf / (tf + k1 (1 - b + b length / mean)); k1 1.2, b 0.75."""
    mean = sum(map(len, PASSAGES)) / len(PASSAGES)
    counts = Counter(passage)
    total = 0.0
    for token in query:
        holders = sum(token in other for other in PASSAGES)
        idf = math.log(1 + (len(PASSAGES) - holders + 0.5) / (holders + 0.5))
        total += idf * counts[token] / (counts[token] + 1.2 * (0.25 + 0.75 * len(passage) / mean))
    return total


@pytest.mark.parametrize(
    "query", [("cache",), ("flag",), ("removed", "cache"), ("added", "flag", "removed"), ("cache", "cache")]
)
def test_scores_are_bm25(query: tuple[str, ...]) -> None:
    scores = LexicalIndex.from_tokens(PASSAGES).scores(query)
    assert scores.dtype == np.float32
    assert scores.tolist() == pytest.approx([bm25_by_hand(query, passage) for passage in PASSAGES], rel=1e-5)


def test_one_score_in_figures() -> None:
    # Mean length 10 / 3; "flag" is in one passage of three, three times among five tokens.
    scores = LexicalIndex.from_tokens(PASSAGES).scores(["flag"])
    assert scores.tolist() == pytest.approx(
        [0, 0, math.log(1 + 2.5 / 1.5) * 3 / (3 + 1.2 * (0.25 + 0.75 * 1.5))], rel=1e-5
    )


@pytest.mark.parametrize("query", [(), ("unknown",), ("unknown", "never")])
def test_nothing_known_scores_nothing(query: tuple[str, ...]) -> None:
    assert LexicalIndex.from_tokens(PASSAGES).scores(query).tolist() == [0, 0, 0]


def test_unknown_token_changes_no_score() -> None:
    lexical = LexicalIndex.from_tokens(PASSAGES)
    assert lexical.scores(["cache", "unknown"]).tolist() == lexical.scores(["cache"]).tolist()


def test_document_frequency_counts_passages() -> None:
    lexical = LexicalIndex.from_tokens(PASSAGES)
    assert [lexical.document_frequency(token) for token in ("cache", "flag", "removed", "unknown")] == [2, 1, 2, 0]


def test_passage_without_tokens_keeps_its_place() -> None:
    scores = LexicalIndex.from_tokens([(), ("cache",), ()]).scores(["cache"])
    assert scores.shape == (3,)
    assert scores.argmax() == 1


@pytest.mark.parametrize("tokens", [(), ((), ())], ids=["no passages", "no tokens"])
def test_empty_lexical_index_is_saved_as_nothing(tmp_path: Path, tokens: tuple[tuple[str, ...], ...]) -> None:
    file = LexicalIndex.from_tokens(tokens).save(tmp_path)
    assert file == DerivedFile("", "")
    loaded = LexicalIndex.load(tmp_path, file, passages=len(tokens))
    assert loaded.scores(["cache"]).tolist() == [0] * len(tokens)
    assert loaded.document_frequency("cache") == 0


def test_saved_lexical_index_scores_the_same(tmp_path: Path) -> None:
    lexical = LexicalIndex.from_tokens(PASSAGES)
    loaded = LexicalIndex.load(tmp_path, lexical.save(tmp_path), passages=3)
    assert loaded.scores(["removed", "flag"]).tolist() == lexical.scores(["removed", "flag"]).tolist()


def test_equal_content_has_one_name(tmp_path: Path) -> None:
    assert LexicalIndex.from_tokens(PASSAGES).save(tmp_path) == LexicalIndex.from_tokens(PASSAGES).save(tmp_path)
    assert write_rows(tmp_path, unit_rows(3)) == write_rows(tmp_path, unit_rows(3))
    assert len(list(tmp_path.iterdir())) == 2


def test_vectors_file_is_named_by_its_digest(tmp_path: Path) -> None:
    file = write_rows(tmp_path, unit_rows(5))
    assert file.sha256 == hashlib.sha256((tmp_path / file.name).read_bytes()).hexdigest()
    assert re.fullmatch(r"vectors-[0-9a-f]{16}\.faiss", file.name)
    assert file.sha256.startswith(file.name.removeprefix("vectors-").removesuffix(".faiss"))


@pytest.mark.parametrize("count", [0, 1, 300])
def test_vectors_come_back_as_given(tmp_path: Path, count: int) -> None:
    rows = unit_rows(count)
    loaded = load_vectors(tmp_path, write_rows(tmp_path, rows))
    assert (loaded.ntotal, loaded.d) == (count, 8)
    assert np.array_equal(loaded.reconstruct_n(0, count) if count else rows, rows)


def test_vectors_are_ranked_by_cosine(tmp_path: Path) -> None:
    rows = unit_rows(50)
    scores, places = load_vectors(tmp_path, write_rows(tmp_path, rows)).search(rows[:1], 3)
    cosines = rows @ rows[0]
    assert places[0].tolist() == np.argsort(-cosines)[:3].tolist()
    assert scores[0].tolist() == pytest.approx(np.sort(cosines)[::-1][:3].tolist(), abs=1e-5)


@pytest.mark.parametrize("sizes", [(7,), (3, 4), (0, 1, 0, 6), (1,) * 7], ids=str)
def test_vectors_are_the_same_file_however_they_are_handed_over(tmp_path: Path, sizes: tuple[int, ...]) -> None:
    rows = unit_rows(7)
    ends = np.cumsum(sizes)
    parts = (rows[end - size : end] for size, end in zip(sizes, ends, strict=True))
    assert write_vectors(tmp_path, parts, count=7, dimensions=8) == write_rows(tmp_path, rows)


def test_altered_vectors_are_refused(tmp_path: Path) -> None:
    file = write_rows(tmp_path, unit_rows(5))
    data = bytearray((tmp_path / file.name).read_bytes())
    data[-1] ^= 1
    (tmp_path / file.name).write_bytes(data)
    with pytest.raises(IndexCorrupt, match="doesn't match its checksum"):
        load_vectors(tmp_path, file)
    assert write_rows(tmp_path, unit_rows(5)) == file
    assert load_vectors(tmp_path, file).ntotal == 5


def test_altered_lexical_index_is_refused_and_mended_by_writing_it_again(tmp_path: Path) -> None:
    lexical = LexicalIndex.from_tokens(PASSAGES)
    file = lexical.save(tmp_path)
    part = next((tmp_path / file.name).glob("data*"))
    part.write_bytes(part.read_bytes()[:-1])
    with pytest.raises(IndexCorrupt, match="doesn't match its checksum"):
        LexicalIndex.load(tmp_path, file, passages=3)
    assert lexical.save(tmp_path) == file
    assert LexicalIndex.load(tmp_path, file, passages=3).document_frequency("cache") == 2


def test_missing_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(IndexCorrupt, match="is missing"):
        load_vectors(tmp_path, DerivedFile("vectors-0.faiss", "0"))
    with pytest.raises(IndexCorrupt, match="is missing"):
        LexicalIndex.load(tmp_path, DerivedFile("lexical-0", "0"), passages=1)


def test_sweep_keeps_what_is_named_and_what_is_not_ours(tmp_path: Path) -> None:
    for folder in ("lexical-old", "lexical-new", "tmp-dead", "mine"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").touch()
    for name in ("vectors-old.faiss", "vectors-new.faiss", "relnotes.sqlite", "relnotes.sqlite.damaged", "write.lock"):
        (tmp_path / name).touch()
    sweep(tmp_path, keep=("vectors-new.faiss", "lexical-new"))
    assert {path.name for path in tmp_path.iterdir()} == {
        "lexical-new",
        "mine",
        "vectors-new.faiss",
        "relnotes.sqlite",
        "write.lock",
    }
