"""What the trial of costs measures with: texts of a size, exponents, and patterns that are slow on their own parts."""

import re

import pytest

from evals.lab.attacks import Pumped, all_patterns, find_slow, methods_by_name, strings_of


@pytest.mark.parametrize(
    ("written", "string"),
    [
        (r"a\s*,", Pumped("a", " ", "\0")),
        (r"x(?:ab|c[de])+y", Pumped("x", "ab", "\0")),
        (r"x(?:ab|c[de])+y", Pumped("xc", "e", "\0")),
        (r"v?(?P<n>[0-9]+)(?<!a)(?>b{3}|.)", Pumped("0", "bbb", "")),
        (r"[^\n]*-", Pumped("", "-a", "\0")),
    ],
)
def test_a_pattern_is_pumped_with_each_of_its_parts(written: str, string: Pumped) -> None:
    assert string in strings_of(re.compile(written))
    assert len(string.text(65_536)) == pytest.approx(65_536, abs=9)


def test_a_pattern_that_reads_anew_is_found() -> None:
    pattern = re.compile(r"\s*(?:,\s+|\s+and\s+)")
    # It grows with the cube: however busy the machine is.
    assert find_slow("a joint", pattern, frozenset(), strings_of(pattern)) is not None


def test_patterns_are_found_where_they_stand() -> None:
    found, methods = all_patterns(), methods_by_name()
    assert "retrieval.claims.parts: _JOINT" in found
    assert "corpus.dependencies.dependency_files: _COMPILED (2)" in found
    assert any(": line " in name for name in found)
    assert methods["corpus.dependencies.dependency_files"] == {"fullmatch"}
    assert methods["ingest.formats.line_shapes: _COMMENT"] == {"match"}
