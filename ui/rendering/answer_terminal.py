"""Answers and search results for a terminal, which no markup or control character of a document reaches."""

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from corpus.model import Kind
from retrieval.model import Answer, Citation, Explanation, Interpretation, RankedPassage, SearchResult
from ui.rendering import answer_text, words
from ui.rendering.index import table

_STYLES = {answer_text.Code: "cyan", answer_text.Name: "bold", answer_text.Marker: "bold blue"}
_LARGEST = 3  # Contributions to show of each passage; the JSON has them all.


def render_answer(answer: Answer) -> RenderableType:
    """The answer, disagreements, caveats, numbered sources, how the question was read, and what counted where asked."""
    status = words.status_words(answer)
    parts: list[RenderableType] = [Text(status, style="bold yellow"), Text("")] if status else []
    for number, group in enumerate(answer_text.group_blocks(answer_text.split_answer(answer.answer))):
        parts += [Text("")] if number else []
        for block in group:
            if isinstance(block, answer_text.CodeBlock):
                parts.append(Padding(Text(words.printable(block.text), style="cyan"), (0, 0, 0, 4)))
            elif isinstance(block, answer_text.ListEntry):
                entry = Text("• ").append_text(_inline_text(block.inlines))
                parts.append(Padding(entry, (0, 0, 0, 2 * block.depth)))
            else:
                parts.append(_inline_text(block.inlines))
    if answer.reason:
        parts += [Text(""), Text(words.printable(f"Reason: {answer.reason}"), style="dim")]
    if conflicts := words.untold_conflicts(answer):
        parts += [Text(""), Text("Sources disagree", style="bold yellow")]
        parts += [Text(f"  {words.conflict_line(conflict, answer.citations)}") for conflict in conflicts]
    if told := words.caveats(answer):
        parts += [Text(""), *(render_words(caveat, style="yellow") for caveat in told)]
    if answer.citations:
        parts += [Text(""), Text("Sources", style="bold")]
        parts += [render_citation(citation) for citation in answer.citations]
    parts += _reading(answer.interpretation)
    if answer.explanation is not None:
        parts += [Text(""), *_explanation(answer.explanation, answer.passages)]
    return Group(*parts)


def render_search(result: SearchResult) -> RenderableType:
    """The ranked passages with their places, for a terminal; says so where there are none."""
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
    return Group(*parts, *_reading(result.interpretation))


def _reading(interpretation: Interpretation) -> Iterator[RenderableType]:
    """How the question was read, below what was found; nothing where nothing particular was read."""
    if read := words.reading_words(interpretation):
        yield from (Text(""), Text(f"Read as: {read}", style="dim"))


def render_words(text: str, *, style: str = "") -> Text:
    """Words of a source on one line, what stands between back quotes shown as code."""
    return _inline_text(answer_text.split_inlines(text), style=style)


def _inline_text(inlines: Iterable[answer_text.Inline], *, style: str = "") -> Text:
    text = Text(style=style)
    for part in inlines:
        text.append(words.printable(part.text), style=_STYLES.get(type(part)))
    return text


def render_citation(citation: Citation) -> RenderableType:
    """One numbered source with its quote, release, date, authority and place."""
    head = Text(f"[{citation.n}] ", style="bold blue")
    head.append(words.printable(citation.title or citation.source), style="bold")
    below = [
        Text(words.printable(citation.quote), style="italic"),
        Text(words.provenance(citation), style="dim"),
        Text(words.printable(f"{citation.source}:{citation.start}-{citation.end}"), style="dim"),
        *([Text(words.printable(citation.url), style="dim")] if citation.url else []),
    ]
    return Group(Text(""), head, *(Padding(line, (0, 0, 0, 4)) for line in below))


def _explanation(explanation: Explanation, passages: Sequence[RankedPassage]) -> Iterator[RenderableType]:
    """What counted for the decision to answer, and for the order of the answer's first `passages`; fits 80 columns."""
    decision = explanation.decision
    said, probability = words.STATUS_WORDS[decision.status].lower(), f"probability {decision.probability:.2f}"
    by_confidence = f"{said}: {probability}, threshold {decision.threshold:.2f}"
    told = by_confidence if decision.by_confidence else f"{said} by a rule, {probability}"
    yield Text("What counted for the decision", style="bold").append(f"  {told}", style="not bold dim")
    if decision.signals:
        signals = table("signal", "value", "typical", "points")
        for signal in decision.signals:
            figures = (f"{signal.value:.2f}", f"{signal.typical:.2f}", _points(signal.points, digits=2))
            signals.add_row(signal.signal.replace("_", " "), *figures)
        yield signals
    if not explanation.passages:
        return
    yield Text("What counted for the order", style="bold").append("  points of the search", style="not bold dim")
    order = table("", "passage", "score", "by")
    order.columns[1].max_width = 28
    for points in explanation.passages:
        heading = passages[points.place - 1].heading
        about = Text(
            words.printable(" › ".join((words.product_version(points.product, points.release), *heading[-1:])))
        )
        largest = points.contributions[:_LARGEST]
        by = [f"{_points(part.points, digits=3)} {part.feature.replace('_', ' ')}" for part in largest]
        if smaller := len(points.contributions) - len(by):
            by.append(f"and {smaller} smaller")
        order.add_row(str(points.place), about, f"{points.search_score:.3f}", "\n".join(by) or "–")
    yield order


def _points(points: float, *, digits: int) -> str:
    # Adding 0 turns the -0.0 of a rounded trifle into 0.
    rounded = round(points, digits) + 0.0
    return f"{rounded:+.{digits}f}" if rounded else f"{rounded:.{digits}f}"
