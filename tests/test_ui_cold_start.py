"""What a process that asks one question loads: nothing that would take it longer than the answer."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[1]
TOO_SLOW = (
    *("torch", "transformers", "sentence_transformers", "openvino", "gradio", "fastapi", "httpx", "pydantic"),
    *("bm25s", "scipy", "pymilvus", "ray", "filelock", "importlib.metadata", "retrieval.upgrades.code_usage"),
)

ASK = """
import json, sys
from ui.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(list(sys.modules)), file=sys.stderr)
"""


HELP = (*TOO_SLOW, "numpy", "faiss", "ui.rendering.answer_terminal")
QUESTION = "Can torch.export save float8_e8m0fnu models in PyTorch 2.12?"


@pytest.mark.parametrize(
    ("words", "too_slow"),
    [(("ask", QUESTION), TOO_SLOW), (("search", "torch.export"), TOO_SLOW), (("--help",), HELP)],
    ids=["ask", "search", "help"],
)
def test_no_slow_library_is_loaded(
    bundled_index: Path, tmp_path: Path, words: tuple[str, ...], too_slow: tuple[str, ...]
) -> None:
    environment = {**os.environ, "RELNOTES_CACHE_DIR": str(tmp_path), "RELNOTES_INDEX": str(bundled_index)}
    command = [sys.executable, "-c", ASK, *words]
    ran = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert set(json.loads(ran.stderr.splitlines()[-1])) & set(too_slow) == set()
