"""Which runtime embeds documents, by what is known of the machine."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from corpus.embedding import Runtime
from corpus.embedding.opening import has_nvidia_device, open_bulk_embedder

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize(
    ("has_device", "has_cuda", "expected"),
    [
        pytest.param(True, True, Runtime.SENTENCE_TRANSFORMERS, id="a GPU that torch can use"),
        pytest.param(True, False, None, id="a torch without CUDA"),
        pytest.param(False, True, None, id="no GPU: torch isn't asked"),
    ],
)
def test_documents_are_embedded_on_a_gpu_that_torch_can_use(
    has_device: bool, has_cuda: bool, expected: Runtime | None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[bool] = []
    opening = "corpus.embedding.opening"
    monkeypatch.setattr(f"{opening}.has_nvidia_device", lambda: has_device)
    monkeypatch.setattr(f"{opening}.torch_has_cuda", lambda: asked.append(True) or has_cuda)
    monkeypatch.setattr(f"{opening}.open_embedder", lambda _model, *, cache_dir, runtime: runtime)
    assert open_bulk_embedder(cache_dir=tmp_path) is expected
    assert bool(asked) is has_device


def test_a_device_is_told_by_its_file_or_its_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    device, programs = tmp_path / "nvidiactl", tmp_path / "bin"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    assert not has_nvidia_device(device)
    device.touch()
    assert has_nvidia_device(device)
    device.unlink()
    (programs / "nvidia-smi").write_text("#!/bin/sh\n")
    (programs / "nvidia-smi").chmod(0o755)
    assert has_nvidia_device(device)


@pytest.mark.slow
@pytest.mark.skipif(has_nvidia_device(), reason="there is a GPU here, which torch is asked about")
def test_opening_the_model_for_documents_leaves_torch_alone_without_a_gpu(default_embedder: object) -> None:
    script = (
        "import sys; from pathlib import Path; from corpus.embedding.opening import open_bulk_embedder; "
        "from corpus.cache_folder import cache_folder; "
        "one = open_bulk_embedder(cache_dir=cache_folder()); print(type(one).__name__, 'torch' in sys.modules)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, env=environment)
    assert ran.stdout.split() == ["OpenVinoEmbedder", "False"]
