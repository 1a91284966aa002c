"""Fuzz one target for some seconds in a process of its own: `python tests/fuzz_child.py TARGET --seconds S --seed N`.

Guided by coverage where atheris is installed (new inputs come from those that reached new code, by our mutator and
libFuzzer's in turn), else by the mutator alone. What was counted goes to `--out` as JSON, also where libFuzzer would
end the process.
"""

import argparse
import faulthandler
import hashlib
import json
import logging
import os
import random
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

_PACKAGES = ["corpus", "ingest", "retrieval", "ui"]


@dataclass(slots=True)
class Count:
    """What was tried; mutable, written at the end."""

    target: str
    guided: bool
    inputs: int = 0
    seconds: float = 0.0
    slowest_s: float = 0.0
    failures: list[dict[str, str]] = field(default_factory=list)


def main() -> None:
    """Fuzz until the time is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target")
    parser.add_argument("--seconds", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    words = parser.parse_args()
    faulthandler.enable()
    logging.disable(logging.WARNING)
    atheris = _atheris()
    if atheris is not None:
        with atheris.instrument_imports(include=_PACKAGES, enable_loader_override=False):
            import fuzz_table
    else:
        import fuzz_table
    from fuzz_mutation import MAX_BYTES, Mutator
    from fuzz_trying import arm, minimised, try_input

    with fuzz_table.open_targets() as targets:
        target = targets[words.target]
        count = Count(target.name, atheris is not None)
        examples = fuzz_table.folder_of(target.name)
        kept = [path.read_bytes() for path in sorted(examples.glob("*"))] if examples.is_dir() else []
        mutator = Mutator((*target.seeds, *kept), target.signs)
        known: set[tuple[str, str]] = set()
        began = time.monotonic()
        arm()

        def end() -> None:
            count.seconds = round(time.monotonic() - began, 1)
            words.out.write_text(json.dumps(asdict(count)), "utf-8")
            sys.stdout.flush()
            os._exit(0)

        def try_one(content: bytes) -> None:
            if time.monotonic() - began > words.seconds:
                end()
            failure, took = try_input(target, content)
            count.inputs += 1
            count.slowest_s = max(count.slowest_s, took)
            if failure is not None and (failure.error, failure.place) not in known:
                known.add((failure.error, failure.place))
                small = minimised(target, content, failure)
                examples.mkdir(parents=True, exist_ok=True)
                file = examples / hashlib.sha256(small).hexdigest()[:12]
                file.write_bytes(small)
                count.failures.append({**asdict(failure), "file": file.name})
                if failure.kind == "hang":
                    end()

        for seed in (*target.seeds, *kept):
            try_one(seed)
        if atheris is None:
            chance = random.Random(f"{words.seed} {target.name}")
            while True:
                try_one(mutator.fresh(chance))
        _run_guided(atheris, try_one, mutator, MAX_BYTES, seed=words.seed, seeds=(*target.seeds, *kept))


def _atheris() -> Any:
    try:
        import atheris
    except ImportError:
        return None
    return atheris


def _run_guided(
    atheris: Any, try_one: Any, mutator: Any, max_bytes: int, *, seed: int, seeds: tuple[bytes, ...]
) -> None:
    folder = Path(tempfile.mkdtemp(prefix="fuzz-corpus-"))
    for number, content in enumerate(seeds):
        (folder / str(number)).write_bytes(content)

    def mutate(content: bytes, most: int, chosen: int) -> bytes:
        chance = random.Random(chosen)
        if chance.random() < 0.6:
            changed: bytes = mutator.changed(content, chance)
        else:
            changed = atheris.Mutate(content, most)
        return changed[:most]

    words = [
        sys.argv[0],
        f"-seed={seed % 2**31 + 1}",
        f"-max_len={max_bytes}",
        "-timeout=300",
        "-rss_limit_mb=0",
        "-verbosity=0",
    ]
    atheris.Setup([*words, f"-artifact_prefix={folder}/", str(folder)], try_one, custom_mutator=mutate)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
