"""Bumps: which versions a diff changes, and what isn't a change."""

import difflib

import pytest
from case_files import read_rows
from dependency_files import file_text
from hypothesis import given
from hypothesis import strategies as st

from retrieval.reviews.bumps import find_bumps, read_sides
from retrieval.reviews.diff import read_diff
from retrieval.reviews.model import Unknown
from retrieval.reviews.unread import find_hidden


def changed(path: str, before: str, after: str, *, context: int = 3) -> str:
    """A diff of one file, as git writes it; an empty side is a file that isn't there."""
    old, new = before.splitlines(), after.splitlines()
    names = (f"a/{path}" if before else "/dev/null"), (f"b/{path}" if after else "/dev/null")
    return "".join(f"{line}\n" for line in difflib.unified_diff(old, new, *names, lineterm="", n=context))


def told(text: str) -> list[str]:
    return [f"{b.name} {b.start or '-'} {b.end or '-'} @{b.line}" for b in find_bumps(read_sides(read_diff(text)))]


@pytest.mark.parametrize(("before", "after", "bumps"), read_rows("retrieval-requirements", list))
def test_requirements(before: str, after: str, bumps: list[str]) -> None:
    assert told(changed("requirements.txt", before, after)) == bumps


FILE_NAMES = {"github.workflow.yml": ".github/workflows/test.yml", "csproj.xml": "a.csproj"}
"""Where a file of `data/dependencies` lies that isn't called as it would be."""


@pytest.mark.parametrize("context", [0, 3, 1_000])
@pytest.mark.parametrize(("file", "edits", "bumps"), read_rows("retrieval-same-bumps-however-much-shows", list))
def test_same_bumps_however_much_of_the_file_shows(
    file: str, edits: dict[str, str], bumps: list[str], context: int
) -> None:
    before = after = file_text(file)
    for old, new in edits.items():
        after = after.replace(old, new)

    assert told(changed(FILE_NAMES.get(file, file), before, after, context=context)) == bumps


@pytest.mark.parametrize(("file", "old", "new", "bumps"), read_rows("retrieval-bumps-in-lock-files", list))
def test_locks(file: str, old: str, new: str, bumps: list[str]) -> None:
    text = file_text(file)
    assert told(changed(file, text, text.replace(old, new))) == bumps


@pytest.mark.parametrize(
    ("text", "bumps"),
    [
        pytest.param(
            "diff --git a/Dockerfile b/web.dockerfile\nrename from Dockerfile\nrename to web.dockerfile\n"
            "--- a/Dockerfile\n+++ b/web.dockerfile\n@@ -1 +1 @@\n-FROM redis:6\n+FROM redis:7\n",
            ["redis 6 7 @1"],
            id="a renamed file, by both names",
        ),
        pytest.param("--- requirements.txt.orig\n+++ requirements.txt\n@@ -1 +1 @@\n-a==1\n+a==2\n", ["a 1 2 @1"],
                     id="the name of a backup on the old side"),
        pytest.param(changed("notes.md", "django==4.2\n", "django==5.1\n"), [], id="another file"),
    ],
)  # fmt: skip
def test_files_are_known_by_their_names(text: str, bumps: list[str]) -> None:
    assert told(text) == bumps


def test_malformed_lock_is_told_and_the_rest_is_read() -> None:
    lock = "".join(f'"{name}": {{\n  "version": "1.0.0"\n}},\n' for name in "ab")
    text = changed("package-lock.json", lock, lock.replace('"b": {', "oh no").replace("1.0.0", "2.0.0"))

    diff = read_diff(text + changed("requirements.txt", "c==1\n", "\0\nc==2\n"))
    assert find_hidden(diff) == (Unknown("requirements.txt", "line 1 can't be read as one of such a file: mend it."),)
    assert "c" in [bump.name for bump in find_bumps(read_sides(diff))]


_requirements = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from(["", "==1", "==2", ">=1.0", "<3"])).map("".join), max_size=6
).map("\n".join)


@given(_requirements, _requirements)
def test_bumps_change_a_version_and_their_line_holds_it(before: str, after: str) -> None:
    text = changed("requirements.txt", before, after)
    for bump in find_bumps(read_sides(read_diff(text))) if text else ():
        assert bump.start != bump.end
        stated = [side.splitlines()[bump.line - 1 : bump.line] for side in (after, before)]
        assert any(bump.name in line for side in stated for line in side)
        assert bump.end is None or bump.end in stated[0][0]


@given(_requirements)
def test_file_compared_with_itself_moved_has_no_bumps(text: str) -> None:
    moved = "\n".join(reversed(text.splitlines()))

    assert not moved or moved == text or told(changed("requirements.txt", text, moved)) == []
