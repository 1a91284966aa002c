"""What becomes of an index that was damaged: whether it is found, what is answered, and what a repair makes of it."""

from dataclasses import dataclass
from pathlib import Path

from fault_place import State, read_answers, read_state

from corpus.errors import IndexNotFound, IndexUnavailable
from corpus.index.layout import DATABASE_NAME
from corpus.index.repair import repair_index, verify_index

FOUND, HARMLESS, MISSED = "found", "harmless", "missed"
REMEDIES = ("relnotes repair", "relnotes ingest")


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was seen of one damaged index."""

    found: str
    """`FOUND` by `verify_index`; `HARMLESS`: nothing that is read is another than before; or `MISSED`."""
    answered: str
    """`as before`, or `refused`: it says that it can't be served, and what to do; or `not asked`."""
    repaired: str
    """`as before`, or `refused`: it says what is damaged, and changes nothing."""
    faults: tuple[str, ...]


def judge(index: Path, before: State, *, ask: bool) -> Judgement:
    """Ask a damaged index, verify it and repair it, and compare each with the state that it was in."""
    faults: list[str] = []
    answered = _answered(index, before, faults) if ask else "not asked"
    found = _found(index, before, faults)
    return Judgement(found, answered, _repaired(index, before, found, faults), tuple(faults))


def _answered(index: Path, before: State, faults: list[str]) -> str:
    try:
        answers = read_answers(index)
    except IndexUnavailable as error:
        if not any(remedy in str(error) for remedy in REMEDIES) or "\n" in str(error):
            faults.append(f"refuses without a remedy: {error}")
        return "refused"
    except Exception as error:
        faults.append(f"asked, it trips: {type(error).__name__}: {error}")
        return "tripped"
    if answers != before.answers:
        faults.append("answers otherwise, without a word")
        return "otherwise"
    return "as before"


def _found(index: Path, before: State, faults: list[str]) -> str:
    try:
        if verify_index(index):
            return FOUND
    except IndexUnavailable:
        return FOUND
    except Exception as error:
        faults.append(f"verified, it trips: {type(error).__name__}: {error}")
        return MISSED
    if read_state(index) == before:
        return HARMLESS
    faults.append("status --verify finds nothing, and something is another than before")
    return MISSED


def _repaired(index: Path, before: State, found: str, faults: list[str]) -> str:
    database = index / DATABASE_NAME
    held = {path: path.read_bytes() for path in index.rglob("*") if _is_kept(path)}
    try:
        repair_index(index)
    except IndexNotFound:
        return "refused"
    except IndexUnavailable as error:
        if found == HARMLESS:
            faults.append(f"can't be repaired, though nothing is damaged: {error}")
        if not any(remedy in str(error) for remedy in REMEDIES):
            faults.append(f"can't be repaired, without a remedy: {error}")
        now = {path: path.read_bytes() for path in index.rglob("*") if _is_kept(path)}
        if {path for path in held | now if held.get(path) != now.get(path)} - {database}:
            faults.append("a repair that refused has changed something")
        return "refused"
    except Exception as error:
        faults.append(f"repaired, it trips: {type(error).__name__}: {error}")
        return "tripped"
    if verify_index(index) != () or read_state(index) != before:
        faults.append("a repair has made another index of it")
    return "as before"


def _is_kept(path: Path) -> bool:
    """Whether it is a file that a repair makes: not SQLite's own beside the database, which come and go."""
    return path.is_file() and not path.name.startswith((f"{DATABASE_NAME}-", "write.lock", "file-digests"))
