"""What a process that asks one question loads: nothing that would take it longer than the answer."""

import json
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
TOO_SLOW = (
    *("torch", "transformers", "sentence_transformers", "openvino", "gradio", "fastapi", "httpx", "pydantic"),
    *("bm25s", "scipy", "pymilvus", "ray"),
)

ASK = f"""
import json, sys
from ui.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
print(json.dumps(sorted(set({TOO_SLOW!r}) & set(sys.modules))), file=sys.stderr)
"""


def loaded_by(*words: str | Path, cache_dir: Path) -> list[str]:
    """Those of the slow modules that a process of `relnotes` has imported at its end."""
    environment = {**os.environ, "RELNOTES_CACHE_DIR": str(cache_dir)}
    command = [sys.executable, "-c", ASK, *map(str, words)]
    ran = subprocess.run(command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return list(json.loads(ran.stderr.splitlines()[-1]))


def test_a_question_loads_no_slow_library_even_where_nothing_is_exported(bundled_index: Path, tmp_path: Path) -> None:
    question = "Can torch.export save float8_e8m0fnu models in PyTorch 2.12?"
    assert loaded_by("ask", question, "--index", bundled_index, cache_dir=tmp_path) == []
    assert not (tmp_path / "models").exists()


def test_a_search_loads_no_slow_library(bundled_index: Path, tmp_path: Path) -> None:
    assert loaded_by("search", "torch.export", "--index", bundled_index, cache_dir=tmp_path) == []
