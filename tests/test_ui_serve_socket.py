"""A running server answers `ask` and `search` of the index's owner; what it can't, the command answers itself."""

import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from shutil import copytree
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner, Result
from ui_small_index import ingest
from waiting import until

import ui.opening
import ui.server.asking
from corpus.embedding import Embedder
from ui.cli.app import app
from ui.contract.reading import read_answer, read_search
from ui.server.asking import ASK_PATH, SEARCH_PATH, ask_running_server, socket_place
from ui.server.socket_file import socket_at, socket_stamps
from ui.settings import IndexSettings, load_asking_settings, load_settings

REPOSITORY = Path(__file__).parents[1]
QUESTION = "Is widget.spin deprecated?"
ASKED = {"question": QUESTION}


@contextmanager
def serving(index: Path, **environment: str) -> Iterator["Server"]:
    """A real `relnotes serve` that answers over `index`."""
    command = [sys.executable, "-m", "ui.cli", "serve", "--port", "0", "--json", "--index", str(index)]
    variables = {**os.environ, "PYTHONPATH": str(REPOSITORY), **environment}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=variables, cwd=REPOSITORY) as process:
        try:
            assert process.stdout is not None
            yield Server(process, str(json.loads(process.stdout.readline())["address"]))
        finally:
            process.send_signal(signal.SIGCONT)
            process.terminate()


class Server:
    """A server's process and its address."""

    def __init__(self, process: "subprocess.Popen[str]", address: str) -> None:
        self.process = process
        self.address = address


@pytest.fixture(scope="module")
def server(own_index: Path) -> Iterator[Server]:
    with serving(own_index) as server:
        yield server


@pytest.fixture
def nothing_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command would fail if it answered itself."""

    def fail(*_arguments: object, **_options: object) -> None:
        raise AssertionError("the server wasn't used")

    monkeypatch.setattr(ui.opening, "open_assistant", fail)


def relnotes(*words: str | Path) -> Result:
    ran = CliRunner().invoke(app, [str(word) for word in words])
    assert ran.exit_code == 0, ran.output
    return ran


def without_times(text: str) -> str:
    """A body without its milliseconds, and with scores to five digits: the sixth depends on where vectors lie."""
    return re.sub(r"(\"score\": \d\.\d{5})\d*", r"\1", re.sub(r"\"total\": [0-9.]+", '"total": 0', text))


COMMANDS = {
    "ask": ("ask", QUESTION),
    "ask with filters": ("ask", "What was removed?", "--product", "widget", "--version", "2.0.0", "-k", "3"),
    "ask a follow-up": ("ask", "And in 1.5.0?", "--history", "What is new in Widget 2.0.0?"),
    "ask what isn't there": ("ask", "Who won the football match?"),
    "ask for an explanation": ("ask", QUESTION, "--explain"),
    "ask as JSON": ("ask", QUESTION, "--explain", "--json"),
    "search": ("search", "cache", "-k", "2"),
    "search as JSON": ("search", "cache", "--json"),
}


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_running_server_gives_the_output_that_the_command_gives_itself(
    words: tuple[str, ...], own_index: Path, server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = copytree(own_index, tmp_path / "alone")
    itself = relnotes(*words, "--index", alone).stdout
    with monkeypatch.context() as patched:
        patched.setattr(ui.opening, "open_assistant", None)
        served = relnotes(*words, "--index", own_index).stdout
    assert without_times(served) == without_times(itself)


@pytest.mark.slow
def test_a_server_whose_output_nobody_reads_goes_on(own_index: Path) -> None:
    command = [sys.executable, "-m", "ui.cli", "serve", "--port", "0", "--index", str(own_index)]
    variables = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=variables, cwd=REPOSITORY) as process:
        try:
            assert process.stdout is not None
            process.stdout.close()
            settings = load_asking_settings(index=own_index)
            until(lambda: process.poll() is not None or ask_running_server(settings, ASK_PATH, ASKED) is not None)
            # Beside these it asks the questions that the page offers, after which it tells its address.
            for number in range(20):
                ask_running_server(settings, ASK_PATH, {"question": f"{QUESTION} {number}"})
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=3)
            assert ask_running_server(settings, ASK_PATH, ASKED) is not None
        finally:
            process.kill()


def test_error_of_a_question_is_the_commands_own(own_index: Path, server: Server) -> None:
    ran = CliRunner().invoke(app, ["ask", QUESTION, "--product", "nothing", "--index", str(own_index)])
    assert ran.exit_code == 2
    assert "nothing" in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings",
    [{"model": "another"}, {"reranker": "another"}, {"llm_base_url": "http://127.0.0.1:9/v1", "llm_model": "tiny"}],
    ids=["model", "reranker", "language model"],
)
def test_server_with_other_settings_is_not_used(settings: dict[str, str], own_index: Path, server: Server) -> None:
    assert ask_running_server(load_asking_settings(index=own_index), ASK_PATH, ASKED) is not None
    assert ask_running_server(load_asking_settings(index=own_index, **settings), ASK_PATH, ASKED) is None


@pytest.mark.slow
def test_language_model_matters_to_answers_and_not_to_search(own_index: Path, server: Server) -> None:
    with_model = load_asking_settings(index=own_index, llm_base_url="http://127.0.0.1:9/v1", llm_model="tiny")
    assert ask_running_server(with_model, ASK_PATH, ASKED) is None
    assert ask_running_server(load_settings(index=own_index), SEARCH_PATH, {"query": "cache"}) is not None


@pytest.mark.slow
def test_socket_is_its_owners_alone_and_takes_questions_alone(own_index: Path, server: Server) -> None:
    place = socket_place(load_settings(index=own_index))
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    connection = HTTPConnection("localhost")
    connection.sock = socket.socket(socket.AF_UNIX)
    connection.sock.connect(str(place))
    connection.request("GET", "/metrics")
    assert connection.getresponse().status == 404
    connection.close()


@pytest.mark.slow
def test_what_was_ingested_since_is_answered(own_index: Path, default_embedder: Embedder, tmp_path: Path) -> None:
    grown = copytree(own_index, tmp_path / "index")
    with serving(grown):
        (tmp_path / "sprocket").mkdir()
        (tmp_path / "sprocket" / "changes.md").write_text("# Sprocket 4.2\n\n- `sprocket.mesh` was removed.\n", "utf-8")
        assert not ingest(tmp_path / "sprocket", index=grown, embedder=default_embedder).failed
        assert "sprocket.mesh" in relnotes("ask", "Was sprocket.mesh removed?", "--index", grown).stdout


@pytest.mark.slow
def test_tokens_are_asked_for_over_the_network_alone_and_the_socket_goes_with_the_server(
    own_index: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    guarded = copytree(own_index, tmp_path / "index")
    settings = load_asking_settings(index=guarded)
    with serving(guarded, RELNOTES_TOKEN="a-token-of-some-length") as server:
        with pytest.raises(HTTPError, match="401"):
            urlopen(f"{server.address}/v1/documents")
        assert ask_running_server(settings, ASK_PATH, ASKED) is not None
        server.process.send_signal(signal.SIGSTOP)
        monkeypatch.setattr(ui.server.asking, "_PATIENCE_S", 0.3)
        assert ask_running_server(settings, ASK_PATH, ASKED) is None
    assert not socket_place(settings).exists()


# --- without a server process


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> IndexSettings:
    """With a cache directory whose path fits into a socket's address, however long those of tests are."""
    monkeypatch.chdir(tmp_path)
    return IndexSettings(index=tmp_path / "index", cache_dir=Path())


@pytest.fixture
def place(settings: IndexSettings) -> Path:
    place = socket_place(settings)
    place.parent.mkdir()
    return place


def test_socket_that_a_dead_server_left_is_replaced(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(place))
    with socket_at(place) as bound:
        assert bound is not None
        bound.listen()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(place))
    assert not place.exists()


def test_beside_a_living_server_there_is_no_second_socket(place: Path) -> None:
    with socket_at(place) as first:
        assert first is not None
        first.listen()
        with socket_at(place) as second:
            assert second is None
        assert place.exists()


def test_of_two_servers_that_find_a_dead_socket_at_once_the_second_leaves_the_first_its_own(place: Path) -> None:
    """The first isn't listened on yet, so that it looks as dead as the one before."""
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(place))
    with socket_at(place) as first, socket_at(place) as second:
        assert (first is None, second) == (False, None)
        assert first is not None
        first.listen()
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(place))
    with socket_at(place) as third:
        assert third is not None


def test_each_index_has_a_place_of_its_own_however_its_path_is_written(settings: IndexSettings) -> None:
    place = socket_place(settings)
    assert socket_place(replace(settings, index=Path("index"))) == place
    assert socket_place(replace(settings, index=Path("other"))) != place


def test_server_over_another_index_at_the_same_place_is_not_asked(settings: IndexSettings) -> None:
    """A link to an index may lead elsewhere since the server started."""
    (settings.index.parent / "other").mkdir()
    stamps = socket_stamps(load_asking_settings(index=settings.index))
    settings.index.symlink_to("other")
    assert socket_stamps(load_asking_settings(index=settings.index)) != stamps


def test_links_in_a_circle_lead_to_no_server(settings: IndexSettings) -> None:
    settings.index.symlink_to(settings.index)
    assert ask_running_server(settings, SEARCH_PATH, {"query": "cache"}) is None


def test_other_file_of_that_name_is_left_alone(settings: IndexSettings, place: Path) -> None:
    place.write_text("mine")
    with socket_at(place) as bound:
        assert bound is None
    assert place.read_text() == "mine"
    assert ask_running_server(settings, SEARCH_PATH, {"query": "cache"}) is None


def test_cache_directory_with_a_long_path_holds_no_socket(settings: IndexSettings) -> None:
    far = replace(settings, cache_dir=Path("x" * 100))
    with socket_at(socket_place(far)) as bound:
        assert bound is None
    assert ask_running_server(far, SEARCH_PATH, {"query": "cache"}) is None


def test_dead_socket_is_no_server(settings: IndexSettings, place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(place))
    assert ask_running_server(settings, SEARCH_PATH, {"query": "cache"}) is None


@pytest.mark.parametrize("body", [{}, {"question": "q", "status": "unheard of"}, {"query": "q", "passages": [{}]}])
def test_body_of_another_version_is_no_answer(body: dict[str, object]) -> None:
    assert read_answer(body) is None
    assert read_search(body) is None
