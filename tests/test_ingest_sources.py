"""Files, folders and `sources.toml`: what is listed, what is known of it, what is refused and why."""

import hashlib
import os
from datetime import date
from pathlib import Path

import pytest
from case_files import read_rows
from ui_small_index import write_notes

from corpus.errors import SourceError, UsageError
from corpus.model import Authority
from corpus.versions import Version
from ingest.releases.identity import Hints
from ingest.sources.files import Source, SourceListing, list_sources, read_source
from ingest.sources.includes import included_paths


def listing(root: Path, flags: Hints | None = None) -> SourceListing:
    return list_sources(str(root), flags=flags or Hints())


def hints_of(root: Path, name: str, flags: Hints | None = None) -> Hints:
    return next(source.hints for source in listing(root, flags).sources if source.name == name)


def test_a_folder_is_listed_by_name_with_its_first_folder_as_product(tmp_path: Path) -> None:
    write_notes(tmp_path, {name: name for name in ("django/4.2.txt", "b.md", "django/docs/a.rst")})
    found = listing(tmp_path)
    assert [(source.name, source.hints.folder) for source in found.sources] == [
        ("b.md", None),
        ("django/4.2.txt", "django"),
        ("django/docs/a.rst", "django"),
    ]
    assert found.is_folder
    assert {source.root for source in found.sources} == {str(tmp_path.resolve())}


@pytest.mark.parametrize(("names", "folders"), read_rows("ingest-packages-beside-each-other-are-products", list))
def test_packages_beside_each_other_are_products(tmp_path: Path, names: list[str], folders: list[str | None]) -> None:
    write_notes(tmp_path, {name: name for name in names})
    assert [source.hints.folder for source in listing(tmp_path).sources] == folders


@pytest.mark.parametrize("spelling", ["{0}", "{0}/", "{0}/.", "{0}/sub/.."])
def test_a_folder_is_one_root_however_it_is_spelled(tmp_path: Path, spelling: str) -> None:
    write_notes(tmp_path, {"a.md": "x", "sub/b.md": "x"})
    assert list_sources(spelling.format(tmp_path), flags=Hints()) == listing(tmp_path)


def test_a_path_that_leads_nowhere_is_a_wrong_request(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"No file or folder .*none.*Check the path"):
        listing(tmp_path / "none")
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UsageError):
        listing(tmp_path / "loop")


@pytest.mark.parametrize(
    "name", "CHANGELOG NEWS 00-RELEASENOTES notes.2 a.adoc a.HTML CHANGES.1.2 NEWS-1.x NEWS.old relnotes.rdoc".split()
)
def test_documents_by_name(tmp_path: Path, name: str) -> None:
    write_notes(tmp_path, {name: "x"})
    assert [source.name for source in listing(tmp_path).sources] == [name]


@pytest.mark.parametrize(
    "name", "SOURCES.tsv release.json a.py logo.png release.yaml release.go release.m4 x.mts".split()
)
def test_what_is_no_document_is_skipped_with_its_reason(tmp_path: Path, name: str) -> None:
    write_notes(tmp_path, {name: "x"})
    found = listing(tmp_path)
    assert found.sources == ()
    assert [(one.source, one.reason) for one in found.skipped] == [
        (name, f"{Path(name).suffix} files are not documents")
    ]


def test_a_spec_is_a_document_where_it_has_a_log(tmp_path: Path) -> None:
    logged = "Name: kettle\n\n%changelog\n* Tue Jan 09 2024 Jane Doe <jane@example.org> - 1.2-3\n- A lid.\n"
    none = {"auto.spec": "%changelog\n%autochangelog\n", "app.spec": "a = Analysis([])"}
    write_notes(tmp_path, {"kettle.spec": logged, **none})
    found = listing(tmp_path)
    assert [source.name for source in found.sources] == ["kettle.spec"]
    assert [one.source for one in found.skipped] == ["app.spec", "auto.spec"]


def test_links_are_followed_inside_the_folder_only(tmp_path: Path) -> None:
    write_notes(tmp_path, {"outside/secret.md": "x", "root/a.md": "x", "root/sub/b.md": "y"})
    root = tmp_path / "root"
    (root / "inside.md").symlink_to(root / "a.md")
    (root / "out.md").symlink_to(tmp_path / "outside/secret.md")
    (root / "outfolder").symlink_to(tmp_path / "outside")
    (root / "subfolder").symlink_to(root / "sub")
    (root / "loop.md").symlink_to("loop.md")
    found = listing(root)
    assert [source.name for source in found.sources] == ["a.md", "inside.md", "sub/b.md"]
    assert [(one.source, one.error) for one in found.failed] == [
        ("loop.md", "is a link to itself; remove it"),
        ("out.md", "is a link out of the folder; ingest its target instead"),
        ("outfolder", "is a link out of the folder; ingest its target instead"),
        ("subfolder", "is a link to a folder; ingest its target instead"),
    ]


def test_hidden_files_and_an_index_are_no_part_of_the_notes(tmp_path: Path) -> None:
    write_notes(tmp_path, {".git/a.md": "x", ".hidden.md": "x", "__pycache__/a.md": "x", "a.md": "x",
                     "ix/relnotes.sqlite": "x", "ix/notes.md": "x", "ix/lexical/b.txt": "x",
                     "ix/sources.toml": "wrong ["})  # fmt: skip
    found = listing(tmp_path)
    assert [source.name for source in found.sources] == ["a.md"]
    assert (found.skipped, found.failed) == ((), ())


# sources.toml

ALL_KEYS = """
[[document]]
path = "4.2*.txt"
product = "Django"
aliases = ["dj", "the web framework"]
version = "4.2"
title = "Django 4.2"
url = "https://example.org/4.2"
date = 2023-04-03
authority = "official"

[[document]]
path = "*.txt"
product = "Other"
"""


def test_every_key_reaches_the_hints_the_first_match_wins_and_flags_go_before(tmp_path: Path) -> None:
    write_notes(tmp_path, {"sources.toml": ALL_KEYS, "4.2.1.txt": "x", "5.0.txt": "x"})
    assert hints_of(tmp_path, "4.2.1.txt") == Hints(
        product="Django",
        aliases=("dj", "the web framework"),
        version=Version.parse("4.2"),
        title="Django 4.2",
        url="https://example.org/4.2",
        day=date(2023, 4, 3),
        authority=Authority.OFFICIAL,
    )
    assert hints_of(tmp_path, "5.0.txt") == Hints(product="Other")
    flags = Hints(product="Mine", version=Version.parse("9"), authority=Authority.NEWS)
    hints = hints_of(tmp_path, "4.2.1.txt", flags)
    assert (hints.product, hints.version, hints.authority) == ("Mine", Version.parse("9"), Authority.NEWS)
    assert hints.title == "Django 4.2"


def test_the_nearest_file_wins_whatever_the_folders_are_called(tmp_path: Path) -> None:
    nested = '[[document]]\npath = "*.md"\nproduct = "Near"\n'
    outer = '[[document]]\npath = "*.md"\nproduct = "Far"\n'
    write_notes(tmp_path, {"sources.toml": outer, "a/sources.toml": nested, "a/x.md": "x", "z/sources.toml": nested,
                     "z/x.md": "x", "m/x.md": "x"})  # fmt: skip
    assert [hints_of(tmp_path, f"{folder}/x.md").product for folder in "amz"] == ["Near", "Far", "Near"]


LONG = "x" * 100_000


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        *read_rows("ingest-a-wrong-entry-is-a-clear-error"),
        pytest.param(f"path = 'a.md'\nurl = 'https://example.org/{'x' * 3_000}'", "must be at most 2,048 characters"),
        pytest.param(f"path = 'a.md'\naliases = ['y', '{LONG}']", "has one, 'xxxx"),
        pytest.param(f"path = 'a.md'\nproduct = '{LONG}'", "x… is over 200 characters long"),
        pytest.param(f"path = 'a.md'\ntitle = '{LONG}'", "must be at most 500 characters"),
        pytest.param(f"path = '{LONG}'", "must be at most 1,000 characters"),
        pytest.param(f"path = '{LONG[:999]}*'", "x… matches no file"),
    ],
)
def test_a_wrong_entry_is_a_clear_error(tmp_path: Path, entry: str, message: str) -> None:
    write_notes(tmp_path, {"sources.toml": f"[[document]]\n{entry}\n", "a.md": "x"})
    with pytest.raises(UsageError) as caught:
        listing(tmp_path)
    told = str(caught.value).replace(str(tmp_path), "")
    assert all(part in told for part in (message, "document 1", "sources.toml"))
    assert len(told) < 500
    assert "pw" not in told


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("".join(f"[[document]]\nx{number} = 1\n" for number in range(5_000)), "and 9,950 more"),
        (f"{'.'.join('a' * 8_000)} = 1", "a key has more than 50 parts"),
    ],
    ids=["many faults", "an endless key"],
)
def test_a_hostile_file_is_told_in_few_words(tmp_path: Path, text: str, message: str) -> None:
    write_notes(tmp_path, {"sources.toml": text, "a.md": "x"})
    with pytest.raises(UsageError, match=message) as caught:
        listing(tmp_path)
    assert len(str(caught.value)) < 10_000


@pytest.mark.parametrize(
    "text",
    ["[[document", "document = 3", "[other]\nx = 1", "[document]\npath = 'a.md'", "x = " + "[" * 5000, f"[[{LONG}]]"],
)
def test_a_file_that_is_no_description_is_a_clear_error(tmp_path: Path, text: str) -> None:
    write_notes(tmp_path, {"sources.toml": text, "a.md": "x"})
    with pytest.raises(UsageError, match=r"sources\.toml") as caught:
        listing(tmp_path)
    assert len(str(caught.value)) < 500


def test_a_huge_description_is_refused_before_it_is_parsed(tmp_path: Path) -> None:
    write_notes(tmp_path, {"sources.toml": '[[document]]\npath = "a.md"\n'.ljust(1024 * 1024, "#"), "a.md": "x"})
    assert listing(tmp_path).sources
    write_notes(tmp_path, {"sources.toml": "#" * (1024 * 1024 + 1)})
    for argument in (tmp_path, tmp_path / "a.md"):
        with pytest.raises(UsageError, match=r"sources\.toml' is over the limit of 1 MiB"):
            listing(argument)


def test_a_description_that_leads_out_of_the_folder_is_not_followed(tmp_path: Path) -> None:
    write_notes(tmp_path, {"secret.toml": ALL_KEYS, "root/4.2.txt": "x", "root/5.0.txt": "x"})
    (tmp_path / "root/sources.toml").symlink_to(tmp_path / "secret.toml")
    for argument in (tmp_path / "root", tmp_path / "root/4.2.txt"):
        with pytest.raises(UsageError, match=r"sources\.toml' is a link out of the folder"):
            listing(argument)


# reading


def source_at(path: Path) -> Source:
    return Source(path, str(path.parent), path.name, Hints())


def test_a_huge_file_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (tmp_path / "a.md").open("wb") as file:
        file.truncate(200_000_000)
    monkeypatch.setattr(Path, "open", lambda *_, **__: pytest.fail("opened"))
    with pytest.raises(SourceError, match=r"191 MiB, over the limit of 32 MiB"):
        read_source(source_at(tmp_path / "a.md"))


@pytest.mark.parametrize("gone", ["gone.md", "root/gone.md"])
def test_a_dangling_link_is_called_what_it_is(tmp_path: Path, gone: str) -> None:
    write_notes(tmp_path, {"root/a.md": "x"})
    (tmp_path / "root/out.md").symlink_to(tmp_path / gone)
    found = listing(tmp_path / "root")
    assert [source.name for source in found.sources] == ["a.md"]
    assert [(one.source, one.error) for one in found.failed] == [
        ("out.md", "is a link to something that isn't there; mend or remove it")
    ]
    with pytest.raises(UsageError, match="is a link to something that isn't there"):
        listing(tmp_path / "root/out.md")


def test_a_pipe_or_device_given_itself_is_a_wrong_request(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    end, other = os.pipe()
    try:
        for given in (tmp_path / "pipe", Path(os.devnull), Path(f"/dev/fd/{end}")):
            with pytest.raises(UsageError, match="is a pipe or a device, not a regular file"):
                listing(given)
    finally:
        os.close(end)
        os.close(other)


def test_a_pipe_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.md")
    (source,) = listing(tmp_path).sources
    with pytest.raises(SourceError, match="not a regular file"):
        read_source(source)


def test_a_file_name_forges_neither_a_source_nor_a_line(tmp_path: Path) -> None:
    write_notes(tmp_path, {"a\nfailed b.md": "x", "c\x1b[2J\r.md": "x", "d\n.exe": "x"})
    told = listing(tmp_path)
    assert [one.name for one in told.sources] == ["a␊failed b.md", "c␛[2J␍.md"]
    assert [one.source for one in told.skipped] == ["d␊.exe"]
    assert [one.name for one in listing(tmp_path / "a\nfailed b.md").sources] == ["a␊failed b.md"]


def test_an_entry_with_a_digest_is_of_that_content_alone(tmp_path: Path) -> None:
    of = {version: hashlib.sha256(f"as of {version}".encode()).hexdigest() for version in ("1.0", "2.0")}
    entries = "".join(
        f'[[document]]\npath = "*.txt"\nversion = "{version}"\nsha256 = "{one}"\n' for version, one in of.items()
    )
    write_notes(tmp_path, {"sources.toml": entries, "a.txt": "as of 2.0", "b.txt": "as of 1.0", "c.txt": "as of 3.0"})
    assert hints_of(tmp_path, "a.txt") == Hints(version=Version.parse("2.0"))
    assert hints_of(tmp_path, "b.txt") == Hints(version=Version.parse("1.0"))
    assert hints_of(tmp_path, "c.txt") == Hints()


@pytest.mark.parametrize(("text", "paths"), read_rows("ingest-a-page-that-only-includes"))
def test_a_page_that_only_includes_another_file(text: str, paths: tuple[str, ...]) -> None:
    assert included_paths(text.replace("\n", "\r\n").encode()) == included_paths(text.encode()) == paths


def test_a_page_that_only_includes_stands_for_its_file(tmp_path: Path) -> None:
    page = "Changes\n=======\n\n.. include:: {}\n"
    write_notes(tmp_path, {"CHANGES.inc": "1.0\n===\n\n- A\n", "docs/changes.rst": page.format("../CHANGES.inc")})
    write_notes(tmp_path, {"docs/gone.rst": page.format("../NEWS.rst"), "docs/out.rst": page.format("../../NEWS")})
    found = listing(tmp_path)
    assert [source.name for source in found.sources] == ["CHANGES.inc"]
    assert [(one.source, one.reason) for one in found.skipped] == [
        ("docs/changes.rst", "only includes CHANGES.inc, which is read"),
        ("docs/gone.rst", "only includes NEWS.rst, which the folder doesn't have"),
        ("docs/out.rst", "only includes ../NEWS, which the folder doesn't have"),
    ]
    (alone,) = listing(tmp_path / "docs" / "changes.rst").sources
    with pytest.raises(SourceError, match=r"only includes \.\./CHANGES\.inc; give that file"):
        read_source(alone)
