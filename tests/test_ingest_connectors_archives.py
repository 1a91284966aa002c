"""Archives of packages: what is taken out of them, and that hostile ones do no harm."""

import bz2
import gzip
import lzma
import tarfile
from collections.abc import Callable
from functools import partial

import pytest
from case_files import read_rows
from package_server import bomb, link, tar_gz, zipped

from corpus.errors import SourceError
from ingest.sources.connectors.archives import MAX_FILE_BYTES, Member, read_package
from ingest.sources.connectors.changelog_files import choose_notes, is_notes_path, read_notes

Made = bytes | Callable[[], bytes]
"""Large ones are made when they are tried, not by every process that collects the tests."""
LOG = "# Changelog\n\n## 1.0\n\n- First.\n"


def stating(size: int, *, kind: bytes = tarfile.REGTYPE, pax: dict[str, str] | None = None) -> bytes:
    """A tar that is over after the header of a member of a stated size."""
    member = tarfile.TarInfo("x/CHANGELOG.md")
    member.size, member.type, member.pax_headers = size, kind, pax or {}
    return member.tobuf(format=tarfile.PAX_FORMAT if pax else tarfile.GNU_FORMAT)


def encrypted() -> bytes:
    """A zip whose only file says that it is encrypted."""
    content = bytearray(zipped({"a.md": LOG}))
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


def long_header() -> bytes:
    """A tar whose extended header is digits only."""
    info = tarfile.TarInfo("x")
    info.type, info.size = tarfile.XHDTYPE, 5_000_000
    return gzip.compress(info.tobuf() + b"1" * info.size + bytes(1024))


def everything(path: str) -> bool:
    return True


@pytest.mark.parametrize("pack", [tar_gz, zipped], ids=["tar.gz", "zip"])
def test_files_go_by_their_path_below_the_one_folder_that_all_lie_in(pack) -> None:  # type: ignore[no-untyped-def]
    content = pack({"x-1.0/CHANGELOG.md": LOG, "x-1.0/docs/a.md": "a", "./x-1.0/b.md": "b"})
    assert read_package(content, everything) == (
        Member("CHANGELOG.md", LOG.encode()), Member("docs/a.md", b"a"), Member("b.md", b"b"),
    )  # fmt: skip


@pytest.mark.parametrize("pack", [tar_gz, zipped], ids=["tar.gz", "zip"])
def test_what_lies_beside_a_packages_folder_hides_nothing_in_it(pack) -> None:  # type: ignore[no-untyped-def]
    content = pack({"._x-1.0": "of macOS", "x-1.0/CHANGELOG.md": LOG, "x-1.0/setup.py": "pass"})
    assert read_package(content, {"CHANGELOG.md"}.__contains__) == (Member("CHANGELOG.md", LOG.encode()),)
    # But in a wheel nothing is hidden, and files keep their folders.
    wheel = zipped({"x/CHANGELOG.md": LOG, "x-1.0.dist-info/METADATA": "Name: x"})
    paths = [one.path for one in read_package(wheel, everything)]
    assert paths == ["x/CHANGELOG.md", "x-1.0.dist-info/METADATA"]


@pytest.mark.parametrize(
    "name",
    ["../CHANGELOG.md", "/etc/CHANGELOG.md", "x/../../CHANGELOG.md", "..\\CHANGELOG.md", "C:/CHANGELOG.md", "x/\n.md"],
)
@pytest.mark.parametrize("pack", [tar_gz, zipped], ids=["tar.gz", "zip"])
def test_a_name_that_leads_out_of_the_archive_is_passed_over(pack, name: str) -> None:  # type: ignore[no-untyped-def]
    found = read_package(pack({name: LOG, "x/NEWS": "fine"}), everything)
    assert [one.path for one in found] == ["NEWS"]


@pytest.mark.parametrize(
    ("content", "error"),
    [
        pytest.param(partial(bomb, 600), "unfolds to more than", id="a tar bomb"),
        pytest.param(gzip.compress(stating(2**60)), "unfolds to more than 512 MiB", id="84 bytes that state 2^60"),
        pytest.param(bz2.compress(stating(2**60)), "unfolds to more than", id="the same as tar.bz2"),
        pytest.param(lzma.compress(stating(2**60)), "unfolds to more than", id="the same as tar.xz"),
        pytest.param(stating(2**60), "unfolds to more than", id="the same as tar"),
        pytest.param(stating(2**60, kind=tarfile.GNUTYPE_SPARSE), "unfolds to more than", id="the same with holes"),
        pytest.param(stating(2**60, kind=b"Z"), "unfolds to more than", id="the same of no known kind"),
        pytest.param(stating(0, pax={"size": str(2**62)}), "unfolds to more than", id="2^62 in an extended header"),
        pytest.param(b"PK\x03\x04" + b"PK\x01\x02" * 101, "more than 100,000 files", id="a zip of many"),
        pytest.param(tarfile.TarInfo("x").tobuf() * 101 + bytes(1024), "more than 100,000 files", id="a tar of many"),
        pytest.param(b"", "is no archive of a kind that is read", id="nothing"),
        pytest.param(b"hello" * 100, "is no archive of a kind that is read", id="text"),
        pytest.param(tar_gz({"x/NEWS": LOG * 9000})[:-30], "is a damaged archive", id="half of a tar"),
        pytest.param(zipped({"x/NEWS": LOG})[:-30], "is a damaged archive", id="half of a zip"),
        pytest.param(encrypted(), "is a damaged archive (RuntimeError)", id="encrypted"),
        pytest.param(long_header(), "is a damaged archive (ReadError)", id="a header that never ends"),
        pytest.param(lambda: zipped(dict.fromkeys("abcde", b"x" * 15 * 2**20)), "more than 64 MiB", id="many large"),
        pytest.param(b"\x1f\x8b" + bytes(100), "is a damaged archive", id="no gzip after all"),
        pytest.param(b"PK\x03\x04" + bytes(100), "is a damaged archive", id="no zip after all"),
    ],
)  # fmt: skip
def test_a_hostile_or_broken_archive_is_one_line(content: Made, error: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ingest.sources.connectors.archives.MAX_MEMBERS", 100)
    with pytest.raises(SourceError) as caught:
        read_package(content() if callable(content) else content, everything)
    assert error in str(caught.value)
    assert "\n" not in str(caught.value)


KINDS_OF_LINK = (tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE)


@pytest.mark.parametrize(
    "content",
    [
        lambda: zipped({"x/CHANGELOG.md": bytes(MAX_FILE_BYTES + 1), "x/NEWS": "fine"}),
        *(
            tar_gz({"x/CHANGELOG.md": link("x/CHANGELOG.md", "/etc/passwd", one), "x/NEWS": "fine"})
            for one in KINDS_OF_LINK
        ),
        zipped({"x/CHANGELOG.md": "a.md", "x/NEWS": "fine"}).replace(b"\0\0\x80\1", b"\0\0\x80\xa1", 1),
    ],
    ids=["a large file", "a link", "a hard link", "a pipe", "a character device", "a block device", "a zip's link"],
)
def test_what_is_no_file_of_notes_is_passed_over_and_the_others_are_read(content: Made) -> None:
    content = content() if callable(content) else content
    assert [one.path for one in read_package(content, is_notes_path)] == ["NEWS"]


NOTES = (
    "CHANGELOG.md CHANGELOG changelog.rst CHANGES.txt Changes HISTORY.rst NEWS NEWS.adoc RELEASES.md "
    "RELEASE-NOTES.txt release_notes.md CHANGELOG-1.x.md changelog_20.rst doc/en/changelog.rst "
    "docs/releases/4.2.txt doc/source/release/2.0.0-notes.rst doc/whatsnew/v1.5.0.rst History.rdoc NEWS.old "
    "doc/changes/0.1.rst docs/earlier/v2.0.md docs/release-4.1/changes.rst "
)
NO_NOTES = (
    "docs/releases/index.txt docs/releases/security.txt README.md changelog/_template.rst changelog/README.rst "
    "changelog.d/123.feature.md newsfragments/123.bugfix.rst src/changes.py tests/data/CHANGELOG.md "
    "node_modules/left-pad/CHANGELOG.md vendored-meson/docs/Release-notes-for-0.62.0.md "
    "pkg/_vendor/idna/HISTORY.rst .github/release-notes.md exchange.md newsletter.md a/b/c/d/e/f/CHANGELOG.md "
    "dist/changelog.mjs dist/changelog.d.mts src/history.js news.m4 api/releases.proto CHANGELOG.json changes.xml "
    "changelogs/changelog.yaml news.pdf src/Changelog.svelte subprojects/simd-14.2.0/Changelog.rst "
    "docs/zlib-1.2.3/CHANGES.md docs/Migration-Guide-V5.md docs/404.html "
    "third_party/z/NEWS.md external/z/NEWS deps/z/CHANGES vendor/z/CHANGES.md lib/zlib/ChangeLog.txt "
)


@pytest.mark.parametrize("path", (NOTES + NO_NOTES).split())
def test_notes_are_known_by_their_path(path: str) -> None:
    assert is_notes_path(path) is (path in NOTES.split())


@pytest.mark.parametrize(("files", "expected"), read_rows("ingest-the-changelog-is-chosen-first", list))
def test_the_changelog_is_chosen_before_what_points_to_it(files: dict[str, int], expected: list[str]) -> None:
    found = choose_notes([Member(path, (path * size)[:size].encode()) for path, size in files.items()])
    assert [one.path for one in found] == expected


@pytest.mark.parametrize(("files", "read", "remark"), read_rows("ingest-what-an-archive-has-is-told"))
def test_what_is_read_of_an_archive_and_what_looks_so_is_told(
    files: dict[str, str], read: tuple[str, ...], remark: str
) -> None:
    notes, told = read_notes(tar_gz({f"x-1.0/{path}": text for path, text in {"setup.py": "", **files}.items()}))
    assert ([one.path for one in notes], told) == ([*read], remark)
