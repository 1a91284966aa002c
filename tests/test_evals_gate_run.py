"""The gate as a command: what is printed, what is written, and which exit status it ends with."""

import json
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from ui_small_index import write_documents

from corpus.embedding import Embedder
from evals import gate_run
from evals.claims.claim_set import CLAIM_FULL_SUITES, CLAIM_GATE_SUITES
from evals.claims.grading import CLAIM_METRIC_NAMES
from evals.command import current_commit
from evals.gate_run import main
from evals.metrics import METRIC_NAMES
from evals.suites import FULL_SUITES, GATE_SUITES, Suite


def entry(name: str, question: str, quote: str, *, page: str = "changes", **more: Any) -> dict[str, Any]:
    gold = [{"path": f"widget/{page}.md", "quote": quote}]
    return {"id": name, "kind": "fact", "question": question, "answerable": True, "gold": gold, **more}


QUESTIONS = (
    entry("w1", "Is widget.spin deprecated?", "`widget.spin` is deprecated."),
    entry("w2", "And which Python does it need?", "Widget 2.0 needs Python 3.8 or newer.",
          kind="follow_up", history=["What was removed in Widget 2.0?"]),
    entry("w3", "What does the absent page say?", "nothing", page="absent"),
)  # fmt: skip
pytestmark = pytest.mark.usefixtures("opened_once")


@pytest.fixture
def suite(tmp_path: Path, default_embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> Suite:
    """Two documents and three questions, with a cache of their own."""
    cache = tmp_path / "cache"
    cache.mkdir()
    monkeypatch.setenv("RELNOTES_CACHE_DIR", str(cache))
    questions = tmp_path / "questions.jsonl"
    questions.write_text("".join(json.dumps(line) + "\n" for line in QUESTIONS), encoding="utf-8")
    return Suite("small", questions, write_documents(tmp_path / "documents"))


@pytest.fixture
def folder(tmp_path: Path, suite: Suite, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the gate finds its minimums and writes its report."""
    folder = tmp_path / "evals"
    (folder / "results").mkdir(parents=True)
    monkeypatch.setattr(gate_run, "_FOLDER", folder)
    monkeypatch.setattr(gate_run, "GATE_SUITES", (suite,))
    monkeypatch.setattr(gate_run, "FULL_SUITES", (suite,))
    monkeypatch.setattr(gate_run, "CLAIM_GATE_SUITES", ())
    monkeypatch.setattr(gate_run, "CLAIM_FULL_SUITES", ())
    monkeypatch.setattr(gate_run, "measure_releases", lambda: 0)
    monkeypatch.setattr(gate_run, "measure_upgrades", lambda _: 0)
    return folder


def demand(folder: Path, *lines: str) -> None:
    (folder / "minimums.toml").write_text("\n".join(lines), encoding="utf-8")


def test_what_is_reached_passes_and_is_reported(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demand(folder, "[small]", '"recall@5" = 1.0', '"quote_verbatim" = 1.0')
    assert main([]) == 0
    said = capsys.readouterr().out
    assert "small (2 questions): recall@5 1.000" in said
    assert "MISSED" not in said
    assert "not asked in small: w3: " in said
    page = (folder / "results" / "RESULTS.md").read_text(encoding="utf-8")
    assert "## small" in page
    assert f"\n\nMeasured on {datetime.now(tz=UTC):%Y-%m-%d} at {current_commit() or 'an unknown commit'}" in page
    assert not (folder / "results" / "RESULTS-full.md").exists()


def test_a_missed_limit_is_named_and_ends_with_1(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demand(folder, "[small]", '"recall@5" = 1.1', '"quote_verbatim" = 1.0', "most.median_answer_chars = 1.5")
    assert main([]) == 1
    missed = [line for line in capsys.readouterr().out.splitlines() if line.startswith("MISSED")]
    assert missed[0] == "MISSED in small: recall@5 is 1.0000, the minimum is 1.1"
    assert re.fullmatch(r"MISSED in small: median_answer_chars is \d+\.\d{4}, the maximum is 1\.5", missed[1])
    assert len(missed) == 2


def test_where_nothing_can_be_asked_the_gate_is_missed(
    folder: Path, suite: Suite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    demand(folder)
    monkeypatch.setattr(gate_run, "GATE_SUITES", (Suite("elsewhere", suite.questions, folder / "none"),))
    assert main([]) == 1
    assert "MISSED: no set of questions is beside this checkout." in capsys.readouterr().out


def test_the_committed_minimums_are_of_suites_and_metrics_that_exist() -> None:
    minimums = tomllib.loads(Path(gate_run.__file__).with_name("minimums.toml").read_text("utf-8"))
    claim_suites = {one.name for one in (*CLAIM_GATE_SUITES, *CLAIM_FULL_SUITES)}
    assert set(minimums) == {one.name for one in (*GATE_SUITES, *FULL_SUITES)} | claim_suites
    for name, wanted in minimums.items():
        known = CLAIM_METRIC_NAMES if name in claim_suites else METRIC_NAMES
        assert wanted.keys() - {"most"} <= set(known)
        assert name in claim_suites or list(wanted["most"]) == ["median_answer_chars"]
