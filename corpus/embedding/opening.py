"""Which runtime opens which model."""

from enum import StrEnum
from pathlib import Path

from corpus.embedding.protocol import Embedder
from corpus.errors import ModelError


class Runtime(StrEnum):
    """What computes the vectors."""

    OPENVINO = "openvino"
    """CPU without torch; the default model only."""
    NUMPY = "numpy"
    """The same at once, with nothing to export or compile, for a question or a few; the default model only."""
    SENTENCE_TRANSFORMERS = "sentence-transformers"
    """Any model, on a GPU where there is one."""


def open_embedder(model: str | None = None, *, cache_dir: Path, runtime: Runtime | None = None) -> Embedder:
    """Open an embedding model; the model library is imported now, and nothing is fetched from a network.

    `model` None, or the default model's id, opens the default model, by default on OpenVINO (its
    first use exports the model into `cache_dir`, which takes seconds and torch once). Anything else is a
    sentence-transformers model: a folder, or a name that is already in the local hub cache.

    Raises:
        ModelError: the model is missing, isn't the one expected, can't be exported or can't be loaded.
    """
    from corpus.embedding.default_model import DEFAULT_MODEL_ID, find_default_model

    is_default = model is None or model == DEFAULT_MODEL_ID
    if runtime is None:
        runtime = Runtime.OPENVINO if is_default else Runtime.SENTENCE_TRANSFORMERS
    if runtime is not Runtime.SENTENCE_TRANSFORMERS:
        if not is_default:
            raise ModelError(
                f"Cannot open model {model!r} on the {runtime} runtime: it runs {DEFAULT_MODEL_ID!r} only. "
                f"Use the {Runtime.SENTENCE_TRANSFORMERS} runtime for other models."
            )
        files = find_default_model(cache_dir=cache_dir)
        if runtime is Runtime.NUMPY:
            from corpus.embedding.question_runtime import QuestionEmbedder

            return QuestionEmbedder(files)
        from corpus.embedding.openvino_runtime import OpenVinoEmbedder

        return OpenVinoEmbedder(files, cache_dir=cache_dir)

    from corpus.embedding.sentence_transformers_runtime import SentenceTransformersEmbedder

    if model is None or model == DEFAULT_MODEL_ID:
        return SentenceTransformersEmbedder(
            str(find_default_model(cache_dir=cache_dir).folder), model_id=DEFAULT_MODEL_ID
        )
    return SentenceTransformersEmbedder(model, model_id=model)
