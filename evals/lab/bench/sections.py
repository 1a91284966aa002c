"""What was measured, kept as JSON beside this file: one file a section, so that a page comes of several runs."""

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from evals.lab.bench.cold import ColdRecord
from evals.lab.bench.growth import AskedRecord, OwnGrowth, PeerGrowth
from evals.lab.bench.ingest_tables import IngestRecord, IngestSection
from evals.lab.bench.processes import MemoryParts
from evals.lab.bench.recall import RecallRecord
from evals.lab.bench.serving_memory import ServingRecord
from evals.machine import describe_machine

RESULTS = Path(__file__).parent / "results"
"""Where the sections of docs/benchmarks.md lie, in the repository: whoever has it can write the page again."""
_OWN_LIBRARIES = ("openvino", "faiss-cpu", "bm25s", "numpy")


@dataclass(frozen=True, slots=True)
class Circumstances:
    """When, where and how a section was measured."""

    command: str
    began: str
    """ISO 8601, UTC, to the minute."""
    load: float
    """Processes that ran or waited to run in the minute before; 0 where the system doesn't tell."""
    machine: str
    libraries: tuple[str, ...]


def circumstances(command: str, *, libraries: Sequence[str] = ()) -> Circumstances:
    """Those of now; `libraries` are the peers' names with versions."""
    own = (f"{name} {version(name)}" for name in _OWN_LIBRARIES)
    return Circumstances(
        command=command,
        began=datetime.now(UTC).isoformat(timespec="minutes"),
        load=os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
        machine=describe_machine(),
        libraries=tuple(dict.fromkeys((*own, *libraries))),
    )


Record = IngestSection | ColdRecord | OwnGrowth | PeerGrowth | ServingRecord | RecallRecord


@dataclass(frozen=True, slots=True)
class Section:
    """Something measured, and how."""

    under: Circumstances
    record: Any


@dataclass(frozen=True, slots=True)
class Sections:
    """Everything that was measured; growth, memory and recall in the order of size."""

    ingest: Section | None = None
    cold: tuple[Section, ...] = ()
    own: tuple[Section, ...] = ()
    peers: tuple[Section, ...] = ()
    serving: tuple[Section, ...] = ()
    recall: tuple[Section, ...] = ()


class SectionStore:
    """A folder of sections; a section measured again takes the place of the one before."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def put(self, name: str, under: Circumstances, record: Record) -> None:
        """Keep a section under a name such as `growth-10000-chroma`."""
        self._folder.mkdir(parents=True, exist_ok=True)
        draft = self._folder / f"{name}.draft"
        draft.write_text(json.dumps({"under": asdict(under), "record": asdict(record)}, indent=1), "utf-8")
        draft.replace(self._folder / f"{name}.json")

    def load(self) -> Sections:
        """All sections that are kept; one that another version of this program kept in another form is passed over."""
        found: dict[str, Section] = {}
        for path in sorted(self._folder.glob("*.json"), key=_order):
            with suppress(KeyError, TypeError, ValueError):
                found[path.stem] = _section(path)
        return Sections(
            ingest=found.get("ingest"),
            cold=tuple(one for name, one in found.items() if name.startswith("cold-")),
            own=tuple(one for name, one in found.items() if re.fullmatch(r"growth-\d+", name)),
            peers=tuple(one for name, one in found.items() if re.fullmatch(r"growth-\d+-.+", name)),
            serving=tuple(one for name, one in found.items() if name.startswith("memory-")),
            recall=tuple(one for name, one in found.items() if name.startswith("recall-")),
        )


def _order(path: Path) -> tuple[int, str]:
    """By size, and of one size by name."""
    size = re.search(r"\d+", path.stem)
    return int(size[0]) if size else 0, path.stem


def _section(path: Path) -> Section:
    told = json.loads(path.read_text("utf-8"))
    under = told["under"]
    under["libraries"] = tuple(under["libraries"])
    return Section(Circumstances(**under), _record(path.stem, told["record"]))


def _record(name: str, told: dict[str, Any]) -> Record:
    if name == "ingest":
        return IngestSection(**{**told, "records": tuple(IngestRecord(**one) for one in told["records"])})
    if name.startswith("cold-"):
        return ColdRecord(**{**told, **{key: tuple(value) for key, value in told.items() if isinstance(value, list)}})
    if name.startswith("recall-"):
        return RecallRecord(**told)
    if name.startswith("memory-"):
        return ServingRecord(**{**told, "memory": MemoryParts(**told["memory"])})
    asked = _asked(told["asked"])
    if "system" in told:
        return PeerGrowth(**{**told, "asked": asked, "own_p50_ms": tuple(told["own_p50_ms"])})
    return OwnGrowth(**{**told, "asked": asked})


def _asked(told: dict[str, Any] | None) -> AskedRecord | None:
    return None if told is None else AskedRecord(**{**told, "memory": MemoryParts(**told["memory"])})
