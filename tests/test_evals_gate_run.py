"""The gate as a command: what is printed, what is written, and which exit status it ends with."""

import json
import re
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from ui_small_index import Silence, write_documents

from corpus.embedding import Embedder
from corpus.errors import RelnotesError
from evals import gate_run
from evals.claims.claim_set import CLAIM_FULL_SUITES, CLAIM_GATE_SUITES
from evals.claims.grading import CLAIM_METRIC_NAMES
from evals.command import current_commit
from evals.gate_run import main, measure
from evals.metrics import METRIC_NAMES
from evals.question_set import parse_question
from evals.suite_index import asker, open_suite
from evals.suites import FULL_SUITES, GATE_SUITES, Suite
from retrieval.assistant import Assistant


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


@pytest.mark.parametrize(
    ("full", "name", "arguments"),
    [
        ([], "measure_releases", []),
        ([], "measure_upgrades", [["--gate"]]),
        (["--full"], "measure_upgrades", [[]]),
    ],
)
def test_what_another_trial_misses_misses_the_gate(
    full: list[str], name: str, arguments: list[list[str]], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    demand(folder)
    monkeypatch.setattr(gate_run, name, lambda *given: int(list(given) == arguments))
    assert main(full) == 1


def test_where_nothing_can_be_asked_the_gate_is_missed(
    folder: Path, suite: Suite, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    demand(folder)
    monkeypatch.setattr(gate_run, "GATE_SUITES", (Suite("elsewhere", suite.questions, folder / "none"),))
    assert main([]) == 1
    assert "MISSED: no set of questions is beside this checkout." in capsys.readouterr().out


def test_a_suite_of_which_nothing_was_asked_misses_the_gate(
    folder: Path, suite: Suite, capsys: pytest.CaptureFixture[str]
) -> None:
    demand(folder)
    suite.questions.write_text(json.dumps(QUESTIONS[2]) + "\n", encoding="utf-8")
    assert main([]) == 1
    assert "MISSED in small: nothing was measured" in capsys.readouterr().out


def test_the_committed_minimums_are_of_suites_and_metrics_that_exist() -> None:
    minimums = tomllib.loads(Path(gate_run.__file__).with_name("minimums.toml").read_text("utf-8"))
    claim_suites = {one.name for one in (*CLAIM_GATE_SUITES, *CLAIM_FULL_SUITES)}
    assert set(minimums) == {one.name for one in (*GATE_SUITES, *FULL_SUITES)} | claim_suites
    for name, wanted in minimums.items():
        known = CLAIM_METRIC_NAMES if name in claim_suites else METRIC_NAMES
        assert wanted.keys() - {"most"} <= set(known)
        assert name in claim_suites or list(wanted["most"]) == ["median_answer_chars"]


def test_documents_beside_a_suite_lie_in_its_index_and_may_be_quoted(suite: Suite) -> None:
    part = replace(suite, documents=suite.documents / "gadget", beside=(replace(suite, projects=("widget",)),))
    with open_suite(part, progress=Silence()) as assistant:
        assert len(assistant.index.documents) == 2
    assert [result.question.id for result in measure(part).results] == ["w1", "w2"]
    with open_suite(replace(part, beside=()), progress=Silence()) as assistant:
        assert len(assistant.index.documents) == 1


def test_a_document_that_fails_ends_the_suite(suite: Suite) -> None:
    (suite.documents / "widget" / "broken.md").write_bytes(b"\x00\x01\x02\xff" * 64)
    (suite.documents / "widget" / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    with pytest.raises(RelnotesError, match=r"Suite 'small': widget/broken"), open_suite(suite, progress=Silence()):
        pass


def test_a_question_is_put_with_its_history_and_filters(handmade: Assistant) -> None:
    ask = asker(handmade)
    filtered = {**QUESTIONS[1], "product": "desk", "version": "3.2.0"}
    answer = ask(parse_question(json.dumps(filtered)))
    assert (answer.interpretation.products, answer.interpretation.versions) == (("desk",), "3.2.0")
    history = ["What is night mode in Lamp?"]
    answer = ask(parse_question(json.dumps({**QUESTIONS[1], "question": "And since when?", "history": history})))
    assert answer.interpretation.products == ("lamp",)


def test_a_run_is_compared_with_the_one_before(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    demand(folder)
    assert main([]) == 0
    assert "against the last" not in capsys.readouterr().out
    assert main([]) == 0
    said = capsys.readouterr().out
    assert "small against the last committed run:" in said
    assert "| recall@5 | +0.000 | +0.000 to +0.000 | 2 |" in said
    logged = (folder / "results" / "gate.jsonl").read_text(encoding="utf-8")
    assert QUESTIONS[0]["question"] not in logged
    assert len(logged.splitlines()) == 2
    assert len((folder / "results" / "history.jsonl").read_text(encoding="utf-8").splitlines()) == 1
