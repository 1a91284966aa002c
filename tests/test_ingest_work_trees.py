"""Permanent addresses of files that lie in a git checkout, tried on real repositories."""

from pathlib import Path

import pytest
from case_files import read_rows
from git_projects import commit_all, git
from ui_small_index import ingest

from corpus.embedding import Embedder
from corpus.index.reader import IndexReader
from corpus.manifest import ModelStamp
from ingest.sources.work_trees import WorkTrees

NOTES = b"# 1.0\n\n- First.\n"


def checkout(folder: Path, *, remote: str | None, published: bool = True) -> str:
    """A repository with one committed file; its commit."""
    docs = folder / "docs"
    docs.mkdir(parents=True)
    (docs / "What's new.md").write_bytes(NOTES)
    git(folder, "init", "-q", "-b", "main")
    commit_all(folder, "Notes")
    commit = git(folder, "rev-parse", "HEAD")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    if published:
        git(folder, "update-ref", "refs/remotes/origin/main", commit)
    return commit


@pytest.mark.parametrize(("remote", "address"), read_rows("ingest-a-committed-file-has-the-address-of-its-commit"))
def test_a_committed_file_has_the_address_of_its_commit(
    tmp_path: Path, remote: str | None, address: str | None
) -> None:
    commit = checkout(tmp_path, remote=remote)
    found = WorkTrees().permalink(tmp_path / "docs" / "What's new.md", NOTES)
    assert found == (address.format(commit) if address else None)


@pytest.mark.parametrize(
    ("name", "content", "published"),
    [
        pytest.param("What's new.md", NOTES + b"- Not committed.\n", True, id="differs from its commit"),
        pytest.param("new.md", NOTES, True, id="isn't tracked"),
        pytest.param("What's new.md", NOTES, False, id="its commit isn't published"),
    ],
)
def test_what_no_published_commit_holds_has_no_address(
    tmp_path: Path, name: str, content: bytes, published: bool
) -> None:
    checkout(tmp_path, remote="https://github.com/o/r", published=published)
    assert WorkTrees().permalink(tmp_path / "docs" / name, content) is None


TOLD = {
    "nothing": ("", "https://github.com/o/r/blob/{}/docs/What%27s%20new.md"),
    "a branch": (
        "https://github.com/o/r/blob/main/docs/What's%20new.md",
        "https://github.com/o/r/blob/{}/docs/What%27s%20new.md",
    ),
    "the published page": ("https://r.example/whatsnew", "https://r.example/whatsnew"),
}


@pytest.mark.parametrize(("told", "kept"), TOLD.values(), ids=TOLD.keys())
def test_ingest_keeps_the_address_that_lasts(tmp_path: Path, default_embedder: Embedder, told: str, kept: str) -> None:
    commit = checkout(tmp_path / "r", remote="https://github.com/o/r")
    if told:
        (tmp_path / "r" / "sources.toml").write_text(f'[[document]]\npath = "docs/*"\nurl = "{told}"\n')
    ingest(tmp_path / "r", index=tmp_path / "index", embedder=default_embedder)
    stamp = ModelStamp(default_embedder.model_id, default_embedder.digest, default_embedder.dimensions)
    with IndexReader.open(tmp_path / "index", model=stamp) as index:
        assert [document.url for document in index.documents] == [kept.format(commit)]


def test_a_hooks_variables_dont_lead_to_another_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checkout(tmp_path / "other", remote="https://github.com/other/other")
    commit = checkout(tmp_path / "own", remote="https://github.com/o/r")
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    found = WorkTrees().permalink(tmp_path / "own" / "docs" / "What's new.md", NOTES)
    assert found == f"https://github.com/o/r/blob/{commit}/docs/What%27s%20new.md"
