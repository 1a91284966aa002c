"""Draft to answer: quotes are verified as slices of the stored text, numbered, and only then worded."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.model import Authority
from corpus.plain_words import one_line, without_references
from retrieval.model import Citation, Conflict, Status
from retrieval.quoting.links import quote_link
from retrieval.quoting.quotes import MAX_CODE_CHARACTERS, Quote, words_alone
from retrieval.quoting.safe_text import safe
from retrieval.quoting.said_words import say_entry

STATEMENT_CHARACTERS = 300
"""What a statement says of a quote at most, where it isn't told otherwise."""
_LONGEST_LEAD_IN = 40
_TITLE_CHARACTERS = 80
_YANKED = re.compile(r"[\[(]\s*(?:yanked|withdrawn)\b|\b(?:yanked|withdrawn)\s*$", re.IGNORECASE)
_UNRELEASED = re.compile(r"\bunreleased\b|\bnot (?:yet )?released\b", re.IGNORECASE)
_ENTRY = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s")
OPINION = frozenset({Authority.NEWS, Authority.ANALYST})
"""Those who only say what others did."""


@dataclass(frozen=True, slots=True)
class Opening:
    """What an answer says in words of its own: yes or no, and what became of the thing where ("Removed in")."""

    verdict: bool | None
    status: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the answer says, in words of the sources, with the quotes that prove it."""

    text: str
    quotes: tuple[Quote, ...]
    opening: Opening | None = None
    """What goes before it where the quotes bear that; nothing otherwise."""
    group: str = ""
    """The word that it is told under with its neighbours of the same; none where empty."""


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two quotes that disagree, the one of more authority first; both stand in statements of their own."""

    about: str
    quotes: tuple[Quote, Quote]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before verification; `lead` stands before the statements and claims nothing about the software."""

    status: Status
    lead: str
    statements: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    by_confidence: bool = False
    """Whether the calibrated confidence decided between this and its opposite, not a rule."""
    leads_on: bool = False
    """Whether the first statement ends the lead, on its line."""
    closing: str = ""
    """The last line: how much more there is, and where."""


@dataclass(frozen=True, slots=True)
class Composition:
    """The worded answer with its citations."""

    status: Status
    text: str
    citations: tuple[Citation, ...]
    notes: tuple[str, ...]
    conflicts: tuple[Conflict, ...] = ()


def verify_quotes(draft: Draft, index: TableReader) -> tuple[tuple[Statement, tuple[Citation, ...]], ...]:
    """The statements that still have a proof, each with its citations, numbered from 1 in the order of first use."""
    numbers: dict[tuple[int, int, int], Citation] = {}
    proven: list[tuple[Statement, tuple[Citation, ...]]] = []
    for statement in draft.statements:
        cited: list[Citation] = []
        for quote in statement.quotes:
            key = _place(quote)
            citation = numbers.get(key) or _citation(quote, index, n=len(numbers) + 1)
            if citation is not None:
                numbers[key] = citation
                cited.append(citation)
        if cited:
            proven.append((_opened(statement), tuple(cited)))
    return tuple(proven)


def _opened(statement: Statement) -> Statement:
    opening, text = statement.opening, statement.text
    if opening is None:
        return statement
    if opening.status:
        # "Removed in Lamp 2.0: Removed: glow()".
        text = text.replace(f": {opening.status.split()[0]}: ", ": ", 1)
        is_to_come = is_unreleased(statement.quotes[0].passage)
        text = f"{_to_come(opening.status) if is_to_come else opening.status} {text}"
    if opening.verdict is not None:
        text = f"{'Yes' if opening.verdict else 'No'}: {text[:1].lower()}{text[1:]}"
    return replace(statement, text=text)


def _to_come(status: str) -> str:
    return "Comes with" if status == "Since" else f"To be {status[:1].lower()}{status[1:]}"


def compose_answer(draft: Draft, index: IndexReader) -> Composition:
    """Verify a draft and word it as Markdown with `[n]` markers; without a proof left it is a `not_found`."""
    draft = replace(draft, statements=_without_stems(draft.statements))
    proven: Sequence[tuple[Statement, tuple[Citation, ...]]] = verify_quotes(draft, index)
    says_something = proven or (draft.lead and not draft.statements)
    if draft.status is Status.NOT_FOUND or not says_something:
        lead = (
            draft.lead if draft.status is Status.NOT_FOUND else "Not found: no quote of the sources could be verified."
        )
        return Composition(Status.NOT_FOUND, lead, (), draft.notes)
    lead, listed, group = draft.lead, proven, ""
    if draft.leads_on and proven:
        (first, cited), *listed = proven
        group = first.group
        ahead = f"{lead.removesuffix(':')}. {group}:" if group else lead
        lead = f"{ahead} {first.text} {_markers(cited)}"
    groups = groupby(listed, key=lambda one: one[0].group)
    told = (part for word, some in groups for part in _grouped(list(some), word * (word != group), draft.leads_on))
    text = "\n\n".join(part for part in (lead, *told, draft.closing) if part)
    citations = {citation.n: citation for _, cited in proven for citation in cited}
    ordered = tuple(citations[n] for n in sorted(citations))
    return Composition(draft.status, text, ordered, draft.notes, _conflicts(draft, ordered))


def _without_stems(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements without those that only lead to what isn't said ("For example:"); of the first one, which answers,
    and of those that say something before the colon it is told that they go on. "Removed the following sentence:" is
    said beside the sentence."""
    taken_back = {quote.passage.position for stated in statements for quote in stated.quotes if quote.retracted}
    kept = []
    for n, statement in enumerate(statements):
        is_needed = taken_back & {quote.passage.position for quote in statement.quotes}
        if is_needed or not statement.text.endswith(":"):
            kept.append(statement)
        elif n == 0 or any(len(quote.core) > _LONGEST_LEAD_IN for quote in statement.quotes):
            kept.append(replace(statement, text=f"{statement.text[:-1]} …"))
    return tuple(kept)


def _paragraphs(proven: Sequence[tuple[Statement, tuple[Citation, ...]]], *, leads_on: bool) -> Iterator[str]:
    """The statements with their markers: what leads by itself, the others as a list; whom all of them have in common
    is named once, before it."""
    if not proven:
        return
    marked = [(statement.text, _markers(cited)) for statement, cited in proven]
    speaker = f"{attribution(proven[0][0].quotes[0])}: "
    if not leads_on:
        if proven[0][0].opening is not None or len(marked) == 1:
            (text, markers), *marked = marked
            yield f"{text} {markers}"
        elif all(text.startswith(speaker) for text, _ in marked):
            yield speaker.rstrip()
        if all(text.startswith(speaker) for text, _ in marked):
            marked = [(text.removeprefix(speaker), markers) for text, markers in marked]
    yield "\n".join(f"- {text} {markers}" for text, markers in marked)


def _grouped(proven: Sequence[tuple[Statement, tuple[Citation, ...]]], word: str, leads_on: bool) -> Iterator[str]:
    """Statements under their group's word, a single one behind it."""
    if word and len(proven) == 1:
        yield f"{word}: {proven[0][0].text} {_markers(proven[0][1])}"
        return
    yield f"{word}:" * bool(word)
    yield from _paragraphs(proven, leads_on=leads_on)


def _markers(cited: Sequence[Citation]) -> str:
    return "".join(f"[{citation.n}]" for citation in cited)


def _conflicts(draft: Draft, citations: tuple[Citation, ...]) -> tuple[Conflict, ...]:
    numbers = {(citation.document_id, citation.start, citation.end): citation.n for citation in citations}
    sides = (
        (dispute.about, tuple(numbers.get(_place(quote), 0) for quote in dispute.quotes)) for dispute in draft.disputes
    )
    return tuple(Conflict(about, both) for about, both in sides if all(both))


def _place(quote: Quote) -> tuple[int, int, int]:
    return quote.passage.document.id, quote.span.start, quote.span.end


def wording(
    quote: Quote,
    text: str,
    *,
    max_characters: int = STATEMENT_CHARACTERS,
    keeps_tickets: bool = False,
) -> str:
    """What an answer says of a quote: its core on one line, with what it can't be read without, without markup, cut at
    a word where it is long.

    The change that only its heading names stands before it; numbers of tickets at its end are left to the quote, unless
    they are asked for. What looks like a citation marker stands in a code span; what the source takes back is said to
    be taken back.
    """
    core = quote.core.slice(text)
    line = text[text.rfind("\n", 0, quote.core.start) + 1 : quote.core.start] + core
    heading = quote.passage.heading if _ENTRY.match(line) else ()
    alone = words_alone(quote, text, room=max_characters)
    if quote.passage.document.media_type == "text/x-rst":
        alone = without_references(alone)
    said = say_entry(alone, heading, keeps_tickets=keeps_tickets)
    words = safe(shorten(said, max_characters=max_characters))
    return f"(taken back by the source itself) {words}" if quote.retracted else words


def shorten(text: str, *, max_characters: int) -> str:
    """`text`, or as many of its words as fit with an ellipsis after them; a single longer word is cut anywhere. A code
    span that doesn't fit is left out, or closed where it takes most of the room."""
    if len(text) <= max_characters:
        return text
    cut = text[: max_characters + 1].rsplit(" ", 1)[0][:max_characters]
    if cut.count("`") % 2:
        before, _, code = cut.rpartition("`")
        cut = before if len(before) > len(code) else f"{cut[: max_characters - 1].rstrip()}`"
    return cut.rstrip(" ,;:–-") + " …"


def is_withdrawn(heading: str) -> bool:
    """Whether a release's heading says that the release was taken back."""
    return bool(_YANKED.search(heading))


def is_of_withdrawn(passage: StoredPassage) -> bool:
    """Whether a passage's headings say that its release was taken back."""
    return any(map(is_withdrawn, passage.heading))


def is_unreleased(passage: StoredPassage) -> bool:
    """Whether a passage's headings say that its release isn't out."""
    return any(map(_UNRELEASED.search, passage.heading))


def attribution(quote: Quote) -> str:
    """Product and release of a quote, and who speaks where it isn't the project; news and opinion by their title."""
    document = quote.passage.document
    place = f"**{safe(' '.join(part for part in (document.product, quote.passage.release) if part))}**"
    if is_of_withdrawn(quote.passage):
        place += " (yanked)"
    if is_unreleased(quote.passage):
        place += " (unreleased)"
    if document.authority in OPINION:
        return according_to(quote)
    own = document.authority in (Authority.OFFICIAL, Authority.PROJECT)
    return place if own else f"{place} ({document.authority.value})"


def state(quote: Quote, text: str, *, max_characters: int = STATEMENT_CHARACTERS) -> Statement:
    """The statement of a quote: who speaks, and its words."""
    return Statement(f"{attribution(quote)}: {wording(quote, text, max_characters=max_characters)}", (quote,))


def attributed(quote: Quote, words: str, *, day: str = "") -> str:
    """A statement with its attribution before it; what itself begins with product and release isn't told them twice."""
    speaker = attribution(quote)
    place = speaker.strip("*")
    rest = words[len(place) :]
    says_it_itself = speaker == f"**{place}**" and words.casefold().startswith(place.casefold()) and rest[:1] == " "
    # One pair of brackets for who speaks and when.
    placed = f"{speaker}{day}".replace(") (", ", ")
    return f"{speaker}{rest}" if says_it_itself else f"{placed}: {words}"


def announced(quote: Quote, text: str, *, keeps_tickets: bool = False) -> str:
    """What an answer says of a quote that is a release's news: who says it, the day it came out, and its words."""
    date = quote.passage.release_date
    day = f" ({date.isoformat()})" if date and quote.passage.document.authority not in OPINION else ""
    words = wording(quote, text, keeps_tickets=keeps_tickets)
    return attributed(quote, words, day=day)


def according_to(quote: Quote) -> str:
    """The words that leave a statement to its source: "According to “Title” (analyst) on **Product 2.0**"."""
    document = quote.passage.document
    parts = [part for part in (document.product, quote.passage.release) if part]
    title = shorten(one_line(document.title), max_characters=_TITLE_CHARACTERS)
    where = "" if all(part in title for part in parts) else f" on **{safe(' '.join(parts))}**"
    return f"According to “{safe(title)}” ({document.authority.value}){where}"


def _citation(quote: Quote, index: TableReader, *, n: int) -> Citation | None:
    document = quote.passage.document
    text = index.document_text(document.id)
    span = quote.span
    inside = quote.passage.span.start <= span.start < span.end <= min(quote.passage.span.end, len(text))
    words = span.slice(text)
    if not inside or not words.strip() or len(words) > MAX_CODE_CHARACTERS:
        return None
    return Citation(
        n=n,
        document_id=document.id,
        quote=words,
        source=document.source,
        start=span.start,
        end=span.end,
        url=quote_link(document, text, span),
        title=document.title,
        product=document.product,
        version=quote.passage.release,
        date=quote.passage.date,
        authority=document.authority,
        heading=quote.passage.heading,
    )
