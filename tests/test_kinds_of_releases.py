"""What counts as a release, and when it came out, by the kinds of headings and files that tell it; and what is answered
from them."""

import json
import re
from pathlib import Path

import pytest
from case_files import read_rows
from cli_calls import run
from test_kinds_of_sources import folder as folder  # a fixture
from ui_small_index import write_notes

from corpus.embedding import Embedder
from retrieval.assistant import Assistant

SPEC = "{}\nVersion: 2.1\nRelease: 3\n%changelog\n* Tue Feb 04 2025 Ana <ana@example.org> - 2.1-3\n- Drop x\n"


@pytest.mark.parametrize(("name", "text", "releases"), read_rows("kinds-of-releases-are-found"))
def test_releases_are_found(name: str, text: str, releases: str, folder: Path, default_embedder: Embedder) -> None:
    write_notes(folder, {name: text})
    run("ingest", name, "--product", "Wick")
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        (product,) = assistant.catalogue()
        told = (
            [one.version, one.date and one.date.isoformat(), one.yanked and "yanked", one.pending and "pending"]
            for one in product.releases
        )
        assert ", ".join(" ".join(str(word) for word in words if word) for words in told) == releases


@pytest.mark.parametrize(("name", "text", "question", "told"), read_rows("kinds-of-releases-are-answered"))
def test_what_they_tell_is_answered(
    name: str, text: str, question: str, told: str, folder: Path, default_embedder: Embedder
) -> None:
    write_notes(folder, {name: text})
    run("ingest", name, "--product", "Wick")
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        assert told in re.sub(r"[`*]", "", assistant.ask(question).answer)


@pytest.mark.parametrize(
    ("lines", "product"),
    [("%global tool stilt\nName: %{tool}-tools", "stilt-tools"), ("%define name plover\nName: %{name}", "plover"),
     ("Name: %{?scl_prefix}tern", "tern")],
)  # fmt: skip
def test_a_spec_says_its_products_name(lines: str, product: str, folder: Path, default_embedder: Embedder) -> None:
    write_notes(folder, {"SPECS/a.spec": SPEC.format(lines)})
    run("ingest", ".")
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        assert [(one.name, str(one.releases[0].version)) for one in assistant.catalogue()] == [(product, "2.1-3")]


@pytest.mark.parametrize(("name", "text", "listed"), read_rows("kinds-of-entries"))
def test_what_entries_are_is_read_by_their_place(name: str, text: str, listed: str, folder: Path) -> None:
    write_notes(folder, {name: text})
    run("ingest", name, "--product", "Wick")
    upgrade = json.loads(run("upgrade", "Wick", "1.0", "latest", "--json").stdout)
    items = [item for release in upgrade["releases"] for item in release["items"]] + upgrade["security"]
    items = [item for item in items if item["change"] != "behaviour"]
    assert "; ".join(f"{item['kind']}: {item['summary']}" for item in items).replace("`", "") == listed


@pytest.mark.parametrize("name", ["Breaking", "Removed", "Security", "Deprecated"])
def test_a_products_name_promises_nothing_of_its_entries(name: str, folder: Path) -> None:
    write_notes(
        folder,
        {"CHANGES.md": f"# {name} changes\n\n## 2.0\n\n- {name} shows weather warnings\n- a b\n\n## 1.0\n\n- c d\n"},
    )
    run("ingest", "CHANGES.md", "--product", name)
    upgrade = json.loads(run("upgrade", name, "1.0", "latest", "--json").stdout)
    items = [item for release in upgrade["releases"] for item in release["items"]] + upgrade["security"]
    assert not [item for item in items if item["change"] != "behaviour"]


@pytest.mark.parametrize(
    ("start", "end", "listed"),
    [("2.0-jre", "2.1-jre", ["2.1-jre"]), ("2.0-android", "latest", ["2.1-android"]),
     ("2.0", "2.1", ["2.1-android", "2.1-jre"]), ("2.0-jre", "2.1-android", ["2.1-android"])],
)  # fmt: skip
def test_an_upgrade_stays_with_its_variant(start: str, end: str, listed: list[str], folder: Path) -> None:
    log = "".join(
        f"## {one}\n\n- `{one[-2:]}()` was removed\n\n" for one in ("2.1-jre", "2.1-android", "2.0-jre", "2.0-android")
    )
    write_notes(folder, {"CHANGES.md": f"# Wick\n\n{log}"})
    run("ingest", "CHANGES.md", "--product", "Wick")
    upgrade = json.loads(run("upgrade", "Wick", start, end, "--json").stdout)
    assert [release["version"] for release in upgrade["releases"]] == listed


def test_a_readme_beside_notes_is_no_product(folder: Path, default_embedder: Embedder) -> None:
    spec = SPEC.format("Name: tern")
    write_notes(folder, {"SPECS/a.spec": spec, "SPECS/README": "Spec files. Build with mock.\n"})
    assert "skipped README: names no release" in run("ingest", "SPECS").output
    with Assistant.open(folder.parent / "index", embedder=default_embedder) as assistant:
        assert [one.name for one in assistant.catalogue()] == ["tern"]
