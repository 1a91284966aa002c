"""Which documents are prose without any structure, and how long their passages may be.

Release notes that lost their structure aren't meant, and keep their longer passages: their facts run over more
sentences than a passage of flat prose holds (on the seeds, recall@5 falls by .02 to .09 with the short ones).
"""

from collections.abc import Sequence

from corpus.model import Release
from ingest.blocks import Block, BlockKind

MAX_FLAT_CHARACTERS = 700
"""No heading tells what such a passage is about, so it holds one subject. Source: `evals/lab/results/RESULTS.md`."""

_PROSE_SHARE = 0.9


def is_flat_prose(blocks: Sequence[Block], releases: Sequence[Release]) -> bool:
    """Whether a document is about no version, has no headings, and is prose for nine tenths of its characters."""
    prose = sum(block.end - block.start for block in blocks if block.kind is BlockKind.PARAGRAPH)
    whole = sum(block.end - block.start for block in blocks)
    headed = any(block.kind is BlockKind.HEADING for block in blocks)
    return not headed and prose > _PROSE_SHARE * whole and all(release.version is None for release in releases)
