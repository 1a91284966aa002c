"""Plain text to blocks: structure inferred from shape, then what holds for any text."""

import time
from collections import Counter
from collections.abc import Iterable
from typing import SupportsIndex, overload

import pytest
from block_promises import assert_blocks_hold
from case_files import Case, read_cases

from ingest.blocks import BlockKind
from ingest.formats.line_shapes import HeadingStyle, heading_style, is_code
from ingest.formats.plain_text import parse_plain_text
from ingest.formats.plain_text_pieces import PieceCutter
from ingest.text_lines import TextLine, split_lines


@pytest.mark.parametrize("case", read_cases("headings-plain-text"), ids=lambda case: case.name)
def test_headings_and_their_levels(case: Case) -> None:
    blocks = parse_plain_text(case.text).blocks
    assert [f"{block.level} {block.title}" for block in blocks if block.kind is BlockKind.HEADING] == case.gives


@pytest.mark.parametrize(
    ("line", "style"),
    [
        ("platform support", HeadingStyle.BARE),
        ("[API-Unstable] lib::stable::Tensor", HeadingStyle.BARE),
        ("Will Lib 2.12 Change Everything at Scale?", HeadingStyle.BARE),
        ("BREAKING CHANGES", HeadingStyle.CAPITALS),
        ("ROCm", HeadingStyle.BARE),
        ("Version 1.2.3 (2024-01-02)", HeadingStyle.VERSION),
        ("v2.0.0rc1, released on 3rd March 2024", HeadingStyle.VERSION),
        ("lib and liblib 8.22.0", HeadingStyle.VERSION),
        ("updating from lib 2.8", HeadingStyle.BARE),
        ("key benefits:", HeadingStyle.COLON),
        ("It is done.", None),
        ("did you know this is prose?", None),
        ("June 23, 2026", None),
        ("published: October 15, 2025", None),
        ("Note: it needs an argument", None),
        ("See https://example.org", None),
        ("and more! See below", None),
        ("1", None),
        ("word " * 13, None),
    ],
)
def test_heading_style_of_a_line(line: str, style: HeadingStyle | None) -> None:
    assert heading_style(line.strip()) == style


@pytest.mark.parametrize(
    "line",
    [
        "import torch", "from lib.optim import Muon", 'device = lib.device("cuda:0")',
        "lib.backends.conv.fp32_precision = 'tf32'", "major, minor = map(int, version.split('.')[:2])",
        'print(f"available: {lib.available()}")  # False', "quantize_(model, Config())  # cpu compatible",
        "model = lib.Sequential(", "@lib.strict(True)", "with lib.strict(True):", "if major == 13:  # old", "try:",
        "lib::ScalarType dtype = lib::kFloat32;", "#include <lib.h>", "pip install lib libvision", "uv venv",
        "python --version  # must be 3.10+", "curl -LsSf https://example.org/install.sh | sh", "$ lib --run",
        "const x = await load()", '"vite": "^8.0.0",',
    ],
)  # fmt: skip
def test_line_is_code(line: str) -> None:
    assert is_code(line)


@pytest.mark.parametrize(
    "line",
    ["* Thu Feb 08 2024 x <a>" + " " * 200_000 + "x", "-*-" * 70_000 + "x"],
    ids=["package-entry", "editor-line"],
)
def test_one_line_without_end_stays_linear(line: str) -> None:
    began = time.process_time()
    assert_blocks_hold(parse_plain_text(line))
    assert time.process_time() - began < 20


class _CountedLines(list[TextLine]):
    """Lines that count how many of them are copied, in all their slices together."""

    def __init__(self, lines: Iterable[TextLine], count: Counter[str]) -> None:
        super().__init__(lines)
        self._count = count

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> TextLine: ...
    @overload
    def __getitem__(self, at: slice, /) -> list[TextLine]: ...
    def __getitem__(self, at: SupportsIndex | slice, /) -> TextLine | list[TextLine]:
        if not isinstance(at, slice):
            return super().__getitem__(at)
        part = super().__getitem__(at)
        self._count["copied"] += len(part)
        return _CountedLines(part, self._count)


@pytest.mark.parametrize("line", ["word word\n", "** word\n", "* 1.0\n", "* 1.0\n- word\n", "A SHOUT\n"])
def test_each_line_of_a_long_stanza_is_copied_a_few_times(line: str) -> None:
    lines, count = list(split_lines(line * 1_000)), Counter[str]()
    assert list(PieceCutter(_CountedLines(lines, count)).cut())
    assert count["copied"] < 20 * len(lines)
