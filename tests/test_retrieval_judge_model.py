"""The cross-encoders: the same numbers on either runtime, beside whatever else is read, from a cache or without."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from retrieval.judge.model import CrossEncoder, load_cross_encoder
from retrieval.judge.pairs import Side, Sign

QUESTION = Side("since when does the lamp dim itself at night", ((6, 10, Sign.WORD),))
PAIRS = [(QUESTION, Side("lamp. 2.0: " + "The lamp dims by itself after dark. " * count, ())) for count in range(1, 15)]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], CrossEncoder]]:
    """Makes the judge of questions anew, with a cache of its own."""
    monkeypatch.setenv("RELNOTES_CACHE_DIR", str(tmp_path))
    load_cross_encoder.cache_clear()
    yield lambda: load_cross_encoder.__wrapped__("answers")  # type: ignore[misc]
    load_cross_encoder.cache_clear()


def test_a_pair_is_read_alike_on_either_runtime_and_beside_others(load: Callable[[], CrossEncoder]) -> None:
    judge = load()
    at_once = judge.read(PAIRS[:3])
    compiled = judge.read(PAIRS)
    assert at_once.shape == (3, 1)
    assert compiled.shape == (len(PAIRS), 1)
    assert np.ptp(compiled) > 0.1
    assert np.abs(compiled[:3] - at_once).max() < 1e-4
    assert np.abs(compiled - np.concatenate([judge.read([pair]) for pair in PAIRS])).max() < 1e-4


def test_nothing_is_read_of_no_pairs(load: Callable[[], CrossEncoder]) -> None:
    assert load().read([]).shape == (0, 1)


@pytest.mark.parametrize("damage", ["none", "empty", "cut", "short", "gone", "no folder"])
def test_weights_come_from_the_cache_where_they_are_whole(
    load: Callable[[], CrossEncoder], tmp_path: Path, damage: str
) -> None:
    first = load().read(PAIRS[:2])
    (kept,) = (tmp_path / "judge").iterdir()
    whole = kept.read_bytes()
    if damage in ("empty", "cut"):
        kept.write_bytes(whole[: 1_000_000 * (damage == "cut")])
    elif damage == "short":
        np.save(kept, np.zeros(10, np.float32))
    elif damage != "none":
        kept.unlink()
    if damage == "no folder":
        kept.parent.rmdir()
        kept.parent.touch()
    assert np.array_equal(load().read(PAIRS[:2]), first)
    assert kept.parent.is_file() if damage == "no folder" else kept.read_bytes() == whole
