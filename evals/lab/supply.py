"""What is known against the locked dependencies: `python -m evals.lab.supply --program pip-audit LOCK...`.

Status 1 where something is. Where no service that knows is reached, that is said in so many words, and the status
is 0: an unreached service is no reason against a change. A lock is a requirements file in which each line has one
version and its hashes.
"""

import argparse
import json
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from packaging.requirements import InvalidRequirement, Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from corpus.errors import RelnotesError
from evals.command import run_command

_HASH = "--hash=sha256:"
_SERVICES = ("osv", "pypi")
_WAIT_S = 10
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


@dataclass(frozen=True, slots=True)
class Audit:
    """What one service said: of how many distributions it knew anything, and what."""

    service: str
    asked: int
    known: int
    findings: tuple[str, ...]
    """A line for each advisory: what it concerns, its name, and which versions mend it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what was asked and what is known; status 1 where a vulnerability is."""
    parser = argparse.ArgumentParser(prog="python -m evals.lab.supply", description=__doc__)
    parser.add_argument("locks", metavar="LOCK", type=Path, nargs="+", help="requirements with versions and hashes")
    parser.add_argument("--program", metavar="PIP-AUDIT", default="pip-audit", help="asks the services")
    options = parser.parse_args(arguments)
    is_clean = True
    for path in options.locks:
        pins = load_lock(path)
        audit = ask_services(options.program, path)
        if audit is None:
            print(
                f"{path.name}: NOT CHECKED. No service that knows of vulnerabilities is reached from this machine "
                f"({', '.join(_SERVICES)}); {len(pins)} distributions are as they were.",
                flush=True,
            )
            continue
        print(f"{path.name}: {audit.known} of {audit.asked} distributions are known to {audit.service}.")
        print(*(f"  {finding}\n" for finding in audit.findings), sep="", end="", flush=True)
        is_clean = is_clean and not audit.findings
    if not is_clean:
        print("Raise what is named in pyproject.toml or with `make lock UPGRADE=-U`, and test again.")
    return 0 if is_clean else 1


def ask_services(program: str, lock: Path) -> Audit | None:
    """What the first service says that knows of anything in the lock; None where none does.

    Each is asked for one distribution first: a service that doesn't know that one is an index that keeps no advisories.

    Raises:
        RelnotesError: the program isn't there, or fails for another reason than the network.
    """
    first = load_lock(lock)[0]
    with TemporaryDirectory() as folder:
        single = Path(folder) / "one.txt"
        single.write_text(f"{first}\n", "utf-8")
        for service in _SERVICES:
            audit = _ask(program, service, single)
            if audit is not None and audit.known:
                return _ask(program, service, lock)
    return None


def _ask(program: str, service: str, lock: Path) -> Audit | None:
    words = [program, "-s", service, "-f", "json", "--disable-pip", "--no-deps", "--timeout", str(_WAIT_S)]
    try:
        ran = subprocess.run([*words, "-r", str(lock)], capture_output=True, text=True, check=False)  # noqa: S603
    except OSError as error:
        raise RelnotesError(f"Cannot run {program!r}: {error.strerror or error}. `make audit` installs it.") from None
    if ran.stdout.strip():
        return read_audit(service, ran.stdout)
    if any(word in ran.stderr for word in _SILENT):
        return None
    last = ran.stderr.strip().splitlines()[-1:] or ["nothing was said"]
    raise RelnotesError(f"{program!r} failed with status {ran.returncode}: {last[0][:300]}")


def read_audit(service: str, printed: str) -> Audit:
    """What `pip-audit -f json` printed. It passes over what a service doesn't know, and calls that success."""
    entries = json.loads(printed)["dependencies"]
    known = [entry for entry in entries if "skip_reason" not in entry]
    findings = tuple(
        f"{entry['name']} {entry['version']}: {advisory['id']}; "
        + (f"mended in {', '.join(advisory['fix_versions'])}" if advisory["fix_versions"] else "no version mends it")
        for entry in known
        for advisory in entry["vulns"]
    )
    return Audit(service, len(entries), len(known), findings)


if __name__ == "__main__":
    run_command(main)
