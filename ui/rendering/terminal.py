"""Answers and search results for a terminal, as rich renderables and plain lines.

Nothing of a document is read as rich markup, and no control character of it reaches the terminal.
"""

from collections.abc import Iterable

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from retrieval.model import Answer, Citation, RankedPassage, SearchResult, Status
from ui.rendering import answer_text
from ui.rendering.answer_text import CodeBlock, Inline, ListEntry, Marker, Name, Paragraph, split_answer, split_inlines
from ui.rendering.words import (
    STATUS_WORDS,
    citation_provenance,
    conflict_line,
    interpretation_line,
    printable,
    provenance,
    untold_conflicts,
)

_STATUS_STYLES = {Status.ANSWERED: "bold green", Status.PARTIAL: "bold yellow", Status.NOT_FOUND: "bold yellow"}


def render_answer(answer: Answer) -> RenderableType:
    """The answer, its numbered sources with their quotes, conflicts and notes, for a terminal; and what counted, where
    that was asked."""
    parts: list[RenderableType] = [_status_line(answer), Text("")]
    for block in split_answer(answer.answer):
        parts.append(_block(block))
    if answer.reason:
        parts.append(Text(printable(f"Reason: {answer.reason}"), style="dim"))
    if answer.citations:
        parts += [Text(""), Text("Sources", style="bold")]
        parts += [render_citation(citation) for citation in answer.citations]
    if conflicts := untold_conflicts(answer):
        parts += [Text(""), Text("Sources disagree", style="bold yellow")]
        parts += [Text(f"  {conflict_line(conflict, answer.citations)}") for conflict in conflicts]
    parts += [Text(printable(f"Note: {note}"), style="dim") for note in answer.notes]
    if answer.explanation is not None:
        from ui.rendering.explanation import render_explanation

        parts += [Text(""), render_explanation(answer.explanation, answer.passages)]
    return Group(*parts)


def render_search(result: SearchResult) -> RenderableType:
    """The ranked passages with their places, for a terminal; says so where there are none."""
    parts: list[RenderableType] = [Text(f"Understood as: {interpretation_line(result.interpretation)}", style="dim")]
    if not result.passages:
        parts.append(Text("No passages: nothing in the index matches these filters."))
    for rank, passage in enumerate(result.passages, start=1):
        parts += [Text(""), _passage(rank, passage)]
    return Group(*parts)


def _status_line(answer: Answer) -> Text:
    line = Text(STATUS_WORDS[answer.status], style=_STATUS_STYLES[answer.status])
    line.append(f"  confidence {answer.confidence:.2f} · {interpretation_line(answer.interpretation)}", style="dim")
    return line


def _block(block: Paragraph | ListEntry | CodeBlock) -> RenderableType:
    match block:
        case Paragraph(inlines):
            return Padding(_inline_text(inlines), (0, 0, 1, 0))
        case ListEntry(depth, inlines):
            return Padding(Text("• ").append_text(_inline_text(inlines)), (0, 0, 0, 2 * depth))
        case CodeBlock(text):
            return Padding(Text(printable(text), style="cyan"), (0, 0, 1, 4))


def render_words(text: str) -> Text:
    """Words of a source on one line, what stands between back quotes shown as code."""
    return _inline_text(split_inlines(text))


def _inline_text(inlines: Iterable[Inline]) -> Text:
    text = Text()
    for inline in inlines:
        match inline:
            case answer_text.Text(characters):
                text.append(printable(characters))
            case answer_text.Code(code):
                text.append(printable(code), style="cyan")
            case Name(name):
                text.append(printable(name), style="bold")
            case Marker(n):
                text.append(f"[{n}]", style="bold blue")
    return text


def render_citation(citation: Citation) -> RenderableType:
    """One numbered source with its quote, release, date, authority and place."""
    head = Text(f"[{citation.n}] ", style="bold blue").append(
        printable(citation.title or citation.source), style="bold"
    )
    quote = Text(printable(citation.quote), style="italic")
    about = Text(citation_provenance(citation), style="dim")
    place = Text(printable(f"{citation.source}:{citation.start}-{citation.end}"), style="dim")
    lines: list[RenderableType] = [Text(""), head, Padding(quote, (0, 0, 0, 4)), Padding(about, (0, 0, 0, 4))]
    lines.append(Padding(place, (0, 0, 0, 4)))
    if citation.url:
        lines.append(Padding(Text(printable(citation.url), style="dim"), (0, 0, 0, 4)))
    return Group(*lines)


def _passage(rank: int, passage: RankedPassage) -> RenderableType:
    head = Text(f"{rank}. ", style="bold blue")
    head.append(printable(" › ".join(passage.heading) or passage.title or passage.source), style="bold")
    about = provenance(passage.product, passage.version, released=passage.date, authority=passage.authority.value)
    place = printable(f"{passage.source}:{passage.start}-{passage.end}")
    foot = Text(f"{about} · {passage.kind.value} · score {passage.score:.3f} · {place}", style="dim")
    return Group(head, Padding(Text(printable(passage.text)), (0, 0, 0, 4)), Padding(foot, (0, 0, 0, 4)))
