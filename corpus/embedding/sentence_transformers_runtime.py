"""Any sentence-transformers model by name or folder, on a GPU if there is one.

Code that a model brings along is never run, and nothing is downloaded: a hub name must already be in the local hub
cache. Prompts that some models expect before a question aren't added.
"""

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.embedding.protocol import Computed, embed_distinct
from corpus.errors import ModelError

_WINDOW = 1024  # Texts handed over at once; the library sorts them by length itself.


class SentenceTransformersEmbedder:
    """A sentence-transformers model as an `Embedder`."""

    def __init__(self, name_or_folder: str, *, model_id: str, digest: str | None = None) -> None:
        """Load the model onto the best device; `digest` is that of its files if they have been checked.

        Raises:
            ModelError: the library isn't installed, or the model isn't on this machine or can't be loaded.
        """
        self.model_id = model_id
        self._model = _load_model(name_or_folder, model_id=model_id)
        self.digest = digest or _digest(self._model)
        self.dimensions = int(self._model.encode(["a"], show_progress_bar=False).shape[1])

    def embed(self, texts: Sequence[str], *, progress: Callable[[int], None] | None = None) -> NDArray[np.float32]:
        """See `Embedder.embed`."""
        return embed_distinct(texts, self._compute, dimensions=self.dimensions, progress=progress)

    def _compute(self, texts: Sequence[str]) -> Iterator[Computed]:
        for first in range(0, len(texts), _WINDOW):
            window = list(texts[first : first + _WINDOW])
            vectors = self._model.encode(
                window, normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False
            )
            yield range(first, first + len(window)), vectors


def _load_model(name_or_folder: str, *, model_id: str) -> Any:
    # Set before huggingface_hub is imported, which reads them; `local_files_only` still applies if it is too late.
    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"):
        os.environ[variable] = "1"
    try:
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging
    except ImportError as error:
        raise ModelError(
            f"Cannot open model {model_id!r}: {error}. Install with `pip install sentence-transformers`."
        ) from error
    transformers_logging.disable_progress_bar()
    # Its warnings lead to the error below, or have no effect.
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    try:
        return SentenceTransformer(name_or_folder, trust_remote_code=False, local_files_only=True)
    except Exception as error:  # the library raises many types; each means that there is no model
        reason = str(error).strip().partition("\n")[0]
        raise ModelError(
            f"Cannot open model {model_id!r}: {reason} Give the folder of a sentence-transformers model, or a name "
            "that is in the local hub cache; nothing is downloaded."
        ) from error
    finally:
        transformers_logging.enable_progress_bar()


def _digest(model: Any) -> str:
    """Return the SHA-256 (hex) of the loaded weights, the later modules' settings, and the maximum length."""
    import torch

    digest = hashlib.sha256()
    settings = [
        (type(module).__name__, module.get_config_dict() if hasattr(module, "get_config_dict") else {})
        for module in list(model)[1:]
    ]
    digest.update(json.dumps([model.max_seq_length, settings], sort_keys=True, default=str).encode())
    for name, tensor in sorted(model.state_dict().items()):
        plain = tensor.detach().cpu().contiguous()
        digest.update(f"{name} {plain.dtype} {tuple(plain.shape)}\n".encode())
        # As bytes: numpy has no bfloat16.
        digest.update(plain.flatten().view(dtype=torch.uint8).numpy().data)
    return digest.hexdigest()
