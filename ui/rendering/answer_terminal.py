"""Answers and search results as plain text for a terminal, which `ui.cli.options.show_result` makes printable."""

from textwrap import indent

from corpus.model import Kind
from retrieval.blocks import Line, LineKind, Words, as_words, grouped_lines, text_of_part
from retrieval.model import Answer, Citation, RankedPassage, SearchResult
from ui.rendering import words


def render_answer(answer: Answer) -> str:
    """Render the answer, the reason of an abstention, caveats, numbered sources, and how the question was read."""
    parts = ["\n".join(map(_render_line, group)) for group in grouped_lines(answer.blocks)]
    if answer.reason:
        parts.append(f"Reason: {answer.reason}")
    if caveats := words.caveats(answer):
        parts.append("\n".join(map(render_words, caveats)))
    if answer.citations:
        parts += ["Sources", *map(render_citation, answer.citations)]
    if reading := words.reading_words(answer.interpretation):
        parts.append(f"Read as: {reading}")
    return "\n\n".join(parts)


def render_search(result: SearchResult) -> str:
    """Render the ranked passages with their places, or a line that there are none."""
    parts = [_render_passage(rank, passage) for rank, passage in enumerate(result.passages, start=1)]
    if not parts:
        parts.append("Nothing found: no notes fit the query and these filters.")
    if reading := words.reading_words(result.interpretation):
        parts.append(f"Read as: {reading}")
    return "\n\n".join(parts)


def _render_passage(rank: int, passage: RankedPassage) -> str:
    head = " › ".join(passage.heading) or passage.title or passage.source
    kind = f"{passage.kind.value} · " if passage.kind is not Kind.OTHER else ""
    about = f"{words.provenance(passage)} · {kind}{passage.source}:{passage.start}-{passage.end}"
    return f"{rank}. {head}\n{indented(passage.text)}\n{indented(about)}"


def render_words(text: Words | str) -> str:
    """Render words in their order, code without marks."""
    return "".join(run.text for run in as_words(text).runs)


def _render_line(line: Line) -> str:
    if line.kind is LineKind.CODE:
        return indented(line.text)
    text = "".join(map(text_of_part, line.parts))
    return f"• {text}" if line.kind is LineKind.ENTRY else text


def render_citation(citation: Citation) -> str:
    """Render one numbered source with its quote, release, date, authority and place."""
    place = f"{citation.source}:{citation.start}-{citation.end}"
    about = filter(None, (citation.quote, words.provenance(citation), place, citation.url))
    return "\n".join((f"[{citation.n}] {words.document_name(citation)}", *map(indented, about)))


def indented(text: str) -> str:
    """Indent each line of a text by four spaces."""
    return indent(text, "    ")
