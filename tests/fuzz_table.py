"""Every fuzz target by name."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fuzz_bench import open_bench
from fuzz_documents import document_targets
from fuzz_entrances import entrance_targets
from fuzz_target import Target
from fuzz_texts import text_targets

EXAMPLES = Path(__file__).parent / "data" / "fuzz"
"""Inputs that once broke a promise, smallest form, in a folder for each target: `tests/test_fuzz.py` tries them all."""


@contextmanager
def open_target(name: str) -> Iterator[Target]:
    """One target for a `with` block; a server is there only where it asks one."""
    alone = {target.name: target for target in (*document_targets(), *text_targets())}
    if name in alone:
        yield alone[name]
        return
    with open_targets() as targets:
        yield targets[name]


@contextmanager
def open_targets() -> Iterator[dict[str, Target]]:
    """All targets for a `with` block, in which the server that some of them ask is there."""
    with open_bench() as bench:
        targets = (*document_targets(), *text_targets(), *entrance_targets(bench))
        yield {target.name: target for target in targets}


def folder_of(name: str) -> Path:
    """Where a target's examples are kept."""
    return EXAMPLES / "".join(letter if letter.isalnum() or letter in "-." else "_" for letter in name)
