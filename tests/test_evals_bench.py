"""What the benchmarks compute of what they measure: passes, recall, growth; what processes take; grown indexes."""

import json
import sys
from pathlib import Path

import numpy as np
import pytest
from small_corpus import HashedEmbedder, encoded, parsed

from corpus.index.reader import IndexReader
from evals.lab.grown import Grown, copied, grow
from evals.lab.peers import recall
from evals.lab.processes import LimitReached, run_measured

NOTES = "Deprecated in 4.2: the ``legacy`` parameter of Session.configure().\n\nRemoving cached templates is faster.\n"
ORIGINALS = tuple(
    encoded(parsed(NOTES, source=f"{product}/{version}.md", product=product, version=version))
    for product, version in (("django", "4.2"), ("django", "5.0.1"), ("curl", "8.1"))
)
ON_LINUX = pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is told by /proc")


def test_what_a_peer_lists_is_held_against_exact_products_by_its_texts() -> None:
    vectors = np.linspace(0.1, 1.2, 12, dtype=np.float32)[:, np.newaxis]
    texts = [f"passage {number}" for number in range(12)]
    listed = [texts[3:], texts[:2]]
    assert recall(listed, np.ones((2, 1), np.float32), texts, vectors) == pytest.approx((0.9 + 0) / 2)


@ON_LINUX
def test_output_and_costs_of_a_process_are_told(tmp_path: Path) -> None:
    program = "print('done'); held = b'x' * 2**26; import time; time.sleep(0.2)"
    done = run_measured([sys.executable, "-c", program], log=tmp_path / "log")
    assert done.output == "done\n"
    assert 64 < done.peak_mib < 120
    assert 0 < done.cpu_seconds < done.wall_seconds + 1


@ON_LINUX
@pytest.mark.parametrize(
    ("limits", "told"),
    [({"seconds": 0.3}, "0 minutes"), ({"mib": 48.0}, r"0\.0 GiB of memory")],
    ids=["time", "memory"],
)
def test_process_that_takes_more_than_it_may_is_ended(limits: dict[str, float], told: str, tmp_path: Path) -> None:
    program = "held = b'x' * 2**27; import time; time.sleep(60)"
    with pytest.raises(LimitReached, match=told):
        run_measured([sys.executable, "-c", program], log=tmp_path / "log", **limits)


def test_a_copy_is_another_product_with_other_releases_in_the_same_places() -> None:
    original = ORIGINALS[0]
    rare = frozenset(token for tokens in original.tokens for token in tokens)
    once, again, other = (copied(original, number, rare) for number in (2, 2, 3))
    document = once.parsed.document
    assert document.product not in ("django", other.parsed.document.product)
    assert copied(ORIGINALS[1], 2, rare).parsed.document.product == document.product
    assert [str(document.version), *(release.label for release in once.parsed.releases)] == ["7.2", "7.2"]
    assert [one.span for one in once.parsed.passages] == [one.span for one in original.parsed.passages]
    assert once.tokens == again.tokens != other.tokens
    vectors, near = (np.concatenate(one.vectors) for one in (original, once))
    assert np.array_equal(near, np.concatenate(again.vectors))
    assert ((vectors * near).sum(axis=1) > 0.85).all()


def test_what_lies_beside_the_index_has_a_text_and_a_vector_for_each_passage(tmp_path: Path) -> None:
    made = Grown(tmp_path / "grown")
    grow(ORIGINALS, made, HashedEmbedder(), passages=40, stamp="s")
    texts = [json.loads(line) for line in made.texts.read_text("utf-8").splitlines()]
    with IndexReader.open(made.index) as reader:
        stored = reader.load_passages(range(40))
        assert texts == [" ".join(one.span.slice(reader.text_of(one)).split()) for one in stored if one.items]
    vectors = np.fromfile(made.vectors, np.float32).reshape(len(texts), -1)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)
    assert made.seconds > 0
