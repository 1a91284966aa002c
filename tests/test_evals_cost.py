"""What the trial of costs measures with: texts of a size, exponents, and patterns that are slow on their own parts."""

import math
import re

import pytest

from evals.lab.attacks import Pumped, all_patterns, find_slow, methods_by_name, strings_of
from evals.lab.cost import exponent, processor_s, repeated


@pytest.mark.parametrize(
    ("power", "costs"), [(1, [(1, 1.0), (2, 2.0), (4, 4.0)]), (2, [(9, 9.9), (1, 1), (2, 4), (4, 16), (8, 64)])]
)
def test_an_exponent_is_of_the_four_largest_sizes(power: int, costs: list[tuple[int, float]]) -> None:
    assert exponent(costs) == pytest.approx(power)


def test_what_takes_too_long_is_ended() -> None:
    assert processor_s(lambda: [None for _ in iter(int, 1)], limit_s=0.05) == math.inf
    assert exponent([(1, math.inf)]) == math.inf


def test_a_piece_is_repeated_and_counts_up() -> None:
    assert repeated("a@ ", 8) == "a0 a1 a2"
    assert repeated("ab", 5) == "ababa"


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
