"""Plain text to blocks: headings are inferred from shape, and no line takes for ever."""

import time

import pytest
from block_promises import assert_blocks_hold
from case_files import Case, read_cases

from ingest.blocks import BlockKind
from ingest.formats.plain_text import parse_plain_text


@pytest.mark.parametrize("case", read_cases("headings-plain-text"), ids=lambda case: case.name)
def test_headings_and_their_levels(case: Case) -> None:
    blocks = parse_plain_text(case.text).blocks
    assert [f"{block.level} {block.title}" for block in blocks if block.kind is BlockKind.HEADING] == case.gives


@pytest.mark.parametrize(
    "line",
    ["* Thu Feb 08 2024 x <a>" + " " * 200_000 + "x", "-*-" * 70_000 + "x"],
    ids=["package-entry", "editor-line"],
)
def test_one_line_without_end_stays_linear(line: str) -> None:
    began = time.process_time()
    assert_blocks_hold(parse_plain_text(line))
    assert time.process_time() - began < 20
