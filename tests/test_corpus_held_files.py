"""Files that are held open: which changes to them are noticed."""

import os
import sys
from pathlib import Path

import pytest

from corpus.index.held_files import held_files


@pytest.mark.skipif(sys.platform == "win32", reason="the system keeps no time of the inode's change")
def test_a_write_of_the_same_size_is_noticed_whatever_its_time_is_set_to(tmp_path: Path) -> None:
    file = tmp_path / "ids.npy"
    file.write_bytes(b"before")
    look = file.stat()
    (held,) = held_files([tmp_path])
    assert not held.is_touched
    while file.stat().st_ctime_ns == look.st_ctime_ns:
        file.write_bytes(b"after.")
        os.utime(file, ns=(look.st_atime_ns, look.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (look.st_size, look.st_mtime_ns)
    assert held.is_touched


def test_a_file_that_was_replaced_or_removed_is_not_touched(tmp_path: Path) -> None:
    replaced, removed = tmp_path / "a", tmp_path / "b"
    for file in (replaced, removed):
        file.write_bytes(b"before")
    held = held_files([replaced, removed])
    (tmp_path / "c").write_bytes(b"other")
    (tmp_path / "c").replace(replaced)
    removed.unlink()
    assert not any(file.is_touched for file in held)
