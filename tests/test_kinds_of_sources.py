"""What an ingest and its answers make of kinds of sources: one changelog in two files, a package that is newer than its
notes, candidates by a flag, notes in other languages, names of several words, diffs for a terminal."""

import json
from pathlib import Path

import pytest
from case_files import read_rows
from cli_calls import run
from connector_place import ConnectorPlace
from package_server import PackageIndex, tar_gz
from test_ingest_connectors_pypi import place as place  # a fixture
from ui_small_index import write_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant
from ui.web.products import release_counts

LOG = """# Gizmo changelog

## 2.1.0 (2026-03-04)

- Added the `spin` option.
- Fixed CVE-2026-1111, a path traversal.
- Removed the `fly` option.

## 2.0.0 (2026-01-10)

- Removed the `walk` option.
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened_once: None) -> Path:
    """An empty folder to ingest as `.`; the index lies beside it."""
    monkeypatch.setenv("RELNOTES_INDEX", str(tmp_path / "index"))
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path / "notes")
    return tmp_path / "notes"


@pytest.mark.parametrize(
    ("copies", "product"),
    [
        pytest.param({"docs/changelog.md": LOG}, [], id="docs"),
        pytest.param({"docs/changelog.md": LOG + "\n"}, [], id="docs, not to the byte"),
        pytest.param({"packages/gizmo-core/CHANGELOG.md": LOG, "src/gizmo/CHANGES.md": LOG}, [], id="packages"),
        pytest.param(
            {"gizmo/NEWS.txt": LOG.replace("`", "``").replace("# ", "")}, ["--product", "Gizmo"], id="as text"
        ),
    ],
)
def test_one_changelog_in_several_files_counts_once(
    copies: dict[str, str], product: list[str], folder: Path, default_embedder: Embedder
) -> None:
    write_notes(folder, {"CHANGELOG.md": LOG, **copies})
    run("ingest", ".", *product)
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        (gizmo,) = assistant.catalogue()
        counts = [
            (str(one.version), one.entries, one.breaking, one.security)
            for one in release_counts(assistant.index, gizmo)
        ]
        assert counts == [("2.0.0", 1, 1, 0), ("2.1.0", 3, 1, 1)]
        assert assistant.ask("How many releases of Gizmo are there?").answer.startswith("2 releases")
    listed = json.loads(run("upgrade", "gizmo", "1.0", "latest", "--json").stdout)
    assert [len(one["items"]) for one in listed["releases"]] == [1, 1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("files", "newest", "is_told"),
    [
        pytest.param({"CHANGES.md": LOG}, "2.1.0", True, id="a log that ends before"),
        pytest.param({"CHANGES.md": LOG.replace("2.1.0", "13.0.0")}, "13.0.0", False, id="a log up to date"),
        pytest.param(
            {"CHANGES.md": f"# Changes\n\n11.1.0 and newer: see the releases page\n\n{LOG * 20}",
             "docs/releasenotes/13.0.0.md": "# 13.0.0 (2026-07-01)\n\n- Removed the `x` option.\n",
             "docs/releasenotes/12.0.0.md": "# 12.0.0 (2026-05-01)\n\n- Removed the `y` option.\n"},
            "13.0.0", False, id="a long log that ends where pages begin",
        ),
        pytest.param(
            {"CHANGES.md": "# Changes\n\n12.0 and up: see the release notes.\n",
             "docs/releases/12.0.md": "# Gizmo 12.0\n\n*May 1, 2026*\n\n- Removed the `y` option.\n"},
            "12.0", True, id="a stub, and pages that end before",
        ),
    ],
)  # fmt: skip
def test_a_package_that_is_newer_than_its_notes_is_told(
    files: dict[str, str], newest: str, is_told: bool, place: ConnectorPlace, default_embedder: Embedder
) -> None:
    archive = tar_gz({f"gizmo-13.0.0/{name}": text for name, text in {"PKG-INFO": "Name: gizmo", **files}.items()})
    PackageIndex(place.server).put("gizmo", "gizmo-13.0.0.tar.gz", archive)
    report = place.ingest("pypi:gizmo")
    told = "13.0.0 is out; its notes weren't read"
    assert any(told in one.reason for one in report.suspicious) is is_told
    with Assistant.open(place.index, embedder=place.embedder) as assistant:
        answer = assistant.ask("What is the newest gizmo?")
    assert f"{newest}**, " in answer.answer
    assert any(told in note for note in answer.notes) is is_told


@pytest.mark.parametrize("with_english", [False, True], ids=["alone", "among English"])
@pytest.mark.parametrize("removal", read_rows("ingest-removals-in-other-languages"))
def test_notes_in_another_language_are_said_to_be_so(removal: str, with_english: bool, folder: Path) -> None:
    more = "- Added the `de` and `fr` locales.\n- Thanks to José Müller for naïve dates.\n" * with_english
    told = f"# Elm\n\n## 2.1.0 (2026-08-24)\n\n- {removal}\n{more}\n## 2.0.0 (2026-02-12)\n\n- Added it.\n"
    write_notes(folder, {"CHANGELOG.md": told})
    run("ingest", "CHANGELOG.md", "--product", "Elm")
    for words in (["upgrade", "Elm", "2.0.0", "2.1.0"], ["ask", "What breaks in Elm 2.1.0?"]):
        assert ("of 3 statements" if with_english else "notes aren't in English") in run(*words).stdout.replace(
            "\n", " "
        )
    assert "English" not in run("ask", "What breaks in Elm 2.0.0?").stdout


@pytest.mark.parametrize(
    "name", ["Plain GizmoWiki", "Red Hat OpenShift", "Open vSwitch", "Acme DataFlow", "Very Long DocumentDB"]
)
def test_a_name_of_several_words_hides_no_code(name: str, folder: Path, default_embedder: Embedder) -> None:
    write_notes(folder, {"CHANGELOG.md": LOG.replace("Gizmo", name)})
    run("ingest", "CHANGELOG.md", "--product", name)
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        for question, told in (
            (f"What is the newest {name} release?", "2026-03-04"),
            (f"newest release of {name.lower()}", "2026-03-04"),
            (f"When was {name} 2.0.0 released?", "2026-01-10"),
        ):
            answer = assistant.ask(question)
            assert told in answer.answer
            assert answer.interpretation.symbols == ()


@pytest.mark.parametrize(
    "colours",
    [("\x1b[1m", "\x1b[31m", "\x1b[32m", "\x1b[m"), ("\x1b[1;37m", "\x1b[38;5;196m", "\x1b[38;2;0;255;0m", "\x1b[0m"),
     ("\x1b[1m\x1b[K", "\x1b[31m\x1b[K", "\x1b[7;32m", "\x1b[m\x1b[K")],
    ids=["git", "many colours", "grep"],
)  # fmt: skip
def test_a_diff_for_a_terminal_is_read(colours: tuple[str, str, str, str], folder: Path) -> None:
    bold, red, green, end = colours
    lines = [(bold, "--- a/requirements.txt"), (bold, "+++ b/requirements.txt"), ("", "@@ -1 +1 @@"),
             (red, "-gizmo==2.0.0"), (green, f"+{end}{green}gizmo==2.1.0")]  # fmt: skip
    write_notes(folder, {"CHANGELOG.md": LOG})
    run("ingest", "CHANGELOG.md")
    diff = "".join(f"{colour}{line}{end}\n" for colour, line in lines)
    (bump,) = json.loads(run("review", "--diff", "-", "--json", text=diff).stdout)["bumps"]
    assert (bump["from"], bump["to"], len(bump["items"])) == ("2.0.0", "2.1.0", 1)
