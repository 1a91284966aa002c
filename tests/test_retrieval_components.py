"""Packages with releases of their own in a product's folder, told apart by their documents' paths."""

import pytest

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.versions import Version
from retrieval.products.components import narrow_to_part


def product(name: str, sources: dict[str, str]) -> CatalogueProduct:
    """A product with the releases of some documents, given as "1.2 1.1 1.0"."""
    places: dict[str, list[str]] = {}
    for source, versions in sources.items():
        for version in versions.split():
            places.setdefault(version, []).append(source)
    releases = [CatalogueRelease(Version.parse(one), None, tuple(found)) for one, found in places.items()]
    releases.sort(key=lambda one: one.version, reverse=True)
    return CatalogueProduct(name, (), tuple(releases), documents=len(sources), passages=1)


def versions_of(found: CatalogueProduct) -> str:
    return " ".join(str(one.version) for one in found.releases)


FAMILY = product(
    "wren",
    {
        "wren/wren/CHANGELOG.md": "1.3 1.2 1.1 1.0",
        "wren/wren-macros/CHANGELOG.md": "2.7 2.6 2.5 1.0",
        "wren/Pro-Changes.md": "1.3 0.9 0.8 0.7",
    },
)


@pytest.mark.parametrize(
    ("question", "versions"),
    [
        ("what's new in wren?", "1.3 1.2 1.1 1.0"),
        ("anything good in the newest wren-macros", "2.7 2.6 2.5 1.0"),
        ("latest wren pro", "1.3 0.9 0.8 0.7"),
    ],
)
def test_releases_are_the_products_own_unless_a_part_is_named(question: str, versions: str) -> None:
    assert versions_of(narrow_to_part(FAMILY, question)) == versions


@pytest.mark.parametrize(
    "sources",
    [
        {"wren/CHANGELOG.md": "1.2 1.1", "wren/announce/1.2.md": "1.2", "wren/announce/1.1.md": "1.1"},
        {"wren/1.0/storage.md": "1.0", "wren/1.1/storage.md": "1.1", "wren/1.2/storage.md": "1.2"},
        {"wren/macros/CHANGELOG.md": "2.2 2.1 2.0", "wren/test/CHANGELOG.md": "0.3 0.2 0.1"},
        {"wren/History.markdown": "1.2 1.1 1.0", "wren/docs/upgrading/0-to-1.md": "1"},
        {"wren/CHANGELOG.md": "2.2 2.1 2.0", "wren/CHANGELOG_PRE_v2.md": "1.2 1.1 1.0", "wren/docs/to-v1.md": "1.2"},
        {"wren/2/2.1/index.rst": "2.1.1 2.1", "wren/2/2.0/index.rst": "2.0.1 2.0", "wren/1/1.9/summary.rst": "1.9"},
        {"wren/tools/CHANGELOG.md": "2.2 2.1 2.0", "wren/summary.rst": "1.9"},
        {"wren/notes/v1.2.0.md": "1.2.0", **{f"wren/notes/v1.2.0-rc{n}.md": f"1.2.0rc{n}" for n in (1, 2, 3)}},
    ],
    ids="announcements|pages|nothing but parts|an ending|older half|index pages|a page beside|candidates".split("|"),
)
def test_what_has_no_numbers_of_its_own_is_no_part(sources: dict[str, str]) -> None:
    found = product("wren", sources)
    assert narrow_to_part(found, "what's new?") is found


def test_of_a_release_that_parts_share_only_the_asked_parts_notes_are_kept() -> None:
    versions = "1.3 1.2 1.1 1.0"
    folders = ("Console", "Messenger", "Messenger/Bridge/Redis")
    logs = {f"wren/src/Wren/Component/{one}/CHANGELOG.md": versions for one in folders}
    found = narrow_to_part(product("wren", {"wren/CHANGELOG.md": "1.3.1 1.3 0.9", **logs}), "what is new in messenger")
    assert [(str(one.version), one.sources) for one in found.releases] == [
        (version, ("wren/src/Wren/Component/Messenger/CHANGELOG.md",)) for version in versions.split()
    ]
