"""From where documents come and what names their product; and what an ingest says where another origin has it."""

import json
from pathlib import Path

import pytest
from connector_place import ConnectorPlace
from github_server import GithubTwin, release

from corpus.model import Authority
from ingest.releases.identity import Hints, Identity
from ingest.sources.files import FetchedDocument, Source
from ingest.sources.speaking import place_of, speaker_of

NOTES = "# Gizmo 6.1 release notes\n\n*August 5, 2026*\n\n- The `spin` option was removed.\n"
OTHERS = "# Gizmo 6.2 release notes\n\n*August 6, 2026*\n\n- The `spin` option stays, install marl instead.\n"


def local(root: str, name: str, **hints: str) -> Source:
    path = Path(root) if Path(root).name == name else Path(root) / name
    return Source(path, root, name, Hints(**hints), is_stated="product" in hints)


def fetched(root: str, *, home: str = "gizmo", said: Hints | None = None, **hints: str) -> Source:
    return FetchedDocument(f"{root}#x", "a.md", home, b"", Hints(**hints)).below(root, said or Hints())


SAVED = "https://github.com/a/gizmo/releases/tag/1"


@pytest.mark.parametrize(
    ("source", "product", "told"),
    [
        (local("/x/a", "b/c.md"), "Gizmo", "TEXT of /x/a/"),
        (local("/x/a", "gizmo/c.md", folder="gizmo"), "Gizmo", "USER of /x/a/"),
        (local("/x/gizmo-6.1", "c.md"), "Gizmo", "USER of /x/gizmo-6.1/"),
        (local("/x/a", "form/c.md", folder="form"), "@acme/form", "USER of /x/a/"),
        (local("/x/a", "b/c.md", product="Gizmo"), "Gizmo", "USER of /x/a/"),
        (local("/x/c.md", "c.md"), "Gizmo", "TEXT of /x/*"),
        (local("/x/gizmo_6.md", "gizmo_6.md"), "Gizmo", "USER of /x/gizmo_6.md"),
        (fetched("pypi:gizmo==1.2", product="gizmo"), "gizmo", "NAME of pypi:gizmo"),
        (fetched("npm:@acme/x@1", home="@acme/x", product="@acme/x"), "@acme/x", "NAME of npm:@acme/x"),
        (fetched("github:Acme/Gizmo@v1", product="gizmo"), "gizmo", "NAME of github:acme/gizmo"),
        (fetched("github:a/tool", home="tool", product="gizmo"), "gizmo", "TAG of github:a/tool, else tool/gizmo"),
        (fetched("github:a/tool", home="tool", product="gizmo", said=Hints(product="Gizmo")), "Gizmo",
         "USER of github:a/tool"),
        (fetched("https://www.a.example/b"), "Gizmo", "STRANGER of a.example"),
        (fetched("https://github.com/A/B/blob/main/C.md"), "Gizmo", "STRANGER of github:a/b"),
        (fetched("/x/r.json", product="gizmo", url=SAVED), "gizmo", "STRANGER of saved:github:a/gizmo"),
    ],
    ids=lambda value: value.name if isinstance(value, Source) else None,
)  # fmt: skip
def test_what_names_a_product(source: Source, product: str, told: str) -> None:
    speaker = speaker_of(source, Identity("", product, (), None, None, Authority.OFFICIAL, None))
    assert f"{speaker.claim.name} of {speaker.origin}{f', else {speaker.own}' if speaker.own else ''}" == told


@pytest.mark.parametrize(
    ("url", "place"),
    [
        ("https://www.Gizmo.example/a/b", "gizmo.example"),
        ("https://github.com/Acme/gizmo.git", "github:acme/gizmo"),
        ("https://raw.githubusercontent.com/acme/gizmo/main/NEWS", "github:acme/gizmo"),
        ("https://github.com", "github.com"),
        ("https://[half", ""),
        ("", ""),
    ],
)
def test_a_place_is_a_repository_or_a_site(url: str, place: str) -> None:
    assert place_of(url) == place


def saved(folder: Path, *releases: dict[str, object]) -> Path:
    told = [{**one, "html_url": str(one["html_url"]).replace("acme/gizmo", "enemy/tool")} for one in releases]
    folder.mkdir(exist_ok=True)
    (folder / "releases.json").write_text(json.dumps(told), encoding="utf-8")
    return folder / "releases.json"


def official(place: ConnectorPlace) -> Path:
    folder = place.root / "gizmo"
    folder.mkdir()
    (folder / "6.1.md").write_text(NOTES, encoding="utf-8")
    return folder


def told(place: ConnectorPlace) -> set[tuple[str, str, str]]:
    return {(one.source, one.product, one.authority.value) for one in place.documents()}


@pytest.mark.parametrize("is_first", [False, True], ids=["afterwards", "before"])
@pytest.mark.parametrize("is_saved", [False, True], ids=["github", "saved"])
def test_a_tag_speaks_for_no_product_of_others(place: ConnectorPlace, is_first: bool, is_saved: bool) -> None:
    twin, folder = GithubTwin(place.server), official(place)
    twin.releases = [release("gizmo@6.2", OTHERS), release("v1.0", OTHERS)]
    source: str | Path = saved(place.root / "s", *twin.releases) if is_saved else "github:acme/gizmo"
    if not is_saved:
        for path in list(place.server.pages):
            place.server.pages[path.replace("acme/gizmo", "enemy/tool")] = place.server.pages[path]
        source = "github:enemy/tool"
    reports = [place.ingest(one) for one in ([source, folder] if is_first else [folder, source])]
    begins = "gizmo now speaks for Gizmo, which came from enemy/tool so far" if is_first else (
        "enemy/tool now speaks for Gizmo, which came from gizmo so far"
    )  # fmt: skip
    assert [one.reason.partition(";")[0] for one in reports[1].suspicious][:1] == [begins]
    assert reports[1].products[0].product.name in ("Gizmo", "tool")
    name = "releases.json#" if is_saved else "github:enemy/tool@"
    assert told(place) == {
        ("6.1.md", "Gizmo", "official"),
        (f"{name}gizmo@6.2", "tool/gizmo", "official"),
        (f"{name}v1.0", "tool", "official"),
    }
    # It is said once.
    (folder / "6.0.md").write_text(NOTES.replace("6.1", "6.0"), encoding="utf-8")
    assert place.ingest(folder, source).suspicious == ()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param("other/CHANGELOG.md", OTHERS, id="a title"),
        pytest.param("other/page.md", f"---\nproduct: Gizmo\n---\n\n{OTHERS.replace('Gizmo ', '')}", id="front matter"),
    ],
)
def test_a_text_of_another_origin_is_not_official(place: ConnectorPlace, name: str, text: str) -> None:
    place.ingest(official(place))
    file = place.root / name
    file.parent.mkdir()
    file.write_text(text, encoding="utf-8")
    report = place.ingest(file.parent)
    assert [one.reason.partition(";")[0] for one in report.suspicious][:1] == [
        "other now speaks for Gizmo, which came from gizmo so far"
    ]
    assert told(place) == {("6.1.md", "Gizmo", "official"), (file.name, "Gizmo", "unknown")}
    (product,) = (one.product for one in report.products)
    assert product.name == "Gizmo"
    place.ingest(file.parent, product="Gizmo")
    assert told(place) == {("6.1.md", "Gizmo", "official"), (file.name, "Gizmo", "official")}, "as the user says"
