"""What holds for the passages of every document."""

import re
from bisect import bisect_right
from itertools import pairwise

from ingest_documents import Ingested

from ingest.blocks import BlockKind
from ingest.passages.splitting import MAX_CHARACTERS, MAX_QUOTE_CHARACTERS, MAX_RIGID_CHARACTERS

RIGID = (BlockKind.CODE, BlockKind.TABLE)


def assert_passages_hold(document: Ingested) -> None:
    """In order, disjoint, within their releases and sizes; no word is lost, none cut."""
    text, blocks, passages = document.parsed.text, document.parsed.blocks, document.passages
    rigid = [block for block in blocks if block.kind in RIGID]
    end = 0
    for passage in passages:
        assert end <= passage.span.start < passage.span.end <= len(text)
        end = passage.span.end
        has_rigid = any(block.start < passage.span.end and passage.span.start < block.end for block in rigid)
        assert len(passage.span) <= (MAX_RIGID_CHARACTERS if has_rigid else MAX_CHARACTERS)
        release = document.releases[passage.release].span
        assert release.start <= passage.span.start
        assert passage.span.end <= release.end
        position = passage.span.start
        for item in passage.items:
            assert position <= item.span.start < item.span.end <= passage.span.end
            assert len(item.span) <= MAX_RIGID_CHARACTERS
            position = item.span.end
    starts = [passage.span.start for passage in passages]
    for block in blocks:
        if block.kind is BlockKind.MARKUP or (block.kind is BlockKind.HEADING and document.parsed.is_extracted):
            continue
        for word in re.finditer(r"\w+", text[block.start : block.end]):
            first, last = block.start + word.start(), block.start + word.end() - 1
            home = bisect_right(starts, first) - 1
            assert home >= 0, word[0]
            assert first < passages[home].span.end, word[0]
            assert len(word[0]) > MAX_QUOTE_CHARACTERS or last < passages[home].span.end, word[0]
    for before, block in pairwise(blocks):
        if block.kind is BlockKind.HEADING and before.kind not in (BlockKind.HEADING, BlockKind.MARKUP):
            here = bisect_right(starts, block.start) - 1
            assert starts[here] == block.start or (
                document.parsed.is_extracted and passages[here].span.end <= block.start
            ), "a section begins a passage"
