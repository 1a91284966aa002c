"""What is known against the locked dependencies: `python -m evals.lab.supply --program pip-audit LOCK...`.

Status 1 where something is. Where no service that knows is reached, that is said in so many words, and the status
is 0: an unreached service is no reason against a change. A lock is a requirements file in which each line has one
version and its hashes.
"""

import argparse
import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from corpus.errors import RelnotesError
from evals.command import run_command

_HASH = "--hash=sha256:"
_SERVICES = ("osv", "pypi")
_WAIT_S = 10
Entries = list[dict[str, Any]]
"""What `pip-audit -f json` prints, a distribution each."""
_SILENT = ("ConnectionError", "ConnectTimeout", "ReadTimeout", "ServiceError", "ConnectionFailure")


def load_lock(path: Path) -> tuple[Requirement, ...]:
    """The pins of a lock, in its order, by the normal form of their names.

    Raises:
        RelnotesError: it can't be read, or a line isn't a version with its hashes.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise RelnotesError(f"Cannot read the lock {str(path)!r}: {error.strerror or error}.") from None
    lines = text.replace("\\\n", " ").splitlines()
    return tuple(_pin(line, path) for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _pin(line: str, path: Path) -> Requirement:
    stated, *hashes = (part.strip() for part in line.split(_HASH))
    try:
        requirement = Requirement(stated)
        (only,) = requirement.specifier
        Version(only.version)
    except (InvalidRequirement, ValueError):
        raise RelnotesError(f"{str(path)!r} isn't a lock: {stated[:100]!r}. `make lock` writes one.") from None
    if only.operator != "==" or not hashes:
        raise RelnotesError(f"{str(path)!r} leaves {stated[:100]!r} open. `make lock` writes one that doesn't.")
    requirement.name = canonicalize_name(requirement.name)
    return requirement


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked and what is known; status 1 where a vulnerability is."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.supply", description=__doc__)
    parser.add_argument("locks", metavar="LOCK", type=Path, nargs="+", help="requirements with versions and hashes")
    parser.add_argument("--program", metavar="PIP-AUDIT", default="pip-audit", help="asks the services")
    options = parser.parse_args(arguments)
    is_clean = True
    for path in options.locks:
        pins = load_lock(path)
        service, entries = ask_services(options.program, path)
        if not service:
            print(
                f"{path.name}: NOT CHECKED. No service that knows of vulnerabilities is reached from this machine "
                f"({', '.join(_SERVICES)}); {len(pins)} distributions are as they were.",
                flush=True,
            )
            continue
        findings = [finding for entry in entries for finding in _findings(entry)]
        print(f"{path.name}: {_known(entries)} of {len(entries)} distributions are known to {service}.")
        print(*(f"  {finding}\n" for finding in findings), sep="", end="", flush=True)
        is_clean = is_clean and not findings
    if not is_clean:
        print("Raise what is named in pyproject.toml or with `make lock UPGRADE=-U`, and test again.")
    return 0 if is_clean else 1


def ask_services(program: str, lock: Path) -> tuple[str, Entries]:
    """The first service that knows of anything in the lock, and what it says; no name where none does.

    Each is asked for one distribution first: a service that doesn't know that one is an index that keeps no advisories.

    Raises:
        RelnotesError: the program isn't there, or fails for another reason than the network.
    """
    first = load_lock(lock)[0]
    with TemporaryDirectory() as folder:
        single = Path(folder) / "one.txt"
        single.write_text(f"{first}\n", "utf-8")
        for service in _SERVICES:
            if _known(_ask(program, service, single)):
                return service, _ask(program, service, lock)
    return "", []


def _ask(program: str, service: str, lock: Path) -> Entries:
    words = [program, "-s", service, "-f", "json", "--disable-pip", "--no-deps", "--timeout", str(_WAIT_S)]
    try:
        ran = subprocess.run([*words, "-r", str(lock)], capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise RelnotesError(f"Cannot run {program!r}: {error.strerror or error}. `make audit` installs it.") from None
    if ran.stdout.strip():
        return list(json.loads(ran.stdout)["dependencies"])
    if any(word in ran.stderr for word in _SILENT):
        return []
    last = ran.stderr.strip().splitlines()[-1:] or ["nothing was said"]
    raise RelnotesError(f"{program!r} failed with status {ran.returncode}: {last[0][:300]}")


def _known(entries: Entries) -> int:
    """How many of them the service knows. pip-audit passes over what one doesn't know, and calls that success."""
    return sum("skip_reason" not in entry for entry in entries)


def _findings(entry: dict[str, Any]) -> Iterator[str]:
    """A line for each advisory: what it concerns, its name, and which versions mend it."""
    for advisory in entry.get("vulns", ()):
        mended = ", ".join(advisory["fix_versions"])
        told = f"mended in {mended}" if mended else "no version mends it"
        yield f"{entry['name']} {entry['version']}: {advisory['id']}; {told}"


if __name__ == "__main__":
    run_command(main)
