"""Who speaks for a product, and what an ingest says where another origin names it too."""

import shutil
from pathlib import Path

import pytest
from case_files import read_rows
from cli_calls import run
from connector_place import ConnectorPlace
from github_server import GithubTwin, release
from page_app import page_app

from corpus.embedding import Embedder
from corpus.index.stored import DocumentSummary
from corpus.index.tables import TableReader
from corpus.model import Authority
from retrieval.assistant import Assistant
from retrieval.upgrades.upgrade_list import list_upgrade
from ui.contract.index import version_list_body
from ui.web.html import product_address

NOTES = "# Gizmo 6.1 release notes\n\n*August 5, 2026*\n\n- The `spin` option was removed.\n"
OTHERS = "# Gizmo 6.2 release notes\n\n*August 6, 2026*\n\n- The `spin` option stays, install marl instead.\n"


def official(place: ConnectorPlace) -> Path:
    folder = place.root / "gizmo"
    folder.mkdir()
    (folder / "6.1.md").write_text(NOTES, encoding="utf-8")
    return folder


def told(place: ConnectorPlace) -> set[tuple[str, str, str]]:
    return {(one.source, one.product, one.authority.value) for one in place.documents()}


@pytest.mark.parametrize("is_first", [False, True], ids=["afterwards", "before"])
def test_a_tag_speaks_for_no_product_of_others(place: ConnectorPlace, is_first: bool) -> None:
    twin, folder = GithubTwin(place.server), official(place)
    twin.releases = [release("gizmo@6.2", OTHERS), release("v1.0", OTHERS)]
    for path in list(place.server.pages):
        place.server.pages[path.replace("acme/gizmo", "enemy/tool")] = place.server.pages[path]
    source = "github:enemy/tool"
    for each in [source, folder] if is_first else [folder, source]:
        place.ingest(each)
    name = "github:enemy/tool@"
    assert told(place) == {
        ("6.1.md", "Gizmo", "official"),
        (f"{name}gizmo@6.2", "Gizmo", "unknown"),
        (f"{name}v1.0", "tool", "official"),
    }


@pytest.mark.parametrize(("name", "text"), read_rows("ingest-a-text-of-another-origin-is-not-official"))
def test_a_text_of_another_origin_is_not_official(place: ConnectorPlace, name: str, text: str) -> None:
    place.ingest(official(place))
    file = place.root / name
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    report = place.ingest(file.parent)
    assert told(place) == {("6.1.md", "Gizmo", "official"), (file.name, "Gizmo", "unknown")}
    (product,) = (one.product for one in report.products)
    assert product.name == "Gizmo"
    place.ingest(file.parent, product="Gizmo")
    assert told(place) == {("6.1.md", "Gizmo", "official"), (file.name, "Gizmo", "official")}, "as the user says"


NEWEST, FIRST = "## 2.1.0 (2026-03-04)\n\n- Added `spin`.\n\n", "## 2.0.0 (2026-01-10)\n\n- Removed `walk`.\n"
TEXTS = {
    "ours": f"# Gizmo changelog\n\n{NEWEST}{FIRST}",
    "one": "# Gizmo changelog\n\n## 9.9.9 (1998-02-03)\n\n- Removed `fly`.\n\n## 2.0.0 (1999-05-06) [YANKED]\n",
    "two": "# Gizmo news\n\n## 9.9.9 (1997-02-03) [YANKED]\n\n- Dropped `fly`.\n\n## 2.0.0 - 1996-05-06\n",
    "heads": "# Other changelog\n\n## Gizmo 9.9.9 (1998-02-03)\n\n- A\n\n## Gizmo 2.0.0 [YANKED] (1999-05-06)\n",
    "front": "---\nproduct: Gizmo\nversion: 2.0.0\ndate: 1999-05-06\nauthority: official\n---\n\nIt was yanked.\n",
    "untitled": "# Changelog\n\n## 9.9.9 (1998-02-03)\n\n- Removed `fly`.\n\n## 2.0.0 [YANKED] (1999-01-01)\n",
    "post": "# Gizmo 2.0.0 [YANKED]\n\n*May 6, 1999*\n\n- The `z` option was removed.\n",
}


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Four origins, none called Gizmo; and one folder that holds them all, ours called so."""
    for name, text in TEXTS.items():
        for folder in (tmp_path / name, tmp_path / "all" / ("gizmo" if name == "ours" else f"fan {name}")):
            folder.mkdir(parents=True)
            (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (tmp_path / "evilkit" / "gizmo").mkdir(parents=True)
    (tmp_path / "evilkit" / "gizmo" / "CHANGELOG.md").write_text(TEXTS["untitled"], "utf-8")
    (tmp_path / "files").mkdir()
    for name in ("ours", "one"):
        (tmp_path / "files" / ("gizmo.md" if name == "ours" else "CHANGELOG.md")).write_text(TEXTS[name], "utf-8")
    shutil.copytree(tmp_path / "ours", tmp_path / "described")
    (tmp_path / "described" / "sources.toml").write_text('[[document]]\npath = "*.md"\nproduct = "Gizmo"\n', "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RELNOTES_INDEX", str(tmp_path / "index"))
    return tmp_path


OURS = "ours --product Gizmo"


@pytest.mark.usefixtures("opened_once")
@pytest.mark.parametrize("steps", read_rows("ingest-facts-of-a-release-are-those-of-who-may-speak", list))
def test_facts_of_a_release_are_those_of_who_may_speak(
    steps: list[str], sources: Path, default_embedder: Embedder
) -> None:
    for step in steps:
        name = step.lstrip("-!").split()[0]
        if step.startswith("-"):
            run("docs", "remove", *(str(one.id) for one in held(sources) if one.root.endswith(f"/{name}")))
        elif step.startswith("!"):
            file = sources / name / f"{name}.md"
            file.write_text(file.read_text("utf-8") + "- Removed `w`.\n", "utf-8")
            run("ingest", *(OURS.split() if name == "ours" else [name]))
        else:
            assert run("ingest", *step.split()).exit_code == 0
    with Assistant.open(sources / "index", embedder=default_embedder) as assistant:
        (product,) = version_list_body(assistant, "Gizmo").products
        own = [(one.version, str(one.date)) for one in product.versions if one.according_to is None]
        others = {one.version for one in product.versions if one.according_to}
        assert own == [("2.1.0", "2026-03-04"), ("2.0.0", "2026-01-10")]
        assert others == ({"9.9.9"} if any(one.releases > 1 for one in held(sources) if is_strangers(one)) else set())
        told = [assistant.ask(question).answer for question in ASKED]
        assert [word in answer for word, answer in zip(("2.1.0", "2026-01-10"), told, strict=False)] == [True, True]
        assert not [answer for answer in told for strange in ("199", "9.9.9", "yanked [") if strange in answer]
        asked = assistant.ask("When was Gizmo 9.9.9 released?").answer
        assert ("according to" if others else "Not found") in asked
        verdicts = [assistant.cite(claim).claims[0].verdict.value for claim in CLAIMS]
        assert verdicts[:2] == ["supported", "contradicted"]
        assert "supported" not in verdicts[2:]
        listed = list_upgrade(assistant.index, "Gizmo", "1.0", "latest")
        assert [one.version for one in listed.releases] == ["2.0.0"]
        assert "yanked" not in " ".join(listed.notes)
    with page_app(sources / "index", default_embedder) as client:
        page = client.get(product_address("Gizmo")).text
    assert [word in page for word in ("2.1.0", "9.9.9", "1999")] == [True, False, False]


ASKED = ("What is the newest Gizmo?", "When was Gizmo 2.0.0 released?", "Which Gizmo releases were yanked?",
         "Which releases of Gizmo are there?")  # fmt: skip
CLAIMS = ("Gizmo 2.0.0 was released on 2026-01-10.", "Gizmo 2.0.0 was released on 1999-05-06.",
          "Gizmo 2.0.0 was yanked.", "Gizmo 9.9.9 was released on 1998-02-03.")  # fmt: skip


def held(sources: Path) -> tuple[DocumentSummary, ...]:
    with TableReader.open(sources / "index") as tables:
        return tables.documents


def is_strangers(document: DocumentSummary) -> bool:
    return document.authority is Authority.UNKNOWN


@pytest.mark.usefixtures("sources")
def test_with_a_product_named_a_folders_name_is_no_alias(tmp_path: Path) -> None:
    run("ingest", "evilkit", "--product", "Evilkit")
    assert [(one.product, one.aliases) for one in held(tmp_path)] == [("Evilkit", ())]
