"""Embedding: the runtimes agree, the model is checked, order is kept, the cache saves work and survives."""

import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from corpus.embedding import Embedder, Runtime, open_embedder
from corpus.embedding.default_model import check_model_folder, default_model_folder
from corpus.embedding.openvino_runtime import token_batches
from corpus.errors import ModelError

REPOSITORY = Path(__file__).parents[1]

EMBED_WATCHED = """
import os, sys
def watch(event, arguments):
    if event in {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto", "socket.sendmsg"}:
        os.write(1, f"{event} {arguments[1:]}\\n".encode())
sys.addaudithook(watch)
from pathlib import Path
from corpus.embedding import Runtime, open_embedder
embedder = open_embedder(cache_dir=Path(sys.argv[1]), runtime=Runtime(sys.argv[2]))
vector = embedder.embed(["torch.compile supports Python 3.14"])
print(vector.tobytes().hex()[:64], sorted({"torch", "transformers"} & set(sys.modules)))
"""


def start_watched(cache_dir: Path, home: Path, runtime: Runtime) -> subprocess.Popen[str]:
    """A process that prints each attempt to reach a network, then the start of a vector, and if torch was loaded."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "HF_", "CI"))}
    command = [sys.executable, "-c", EMBED_WATCHED, str(cache_dir), runtime]
    return subprocess.Popen(command, cwd=REPOSITORY, env={**kept, "HOME": str(home)}, stdout=subprocess.PIPE, text=True)


@pytest.fixture(scope="module")
def default(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return open_embedder(cache_dir=tmp_path_factory.mktemp("cache"))


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return open_embedder(cache_dir=tmp_path_factory.mktemp("unused"), runtime=Runtime.NUMPY)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Embedder:
    return open_embedder(cache_dir=tmp_path_factory.mktemp("unused"), runtime=Runtime.SENTENCE_TRANSFORMERS)


@pytest.fixture(scope="module")
def real_texts() -> tuple[str, ...]:
    """Real sentences and paragraphs of every length, over the model's maximum too."""
    texts: list[str] = []
    for path in sorted((REPOSITORY / "corpus" / "documents").rglob("*.md")):
        text = path.read_text("utf-8")
        texts += [sentence for sentence in re.split(r"(?<=[.!?])\s+|\n\s*\n", text) if len(sentence) > 20][:15]
        texts += [text[first : first + 1500] for first in range(0, min(len(text), 4500), 1500)]
    return tuple(dict.fromkeys(texts))[::3]


@pytest.fixture(scope="module")
def reference_vectors(reference: Embedder, real_texts: tuple[str, ...]) -> NDArray[np.float32]:
    return reference.embed(real_texts)


def top_tens(vectors: NDArray[np.float32]) -> NDArray[np.intp]:
    """For each text the ten others nearest to it, nearest first."""
    similarities = vectors @ vectors.T
    np.fill_diagonal(similarities, -1.0)
    return np.argsort(-similarities, axis=1, kind="stable")[:, :10]


# --- the default model against sentence-transformers


@pytest.mark.slow
def test_vectors_agree_with_sentence_transformers(
    default: Embedder, reference_vectors: NDArray[np.float32], real_texts: tuple[str, ...]
) -> None:
    ours = default.embed(real_texts)

    assert ours.dtype == np.float32
    assert ours.shape == (len(real_texts), 384)
    np.testing.assert_allclose(np.linalg.norm(ours, axis=1), 1.0, atol=1e-3)
    # In bfloat16 where this processor has it.
    assert (ours * reference_vectors).sum(axis=1).min() >= 0.9999
    kept = [len(set(a) & set(b)) / 10 for a, b in zip(top_tens(ours), top_tens(reference_vectors), strict=True)]
    assert np.mean(kept) >= 0.98


@pytest.mark.slow
def test_a_question_asked_at_once_has_the_vector_that_a_server_computes(
    at_once: Embedder, default: Embedder, real_texts: tuple[str, ...]
) -> None:
    questions = [*real_texts[::7], "Which release dropped Python 3.9?", "", "x", "naïve 図 🙂"]
    ours = at_once.embed(questions).astype(np.float64)
    theirs = np.concatenate([default.embed([question]) for question in questions]).astype(np.float64)
    lengths = np.linalg.norm(ours, axis=1) * np.linalg.norm(theirs, axis=1)
    assert ((ours * theirs).sum(axis=1) / lengths).min() >= 0.9999995


@pytest.mark.slow
def test_all_runtimes_describe_the_model_alike_and_its_name_opens_it_too(
    default: Embedder, at_once: Embedder, reference: Embedder, tmp_path: Path
) -> None:
    named = open_embedder("all-MiniLM-L6-v2", cache_dir=tmp_path)
    described = [
        (embedder.model_id, embedder.dimensions, embedder.digest) for embedder in (default, at_once, reference, named)
    ]
    assert described == [("all-MiniLM-L6-v2", 384, default.digest)] * 4
    assert re.fullmatch("[0-9a-f]{64}", default.digest)


# --- what `embed` promises, on every runtime


@pytest.mark.slow
@pytest.mark.parametrize("runtime", ["default", "at_once", "reference"])
def test_order_is_that_of_the_texts_and_identical_texts_have_one_vector(
    runtime: str, request: pytest.FixtureRequest
) -> None:
    embedder = request.getfixturevalue(runtime)
    texts = ["short", "a much longer text about ahead-of-time compilation " * 9, "middle sized entry", "short"]
    progress: list[int] = []

    vectors = embedder.embed(texts, progress=progress.append)

    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert (vectors * alone).sum(axis=1).min() >= 0.9999
    assert np.array_equal(vectors[0], vectors[3])
    assert sum(progress) == len(texts)
    nothing = embedder.embed([])
    assert (nothing.shape, nothing.dtype) == ((0, 384), np.float32)


@pytest.mark.slow
def test_threads_that_embed_at_once_get_their_own_vectors(default: Embedder, real_texts: tuple[str, ...]) -> None:
    parts = [real_texts[first::4] for first in range(4)]
    with ThreadPoolExecutor(len(parts)) as pool:
        together = list(pool.map(default.embed, parts))
    for part, vectors in zip(parts, together, strict=True):
        assert (default.embed(part) * vectors).sum(axis=1).min() >= 0.9999


# --- what a process loads and whom it tells


@pytest.mark.parametrize("runtime", [Runtime.OPENVINO, Runtime.NUMPY])
def test_the_default_model_needs_no_torch_and_reports_nothing_to_anyone(tmp_path: Path, runtime: Runtime) -> None:
    home = tmp_path / "home"
    home.mkdir()
    printed = start_watched(tmp_path / "cache", home, runtime).communicate(timeout=120)[0]
    assert re.fullmatch(r"[0-9a-f]{64} \[\]\n", printed)
    assert list(home.rglob("*")) == []


# --- refusals


def copy_of_default_model(folder: Path) -> Path:
    shutil.copytree(default_model_folder(), folder)
    return folder


def test_missing_and_altered_weights_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"Cannot read the model in .*No such file.*Reinstall"):
        check_model_folder(tmp_path, cache_dir=tmp_path)
    folder = copy_of_default_model(tmp_path / "model")
    with (folder / "model.safetensors").open("r+b") as weights:
        weights.seek(-1, 2)
        last = weights.read(1)
        weights.seek(-1, 2)
        weights.write(bytes([last[0] ^ 1]))
    with pytest.raises(ModelError, match=r"Refused the model .* must be 53aa5117.* got .* Reinstall"):
        check_model_folder(folder, cache_dir=tmp_path)


@pytest.mark.parametrize("runtime", [Runtime.OPENVINO, Runtime.NUMPY])
def test_default_runtimes_run_the_default_model_only(runtime: Runtime, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=rf"'other' on the {runtime} runtime"):
        open_embedder("other", cache_dir=tmp_path, runtime=runtime)


# --- batches


@given(st.lists(st.integers(1, 256), max_size=300), st.integers(1, 2048))
def test_batches_hold_every_text_once_longest_first_within_the_budget(lengths: list[int], budget: int) -> None:
    batches = token_batches(lengths, max_padded_tokens=budget)

    order = [int(position) for batch in batches for position in batch]
    assert sorted(order) == list(range(len(lengths)))
    assert [lengths[position] for position in order] == sorted(lengths, reverse=True)
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[position] for position in batch) <= budget


# --- which runtime embeds documents, by what is known of the machine


@pytest.mark.slow
def test_model_that_is_not_on_this_machine_is_not_fetched(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"Cannot open model 'nobody/nothing'.*nothing is downloaded"):
        open_embedder("nobody/nothing", cache_dir=tmp_path)
