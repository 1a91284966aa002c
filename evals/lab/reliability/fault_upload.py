"""What is killed: a server at work on a file that it was given over the page, in place of one that it keeps."""

from pathlib import Path

from corpus.errors import UsageError
from evals.lab.reliability.fault_operations import Operation
from evals.lab.reliability.fault_place import IndexState, changelog, is_sound, litter, put, read_state
from ingest.releases.identity import Hints
from ingest.sources.files import list_sources

_UPLOADS, _NAME = "uploads", "given/CHANGELOG.md"
_KEPT = Path(_UPLOADS, _NAME)
_VERSIONS = ("1.0", "2.0")
"""What is said of the file that is kept, and of the one that is given in its place."""


class GivenFile(Operation):
    """The file's way from `Uploads.take_in` to the end of its ingest, in a process with the server's library."""

    @property
    def words(self) -> list[str | Path]:
        """What is run."""
        return self._words(_VERSIONS[1])

    def _words(self, version: str) -> list[str | Path]:
        return ["add-upload", self._index, "CHANGELOG.md", self._given, version]

    @property
    def _given(self) -> Path:
        return self._root / "given.md"

    def _prepare(self) -> None:
        self._ingest_afresh()
        self._editions = tuple(changelog("Given", minors) for minors in (5, 9))
        self._given.write_text(self._editions[0], "utf-8")
        self._run_well(*self._words(_VERSIONS[0]))
        put(self._index, self._before)
        self._given.write_text(self._editions[1], "utf-8")

    def _look(self) -> IndexState | list[str] | str:
        try:
            kept = (self._index / _KEPT).read_text("utf-8")
            said = self._said_version()
            state = read_state(self._index)
        except (UsageError, ValueError, OSError) as error:
            return f"wrong: {error}"
        if kept not in self._editions:
            return f"{_KEPT} is of neither edition"
        meant = _VERSIONS[self._editions.index(kept)]
        return state if said == meant else f"{_KEPT} holds {meant} and is said to be {said}"

    def _said_version(self) -> str:
        """The version of the kept file by its description, as the next ingest reads it."""
        listing = list_sources(str(self._index / _UPLOADS), flags=Hints())
        return next(str(one.hints.version) for one in listing.sources if one.name == _NAME)

    def _finish(self) -> list[str]:
        """Start the server anew, which clears what is left; then the file is given once more."""
        started = self._cli.run(["start-library", self._index])
        lying = {str(path.relative_to(self._index)) for path in (self._index / "uploads").rglob("*") if path.is_file()}
        left = lying - {str(_KEPT), "uploads/sources.toml", "uploads/.incoming.lock"}
        again = self._cli.run(self.words)
        left |= {*litter(self._index)}
        return [
            *(f"the next run ended with {one.status}: {one.err}" for one in (started, again) if one.status),
            *([f"the next start left {', '.join(sorted(left))}"] if left else []),
            *([] if is_sound(self._index) else ["the next run left an index that isn't sound"]),
        ]
