"""The page for users of the library shows what its code prints, run over the bundled documents."""

import re
import sys
from pathlib import Path

import pytest

from ui import relnotes

REPOSITORY = Path(__file__).parents[1]
BLOCKS = re.findall(
    r"^```python\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?",
    (REPOSITORY / "docs" / "contract.md").read_text(encoding="utf-8"),
    re.MULTILINE | re.DOTALL,
)


@pytest.mark.usefixtures("opened_once")
def test_the_code_of_the_page_prints_what_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "corpus").mkdir()
    (tmp_path / "corpus" / "documents").symlink_to(REPOSITORY / "corpus" / "documents")
    monkeypatch.chdir(tmp_path)
    # The wheel installs it under this name.
    monkeypatch.setitem(sys.modules, "relnotes", relnotes)
    asking, *others = BLOCKS
    names: dict[str, object] = {}
    # The page shows first what one asks for, and then how to get there.
    for code, shown in (others[0], asking, *others[1:]):
        exec(code, names)
        assert capsys.readouterr().out == shown
