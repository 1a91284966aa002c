"""What is killed: the commands that write to an index, each with the index it begins on and what may be there after."""

import json
import shutil
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import IndexCorrupt
from evals.lab.reliability.fault_place import IndexState, is_sound, litter, put, read_state, write_notes
from evals.lab.reliability.forked_cli import ForkedCli
from evals.lab.reliability.system_calls import Call, kill_at, list_calls

COMMANDS = ("ingest", "sync", "rebuild", "remove", "repair", "feedback")
_FULL_FEEDBACK = 400
"""Bytes of a feedback file to which no line can be added, so that it is put aside first."""


@dataclass(frozen=True, slots=True)
class KillOutcome:
    """What a kill left: the old state, the new one or neither, and a line for each thing that must not be."""

    state: str
    faults: tuple[str, ...]


class Operation:
    """One command on an index in its old state, with the calls it makes when it is let be."""

    def __init__(self, name: str, root: Path, cli: ForkedCli) -> None:
        self.name = name
        self._root, self._cli = root, cli
        self._notes, self._index, self._before = root / "notes", root / "index", root / f"before-{name}"
        self._prepare()
        self._old = self._look()
        process = cli.start(self.words)
        ended, self.calls = list_calls(process, cli.end, root / "trace")
        if ended.status:
            raise ValueError(f"{name} fails without being killed: {ended.err}")
        self._new = self._look()
        self._finish()
        self._last = self._look()

    @property
    def swap(self) -> tuple[Call, ...]:
        """The calls from the first derived file that gets its lasting name on: where one state becomes the other."""
        renamed = (place for place, one in enumerate(self.calls) if one.name.startswith("rename"))
        return self.calls[next(renamed, 0) :]

    def kill(self, call: Call) -> KillOutcome:
        """Run it on the old state, kill it at `call`, look at what is left, and run it again to its end."""
        self._put_back()
        ended = kill_at(self._cli.start(self.words), call, self._cli.end, self._root / "trace")
        faults = [] if ended.status == -9 else [f"wasn't killed: status {ended.status}, {ended.err}"]
        state = self._look()
        if state not in (self._old, self._new):
            faults.append(f"left neither state: {state}")
        faults += self._finish()
        last = [*state, "Later?"] if isinstance(state, list) else self._last
        if self._look() != last:
            faults.append("the next run didn't bring the state that it brings otherwise")
        name = "new" if state == self._new != self._old else "old" if state == self._old else "neither"
        return KillOutcome(name, tuple(f"{self.name} killed at {call.name} {call.number}: {one}" for one in faults))

    @property
    def words(self) -> list[str | Path]:
        """What is run."""
        words: dict[str, list[str | Path]] = {
            "ingest": ["ingest", self._notes, "--index", self._index],
            "sync": ["sync", "--prune", "--config", self._root / "relnotes.toml", "--index", self._index],
            "rebuild": ["ingest", "--rebuild", self._notes, "--index", self._index],
            "remove": ["docs", "remove", "--product", "Gone", "--index", self._index],
            "repair": ["repair", "--index", self._index],
            "feedback": ["add-feedback", self._index / "feedback.jsonl", "Was this it?", str(_FULL_FEEDBACK)],
        }
        return words[self.name]

    def _prepare(self) -> None:
        self._ingest_afresh()
        (self._root / "relnotes.toml").write_text('[[source]]\nsource = "notes"\n', "utf-8")
        for _ in range(3 if self.name == "feedback" else 0):
            self._run_well("add-feedback", self._index / "feedback.jsonl", "Earlier?", str(_FULL_FEEDBACK))
        if self.name == "repair":
            (vectors,) = self._index.glob("*.faiss")
            vectors.write_bytes(vectors.read_bytes()[::-1])
            (self._index / "tmp-left").mkdir()
        put(self._index, self._before)
        write_notes(self._notes, changed=True)

    def _ingest_afresh(self) -> None:
        """Make the index that holds the notes of the old state, and nothing else."""
        shutil.rmtree(self._index, ignore_errors=True)
        write_notes(self._notes, changed=False)
        self._run_well("ingest", self._notes, "--index", self._index)

    def _put_back(self) -> None:
        put(self._before, self._index)

    def _run_well(self, *words: str | Path) -> None:
        if (ended := self._cli.run(words)).status:
            raise ValueError(ended.err)

    def _look(self) -> IndexState | list[str] | str:
        """The state of the index, or, of one that may say so, that it is damaged and to be repaired; of feedback what
        was asked."""
        if self.name == "feedback":
            listed = json.loads(self._cli.run(["feedback", "--index", self._index, "--json"]).out)
            return [str(one["feedback"].get("question")) for one in listed["entries"]]
        try:
            return read_state(self._index)
        except IndexCorrupt as error:
            if self.name == "repair" and "relnotes repair" in str(error):
                return "damaged, to be repaired"
            return f"damaged: {error}"
        except (ValueError, OSError) as error:
            return f"wrong: {error}"

    def _finish(self) -> list[str]:
        """Run the next command; a line for each thing that is wrong then."""
        if self.name == "feedback":
            self._cli.run(["add-feedback", self._index / "feedback.jsonl", "Later?", str(_FULL_FEEDBACK)])
            return []
        ingest: list[str | Path] = ["ingest", self._notes, "--index", self._index]
        ended = self._cli.run(self.words if self.name == "repair" else ingest)
        if ended.status:
            return [f"the next run ended with {ended.status}: {ended.err}"]
        left = litter(self._index)
        return [
            *([f"the next run left {', '.join(left)}"] if left else []),
            *([] if is_sound(self._index) else ["the next run left an index that isn't sound"]),
        ]
