"""Opening embedding models for questions and for documents, each on its runtime."""

import shutil
from enum import StrEnum
from pathlib import Path

from corpus.embedding.protocol import Embedder
from corpus.errors import ModelError


class Runtime(StrEnum):
    """The library that computes the vectors."""

    OPENVINO = "openvino"  # CPU without torch; the default model only.
    NUMPY = "numpy"  # CPU, ready at once without compiling, for a question or a few; the default model only.
    SENTENCE_TRANSFORMERS = "sentence-transformers"  # Any model, on a GPU if there is one.


def open_embedder(model: str | None = None, *, cache_dir: Path, runtime: Runtime | None = None) -> Embedder:
    """Open an embedding model; the model library is imported now, and nothing is downloaded.

    `model` None, or the default model's id, opens the default model, by default on OpenVINO; `cache_dir` records that
    its files were checked. Any other `model` is a sentence-transformers model: a folder, or a name that is already in
    the local hub cache.

    Raises:
        ModelError: the model is missing, isn't the one expected or can't be loaded; or `runtime` doesn't run it.
    """
    from corpus.embedding.default_model import DEFAULT_MODEL_ID, check_model_folder, default_model_folder

    if model is not None and model != DEFAULT_MODEL_ID:
        if runtime not in (None, Runtime.SENTENCE_TRANSFORMERS):
            raise ModelError(
                f"Cannot open model {model!r} on the {runtime} runtime: it runs {DEFAULT_MODEL_ID!r} only. "
                f"Use the {Runtime.SENTENCE_TRANSFORMERS} runtime for other models."
            )
        from corpus.embedding.sentence_transformers_runtime import SentenceTransformersEmbedder

        return SentenceTransformersEmbedder(model, model_id=model)
    files = check_model_folder(default_model_folder(), cache_dir=cache_dir)
    if runtime is Runtime.SENTENCE_TRANSFORMERS:
        from corpus.embedding.sentence_transformers_runtime import SentenceTransformersEmbedder

        # The same digest on both runtimes, because one may search vectors of the other.
        return SentenceTransformersEmbedder(str(files.folder), model_id=DEFAULT_MODEL_ID, digest=files.digest)
    if runtime is Runtime.NUMPY:
        from corpus.embedding.question_runtime import QuestionEmbedder

        return QuestionEmbedder(files)
    from corpus.embedding.openvino_runtime import OpenVinoEmbedder

    return OpenVinoEmbedder(files)


def open_bulk_embedder(model: str | None = None, *, cache_dir: Path) -> Embedder:
    """Open an embedding model for many texts, on a GPU if there is one; see `open_embedder`.

    Its vectors have the digest of the model's own runtime, and a cosine of at least 0.9999 to that runtime's.
    """
    # Look for NVIDIA's driver first, because importing torch is slow.
    has_driver = Path("/dev/nvidiactl").exists() or shutil.which("nvidia-smi") is not None
    runtime = Runtime.SENTENCE_TRANSFORMERS if has_driver and torch_has_cuda() else None
    return open_embedder(model, cache_dir=cache_dir, runtime=runtime)


def torch_has_cuda() -> bool:
    """Return whether torch is installed and can use a GPU."""
    try:
        import torch
    except ImportError:
        return False
    return bool(torch.cuda.is_available())
