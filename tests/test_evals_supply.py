"""The locks hold what pyproject asks for, and nothing open; what is known against them is told, or that nobody was
asked."""

import json
import stat
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from corpus.errors import RelnotesError
from evals.lab.supply import ask_services, load_lock, main

OPEN = {
    "a range": "numpy>=2 --hash=sha256:00",
    "no hash": "numpy==2.0",
    "an address": "numpy @ https://example.org/numpy.whl",
    "an option": "--index-url https://example.org",
}


LOCKS = Path(__file__).parents[1] / ".lock"
PROJECT = tomllib.loads((LOCKS.parent / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
WANTED = {
    "run.txt": [*PROJECT["dependencies"], *(one for extra in ("mcp", "slack") for one in EXTRAS[extra])],
    "test.txt": [
        *PROJECT["dependencies"],
        *(one for extra in ("mcp", "milvus", "slack", "test") for one in EXTRAS[extra]),
    ],
    "tools.txt": (LOCKS / "tools.in").read_text("utf-8").split(),
}


def version_of(pin: Requirement) -> Version:
    (only,) = pin.specifier
    return Version(only.version)


@pytest.mark.parametrize("name", WANTED)
def test_a_lock_holds_what_is_asked_for_within_its_ranges(name: str) -> None:
    """Where this fails, `make lock` mends it."""
    locked: dict[str, list[Version]] = {}
    for pin in load_lock(LOCKS / name):
        locked.setdefault(pin.name, []).append(version_of(pin))
    wanted = [one for one in map(Requirement, WANTED[name]) if one.name != "relnotes"]
    assert len(wanted) > 3
    for one in wanted:
        versions = locked[canonicalize_name(one.name)]
        assert all(one.specifier.contains(version, prereleases=True) for version in versions), one


def test_tests_run_with_what_is_shipped() -> None:
    shipped = {(pin.name, version_of(pin)) for pin in load_lock(LOCKS / "run.txt")}
    assert shipped <= {(pin.name, version_of(pin)) for pin in load_lock(LOCKS / "test.txt")}


def lock_of(folder: Path, *pins: str) -> Path:
    path = folder / "lock.txt"
    path.write_text("".join(f"{pin} \\\n    --hash=sha256:{'0' * 64}\n" for pin in pins))
    return path


def program(folder: Path, **answers: tuple[int, str, str]) -> str:
    """A pip-audit that answers for each service with status, output and error."""
    path = folder / "pip-audit"
    cases = "".join(
        f"  {service}) printf '%s' '{out}'; printf '%s' '{err}' >&2; exit {status};;\n"
        for service, (status, out, err) in answers.items()
    )
    path.write_text(f'#!/bin/sh\ncase "$2" in\n{cases}esac\n')
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


UNREACHED = (1, "", "requests.exceptions.ConnectionError: Failed to resolve")
UNKNOWN = (0, json.dumps({"dependencies": [{"name": "lxml", "skip_reason": "Dependency not found"}]}), "")
CLEAN = (0, json.dumps({"dependencies": [{"name": "lxml", "version": "5.0", "vulns": []}]}), "")
HIT = (1, CLEAN[1].replace("[]", '[{"id": "PYSEC-1", "fix_versions": ["5.1"]}]'), "Found 1 known vulnerability")
AUDITS = {
    "clean": ((CLEAN, UNREACHED), 0, "1 of 1 distributions are known to osv"),
    "a vulnerability": ((HIT, UNREACHED), 1, "lxml 5.0: PYSEC-1; mended in 5.1"),
    "the second service": ((UNREACHED, HIT), 1, "lxml 5.0: PYSEC-1"),
    "none is reached": ((UNREACHED, UNREACHED), 0, "NOT CHECKED"),
    "an index that isn't the real one": ((UNREACHED, UNKNOWN), 0, "NOT CHECKED"),
}


@pytest.mark.parametrize(("answers", "status", "said"), AUDITS.values(), ids=AUDITS.keys())
def test_an_audit_says_what_it_knows_and_whether_it_asked(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    answers: tuple[tuple[int, str, str], ...],
    status: int,
    said: str,
) -> None:
    asked = program(tmp_path, osv=answers[0], pypi=answers[1])
    assert main([asked, str(lock_of(tmp_path, "lxml==5.0"))]) == status
    assert said in capsys.readouterr().out


def test_an_auditor_that_breaks_is_no_pass(tmp_path: Path) -> None:
    with pytest.raises(RelnotesError, match="usage"):
        ask_services(program(tmp_path, osv=(2, "", "usage: pip-audit"), pypi=CLEAN), lock_of(tmp_path, "lxml==5.0"))
    with pytest.raises(RelnotesError, match="make audit"):
        ask_services(str(tmp_path / "none"), lock_of(tmp_path, "lxml==5.0"))


@pytest.mark.parametrize("line", OPEN.values(), ids=OPEN.keys())
def test_what_leaves_a_choice_is_no_lock(tmp_path: Path, line: str) -> None:
    (tmp_path / "lock.txt").write_text(f"{line}\n")
    with pytest.raises(RelnotesError, match="make lock"):
        load_lock(tmp_path / "lock.txt")
