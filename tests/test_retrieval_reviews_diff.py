"""Diffs: which files and lines they show, whoever wrote them, and what is said of those that are broken."""

import contextlib
import difflib
import shutil
import subprocess
from pathlib import Path

import pytest
from case_files import Case, read_cases
from hypothesis import given
from hypothesis import strategies as st

from corpus.dependencies.model import Line
from corpus.errors import UsageError
from retrieval.reviews.diff import MAX_CHARACTERS, MAX_LINES, FileDiff, read_diff

HUNK = "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"
BEFORE, AFTER = (Line(1, "a"), Line(2, "b")), (Line(1, "a"), Line(2, "c"))


def test_lines_of_both_sides_with_their_numbers() -> None:
    (file,) = read_diff("--- a/x\n+++ b/x\n@@ -3,2 +3,3 @@ def f():\n a\n-b\n+c\n+d\n@@ -9 +10,0 @@\n-e\n").files

    assert file == FileDiff(
        path_before="x",
        path_after="x",
        before=(Line(3, "a"), Line(4, "b"), Line(9, "e")),
        after=(Line(3, "a"), Line(4, "c"), Line(5, "d")),
        removed=(Line(4, "b"), Line(9, "e")),
        added=(Line(4, "c"), Line(5, "d")),
    )


@pytest.mark.parametrize("case", read_cases("diff-names"), ids=lambda case: case.name)
def test_names_of_files(case: Case) -> None:
    files = read_diff(case.text).files
    assert [f"{one.path_before or '/dev/null'} -> {one.path_after or '/dev/null'}" for one in files] == case.gives
    assert files[-1].is_binary or case.subject != "binary"


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("\ufeff--- a/x\n+++ b/x\n" + HUNK, id="a byte order mark"),
        pytest.param(("--- a/x\n+++ b/x\n" + HUNK).replace("\n", "\r\n"), id="CRLF"),
        pytest.param("--- a/x\n+++ b/x\n" + HUNK + "\\ No newline at end of file\n", id="no newline at the end"),
        pytest.param("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n",
                     id="no newline on one side"),
        pytest.param(
            "From 0123 Mon Sep 17 00:00:00 2001\nSubject: [PATCH] x\n\n text\n---\n x | 2 +-\n\n"
            "diff --git a/x b/x\n--- a/x\n+++ b/x\n" + HUNK + "-- \n2.40.0\n\n",
            id="a patch mail",
        ),
        pytest.param("commit 0123\nAuthor: a\n\n    text\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n" + HUNK,
                     id="git log"),
        pytest.param("--- a/x\n+++ b/x\n" + HUNK.removesuffix("\n"), id="no newline after the diff"),
    ],
)  # fmt: skip
def test_what_stands_around_a_hunk_is_passed_over(text: str) -> None:
    (file,) = read_diff(text).files

    assert (file.before, file.after) == (BEFORE, AFTER)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("", "The diff is empty", id="nothing"),
        pytest.param(" \n\n", "The diff is empty", id="blanks"),
        pytest.param("\nDear all,\nno diff here\n", "Not a diff: from line 1", id="a letter"),
        pytest.param(HUNK, "line 1: Unexpected hunk found", id="a hunk alone"),
        pytest.param("--- a/x\n+++ b/x\n@@ -1,9 +1,9 @@\n a\n-b\n", "line 5: Hunk is shorter than expected",
                     id="cut off"),
        pytest.param("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n*b\n", "line 5: Hunk diff line expected",
                     id="a sign"),
        pytest.param("--- a/x\n+++ b/x\n@@ one @@\n-a\n", "line 3: '@@ one @@' isn't a hunk's header", id="a header"),
        pytest.param("--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n--a\n", "line 3: it is a merge's", id="a merge"),
        pytest.param("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n", "line 5: Hunk is longer", id="more than counted"),
        pytest.param("+++ b/x\n", "line 1: a file without a header", id="a file's end alone"),
        pytest.param("diff --git a/" + "://" * 400 + " b\n", "line 1: a header of over", id="an endless name"),
        pytest.param("\n" * (MAX_LINES + 1) + "x", "too long", id="too many lines"),
        pytest.param("x" * (MAX_CHARACTERS + 1), "too long", id="too many characters"),
    ],
)  # fmt: skip
def test_broken_diff_is_one_clear_line(text: str, message: str) -> None:
    with pytest.raises(UsageError) as raised:
        read_diff(text)

    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


_lines = st.lists(
    st.sampled_from(["a", "b", "-- c", "++ d", "@@ -1 +1 @@", "diff --git a/x b/x", "", " "]), max_size=20
)


@given(_lines, _lines, st.integers(0, 4))
def test_every_line_stands_in_its_file_at_its_number(before: list[str], after: list[str], context: int) -> None:
    text = "\n".join(difflib.unified_diff(before, after, "a/x", "b/x", lineterm="", n=context))
    if not text:
        return
    (file,) = read_diff(text).files

    assert all(before[line.number - 1] == line.text for line in file.before)
    assert all(after[line.number - 1] == line.text for line in file.after)
    assert set(file.removed) <= set(file.before)
    assert set(file.added) <= set(file.after)
    kept = len(before) - len(file.removed)
    assert kept + len(file.added) == len(after)


@given(
    st.text(max_size=200) | st.text("+-@ \n1,\\ab/", max_size=120).map("--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n".__add__)
)
def test_any_text_is_a_diff_or_a_usage_error(text: str) -> None:
    with contextlib.suppress(UsageError):
        assert read_diff(text).files


@pytest.mark.skipif(shutil.which("git") is None, reason="git isn't installed")
def test_real_git_in_its_many_forms(tmp_path: Path) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=n", "-c", "user.email=n@example.org", "-c", "core.autocrlf=false"]
        done = subprocess.run(["git", *identity, *arguments], cwd=tmp_path, check=True, capture_output=True)
        return done.stdout.decode()

    git("init", "--quiet")
    (tmp_path / "ä folder").mkdir()
    (tmp_path / "ä folder" / "requirements.txt").write_text("tool\n" * 20 + "django==4.2\n")
    (tmp_path / "image").write_bytes(b"\0\1")
    git("add", ".")
    git("commit", "--quiet", "-m", "one")
    (tmp_path / "ä folder" / "requirements.txt").rename(tmp_path / "constraints.txt")
    (tmp_path / "constraints.txt").write_text("tool\n" * 20 + "django==5.1")
    (tmp_path / "image").write_bytes(b"\0\2")
    (tmp_path / "empty").touch()
    git("add", ".")
    git("commit", "--quiet", "-m", "two")

    for arguments in (
        ("diff", "HEAD~1", "HEAD"),
        ("diff", "--binary", "--no-prefix", "HEAD~1", "HEAD"),
        ("-c", "diff.mnemonicPrefix=true", "diff", "-U0", "HEAD~1"),
        ("-c", "core.quotePath=false", "show", "--stat", "-p"),
        ("format-patch", "--stdout", "HEAD~1"),
    ):
        files = {file.path_after: file for file in read_diff(git(*arguments)).files}
        assert set(files) == {"constraints.txt", "image", "empty"}
        assert files["constraints.txt"].path_before == "ä folder/requirements.txt"
        assert files["constraints.txt"].added == (Line(21, "django==5.1"),)
        assert files["empty"].path_before is None
