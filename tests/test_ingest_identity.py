"""Who a document is: the seeds, front matter, file names, changelogs, and who speaks."""

from datetime import date

import pytest
from ingest_documents import SEEDS, ingest_text

from corpus.model import Authority
from corpus.versions import Version
from ingest.formats import parse_blocks
from ingest.releases.identity import Hints, Identity, identify
from ingest.sources.files import list_sources, read_source

needs_seeds = pytest.mark.skipif(not SEEDS.is_dir(), reason="needs the seeds in ../shared")


def told(identity: Identity) -> tuple[str, str | None, date | None, Authority]:
    return identity.product, identity.version.label if identity.version else None, identity.date, identity.authority


def seeds(*, described: bool) -> list[Identity]:
    sources = list_sources(str(SEEDS), flags=Hints()).sources
    return [
        identify(
            parse_blocks(source.name, read_source(source)),
            source=source.name,
            hints=source.hints if described else Hints(),
        )
        for source in sources
    ]


@needs_seeds
def test_the_seeds_with_their_description() -> None:
    assert [told(identity) for identity in seeds(described=True)] == [
        ("PyTorch", "2.12", None, Authority.OFFICIAL),
        ("PyTorch", "2.12", None, Authority.NEWS),
        ("PyTorch", "2.12", None, Authority.ANALYST),
        ("PyTorch", "2.8", None, Authority.OFFICIAL),
        ("PyTorch", "2.9", date(2025, 10, 15), Authority.UNKNOWN),
    ]


@needs_seeds
def test_the_seeds_by_their_text_alone() -> None:
    assert [told(identity) for identity in seeds(described=False)] == [
        ("PyTorch", "2.12", None, Authority.OFFICIAL),
        ("PyTorch", "2.12", None, Authority.UNKNOWN),
        ("PyTorch", "2.12", None, Authority.ANALYST),
        ("PyTorch", "2.8", None, Authority.OFFICIAL),
        ("pytorch", "2.9", date(2025, 10, 15), Authority.UNKNOWN),
    ]


def who(text: str, name: str = "page.md", hints: Hints | None = None) -> Identity:
    return ingest_text(text, name=name, hints=hints).identity


FRONT = "---\ntitle: Announcing Foo 3.0\nproduct: Fooish\nversion: 3.0.1\ndate: 2022-07-23\nurl: https://example.org/a\n---\n\nText.\n"


def test_front_matter_wins_over_the_title() -> None:
    identity = who(FRONT.replace("Text.", CHANGELOG.format("Gizmo Changelog")))
    assert identity.product == "Fooish"
    identity = who(FRONT.replace("/a", "").replace("https://", "https://me:sec@ret@"))
    assert identity.url == "https://example.org", "without user and password"
    identity = who(FRONT)
    assert told(identity)[:3] == ("Fooish", "3.0.1", date(2022, 7, 23))
    assert (identity.title, identity.url) == ("Announcing Foo 3.0", "https://example.org/a")


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "ftp://example.org/a", "https://", "//example.org/a", "example.org",
     "https://example.org/" + "x" * 3_000, "https://exa mple.org", "https://[half"],
)  # fmt: skip
def test_only_web_addresses_are_kept(url: str) -> None:
    assert who(f"---\ntitle: Foo 1.0\nurl: '{url}'\n---\n\nText.\n").url is None
    assert who(f":url: {url}\n\nFoo\n===\n\nText of it.\n", "a.rst").url is None
    page = f"<html><head><link rel='canonical' href='{url}'></head><body><main><h1>Foo 1.0</h1><p>Text.</p></main>"
    assert who(page, "a.html").url is None


def test_no_name_is_longer_than_anyone_writes_whoever_states_it() -> None:
    long = "y" * 100_000
    parsed = parse_blocks("a.html", f"<body><main><h1>{long}</h1><p>A lid.</p></main></body>".encode())
    for hints in (Hints(product=long), Hints(title=long), Hints(folder=long), Hints()):
        identity = identify(parsed, source="a.html", hints=hints, otherwise=long)
        assert (identity.title, identity.product, identity.aliases) == ("y" * 500, "unknown", ())
    assert who("# Foo 1.0\n\nText.\n", hints=Hints(product=long)).product == "Foo"


def test_hints_win_over_everything() -> None:
    hints = Hints(
        product="Bar", aliases=("b",), version=Version.parse("9"), title="T", url="https://example.org/b",
        day=date(2020, 1, 1), authority=Authority.DIGEST, folder="foo",
    )  # fmt: skip
    identity = who(FRONT, hints=hints)
    assert told(identity) == ("Bar", "9", date(2020, 1, 1), Authority.DIGEST)
    assert (identity.title, identity.url, identity.aliases) == ("T", "https://example.org/b", ("b", "foo"))


@pytest.mark.parametrize(
    ("name", "text", "folder", "expected"),
    [
        pytest.param("4.2.txt", "Text of it.", "django", ("django", "4.2", None), id="folder and file name"),
        pytest.param("2025-04-23-pytorch-2-7.md", "# Release\n\nText.", "pytorch",
                     ("pytorch", "2.7", date(2025, 4, 23)), id="post"),
        pytest.param("a.md", "# Foo 1.2 release notes\n\n*May 3, 2024*\n", None, ("Foo", "1.2", date(2024, 5, 3)),
                     id="title"),
        pytest.param("1.3.md", "# Foo 1.2\n\nText.", None, ("Foo", "1.2", None), id="title before the file's name"),
        pytest.param("a.md", "# What's New In Python 3.10\n\nText.", "cpython", ("Python", "3.10", None),
                     id="folder is alias"),
        pytest.param("a.md", "# django 4.2\n\nText.", "Django", ("django", "4.2", None), id="the text's spelling"),
        pytest.param("gizmo/v1.4/a.md", "# Queue\n\nText.", "gizmo", ("gizmo", "1.4", None), id="folder of a version"),
        pytest.param("v1.4/a.md", "# Queue\n\nText.", "v1.4", ("unknown", "1.4", None), id="which is no product"),
        pytest.param("gizmo-1.4/a.md", "# Queue\n\nText.", "gizmo-1.4", ("gizmo", "1.4", None), id="with a name"),
        pytest.param("gizmo docs/a.md", "# Queue\n\nText.", "gizmo docs", ("gizmo", None, None), id="common words"),
        pytest.param(
            "CHANGELOG-3.8.md",
            "Older change logs can be found at [CHANGELOG-3.7](https://example.org/3.7).\n\n## 3.8.0\n\n- A lid.\n",
            "gizmo",
            ("gizmo", "3.8", None),
            id="a line about older releases is no title of this one",
        ),
        pytest.param("a.md", "# Hello\n\nToday Foo 1.2 came out.", None, ("Foo", "1.2", None), id="opening"),
        pytest.param("a.md", "# Deprecations\n\nGone in Foo 2.0.", None, ("Foo", None, None),
                     id="a guide's opening is a plan"),
        pytest.param("a.md", "# Hello\n\nFrom USA 10.1371/journal on.", None, ("unknown", None, None), id="a DOI"),
        pytest.param("a.md", "# Hello\n\nNothing is said here.", None, ("unknown", None, None), id="nobody says"),
        pytest.param("CHANGELOG.md", "# Changelog\n\n## 1.1\n\n- Support for Python 3.14\n\n## 1.0\n\n- First\n", None,
                     ("unknown", None, None), id="a changelog's entries name no product"),
        pytest.param("NEWS.md", "# Foo 1.1\n\n- Support for Python 3.14\n\n# Foo 1.0 (2024-01-01)\n\n- First\n", None,
                     ("Foo", None, None), id="its headings do"),
        pytest.param("v2-9.md", "# Version 2.9 release notes\n\n- First\n", "release-notes",
                     ("unknown", "2.9", None), id="nor does a folder that is called as every project's are"),
    ],
)  # fmt: skip
def test_product_version_and_date(
    name: str, text: str, folder: str | None, expected: tuple[str, str | None, date | None]
) -> None:
    assert told(who(text, name, Hints(folder=folder)))[:3] == expected


CHANGELOG = "# {}\n\n## 1.2.0\n\n- x\n\n## 1.1.0\n\n- y\n"


@pytest.mark.parametrize(
    ("name", "text", "authority"),
    [
        ("BREAKING_CHANGES.md", "## 1.0\n\n- x\n", Authority.OFFICIAL),
        ("0.14.x.md", "# 0.14.x\n\n## 0.14.1\n\n- x\n\n## 0.14.0\n\n- y\n", Authority.OFFICIAL),
        ("docs/guide/move.md", "# Foo 2.0\n\nTurn the lid.\n", Authority.PROJECT),
        ("changelog/upgrading.md", "# Foo 2.0\n\nTurn the lid.\n", Authority.PROJECT),
        ("post.md", "# Foo 2.0\n\nWe are excited to announce Foo 2.0.\n", Authority.OFFICIAL),
        ("a.txt", "Foo 2.0 matters\n\nIt does.\n\nOur analyst's view: it will be used by many.\n", Authority.ANALYST),
        ("a.txt", "Foo 2.0\n\n- Analyst role: can edit.\n\nThe analyst view is faster.\n", Authority.UNKNOWN),
        ("a.txt", "The Foo Foundation released Foo 2.0 on Wednesday.\n", Authority.UNKNOWN),
    ],
)  # fmt: skip
def test_who_speaks(name: str, text: str, authority: Authority) -> None:
    assert who(text, name).authority is authority
