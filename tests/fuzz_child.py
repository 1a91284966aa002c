"""Fuzz targets one after another: `python tests/fuzz_child.py TARGET... --seconds S --seed N --out FOLDER`.

Each is fuzzed for `--seconds` in a fork of its own, so that the product is loaded once. Guided by coverage where atheris is installed (new inputs come from those that reached new code, by our mutator and
libFuzzer's in turn), else by the mutator alone. What was counted goes to `--out` as JSON lines, also where libFuzzer
would end the process.
"""

import argparse
import faulthandler
import hashlib
import json
import logging
import os
import random
import signal
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


_START_S = 120
"""Until a fork has its server and its seeds, however busy the machine is."""


def main() -> None:
    """Fuzz until the time of each is over."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="+")
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
    for name in words.targets:
        child = os.fork()
        if not child:
            fuzz(name, fuzz_table, atheris, seconds=words.seconds, seed=words.seed, out=words.out)
            os._exit(0)
        until = time.monotonic() + words.seconds + _START_S
        while os.waitpid(child, os.WNOHANG) == (0, 0):
            if time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
                break
            time.sleep(0.1)


def fuzz(name: str, fuzz_table: Any, atheris: Any, *, seconds: float, seed: int, out: Path) -> None:
    """Fuzz one target and leave the process when the time is over."""
    from fuzz_mutation import MAX_BYTES, Mutator
    from fuzz_trying import arm, minimised, try_input

    with fuzz_table.open_target(name) as target:
        count = Count(target.name, atheris is not None)
        examples = fuzz_table.folder_of(target.name)
        kept = [path.read_bytes() for path in sorted(examples.glob("*"))] if examples.is_dir() else []
        mutator = Mutator((*target.seeds, *kept), target.signs)
        known: set[tuple[str, str]] = set()
        began = time.monotonic()
        arm()

        def end() -> None:
            count.seconds = round(time.monotonic() - began, 1)
            with out.open("a", encoding="utf-8") as lines:
                lines.write(json.dumps(asdict(count)) + "\n")
            sys.stdout.flush()
            os._exit(0)

        def try_one(content: bytes) -> None:
            if time.monotonic() - began > seconds:
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

        for content in (*target.seeds, *kept):
            try_one(content)
        if atheris is None:
            chance = random.Random(f"{seed} {target.name}")
            while True:
                try_one(mutator.fresh(chance))
        _run_guided(atheris, try_one, mutator, MAX_BYTES, seed=seed, seeds=(*target.seeds, *kept))


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
