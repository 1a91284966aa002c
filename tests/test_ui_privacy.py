"""What people asked and said: nothing is kept unasked, secrets never, and nothing for ever."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from forked_relnotes import ForkedRelnotes
from hypothesis import given
from hypothesis import strategies as st
from small_corpus import STAMP, HashedEmbedder
from ui_small_index import ingest, write_documents
from warm_server import running_serve

from corpus.index.reader import IndexReader
from retrieval.model import Status
from ui.log import own_secrets, redact
from ui.server.question_desk import QuestionDesk
from ui.settings import load_server_settings

# Put together here, so that no scanner takes them for leaked ones.
OURS = "rn_" + "a1B2" * 10
SECRETS: dict[str, tuple[str, str]] = {
    "ours": (f"why does {OURS} fail?", "why does [secret] fail?"),
    "Slack": ("use xoxb" + "-123456789-abcdefghij now", "use [secret] now"),
    "GitHub": ("ghp" + "_" + "a" * 36 + ".", "[secret]."),
    "OpenAI": ("key sk" + "-proj-" + "b" * 30, "key [secret]"),
    "AWS": ("AKIA" + "ABCDEFGHIJKLMNOP", "[secret]"),
    "a web token": ("eyJhbGciOiJIUzI1NiJ9" + ".eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "[secret]"),
    "a header": ("Authorization: Bearer abcdef123456", "Authorization: Bearer [secret]"),
    "an address": (
        "pip install from https://me:hunter2@example.org/x",
        "pip install from https://[secret]@example.org/x",
    ),
    "stated": ('set DB_PASSWORD="correct-horse" first', "set DB_PASSWORD=[secret] first"),
    "a key": ("-----BEGIN RSA PRIVATE " + "KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----", "[secret]"),
    "mail": ("ada.l+x@mail.example.org asks", "[e-mail] asks"),
}
HARMLESS = (
    "Is torch.cond deprecated in 2.9?",
    "What did commit 53aa51172d142c89d9012cce15ae4d6cc0ca6895 break?",
    "npm i @scope/name@1.2.3",
    "tokenizers>=0.20, token: no",
    "https://example.org/a:b@c",
    "Does --secret-file still exist?",
    "CVE-2024-3094 in sk-learn",
)


@pytest.mark.parametrize(("text", "kept"), [*SECRETS.values(), *zip(HARMLESS, HARMLESS, strict=True)])
def test_what_has_the_form_of_a_secret_is_not_kept_and_what_notes_are_asked_for_is(text: str, kept: str) -> None:
    assert redact(text) == kept


@given(st.text('ab@:/.=-_ ey"xo', max_size=80))
def test_to_redact_twice_changes_nothing_more(text: str) -> None:
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("text", ["a@" * 20_000, "password=" * 10_000, "://a:" * 10_000, "eyJ" + "a" * 50_000])
def test_no_text_keeps_it_busy(text: str) -> None:
    """Bounded by the test's own time limit: what backtracks over 50,000 characters doesn't end."""
    assert redact(text) is not None


def test_by_default_no_question_is_kept() -> None:
    assert load_server_settings().log_questions is False


def test_a_desk_that_is_to_log_questions_logs_no_secret(caplog: pytest.LogCaptureFixture) -> None:
    desk = QuestionDesk(max_questions=1, timeout_s=1, log_questions=True)
    with caplog.at_level("INFO", logger="relnotes.questions"):
        desk.record(f"why does {OURS} fail?", Status.NOT_FOUND)
    assert [record.__dict__["question"] for record in caplog.records] == ["why does [secret] fail?"]


@pytest.fixture
def generous() -> Iterator[None]:
    """An umask that leaves everything to everybody."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(*folders: Path) -> list[str]:
    """What in the folders, they themselves included, has a mode beyond 0700; links have none of their own."""
    paths = [path for folder in folders for path in (folder, *folder.rglob("*")) if not path.is_symlink()]
    assert len(paths) > len(folders)
    return [f"{path} {path.stat().st_mode:o}" for path in paths if path.stat().st_mode & 0o077]


@pytest.mark.usefixtures("generous")
@pytest.mark.parametrize("is_there", [False, True], ids=["in a new folder", "in one that others may read"])
def test_an_index_that_a_program_makes_is_for_its_owner_alone(tmp_path: Path, is_there: bool) -> None:
    index = tmp_path / "index"
    if is_there:
        index.mkdir()
    ingest(write_documents(tmp_path / "documents"), index=index, embedder=HashedEmbedder())
    # While it is read, SQLite's files lie beside the database.
    with IndexReader.open(index, model=STAMP):
        modes = {path.name: path.stat().st_mode & 0o077 for path in index.iterdir()}
    assert {"relnotes.sqlite", "relnotes.sqlite-wal", "write.lock"} <= modes.keys()
    # What lies in a folder of 0700 is closed with it.
    assert set(modes.values()) == {0}, modes
    assert is_there or index.stat().st_mode & 0o077 == 0


@pytest.mark.slow
@pytest.mark.usefixtures("generous")
def test_all_that_commands_and_a_server_write_is_for_their_owner_alone(tmp_path: Path) -> None:
    index, cache = tmp_path / "index", tmp_path / "cache"
    cache.mkdir(mode=0o700)
    with ForkedRelnotes(tmp_path) as relnotes:
        assert relnotes.run("ingest", write_documents(tmp_path / "documents"), "--index", index).status == 0
    with running_serve(index, RELNOTES_CACHE_DIR=str(cache)):
        assert open_to_others(index, cache) == []


def test_the_secrets_of_this_process_are_known() -> None:
    environment = {"RELNOTES_TOKEN": "a-long-token", "SLACK_BOT_TOKEN": "a-longer-token", "GITHUB_TOKEN": "x"}
    assert own_secrets(environment) == ("a-longer-token", "a-long-token")
