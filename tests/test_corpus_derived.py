"""The derived files: named by their content, checked against it when asked to, swept when no manifest names them."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from corpus.errors import IndexCorrupt
from corpus.index.derived import check_derived, open_derived, sweep, write_derived


def write_file(index: Path, content: bytes) -> str:
    return write_derived(index, lambda path: path.write_bytes(content) and None, prefix="vectors", suffix=".faiss")


def write_folder(index: Path, **contents: str) -> str:
    def write(folder: Path) -> None:
        for name, content in contents.items():
            (folder / name).write_text(content)

    return write_derived(index, write, prefix="lexical")


def read_folder(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def test_a_file_or_a_folder_is_named_by_the_digest_of_all_it_holds(tmp_path: Path) -> None:
    file = write_file(tmp_path, b"rows")
    assert file == write_file(tmp_path, b"rows")
    assert file == f"vectors-{hashlib.sha256(b'rows').hexdigest()[:16]}.faiss"
    assert open_derived(tmp_path, file, Path.read_bytes) == b"rows"
    file = write_folder(tmp_path, a="one", b="two")
    assert re.fullmatch(r"lexical-[0-9a-f]{16}", file)
    assert open_derived(tmp_path, file, read_folder) == {"a": "one", "b": "two"}
    assert file == write_folder(tmp_path, a="one", b="two")
    assert len({path.name for path in tmp_path.iterdir()}) == 2
    others = [write_folder(tmp_path, a="two", b="one"), write_folder(tmp_path, a="onetwo"), write_folder(tmp_path)]
    assert len({file, *others}) == 4


DAMAGE: dict[str, Callable[[Path], object]] = {
    "a byte turned": lambda path: path.write_bytes(bytes([path.read_bytes()[0] ^ 1]) + path.read_bytes()[1:]),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:-1]),
    "longer": lambda path: path.write_bytes(path.read_bytes() + b"more"),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("is_folder", [True, False], ids=["folder", "file"])
@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_was_altered_is_found_and_mended_by_writing_it_again(
    tmp_path: Path, damage: Callable[[Path], object], is_folder: bool
) -> None:
    def write() -> str:
        return write_folder(tmp_path, a="one", b="two") if is_folder else write_file(tmp_path, b"rows")

    read: Callable[[Path], object] = read_folder if is_folder else Path.read_bytes
    file = write()
    damage(tmp_path / file / "b" if is_folder else tmp_path / file)
    assert re.search("match its checksum" if is_folder else "can't be read|match", check_derived(tmp_path, file) or "")
    assert write() == file
    assert open_derived(tmp_path, file, read) == ({"a": "one", "b": "two"} if is_folder else b"rows")
    assert check_derived(tmp_path, file) is None


def test_a_further_file_in_a_folder_is_found_and_a_link_refused_unread_but_not_what_a_file_manager_leaves(
    tmp_path: Path,
) -> None:
    file = write_folder(tmp_path, a="one")
    folder = tmp_path / file
    (folder / ".DS_Store").write_text("windows")
    assert check_derived(tmp_path, file) is None
    (folder / "b").write_text("two")
    assert check_derived(tmp_path, file) == f"{file} doesn't match its checksum"
    (folder / "b").unlink()
    (folder / "b").symlink_to("/dev/zero")
    with pytest.raises(IndexCorrupt, match="more than plain files"):
        open_derived(tmp_path, file, read_folder)


def test_sweep_keeps_what_is_named_and_what_is_not_ours(tmp_path: Path) -> None:
    for folder in ("lexical-old", "lexical-new", "columns-old", "tmp-dead", "mine"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").touch()
    for name in ("vectors-old.faiss", "vectors-new.faiss", "relnotes.sqlite", "write.lock"):
        (tmp_path / name).touch()
    sweep(tmp_path, keep=("vectors-new.faiss", "lexical-new"))
    assert {path.name for path in tmp_path.iterdir()} == {
        "lexical-new",
        "mine",
        "vectors-new.faiss",
        "relnotes.sqlite",
        "write.lock",
    }
