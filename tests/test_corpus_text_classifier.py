"""The linear model that labels short texts: kept as arrays, exact to 16 bits, and at home in one embedding model."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from corpus.text_classifier import TextClassifier

MODEL = TextClassifier(
    labels=("bird", "tree"),
    digest="here",
    terms={"sings": 0, "grows": 1, "\u00e9l\u00e8ve le nid": 2},
    term_weights=np.array([[2, 0], [0, 2], [1, 0]], np.float32),
    vector_weights=np.array([[1, 0], [0, 1]], np.float32),
    bias=np.array([0, 0.5], np.float32),
    bare_term_weights=np.array([[4, 0], [0, 4], [2, 0]], np.float32),
    bare_bias=np.array([0, 1], np.float32),
)
AXES = np.eye(2, dtype=np.float32)


def chances(bird: float, tree: float) -> tuple[float, float]:
    whole = math.exp(bird) + math.exp(tree)
    return math.exp(bird) / whole, math.exp(tree) / whole


@pytest.mark.parametrize(
    ("terms", "vector", "digest", "logits"),
    [
        pytest.param({"sings"}, AXES[0], "here", (3.0, 0.5), id="words and vector"),
        pytest.param({"sings", "grows"}, AXES[1], "here", (2**0.5, 2**0.5 + 1.5), id="two words by the root of two"),
        pytest.param({"sings", "hums"}, AXES[0], "here", (3.0, 0.5), id="an unknown word counts for nothing"),
        pytest.param(set(), AXES[0], "here", (1.0, 0.5), id="the vector alone"),
        pytest.param({"sings"}, None, "here", (4.0, 1.0), id="no vector"),
        pytest.param({"sings"}, AXES[1], "elsewhere", (4.0, 1.0), id="a vector of another model"),
        pytest.param({"hums"}, None, "", (0.0, 1.0), id="nothing known"),
    ],
)
def test_a_label_is_as_likely_as_its_weights_say(
    terms: set[str], vector: NDArray[np.float32] | None, digest: str, logits: tuple[float, float]
) -> None:
    rows = MODEL.probabilities([terms], None if vector is None else vector[None, :], digest=digest)
    assert tuple(rows[0].tolist()) == pytest.approx(chances(*logits))


@given(
    st.lists(st.sets(st.sampled_from(["sings", "grows", "hums", ""])), min_size=1, max_size=5),
    st.sampled_from(["here", "elsewhere"]),
    st.floats(-1e6, 1e6, width=32),
)
def test_rows_are_probabilities_that_sum_to_one(texts: list[set[str]], digest: str, far: float) -> None:
    rows = MODEL.probabilities(texts, np.full((len(texts), 2), [far, -far], np.float32), digest=digest)
    assert rows.shape == (len(texts), 2)
    assert ((rows >= 0) & (rows <= 1)).all()
    assert rows.sum(axis=1) == pytest.approx(1.0)


def test_a_model_with_pickled_objects_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "model.npz", terms=np.array(["sings"], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle=False"):
        TextClassifier.load(tmp_path / "model.npz")
