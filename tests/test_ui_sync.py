"""`relnotes sync`: from a relnotes.toml to an index in step with its sources, as cron runs it."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from case_files import read_rows
from cli_calls import run
from notes_server import Answer, NotesServer, page
from small_corpus import HashedEmbedder

import ui.opening
from corpus.errors import UsageError
from ingest.sources.connectors import Connectors, ConnectorSettings
from ingest.sources.requests import read_config

NOTES = "# Gizmo 2.0\n\n- Removed the lever.\n"


class Cron:
    """A machine with a relnotes.toml, an index, and a server that may be reached."""

    def __init__(self, root: Path, server: NotesServer) -> None:
        self.root = root
        self.server = server
        self.config = root / "relnotes.toml"

    def write(self, *sources: str) -> None:
        self.config.write_text("".join(f'[[source]]\nsource = "{source}"\n' for source in sources))

    def run(self, *options: str) -> tuple[int, str, str]:
        """Status, stdout and stderr of a run."""
        words = ("sync", "--config", self.config, "--index", self.root / "index", *options)
        result = run(*words, env={"RELNOTES_ALLOW_PRIVATE_HOSTS": self.server.host})
        return result.exit_code, result.stdout, result.stderr

    def json(self, *arguments: str) -> dict[str, object]:
        return json.loads(run(*arguments, "--index", self.root / "index", "--json").stdout)


@pytest.fixture
def cron(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cron]:
    monkeypatch.setattr(ui.opening, "open_document_embedder", lambda settings: HashedEmbedder())
    with NotesServer() as server:
        server.pages["/a.md"] = page(NOTES, etag='"1"')
        server.pages["/b.md"] = page("# Widget 1.0\n\nAdded a wheel.\n", etag='"1"')
        yield Cron(tmp_path, server)


def test_sources_are_kept_replaced_marked_as_gone_and_pruned(cron: Cron) -> None:
    gone, other = cron.server.url("/a.md"), cron.server.url("/b.md")
    (cron.root / "notes").mkdir()
    (cron.root / "notes" / "c.md").write_text("# Sprocket 3.0\n\nAdded a tooth.\n")
    cron.write(gone, other, "notes")
    status, out, _ = cron.run()
    assert status == 0
    assert f"source={gone} state=read documents=1 changed=1\n" in out
    assert "3 added, 0 updated, 0 unchanged, 0 removed" in out
    status, out, _ = cron.run()
    assert (status, out.count("state=unchanged"), out.count("changed=0")) == (0, 2, 3)
    cron.server.pages["/a.md"] = Answer(status=410)
    cron.server.pages["/b.md"] = page("# Widget 1.1\n\nAdded a rim.\n", etag='"2"')
    status, out, err = cron.run()
    assert status == 1
    assert "1 of 3 sources is behind" in err
    assert f"source={gone} state=gone documents=1 changed=0 note=" in out
    assert "1 document kept in the index until `relnotes sync --prune`" in out
    assert f"source={other} state=read documents=1 changed=1" in out
    assert [listed["source"] for listed in cron.json("status")["sources"] if listed["gone_since"]] == [gone]  # type: ignore[attr-defined, index, union-attr]
    status, out, _ = cron.run("--prune")
    assert status == 0
    assert "1 document removed from the index" in out
    assert {document["source"] for document in cron.json("docs")["documents"]} == {other, "c.md"}  # type: ignore[attr-defined, index, union-attr]


def test_a_folder_that_is_missing_stops_no_other_source(cron: Cron) -> None:
    cron.write("nowhere", cron.server.url("/a.md"), "nothing")
    status, out, _ = cron.run()
    assert status == 1
    assert out.count("state=failed") == 2
    assert "1 added" in out


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        *read_rows("ui-all-the-faults-of-a-list-are-told-at-once", list),
        pytest.param("x = " + "[" * 100_000, ["can't be read"]),
    ],
)
def test_all_the_faults_of_a_list_are_told_at_once(tmp_path: Path, text: str, faults: list[str]) -> None:
    file = tmp_path / "relnotes.toml"
    file.write_text(text)
    with pytest.raises(UsageError) as caught:
        read_config(file, connectors=Connectors(ConnectorSettings()))
    assert [fault for fault in faults if fault not in str(caught.value)] == []
    assert "\n" not in str(caught.value)


def test_a_missing_list_is_wrong_usage(cron: Cron) -> None:
    status, _, err = cron.run()
    assert status == 2
    assert "Write one with a [[source]] for each source" in err


@pytest.mark.parametrize("address", ["x", "file:///etc", "https://me:hush@x.example/"])
def test_an_address_of_github_that_is_none_is_wrong_usage(
    cron: Cron, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setenv("RELNOTES_GITHUB_API_URL", address)
    status, _, err = cron.run()
    assert status == 2
    assert "RELNOTES_GITHUB_API_URL" in err
    assert "hush" not in err
