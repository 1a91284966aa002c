"""What is known against the locked dependencies: `python -m evals.lab.supply PIP-AUDIT LOCK...`.

Status 1 where something is. Where no service that knows is reached, that is said in so many words, and the status
is 0: an unreached service is no reason against a change. A lock is a requirements file in which each line has one
version and its hashes.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name

from corpus.errors import RelnotesError
from evals.command import run_command

_HASH = "--hash=sha256:"
_SERVICES = ("osv", "pypi")
_SILENT = ("ConnectionError", "ConnectTimeout", "ReadTimeout", "ServiceError", "ConnectionFailure")
Entries = list[dict[str, Any]]
"""What `pip-audit -f json` prints, a distribution each."""


def load_lock(path: Path) -> tuple[Requirement, ...]:
    """Return the pins of a lock, in its order, by the normal form of their names.

    Raises:
        RelnotesError: a line isn't a version with its hashes.
    """
    lines = path.read_text("utf-8").replace("\\\n", " ").splitlines()
    return tuple(_pin(line, path) for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _pin(line: str, path: Path) -> Requirement:
    stated, *hashes = (part.strip() for part in line.split(_HASH))
    try:
        requirement = Requirement(stated)
        (operator,) = (one.operator for one in requirement.specifier)
    except (InvalidRequirement, ValueError):
        operator = ""
    if operator != "==" or not hashes:
        raise RelnotesError(f"{str(path)!r} leaves {stated[:100]!r} open. `make lock` writes one that doesn't.")
    requirement.name = canonicalize_name(requirement.name)
    return requirement


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked and what is known; status 1 where a vulnerability is."""
    program, *locks = sys.argv[1:] if arguments is None else arguments
    found = 0
    for path in map(Path, locks):
        pins = load_lock(path)
        service, entries = ask_services(program, path)
        if not service:
            told = f"NOT CHECKED. No service that knows of vulnerabilities is reached ({', '.join(_SERVICES)})"
            print(f"{path.name}: {told}; {len(pins)} distributions are as they were.", flush=True)
            continue
        print(f"{path.name}: {len(entries)} of {len(pins)} distributions are known to {service}.", flush=True)
        for entry in entries:
            for advisory in entry["vulns"]:
                mended = ", ".join(advisory["fix_versions"]) or "no version"
                print(f"  {entry['name']} {entry['version']}: {advisory['id']}; mended in {mended}")
                found += 1
    if found:
        print("Raise what is named in pyproject.toml or with `make lock UPGRADE=-U`, and test again.")
    return int(found > 0)


def ask_services(program: str, lock: Path) -> tuple[str, Entries]:
    """Return the first service that knows anything in the lock, and what it knows; no name where none does: one that is
    reached and knows nothing is an index that keeps no advisories.

    Raises:
        RelnotesError: the program isn't there, or fails for another reason than the network.
    """
    answers = ((service, _ask(program, service, lock)) for service in _SERVICES)
    return next(((service, known) for service, known in answers if known), ("", []))


def _ask(program: str, service: str, lock: Path) -> Entries:
    """What the service knows. pip-audit passes over what it doesn't know, and calls that success."""
    words = [program, "-s", service, "-f", "json", "--disable-pip", "--no-deps", "--timeout", "10", "-r", str(lock)]
    try:
        ran = subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise RelnotesError(f"Cannot run {program!r}: {error.strerror or error}. `make audit` installs it.") from None
    if ran.stdout.strip():
        return [entry for entry in json.loads(ran.stdout)["dependencies"] if "skip_reason" not in entry]
    if any(word in ran.stderr for word in _SILENT):
        return []
    last = ran.stderr.strip().splitlines()[-1:] or ["nothing was said"]
    raise RelnotesError(f"{program!r} failed with status {ran.returncode}: {last[0][:300]}")


if __name__ == "__main__":
    run_command(main)
