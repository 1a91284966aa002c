"""Answers and search results for a terminal; markup and control characters of documents are escaped."""

from collections.abc import Iterable, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from corpus.model import Kind
from retrieval.blocks import Line, LineKind, Marker, Part, Run, Words, as_words, grouped_lines, text_of_part
from retrieval.model import Answer, Citation, Interpretation, SearchResult
from ui.rendering import words


def render_answer(answer: Answer) -> RenderableType:
    """Render the answer, the reason of an abstention, caveats, numbered sources, and how the question was read."""
    parts: list[RenderableType] = []
    for group in grouped_lines(answer.blocks):
        parts += [Text("")] if parts else []
        parts += map(_render_line, group)
    if answer.reason:
        parts += [Text(""), Text(words.printable(f"Reason: {answer.reason}"), style="dim")]
    if caveats := words.caveats(answer):
        parts += [Text(""), *(render_words(caveat, style="yellow") for caveat in caveats)]
    if answer.citations:
        parts += [Text(""), Text("Sources", style="bold")]
        parts += [render_citation(citation) for citation in answer.citations]
    parts += _render_reading(answer.interpretation)
    return Group(*parts)


def render_search(result: SearchResult) -> RenderableType:
    """Render the ranked passages with their places, or a line that there are none."""
    parts: list[RenderableType] = []
    if not result.passages:
        parts.append(Text("Nothing found: no notes fit the query and these filters."))
    for rank, passage in enumerate(result.passages, start=1):
        head = Text(f"{rank}. ", style="bold blue")
        head.append(words.printable(" › ".join(passage.heading) or passage.title or passage.source), style="bold")
        place = words.printable(f"{passage.source}:{passage.start}-{passage.end}")
        kind = f"{passage.kind.value} · " if passage.kind is not Kind.OTHER else ""
        below = Text(words.printable(passage.text)), Text(f"{words.provenance(passage)} · {kind}{place}", style="dim")
        parts += [Text("")] if parts else []
        parts += [head, *(Padding(line, (0, 0, 0, 4)) for line in below)]
    return Group(*parts, *_render_reading(result.interpretation))


def _render_reading(interpretation: Interpretation) -> Iterator[RenderableType]:
    """Yield a blank line and how the question was read; nothing if no product, version or form was read."""
    if reading := words.reading_words(interpretation):
        yield from (Text(""), Text(f"Read as: {reading}", style="dim"))


def render_words(words: Words | str, *, style: str = "") -> Text:
    """Render words in their order, code in the style of code, all else in `style`; control characters are replaced."""
    return _render_parts(as_words(words).runs, style=style)


def _render_line(line: Line) -> RenderableType:
    if line.kind is LineKind.CODE:
        return Padding(Text(words.printable(line.text), style="cyan"), (0, 0, 0, 4))
    return Text("• " * (line.kind is LineKind.ENTRY)).append_text(_render_parts(line.parts))


def _render_parts(parts: Iterable[Part], *, style: str = "") -> Text:
    text = Text(style=style)
    for part in parts:
        text.append(words.printable(text_of_part(part)), style=_part_style(part))
    return text


def _part_style(part: Part) -> str:
    if isinstance(part, Run):
        return " ".join(("bold",) * part.is_strong + ("cyan",) * part.is_code)
    return "bold blue" if isinstance(part, Marker) else "cyan"


def render_citation(citation: Citation) -> RenderableType:
    """Render one numbered source with its quote, release, date, authority and place."""
    head = Text(f"[{citation.n}] ", style="bold blue")
    head.append(words.printable(words.document_name(citation)), style="bold")
    place = f"{citation.source}:{citation.start}-{citation.end}"
    about = filter(None, (words.provenance(citation), place, citation.url))
    below = [Text(words.printable(citation.quote), style="italic")]
    below += [Text(words.printable(line), style="dim") for line in about]
    return Group(Text(""), head, *(Padding(line, (0, 0, 0, 4)) for line in below))
