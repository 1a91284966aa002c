"""Answers as Slack messages in Block Kit, cut to what Slack takes.

Text goes into rich text blocks, whose characters Slack shows as they are: no `<!channel>`, mention, link or mark of a
document can come to life there. The `text` beside the blocks, which notifications show, is escaped.
"""

from collections.abc import Iterable, Sequence

from retrieval.claims.model import ClaimCheck
from retrieval.model import Answer, Citation, RankedPassage
from retrieval.quoting.links import is_web_page
from ui.rendering.answer_text import (
    AnswerBlock,
    Code,
    CodeBlock,
    Inline,
    ListEntry,
    Marker,
    Name,
    Paragraph,
    Text,
    group_blocks,
    plain_answer,
    split_answer,
    split_inlines,
)
from ui.rendering.slack_limits import Json, SlackMessage, pack_messages
from ui.rendering.words import (
    VERDICT_WORDS,
    caveats,
    citation_provenance,
    conflict_line,
    counted,
    document_told,
    printable,
    provenance,
    reading_words,
    status_words,
    untold_conflicts,
)

_MAX_URL_CHARACTERS = 1_500
_MAX_CLAIMS = 5
"""Shown of one message: somebody may point at a whole changelog, and a thread is for people."""


def render_slack_answer(answer: Answer, controls: Sequence[Json] = ()) -> tuple[SlackMessage, ...]:
    """The answer as one message, or several where it is long; the last one ends with the blocks of `controls`."""
    status = status_words(answer)
    groups = [[_section([_bold(status)])]] if status else []
    groups += (
        [_piece(block, answer.citations) for block in group] for group in group_blocks(split_answer(answer.answer))
    )
    if conflicts := untold_conflicts(answer):
        lines = (_list([_plain(conflict_line(conflict, answer.citations))]) for conflict in conflicts)
        groups.append([_section([_bold("Sources disagree")]), *lines])
    groups += [[_remark(caveat)] for caveat in caveats(answer)]
    if answer.citations:
        groups.append([_section([_bold("Sources")])])
        groups += [_source(citation) for citation in answer.citations]
    if read := reading_words(answer.interpretation):
        groups.append([_section([_plain(f"Read as: {read}", italic=True)])])
    return pack_messages(groups, controls, text=f"{status}.\n\n" * bool(status) + plain_answer(answer.answer))


def render_slack_passages(passages: Sequence[RankedPassage]) -> tuple[SlackMessage, ...]:
    """Ranked passages with their places, best first; says so where there are none."""
    if not passages:
        return render_slack_text("The notes hold nothing more on this question.")
    groups = [[_section([_bold("More from the notes, best match first")])]]
    for passage in passages:
        about = provenance(passage.product, passage.version, released=passage.date, authority=passage.authority)
        title = " › ".join(passage.heading) or passage.title or passage.source
        groups.append([_section([_bold(title), _plain(f" · {about}")]), _quote(passage.text)])
    return pack_messages(groups, (), text="More from the notes, best match first")


def render_slack_claims(check: ClaimCheck) -> tuple[SlackMessage, ...]:
    """What the notes say of the first claims that have a source; the numbers count anew for each claim."""
    groups: list[list[Json]] = []
    sourced = [checked for checked in check.claims if checked.citations]
    for checked in sourced[:_MAX_CLAIMS]:
        groups.append([_section([_plain(" ".join(checked.claim.text.split()), italic=True)])])
        because = _elements(split_inlines(f". {checked.because}"))
        groups.append([_section([_bold(VERDICT_WORDS[checked.verdict]), *because])])
        groups += [_source(citation) for citation in checked.citations]
    left = len(sourced[_MAX_CLAIMS:])
    if left:
        groups.append(
            [_section([_plain(f"The notes also speak about {counted(left, 'more sentence')} of it.", italic=True)])]
        )
    return pack_messages(groups, (), text="What the release notes say about this message")


def render_slack_text(text: str) -> tuple[SlackMessage, ...]:
    """A line of our own, such as what went wrong."""
    return pack_messages([[_section([_plain(text)])]], (), text=text)


def _piece(block: AnswerBlock, citations: Sequence[Citation]) -> Json:
    match block:
        case CodeBlock(text):
            # Slack refuses an element without a character.
            return {"type": "rich_text_preformatted", "elements": [_plain(text or " ")]}
        case ListEntry(depth, inlines):
            return _list(_elements(inlines, citations), depth=depth)
        case Paragraph(inlines):
            return _section(_elements(inlines, citations))


def _elements(inlines: Iterable[Inline], citations: Sequence[Citation] = ()) -> list[Json]:
    elements: list[Json] = []
    for inline in inlines:
        match inline:
            case Text(text) if text:
                elements.append(_plain(text))
            case Code(text):
                cited = document_told(inline, citations)
                is_linked = cited and _is_linkable(cited.url)
                elements.append(_link(cited.url, text, code=True) if cited and is_linked else _plain(text, code=True))
            case Name(text):
                elements.append(_bold(text))
            case Marker(n):
                elements.append(_bold(f"[{n}]"))
    return elements


def _remark(text: str) -> Json:
    """A line of our own beside the answer, what stands between back quotes shown as code."""
    elements = []
    for inline in split_inlines(text):
        match inline:
            case Code(code):
                elements.append(_plain(code, code=True))
            case Marker(n):
                elements.append(_plain(f"[{n}]", italic=True))
            case Text(words) | Name(words) if words:
                elements.append(_plain(words, italic=True))
    return _section(elements)


def _source(citation: Citation) -> list[Json]:
    title = citation.title or citation.source
    shown = _link(citation.url, title, bold=True) if _is_linkable(citation.url) else _bold(title)
    head = _section([_bold(f"[{citation.n}] "), shown, _plain(f" · {citation_provenance(citation)}")])
    return [head, _quote(citation.quote)]


def _is_linkable(url: str | None) -> bool:
    return url is not None and is_web_page(url) and len(url) <= _MAX_URL_CHARACTERS and not {*url} & {*'"\\'}


def _plain(text: str, **style: bool) -> Json:
    shown = printable(text)
    return {"type": "text", "text": shown, "style": style} if style else {"type": "text", "text": shown}


def _bold(text: str) -> Json:
    return _plain(text, bold=True)


def _link(url: str | None, text: str, **style: bool) -> Json:
    return {"type": "link", "url": url, "text": printable(text), "style": style}


def _section(elements: list[Json]) -> Json:
    return {"type": "rich_text_section", "elements": elements}


def _quote(text: str) -> Json:
    return {"type": "rich_text_quote", "elements": [_plain(text)]}


def _list(elements: list[Json], *, depth: int = 0) -> Json:
    # Slack indents a list by up to eight steps.
    return {"type": "rich_text_list", "style": "bullet", "indent": min(depth, 8), "elements": [_section(elements)]}
