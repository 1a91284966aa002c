"""The command line over a real small index: what is printed where, and with which exit status."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from pathlib import Path
from urllib.request import urlopen

import pytest
import typer
from case_files import read_rows
from cli_calls import ENVIRONMENT, fails, on_a_terminal, process, run
from ui_small_index import WIDGET, write_documents

from retrieval.claims.checking import MAX_TEXT_CHARACTERS
from ui.cli.app import app

QUESTION = "Is widget.spin deprecated?"
COMMANDS = tuple(typer.main.get_command(app).commands)  # type: ignore[attr-defined]

pytestmark = pytest.mark.usefixtures("opened_once")


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli")
    result = run("ingest", write_documents(folder / "documents"), "--index", folder / "index", "--json")
    assert result.exit_code == 0, result.stderr
    assert json.loads(result.stdout)["documents"]["added"] == 2
    return folder / "index"


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples_and_the_common_options(command: str) -> None:
    shown = run(command, "--help").stdout
    assert "Example" in shown
    assert f"relnotes {command}" in shown
    assert "--json" in shown
    assert "--index" in shown


def test_ask_json_is_one_document_with_verbatim_quotes(index: Path) -> None:
    result = run("ask", QUESTION, "--product", "WIDGET", "-k", "3", "--index", index, "--json")
    answer = json.loads(result.stdout)
    assert answer["status"] == "answered"
    assert len(answer["passages"]) <= 3
    for citation in answer["citations"]:
        assert citation["quote"] == WIDGET[citation["start"] : citation["end"]]


def test_not_found_is_done(index: Path) -> None:
    result = run("ask", "How do I bake sourdough bread?", "--index", index, "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["status"] == "not_found"


def test_status_counts_and_verifies(index: Path) -> None:
    status = json.loads(run("status", "--verify", "--index", index, "--json").stdout)
    assert status["documents"] == 2
    assert status["passages"] >= 4
    assert status["generation"] == 1
    assert status["model"]
    assert status["faults"] == []
    assert {product["name"].casefold(): product["newest"] for product in status["products"]} == {
        "gadget": "3.1",
        "widget": "2.0.0",
    }
    assert "sound" in run("status", "--verify", "--index", index).stdout


def test_docs_lists_and_shows(index: Path) -> None:
    listed = json.loads(run("docs", "--index", index, "--json").stdout)["documents"]
    assert [document["source"] for document in listed] == ["gadget/changes.md", "widget/changes.md"]
    widget = str(listed[1]["id"])
    assert run("docs", "show", widget, "--text", "--index", index).stdout == WIDGET
    assert json.loads(run("docs", "show", widget, "--index", index, "--json").stdout) == listed[1]
    assert "widget/changes.md" in run("docs", "show", widget, "--index", index).stdout
    assert "widget/changes.md" in run("docs", "--index", index).stdout


def test_a_text_drives_no_terminal_and_goes_whole_into_a_pipe(tmp_path: Path) -> None:
    notes, index = tmp_path / "notes.md", tmp_path / "index"
    notes.write_bytes("# Gizmo 1.0\r\n\r\n- a\x1b]0;b\x07 \u200f\u202ec\r\n".encode())
    run("ingest", notes, "--index", index)
    words = ("docs", "show", "1", "--text", "--index", index)
    assert subprocess.run(process(*words), capture_output=True, env=ENVIRONMENT).stdout == notes.read_bytes()
    assert on_a_terminal(*words) == "# Gizmo 1.0\r\n\r\n- a\ufffd]0;b\ufffd \ufffd\ufffdc\r\n"


def test_removals_remove(tmp_path: Path) -> None:
    index = tmp_path / "index"
    run("ingest", write_documents(tmp_path / "documents"), "--index", index)
    assert json.loads(run("docs", "remove", "--product", "Widget", "--index", index, "--json").stdout) == {"removed": 1}
    assert json.loads(run("docs", "remove", "--all", "--index", index, "--json").stdout) == {"removed": 1}
    assert json.loads(run("docs", "--index", index, "--json").stdout) == {"documents": []}


def test_batch_answers_each_line_in_order(index: Path, tmp_path: Path) -> None:
    questions, answers = tmp_path / "questions.jsonl", tmp_path / "run.jsonl"
    lines = (
        {"id": "a", "question": QUESTION, "kind": "ignored"},
        {"id": 2, "question": "And instead?", "history": [QUESTION], "product": "widget", "version": None},
    )
    questions.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    result = run("batch", questions, "-o", answers, "-k", "2", "--index", index, "--json")
    assert json.loads(result.stdout) == {"questions": 2, "failed": 0, "output": str(answers)}
    written = [json.loads(line) for line in answers.read_text(encoding="utf-8").splitlines()]
    assert [line["id"] for line in written] == ["a", 2]
    assert all(len(line["passages"]) <= 2 for line in written)
    assert written[1]["interpretation"]["symbols"] == ["widget.spin"], "of the question before"


def test_batch_refuses_to_overwrite_its_questions(index: Path, tmp_path: Path) -> None:
    questions = tmp_path / "questions.jsonl"
    questions.write_text('{"id": 1, "question": "x"}', encoding="utf-8")
    fails("batch", questions, "-o", questions, "--index", index, status=2, because="over the questions")
    assert questions.read_text(encoding="utf-8") == '{"id": 1, "question": "x"}'


@pytest.mark.parametrize(("content", "because"), read_rows("ui-faulty-batch-is-refused-before-any-work"))
def test_faulty_batch_is_refused_before_any_work(tmp_path: Path, content: str, because: str) -> None:
    (tmp_path / "questions.jsonl").write_text(content, encoding="utf-8")
    output = tmp_path / "run.jsonl"
    fails("batch", tmp_path / "questions.jsonl", "-o", output, "--index", tmp_path, status=2, because=because)
    assert not output.exists()


@pytest.mark.parametrize(
    ("words", "because"),
    [
        *read_rows("ui-wrong-usage-is-one-line-and-status-2"),
        pytest.param(("cite", "x" * (MAX_TEXT_CHARACTERS + 1)), "20,000", id="claim too long"),
    ],
)
def test_wrong_usage_is_one_line_and_status_2(index: Path, words: tuple[str, ...], because: str) -> None:
    fails(*words, "--index", index, status=2, because=because)


@pytest.mark.parametrize("words", [("status",), ("ask", "x"), ("docs",), ("docs", "show", "1"), ("ingest", ".")])
def test_an_empty_index_path_is_not_the_current_folder(words: tuple[str, ...]) -> None:
    fails(*words, "--index", "", status=2, because="--index is empty")


@pytest.mark.parametrize("words", [("ask",), ("ask", "x", "-k", "0"), ("nosuch",), ("ask", "x", "--nosuch")])
def test_wrong_words_are_status_2(words: tuple[str, ...]) -> None:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.parametrize(
    "words",
    [("ask", "x"), ("search", "x"), ("status",), ("status", "--verify"), ("docs",), ("docs", "remove", "--all")],
)
def test_missing_index_is_status_1_with_the_next_step(tmp_path: Path, words: tuple[str, ...]) -> None:
    fails(*words, "--index", tmp_path / "none", "--json", status=1, because="relnotes ingest")


def test_wrong_settings_name_the_variable_and_hide_the_value(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELNOTES_MAX_WAITING", "")  # As good as none.
    monkeypatch.setenv("RELNOTES_PORT", "99999")
    monkeypatch.setenv("RELNOTES_MAX_QUESTIONS", "s3cret")
    result = run("serve")
    assert result.exit_code == 2
    assert "RELNOTES_PORT" in result.stderr
    assert "RELNOTES_MAX_QUESTIONS" in result.stderr
    assert "s3cret" not in result.stderr
    assert "RELNOTES_MAX_WAITING" not in result.stderr


def test_an_option_goes_before_the_environment(index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RELNOTES_INDEX", str(tmp_path / "nowhere"))
    assert json.loads(run("status", "--index", index, "--json").stdout)["documents"] == 2


NO_SPACE = "relnotes: Cannot read or write the output: No space left on device.\n"


@pytest.mark.parametrize(
    ("words", "device", "said"),
    [
        (("--help",), "/dev/full", NO_SPACE),
        (("--help",), None, ""),
        (("docs", "--json"), "/dev/full", NO_SPACE),
        (("docs", "show", "1", "--text"), None, ""),
    ],
)
def test_output_that_nobody_takes_is_one_line_or_none_and_status_1(
    index: Path, words: tuple[str, ...], device: str | None, said: str
) -> None:
    if device is not None:
        if not Path(device).exists():
            pytest.skip("the system has no /dev/full")
        output = os.open(device, os.O_WRONLY)
    else:
        reading, output = os.pipe()
        os.close(reading)
    command = process(*words, *(() if words == ("--help",) else ("--index", index)))
    try:
        ran = subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
    finally:
        os.close(output)
    assert (ran.returncode, ran.stderr) == (1, said)


def test_libraries_say_nothing_below_a_warning(index: Path) -> None:
    prelude = "import logging; logging.basicConfig(level=logging.DEBUG); "
    command = process("search", "dry run", "--index", index, "--json", prelude=prelude)
    ran = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT)
    assert (ran.returncode, ran.stderr) == (0, "")


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version_is_told_by_the_module_of_the_products_name(tmp_path: Path, option: str) -> None:
    """As the wheel installs it: one file beside the packages."""
    wheel = tomllib.loads(Path("pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]["wheel"]
    ((source, installed),) = wheel["force-include"].items()
    shutil.copy(source, tmp_path / installed)
    environment = ENVIRONMENT | {"PYTHONPATH": os.pathsep.join((str(tmp_path), str(Path.cwd())))}
    ran = subprocess.run([sys.executable, "-m", "relnotes", option], capture_output=True, text=True, env=environment)
    assert (ran.stdout.split()[0], ran.returncode) == ("relnotes", 0)
    asked = "from relnotes import *; print(Assistant.__name__, build_index.__name__)"
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, env=environment)
    assert (ran.stdout, ran.returncode) == ("Assistant build_index\n", 0)


def test_verbose_tells_the_steps_and_quiet_nothing_but_errors_before_and_after_the_command(
    index: Path, tmp_path: Path
) -> None:
    def said(*words: str | Path) -> str:
        return subprocess.run(process(*words), capture_output=True, text=True, env=ENVIRONMENT).stderr

    told = said("--verbose", "ask", "dry run?", "--index", index)
    assert "retrieval.assistant: Read as" in told
    assert "dry run" not in told
    diff = tmp_path / "empty.diff"
    diff.write_text("")
    assert said("review", "--quiet", "--diff", diff, "--index", index) == ""
    assert said("ask", "--quiet", "x", "--index", tmp_path / "none").startswith("relnotes: No index at")


@pytest.mark.slow
def test_serve_answers_until_sigterm(index: Path) -> None:
    command = process("serve", "--port", "0", "--json", "--index", index)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT
    ) as server:
        try:
            assert server.stdout is not None
            address = json.loads(server.stdout.readline())["address"]
            with urlopen(f"{address}/readyz", timeout=60) as ready:
                assert json.load(ready)["documents"] == 2
            with urlopen(f"{address}/", timeout=60) as page:
                assert "relnotes" in page.read().decode()
            server.send_signal(signal.SIGTERM)
            # Only a hang delays the end by as much as this.
            logged = [json.loads(line) for line in server.communicate(timeout=60)[1].splitlines()]
        finally:
            server.kill()
    assert server.returncode == 0
    # It tells nothing but the requests.
    assert [(line["message"], line["route"]) for line in logged] == [("request", "/readyz"), ("request", "/")]


def test_a_taken_port_is_one_clear_line(index: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        fails("serve", "--port", port, "--index", index, status=1, because="Choose another")
