"""`python -m evals`: a question set asked over an index, in figures."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from case_files import read_rows

from evals.__main__ import main
from evals.command import run_command

pytestmark = pytest.mark.usefixtures("opened_once")

REPOSITORY = Path(__file__).parents[1]
QUESTION = {
    "id": "q1",
    "kind": "fact",
    "question": "Is Adagrad faster with fused=True?",
    "answerable": True,
    "gold": [{"path": "pytorch/2.12.md", "quote": "fused=True"}],
    "answer_key": ["fused"],
}


@pytest.mark.parametrize(("options", "status", "line"), read_rows("evals-figures-of-a-question-set-and-its-minimums"))
def test_figures_of_a_question_set_and_its_minimums(
    bundled_index: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
    status: int,
    line: str,
) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text(json.dumps(QUESTION) + "\n", "utf-8")
    words = [str(questions), "--json", "--index", str(bundled_index), *options]
    if status:
        monkeypatch.setattr(sys, "argv", ["evals", *words])
        with pytest.raises(SystemExit) as ended:
            run_command(main)
        code, (out, err) = ended.value.code, capsys.readouterr()
    else:
        ran = subprocess.run([sys.executable, "-m", "evals", *words], capture_output=True, text=True, cwd=REPOSITORY)
        code, out, err = ran.returncode, ran.stdout, ran.stderr
    assert code == status, err
    assert line in err
    if status < 2:
        report = json.loads(out)
        assert (report["questions"], report["metrics"]["quote_verbatim"]) == (1, 1.0)
        assert list(report["by_kind"]) == ["fact"]
