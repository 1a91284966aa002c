"""The locks hold what pyproject asks for, each one version with its hashes."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

LOCKS = Path(__file__).parents[1] / ".lock"
PROJECT = tomllib.loads((LOCKS.parent / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"]
WANTED = {
    "run.txt": [*PROJECT["dependencies"], *EXTRAS["mcp"], *EXTRAS["slack"]],
    "test.txt": [*PROJECT["dependencies"], *EXTRAS["mcp"], *EXTRAS["milvus"], *EXTRAS["slack"], *EXTRAS["test"]],
    "tools.txt": (LOCKS / "tools.in").read_text("utf-8").split(),
}


def locked(name: str) -> set[tuple[str, Version]]:
    """The pins of a lock; any line of it that leaves a choice fails."""
    pins = set()
    for line in (LOCKS / name).read_text("utf-8").replace("\\\n", " ").splitlines():
        if line.strip() and not line.lstrip().startswith("#"):
            stated, *hashes = line.split("--hash=sha256:")
            requirement = Requirement(stated.strip())
            (only,) = requirement.specifier
            assert (only.operator, bool(hashes)) == ("==", True), line
            pins.add((canonicalize_name(requirement.name), Version(only.version)))
    return pins


@pytest.mark.parametrize("name", WANTED)
def test_a_lock_holds_what_is_asked_for_within_its_ranges(name: str) -> None:
    """Where this fails, `make lock` mends it."""
    pins = locked(name)
    wanted = [one for one in map(Requirement, WANTED[name]) if one.name != "relnotes"]
    assert len(wanted) > 3
    for one in wanted:
        versions = [version for distribution, version in pins if distribution == canonicalize_name(one.name)]
        assert versions, one
        assert all(one.specifier.contains(version, prereleases=True) for version in versions), one


def test_tests_run_with_what_is_shipped() -> None:
    assert locked("run.txt") <= locked("test.txt")
