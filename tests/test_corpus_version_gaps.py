"""Holes in a row of versions."""

import pytest

from corpus.version_gaps import find_version_gaps
from corpus.versions import Version

ROWS: dict[str, tuple[str, list[str]]] = {
    "nothing": ("", []),
    "one": ("2.8", []),
    "a row": ("2.8 2.9 2.10", []),
    "one minor": ("2.8 2.9 2.11", ["2.10"]),
    "several in a row": ("2.8 2.9 2.10 2.13", ["2.11–2.12"]),
    "patch releases are not looked at": ("2.8.0 2.8.5 2.9.1", []),
    "a pre-release has notes": ("2.8 2.9rc1 2.10", []),
    "a major": ("2.0 3.0 5.0", ["4.x"]),
    "majors that were skipped": ("0.8 1.5 6.0 7.0 8.0 9.0 10.0", []),
    "minors of two majors": ("1.0 1.2 2.0 2.2", ["1.1", "2.1"]),
    "nothing at the seam of two majors": ("1.4 1.5 2.1", []),
    "order": ("1.0 1.2 3.0 4.0", ["1.1", "2.x"]),
    "years and months": ("22.04 22.10 23.04", []),
    "even numbers only": ("9.2 9.4 9.6 9.8", []),
    "far between": ("1.0 1.50", []),
    "bare numbers": ("14 15 17", ["16.x"]),
    "not in order": ("2.11 2.8 2.9", ["2.10"]),
}


@pytest.mark.parametrize(("versions", "gaps"), ROWS.values(), ids=ROWS.keys())
def test_gaps(versions: str, gaps: list[str]) -> None:
    assert [str(gap) for gap in find_version_gaps(map(Version.parse, versions.split()))] == gaps
