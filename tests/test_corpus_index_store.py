"""What a reader of the index sees: one committed state, whatever others do to the files meanwhile."""

import dataclasses
import threading
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from small_corpus import RICH, STAMP, commit, parsed, read_everything

import corpus.index.reader
from corpus.errors import IndexCorrupt, IndexNotFound
from corpus.index.commit import remove_documents
from corpus.index.derived import open_derived
from corpus.index.layout import DATABASE_NAME
from corpus.index.reader import IndexReader
from corpus.model import NOBODY, Authority, Kind, Span


def files(index: Path) -> set[str]:
    return {path.name for path in index.iterdir()}


@pytest.fixture
def index(tmp_path: Path) -> Path:
    path = tmp_path / "index"
    commit(path, parsed("Old words here.\n\nMore of them.", source="a.md"), parsed("Another page.", source="b.md"))
    return path


def test_what_is_committed_is_read_back(tmp_path: Path) -> None:
    commit(tmp_path, RICH)
    with IndexReader.open(tmp_path, model=STAMP) as reader:
        (document,) = reader.documents
        assert document.source == "lib/changes.md"
        stored = {field.name: getattr(document, field.name) for field in dataclasses.fields(document)}
        given = {field.name: getattr(RICH.document, field.name) for field in dataclasses.fields(RICH.document)}
        del given["text"]
        counted = {"id": document.id, "releases": 2, "passages": 2, "synced_at": None, "is_contested": False}
        assert stored == {**given, "version": "2.0", "speaker": NOBODY, **counted}
        assert reader.document_text(document.id) == RICH.document.text
        assert reader.document_releases(document.id) == RICH.releases
        loaded = reader.load_passages(range(2))
        assert [one.position for one in loaded] == [0, 1]
        assert [(str(one.release), one.release_date) for one in loaded] == [("2.0", date(2025, 3, 2)), ("1.9", None)]
        for one, passage in zip(loaded, RICH.passages, strict=True):
            assert one.document == document
            same = ("span", "heading", "kind", "items", "symbols", "references", "versions", "boilerplate")
            assert [getattr(one, name) for name in same] == [getattr(passage, name) for name in same]


def test_passage_table_lines_up_with_the_passages(tmp_path: Path) -> None:
    commit(tmp_path, RICH, parsed("One.\nTwo.\nThree.", product="Zed", version="0.1"))
    with IndexReader.open(tmp_path) as reader:
        table = reader.passages
        assert table.item_offsets.tolist() == [0, 2, 2, 5]
        assert [reader.products[position].name for position in table.products] == ["Lib", "Lib", "Zed"]
        assert [str(table.version_of(position)) for position in range(3)] == ["2.0", "1.9", "0.1"]
        assert [tuple(Kind)[code] for code in table.kind_codes] == [Kind.FEATURE, Kind.REMOVAL, Kind.OTHER]
        assert table.authority_weights.tolist() == [
            one.weight for one in (Authority.PROJECT, Authority.PROJECT, Authority.OFFICIAL)
        ]
        assert table.boilerplate.tolist() == [False, True, False]
        assert [one.position for one in reader.load_passages([2, 0, 2])] == [2, 0, 2]


def test_reader_keeps_its_state_while_others_commit_and_sweep(index: Path) -> None:
    with IndexReader.open(index) as old:
        before = files(index)
        kept = [one.id for one in old.documents if one.source == "b.md"]
        remove_documents(index, every=True)
        commit(index, parsed("New words only.", source="new.md"))
        named = {old.manifest.vectors_file, old.manifest.lexical_folder, old.manifest.columns_folder}
        assert not before & files(index) & named
        # Nothing of this was read before the commits.
        assert [one.source for one in old.documents] == ["a.md", "b.md"]
        assert old.document_text(kept[0]) == "Another page."
        assert [one.span for one in old.load_passages([0, 1, 2])] == [Span(0, 15), Span(17, 30), Span(0, 13)]
        assert old.lexical.document_frequency("old") == 1
        assert old.store.vectors.searched.ntotal == 3
        assert old.check_database() == ()
        with IndexReader.open(index) as new:
            assert [one.source for one in new.documents] == ["new.md"]
            assert new.manifest.generation == 3


def test_threads_share_a_reader(tmp_path: Path) -> None:
    commit(tmp_path, *(parsed(f"Page {number}.", source=f"{number}.md") for number in range(30)))
    wrong: list[str] = []
    with IndexReader.open(tmp_path) as reader:

        def read() -> None:
            for one in reader.load_passages(range(30)):
                if one.span.slice(reader.document_text(one.document.id)) != f"Page {one.document.source[:-3]}.":
                    wrong.append(one.document.source)

        threads = [threading.Thread(target=read) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert wrong == []


def test_opening_survives_commits_between_manifest_and_files_and_gives_up_when_they_never_end(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[int] = []
    most = 2

    def commit_then_open(path: Path, file: str, read: Callable[[Path], object]) -> object:
        if len(done) < most:
            done.append(len(done))
            commit(index, parsed("Late page.", source=f"late{len(done)}.md"))
        return open_derived(path, file, read)

    monkeypatch.setattr(corpus.index.reader, "open_derived", commit_then_open)
    with IndexReader.open(index) as reader:
        assert reader.manifest.generation == 3
        assert reader.store.vectors.searched.ntotal == 5
        assert len(reader.documents) == 4
    most = 99
    with pytest.raises(IndexCorrupt, match="missing"):
        IndexReader.open(index)
    assert len(done) == 2 + 5


def cut(path: Path, *, keep: float) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * keep)])


def garble_pages(path: Path) -> None:
    """Damage every page but the first: SQLite opens such a file, and trips later."""
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\x05\xaa" * ((len(data) - 4096) // 2))


DAMAGE: list[tuple[str, Callable[[Path], object], str]] = [
    ("database cut in half", lambda index: cut(index / DATABASE_NAME, keep=0.5), "malformed"),
    ("database cut to a stump", lambda index: cut(index / DATABASE_NAME, keep=0.002), "damaged"),
    ("database garbled", lambda index: garble_pages(index / DATABASE_NAME), "malformed"),
    ("no database", lambda index: (index / DATABASE_NAME).write_bytes(b"text " * 999), "not a database"),
]


@pytest.mark.parametrize(("damage", "words"), [row[1:] for row in DAMAGE], ids=[row[0] for row in DAMAGE])
def test_damage_is_one_line_with_the_next_step(index: Path, damage: Callable[[Path], object], words: str) -> None:
    damage(index)
    with pytest.raises(IndexCorrupt) as caught:
        read_everything(index)
    message = str(caught.value)
    assert words in message
    assert "\n" not in message
    assert str(index) in message
    assert "`relnotes ingest --rebuild SOURCE...`" in message


def test_missing_index_says_how_to_make_one_and_is_not_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    for name in ("nowhere", "file"):
        with pytest.raises(IndexNotFound, match=r"No index at .*relnotes ingest"):
            IndexReader.open(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
