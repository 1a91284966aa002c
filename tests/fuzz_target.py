"""What a fuzz target is: a way into the product, as a function of bytes that raises where a promise is broken."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
SHARED = REPOSITORY.parent / "shared"
_MAX_SEED_BYTES = 24_000


@dataclass(frozen=True, slots=True)
class Target:
    """One way in. `check` takes any bytes; an error of ours that a reader expects is no fault, all else is."""

    name: str
    check: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    """Real or hand-made inputs that mutation begins from; never empty."""
    signs: tuple[str, ...]
    """Pieces of its grammar, which a mutator puts where chance never would."""
    most_bytes: int = 1024 * 1024
    """An input that is larger is refused by its size, and says nothing of how time grows."""
    per_input_s: float = 5.0
    """Seconds of processor time after which an input counts as hanging; inputs are some ten KiB."""


def text_of(data: bytes) -> str:
    """Bytes as text, whatever they are."""
    return data.decode("utf-8", errors="replace")


def real_files(*patterns: str, most: int = 6) -> tuple[bytes, ...]:
    """The beginnings of some of our own documents, and of those of ../shared where it is: paths in order, spread."""
    found = sorted(
        path for pattern in patterns for root in (REPOSITORY, SHARED) for path in root.glob(pattern) if path.is_file()
    )
    step = max(1, len(found) // most)
    return tuple(path.read_bytes()[:_MAX_SEED_BYTES] for path in found[::step][:most])
