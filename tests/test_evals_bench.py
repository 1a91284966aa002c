"""Grown indexes: what the benchmarks hand to scripts is what they ask relnotes about."""

import json
from pathlib import Path

import numpy as np
import pytest
from small_corpus import HashedEmbedder, encoded, parsed

from corpus.index.reader import IndexReader
from evals.lab.grown import Grown, grow

NOTES = "Deprecated in 4.2: the ``legacy`` parameter of Session.configure().\n\nRemoving cached templates is faster.\n"
ORIGINALS = tuple(
    encoded(parsed(NOTES, source=f"{product}/{version}.md", product=product, version=version))
    for product, version in (("django", "4.2"), ("django", "5.0.1"), ("curl", "8.1"))
)


def test_what_lies_beside_the_index_has_a_text_and_a_vector_for_each_passage(tmp_path: Path) -> None:
    made = Grown(tmp_path / "grown")
    grow(ORIGINALS, made, HashedEmbedder(), passages=40, stamp="s")
    texts = [json.loads(line) for line in made.texts.read_text("utf-8").splitlines()]
    with IndexReader.open(made.index) as reader:
        stored = reader.load_passages(range(40))
        assert texts == [" ".join(one.span.slice(reader.text_of(one)).split()) for one in stored if one.items]
    vectors = np.fromfile(made.vectors, np.float32).reshape(len(texts), -1)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(len(texts)), abs=1e-5)
