"""What is killed: `relnotes backup`, which must not leave what passes for a whole copy."""

import shutil
from pathlib import Path

from corpus.errors import RelnotesError
from evals.lab.reliability.fault_operations import Operation
from evals.lab.reliability.fault_place import IndexState, is_sound, put, read_state

_NONE = "no copy"


class Backup(Operation):
    """A copy of a sound index, to a folder that isn't there: it is there whole, or not at all."""

    @property
    def words(self) -> list[str | Path]:
        """What is run."""
        return ["backup", self._copy, "--index", self._index]

    @property
    def _copy(self) -> Path:
        return self._root / "copies" / "monday"

    def _prepare(self) -> None:
        self._ingest_afresh()
        (self._index / "uploads").mkdir(exist_ok=True)
        (self._index / "uploads" / "sources.toml").write_text("", "utf-8")
        put(self._index, self._before)
        self._copied = read_state(self._index)

    def _put_back(self) -> None:
        super()._put_back()
        shutil.rmtree(self._copy.parent, ignore_errors=True)

    def _look(self) -> IndexState | list[str] | str:
        if not self._copy.exists():
            return _NONE
        try:
            state = read_state(self._copy)
            is_whole = is_sound(self._copy) and (self._copy / "uploads" / "sources.toml").is_file()
        except (RelnotesError, ValueError, OSError) as error:
            return f"wrong: {error}"
        return state if is_whole else "looks whole, and isn't"

    def _finish(self) -> list[str]:
        """Back up once more to the same place, where there is nothing; a line for each thing that is wrong then."""
        faults = [] if read_state(self._index) == self._copied else ["the index itself is another one"]
        if not self._copy.exists() and (ended := self._cli.run(self.words)).status:
            faults.append(f"the next run ended with {ended.status}: {ended.err}")
        left = sorted(path.name for path in self._copy.parent.iterdir() if path != self._copy)
        return [*faults, *([f"the next run left {', '.join(left)}"] if left else [])]
