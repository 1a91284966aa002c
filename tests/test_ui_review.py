"""`relnotes review` and POST /v1/review over a small real index: where the diff comes from, what comes out, exits."""

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_files import read_rows
from cli_calls import fails, run
from fastapi.testclient import TestClient
from git_projects import git, make_project
from http_apps import api_client
from typer.testing import Result
from ui_small_index import NOTES

from corpus.embedding import Embedder
from corpus.errors import UsageError
from ui.cli.diff_source import load_diff
from ui.server.live_assistant import LiveAssistant

DIFF = """\
--- a/requirements.txt
+++ b/requirements.txt
@@ -1,2 +1,2 @@
 requests==2.0
-widget==1.5.0
+widget==2.0.0
"""
NEEDS_GIT = pytest.mark.skipif(shutil.which("git") is None, reason="git isn't installed")


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Outside of any work tree, with nobody's configuration of git."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))


def review(*words: str | Path, index: Path, text: str | None = None) -> Result:
    return run("review", *words, "--index", index, text=text)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


def test_json_is_the_contract_with_verbatim_quotes(review_index: Path) -> None:
    result = review("--diff", "-", "--json", index=review_index, text=DIFF)
    assert (result.exit_code, result.stderr) == (0, "")
    body = json.loads(result.stdout)
    (bump,) = body["bumps"]
    assert (bump["product"].casefold(), bump["from"], bump["to"]) == ("widget", "1.5.0", "2.0.0")
    assert (bump["file"], bump["line"]) == ("requirements.txt", 2)
    assert {item["kind"] for item in bump["items"]} == {"removal", "deprecation"}
    text = (NOTES / "bumped" / "widget" / "changes.md").read_text("utf-8")
    for item in bump["items"]:
        citation = item["citation"]
        assert citation["quote"] == text[citation["start"] : citation["end"]]
    assert body["unknown"] == []


@pytest.mark.parametrize(("gates", "status", "said"), read_rows("ui-a-gate-fails-on-what-it-names", list))
def test_a_gate_fails_on_what_it_names(gates: list[str], status: int, said: str, review_index: Path) -> None:
    words = [word for gate in gates for word in ("--fail-on", gate)]
    result = review("--diff", "-", *words, index=review_index, text=DIFF)
    assert result.exit_code == status
    assert result.stderr.startswith(said)
    assert len(result.stderr.splitlines()) == (1 if said else 0)
    assert result.stdout.startswith("### Release Notes\n")


@pytest.mark.parametrize(("words", "because"), read_rows("ui-wrong-usage-is-one-line", list))
def test_wrong_usage_is_one_line(words: list[str], because: str, review_index: Path) -> None:
    fails("review", *words, "--index", review_index, text=DIFF, status=2, because=because)


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_a_diff_that_is_not_utf_8_is_read(encoding: str, review_index: Path, tmp_path: Path) -> None:
    (tmp_path / "a.patch").write_text(DIFF.replace("requests==2.0", "# café"), encoding=encoding, newline="\r\n")
    assert "Widget" in review("--diff", "a.patch", index=review_index).stdout.title()


def test_a_folder_with_a_line_end_in_its_name_hides_nothing(review_index: Path) -> None:
    path = r"x\n::error::y\033[31m/requirements.txt"
    text = DIFF.replace("a/requirements.txt", f'"a/{path}"').replace("b/requirements.txt", f'"b/{path}"')
    (bump,) = json.loads(review("--diff", "-", "--json", index=review_index, text=text).stdout)["bumps"]
    assert bump["file"] == "x\n::error::y\x1b[31m/requirements.txt"
    result = review("--diff", "-", "--fail-on", "removal", index=review_index, text=text)
    assert result.exit_code == 1
    shown = result.stdout + result.stderr
    assert "\x1b" not in shown
    assert "\n::error::y" not in shown


@NEEDS_GIT
@pytest.mark.parametrize(
    "folder",
    ["x" * 300, "x/" * 2_500, r"x\000y", r"\377", "\ud800", ".."],
    ids=["long", "deep", "a NUL byte", "Latin-1", "half a character", "outside"],
)
def test_in_a_work_tree_a_file_may_have_any_name(
    folder: str, review_index: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    path = f"{folder}/requirements.txt"
    text = DIFF.replace("a/requirements.txt", f'"a/{path}"').replace("b/requirements.txt", f'"b/{path}"')
    Path("bump.patch").write_bytes(text.encode("utf-8", "surrogatepass"))
    (bump,) = json.loads(review("--diff", "bump.patch", "--json", index=review_index).stdout)["bumps"]
    assert bump["to"] == "2.0.0"


@NEEDS_GIT
@pytest.mark.parametrize("wanted", ["HEAD~1", "HEAD~1..HEAD", "main~1...main"])
def test_a_range_of_git_is_reviewed_with_the_code_around_it(
    wanted: str, review_index: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    (bump,) = json.loads(review("--diff", wanted, "--json", index=review_index).stdout)["bumps"]
    assert (bump["file"], bump["line"]) == ("requirements.txt", 2)
    (used,) = (item for item in bump["items"] if item["usages"])
    assert used == bump["items"][0]
    assert used["usages"] == [{"symbol": "widget.spin", "file": "wheel.py", "line": 4}]


@NEEDS_GIT
def test_without_a_diff_the_work_tree_is_compared_with_its_last_commit(
    review_index: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "requirements.txt").write_text("requests==2.0\nwidget==1.5.0\n")
    monkeypatch.chdir(project)
    (bump,) = json.loads(review("--json", index=review_index).stdout)["bumps"]
    assert (bump["from"], bump["to"]) == ("2.0.0", "1.5.0")


@NEEDS_GIT
@pytest.mark.parametrize(
    "wanted", ["--output=owned", "-O/dev/null", "nosuch", "HEAD --output=owned", "a\nb", ":/", "x" * 300]
)
def test_what_is_no_range_is_one_line_and_no_option(wanted: str, project: Path) -> None:
    with pytest.raises(UsageError, match=r"^Cannot read the diff [^\n]+$"):
        load_diff(wanted, repository=project)
    assert not list(project.rglob("owned"))


@NEEDS_GIT
def test_git_runs_nothing_that_the_repository_names(project: Path) -> None:
    for setting in ("diff.external", "core.fsmonitor", "diff.evil.textconv", "diff.evil.command", "core.pager"):
        git(project, "config", setting, "touch owned")
    (project / ".gitattributes").write_text("* diff=evil\n")
    git(project, "config", "diff.noprefix", "true")
    git(project, "config", "color.ui", "always")
    text = load_diff("HEAD~1", repository=project).text
    assert "diff --git a/requirements.txt b/requirements.txt\n" in text
    assert "\x1b" not in text
    assert not list(project.rglob("owned"))


@NEEDS_GIT
@pytest.mark.parametrize("attributes", ["requirements.txt binary", "*.txt -diff", "* diff=odd", ""])
def test_no_attribute_and_no_byte_hides_a_bump(
    attributes: str, review_index: Path, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(project, "config", "diff.odd.binary", "true")
    (project / ".gitattributes").write_text(attributes)
    (project / "requirements.txt").write_bytes(b"widget==2.0.0\n" + (b"" if attributes else b"# \0\n"))
    (project / "picture.png").write_bytes(b"\x89PNG\0\0")
    git(project, "add", "-A")
    git(project, "commit", "-q", "--amend", "-m", "second")
    monkeypatch.chdir(project)
    result = review("--diff", "HEAD~1", "--json", "--fail-on", "removal", index=review_index)
    (bump,) = json.loads(result.stdout)["bumps"]
    assert (bump["from"], bump["to"], bump["file"]) == ("1.5.0", "2.0.0", "requirements.txt")
    assert result.exit_code == 1
    assert "--fail-on removal: 1 found, first requirements.txt:1" in result.stderr


@pytest.mark.parametrize("text", read_rows("ui-no-gate-is-passed-with-a-dependency-file-that-isn-t"))
def test_no_gate_is_passed_with_a_dependency_file_that_isn_t_shown(text: str, review_index: Path) -> None:
    result = review("--diff", "-", "--json", "--fail-on", "security", index=review_index, text=text)
    unknown = json.loads(result.stdout)["unknown"][0]
    assert unknown["name"].endswith("requirements.txt")
    assert result.exit_code == 1
    assert result.stderr.startswith("relnotes: --fail-on: 1 dependency file can't be read, first ")
    assert len(result.stderr.splitlines()) == 1
    assert review("--diff", "-", index=review_index, text=text).exit_code == 0


@NEEDS_GIT
@pytest.mark.parametrize("name", ["HEAD~1", "HEAD~1...HEAD"])
def test_no_file_stands_in_for_a_range(name: str, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / name).write_text("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n")
    monkeypatch.chdir(project)
    assert "+widget==2.0.0" in load_diff(name, repository=None).text
    assert "+b" in load_diff(f"./{name}", repository=None).text


@NEEDS_GIT
@pytest.mark.parametrize("kind", ["clean", "process"])
def test_git_passes_no_file_through_a_filter(kind: str, project: Path) -> None:
    (project / ".gitattributes").write_text("* filter=e=vil\n")
    git(project, "config", f"filter.e=vil.{kind}", f"touch '{project}/owned'; cat")
    git(project, "config", "filter.e=vil.required", "true")
    (project / "requirements.txt").write_text("widget==9.9.9\n")
    assert "+widget==9.9.9" in load_diff("HEAD", repository=project).text
    assert not (project / "owned").exists()


@NEEDS_GIT
def test_git_fetches_nothing_that_a_partial_clone_lacks(project: Path) -> None:
    old = b"requests==2.0\nwidget==1.5.0\n"
    lacking = hashlib.sha1(b"blob %d\0" % len(old) + old, usedforsecurity=False).hexdigest()
    (project / ".git" / "objects" / lacking[:2] / lacking[2:]).unlink()
    settings = {
        "core.repositoryformatversion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": f"ext::sh -c touch% {project}/owned",
        "protocol.ext.allow": "always",
    }
    for setting, value in settings.items():
        git(project, "config", setting, value)
    with pytest.raises(UsageError, match="transport 'ext' not allowed"):
        load_diff("HEAD~1", repository=project)
    assert not (project / "owned").exists()


@pytest.fixture
def client(reviewing: LiveAssistant) -> TestClient:
    return api_client(reviewing)


@pytest.fixture(scope="module")
def reviewing(review_index: Path, default_embedder: Embedder) -> Iterator[LiveAssistant]:
    reviewing = LiveAssistant(review_index, open_embedder=lambda: default_embedder)
    yield reviewing
    reviewing.close()


def test_the_endpoint_gives_the_same_as_the_command(review_index: Path, client: TestClient) -> None:
    served = client.post("/v1/review", json={"diff": DIFF}).json()
    printed = json.loads(review("--diff", "-", "--json", index=review_index, text=DIFF).stdout)
    for body in (served, printed):
        body.pop("timings_ms")
    assert served == printed
