"""Plain text to blocks: structure inferred from shape, then what holds for any text."""

import time

import pytest
from block_promises import assert_blocks_hold
from case_files import Case, read_cases, read_rows

from ingest.blocks import BlockKind
from ingest.formats.plain_text import parse_plain_text


@pytest.mark.parametrize("case", read_cases("headings-plain-text"), ids=lambda case: case.name)
def test_headings_and_their_levels(case: Case) -> None:
    blocks = parse_plain_text(case.text).blocks
    assert [f"{block.level} {block.title}" for block in blocks if block.kind is BlockKind.HEADING] == case.gives


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        *((line, BlockKind.HEADING) for line in (
            "platform support", "[API-Unstable] lib::stable::Tensor", "Will Lib 2.12 Change Everything at Scale?",
            "BREAKING CHANGES", "ROCm", "Version 1.2.3 (2024-01-02)", "v2.0.0rc1, released on 3rd March 2024",
            "lib and liblib 8.22.0", "updating from lib 2.8", "--- lib 2.0 ---",
            "make the build faster",
        )),
        *((line, BlockKind.PARAGRAPH) for line in (
            "It is done.", "June 23, 2026", "published: October 15, 2025", "Note: it needs an argument",
            "See https://example.org", "and more! See below", "1", " ".join(["word"] * 13), "key benefits:",
            "git now takes --shallow, as asked.", "-- The crew, 2025-03-28",
        )),
        *((line, BlockKind.CODE) for line in (
            "import torch", "from lib.optim import Muon", 'device = lib.device("cuda:0")', "try:", "uv venv",
            "lib.backends.conv.fp32_precision = 'tf32'", "major, minor = map(int, version.split('.')[:2])",
            'print(f"available: {lib.available()}")  # False', "quantize_(model, Config())  # cpu compatible",
            "model = lib.Sequential(", "@lib.strict(True)", "with lib.strict(True):", "if major == 13:  # old",
            "lib::ScalarType dtype = lib::kFloat32;", "#include <lib.h>", "pip install lib libvision", "$ lib --run",
            "python --version  # must be 3.10+", "curl -LsSf https://example.org/install.sh | sh",
            "const x = await load()", '"vite": "^8.0.0",',
        )),
    ],
)  # fmt: skip
def test_what_a_line_alone_above_prose_is(line: str, kind: BlockKind) -> None:
    _, block, _ = parse_plain_text(f"A sentence.\n\n{line}\n\nAnother one.\n").blocks
    assert block.kind is kind


@pytest.mark.parametrize(("stanza", "entries"), read_rows("ingest-lines-that-begin-with-a-part-are-entries"))
def test_lines_that_begin_with_a_part_are_entries(stanza: str, entries: int) -> None:
    others = "\n\n".join("lid : turns\nrim : is round" for _ in range(6))
    assert len(parse_plain_text(f"{stanza}\n\n{others}\n").blocks) - 12 == entries


@pytest.mark.parametrize(
    "line",
    ["* Thu Feb 08 2024 x <a>" + " " * 200_000 + "x", "-*-" * 70_000 + "x"],
    ids=["package-entry", "editor-line"],
)
def test_one_line_without_end_stays_linear(line: str) -> None:
    began = time.process_time()
    assert_blocks_hold(parse_plain_text(line))
    assert time.process_time() - began < 20
