"""The default model as OpenVINO graphs: exported once, then only verified.

A graph takes token ids and the attention mask and gives finished vectors: mean pooling and L2 normalising are inside.
torch and transformers are imported only while exporting.
"""

import logging
import shutil
import sys
import time
import warnings
from pathlib import Path
from typing import Any

from filelock import FileLock

from corpus.embedding.default_model import ModelFiles
from corpus.errors import ModelError
from corpus.file_digests import MEMORY_NAME, remembered_sha256

INPUT_IDS = "input_ids"
ATTENTION_MASK = "attention_mask"

_EXPORT_FORMAT = 5
"""Raise it whenever the exported graph changes: old exports are then left alone, not reused."""
_OPSET = 17
EXACT_GRAPH = "exact.xml"
"""With weights of 32 bits."""
HALF_GRAPH = "half.xml"
"""Of 16, which hold as much as bfloat16 computes with and take 85 MiB less memory."""
_FILES = (EXACT_GRAPH, "exact.bin", HALF_GRAPH, "half.bin")
_CHECKSUMS_NAME = "SHA256SUMS"

logger = logging.getLogger(__name__)


def import_openvino() -> Any:
    """Import OpenVINO so that it reports to nobody; every import of it in this project goes through here.

    Merely importing it would make a client id in the user's home and send an event to a statistics service.
    """
    # None makes an import fail as if the package weren't installed; OpenVINO then goes on with a stub of its own.
    sys.modules.setdefault("openvino_telemetry", None)  # type: ignore[arg-type]
    import openvino

    return openvino


def open_graphs(files: ModelFiles, *, cache_dir: Path) -> Path:
    """The folder in `cache_dir` with the model's verified graphs; exported now if they aren't there.

    Processes may race: one exports, the others wait for it. An export that fails its recorded SHA-256 is
    replaced, with a warning.

    Raises:
        ModelError: they can't be exported or can't be written.
    """
    folder = cache_dir / "models" / f"{files.weights_sha256[:16]}-openvino{_EXPORT_FORMAT}"
    memory = cache_dir / MEMORY_NAME
    if _is_intact(folder, memory=memory):
        return folder
    try:
        cache_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.parent.mkdir(mode=0o700, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):
            if not _is_intact(folder, memory=memory):
                _replace_export(files, folder, memory=memory)
    except OSError as error:
        raise ModelError(
            f"Cannot write the exported model to {str(folder)!r}: {error.strerror or error}. "
            "Make the folder writable or set RELNOTES_CACHE_DIR to another."
        ) from error
    return folder


def _is_intact(folder: Path, *, memory: Path) -> bool:
    try:
        return (folder / _CHECKSUMS_NAME).read_text("ascii") == _checksums(folder, memory=memory)
    except (OSError, UnicodeDecodeError):
        return False


def _checksums(folder: Path, *, memory: Path) -> str:
    return "".join(f"{remembered_sha256(folder / name, memory=memory)}  {name}\n" for name in _FILES)


def _replace_export(files: ModelFiles, folder: Path, *, memory: Path) -> None:
    # The lock makes one name enough: what is found under it is what a killed export left behind.
    partial = folder.with_suffix(".partial")
    shutil.rmtree(partial, ignore_errors=True)
    if folder.exists():
        logger.warning("The exported model in %s is damaged; exporting it again.", folder)
        shutil.rmtree(folder)
    partial.mkdir(mode=0o700)
    # Warnings, for these alone are shown by default: whoever waits for a first answer is to know what for.
    logger.warning("Exporting the embedding model, which is done once: some ten seconds.")
    began = time.monotonic()
    _export(files.folder, partial)
    (partial / _CHECKSUMS_NAME).write_text(_checksums(partial, memory=memory), "ascii")
    partial.rename(folder)
    logger.warning("Exported the embedding model in %.1f s.", time.monotonic() - began)


def _export(model_folder: Path, folder: Path) -> None:
    try:
        import torch
        from transformers import AutoModel
        from transformers.utils import logging as transformers_logging
    except ImportError as error:
        raise ModelError(
            f"Cannot export the embedding model: {error}. Install with `pip install torch sentence-transformers`."
        ) from error

    class MeanPooled(torch.nn.Module):  # type: ignore[misc, unused-ignore]  # torch is untyped here
        def __init__(self, encoder: torch.nn.Module) -> None:
            super().__init__()
            self.encoder = encoder

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            states = self.encoder(input_ids=input_ids, attention_mask=attention_mask).last_hidden_state
            weights = attention_mask.unsqueeze(-1).to(states.dtype)
            mean = (states * weights).sum(1) / weights.sum(1).clamp(min=1e-9)
            return torch.nn.functional.normalize(mean, p=2, dim=1)

    transformers_logging.disable_progress_bar()
    try:
        # Eager attention: OpenVINO fuses its plain products itself, a little more exactly than traced SDPA.
        encoder = AutoModel.from_pretrained(str(model_folder), local_files_only=True, attn_implementation="eager")
        ids = torch.ones((2, 7), dtype=torch.int64)
        mask = torch.tensor([[1] * 7, [1] * 5 + [0] * 2])
        onnx = folder / "model.onnx"
        with torch.no_grad(), warnings.catch_warnings():
            # The tracer warns about its own deprecation and about shape checks; agreement is tested instead.
            warnings.simplefilter("ignore")
            torch.onnx.export(
                MeanPooled(encoder.eval()),
                (ids, mask),
                str(onnx),
                dynamo=False,
                opset_version=_OPSET,
                input_names=[INPUT_IDS, ATTENTION_MASK],
                output_names=["vectors"],
                dynamic_axes={
                    INPUT_IDS: {0: "texts", 1: "tokens"},
                    ATTENTION_MASK: {0: "texts", 1: "tokens"},
                    "vectors": {0: "texts"},
                },
            )
        openvino = import_openvino()
        model = openvino.Core().read_model(str(onnx))
        openvino.save_model(model, str(folder / EXACT_GRAPH), compress_to_fp16=False)
        openvino.save_model(model, str(folder / HALF_GRAPH), compress_to_fp16=True)
        onnx.unlink()
    except OSError:
        raise
    except Exception as error:  # torch and transformers raise many types; each means no graph
        raise ModelError(
            f"Cannot export the embedding model: {type(error).__name__}: {error}. "
            "Check that the installed torch and transformers fit each other."
        ) from error
    finally:
        transformers_logging.enable_progress_bar()
