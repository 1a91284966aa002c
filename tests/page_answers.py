"""A hand-made answer, and what it cites."""

from datetime import date

from corpus.index.stored import DocumentSummary
from corpus.model import Authority, Span
from retrieval.blocks import NO_WORDS, Blocks, StatementBlock, name_of, words_of
from retrieval.model import Answer, Citation, Interpretation, Status
from ui.web.source import Surroundings


def told(text: str, *citations: int, speaker: str = "") -> StatementBlock:
    """What a source says, with whom it is about, set off."""
    return StatementBlock(words_of(text), citations, speaker=name_of(speaker) if speaker else NO_WORDS)


HOSTILE = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>{{value}}${alert(1)}</mark></details>"
CITATION = Citation(
    n=1,
    document_id=3,
    quote="`spin` is deprecated.",
    source="widget/2.0.md",
    start=40,
    end=61,
    url="https://widget.example/2.0#:~:text=spin%20is%20deprecated.",
    title="Widget 2.0",
    product="widget",
    version="2.0",
    date=date(2024, 5, 1),
    authority=Authority.OFFICIAL,
    heading=("Widget 2.0", "Deprecations"),
    telling=Span(40, 61),
)
ANSWER = Answer(
    question="Is spin deprecated?",
    status=Status.ANSWERED,
    confidence=0.9,
    blocks=Blocks(statements=(told("spin is deprecated.", 1, speaker="Widget 2.0"),)),
    citations=(CITATION,),
    passages=(),
    interpretation=Interpretation(("widget",), "2.0", ("spin",), "since_when", versions_words="2.0"),
    notes=(),
    elapsed_ms=12.0,
)
AROUND = {1: Surroundings("Before it. ", " After it.", True, False)}
DOCUMENT = DocumentSummary(
    id=7,
    root="/notes",
    source="widget/CHANGELOG.md",
    title="Widget",
    product="widget",
    aliases=(),
    version=None,
    date=None,
    authority=Authority.OFFICIAL,
    url="https://widget.example/changes",
    media_type="text/markdown",
    sha256="0",
    releases=2,
    passages=2,
)
