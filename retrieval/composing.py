"""Draft to answer: quotes are verified as slices of the stored text, numbered, and only then worded."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.model import Authority, Span
from corpus.plain_words import as_code, one_line
from corpus.source_words import source_words
from retrieval.model import Citation, Conflict, Status
from retrieval.quoting.links import quote_link
from retrieval.quoting.quotes import MAX_CODE_CHARACTERS, Quote, code_of, words_alone
from retrieval.quoting.safe_text import safe, safe_code
from retrieval.quoting.said_words import say_entry, without_records

STATEMENT_CHARACTERS, _ROOM_BESIDE = 440, 300
"""What a statement says of a quote at most, where it isn't told otherwise, and up to where it takes in what stands
beside: a sentence is rather told whole than cut. A matter of display."""
_MOST_CODE_LINES, _CODE_CHARACTERS = 8, 800
_FLAT_CHARACTERS = 1200
"""A line as long as this is a page's whole text, in which the addresses of links stand behind their words."""
_LONGEST_LEAD_IN = 40
_TITLE_CHARACTERS = 80
"""A matter of display."""
_YANKED = re.compile(r"[\[(]\s*(?:yanked|withdrawn|retracted)\b|\b(?:yanked|withdrawn|retracted)\s*$", re.IGNORECASE)
_UNRELEASED = re.compile(r"\bunreleased\b|\bnot (?:yet )?released\b", re.IGNORECASE)
_ENTRY = re.compile(r"\s*(?:[-*+•]|\d+[.)])\s")
_TITLE_ABOVE = re.compile(r"(?<=[\w`*)])[ \t]*\n[ \t]*\n\s*(?=[A-Z`])")
"""Between the title of an entry and its paragraph."""
_COMMIT_TYPE = re.compile(
    r"(?:feat|fix|chore|refactor|perf|docs|build|ci|test|style|sec|deps)(?:\((?P<scope>[^()\s]+)\))?!?:\s+"
    r"|\[?(?i:breaking)(?i:[ -]changes?)?\]?:\s+"
)
"""The words for its kind that an entry begins with."""
_SENTENCE_ENDS = re.compile(r"(?<![.\s]\w)(?<!\bvs)[.!?](?=\s+[^\sa-z])")
_CLAUSE_ENDS = re.compile(r";(?=\s)|,(?=\s(?:which|whose|where|so|because|since)\s)")
"""After what can stand alone; a comma may as well stand in a list, and "but" or "unless" may turn what is said."""
_LEAST_SHARE = 0.3
"""A sentence or clause that holds less of what fits says too little. Chosen by hand, never fitted."""
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
    code: tuple[str, ...] = ()
    """Lines of code, as they may stand in a fence, that are shown below it."""
    group: str = ""
    """The word that it is told under with its neighbours of the same; none where empty."""

    def is_said_by(self, other: "Statement") -> bool:
        """Whether the other one, of the same release of the same document, has these words among its own."""
        words = self.text.removeprefix(f"{attribution(self.quotes[0])}: ")
        mine, its = (one.quotes[0].passage for one in (self, other))
        is_same = (mine.document.id, mine.release) == (its.document.id, its.release)
        return is_same and not self.code and words in other.text


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


_Proven = tuple[Statement, tuple[Citation, ...]]


def verify_quotes(draft: Draft, index: TableReader) -> tuple[_Proven, ...]:
    """The statements that still have a proof, each with its citations, numbered from 1 in the order of first use."""
    numbers: dict[tuple[int, Span], Citation] = {}
    proven: list[_Proven] = []
    for statement in draft.statements:
        cited: list[Citation] = []
        for quote in statement.quotes:
            key = quote.passage.document.id, quote.span
            citation = numbers.get(key) or _citation(quote, index, n=len(numbers) + 1)
            if citation is not None:
                numbers[key] = citation
                cited.append(citation)
        if cited:
            opening, text = statement.opening, statement.text
            if opening and (status := opening.status):
                # "Removed in Lamp 2.0: Removed: glow()".
                text = text.replace(f": {status.split()[0]}: ", ": ", 1)
                if is_unreleased(statement.quotes[0].passage):
                    status = "Comes with" if status == "Since" else f"To be {status[:1].lower()}{status[1:]}"
                text = f"{status} {text}"
            if opening and opening.verdict is not None:
                text = f"{'Yes' if opening.verdict else 'No'}: {text[:1].lower()}{text[1:]}"
            proven.append((replace(statement, text=text), tuple(cited)))
    return tuple(proven)


def compose_answer(draft: Draft, index: IndexReader, *, by_catalogue: bool = False) -> Composition:
    """Verify a draft and word it as Markdown with `[n]` markers; without a proof left it is a `not_found`, but for what
    was drafted `by_catalogue` in words alone."""
    proven = verify_quotes(replace(draft, statements=_without_stems(draft.statements)), index)
    if draft.status is Status.NOT_FOUND:
        return Composition(Status.NOT_FOUND, draft.lead, (), draft.notes)
    if not proven and (draft.statements or not draft.lead or not by_catalogue):
        return Composition(Status.NOT_FOUND, "Not found: no quote of the sources could be verified.", (), draft.notes)
    lead, listed, led_group = draft.lead, proven, ""
    if draft.leads_on and proven:
        listed, led_group = proven[1:], proven[0][0].group
        ahead = f"{lead.removesuffix(':')}. {led_group}:" if led_group else lead
        lead = f"{ahead} {_marked(proven[0])}"
    paragraphs = [lead]
    for group, grouped in groupby(listed, key=lambda one: one[0].group):
        some = list(grouped)
        if group not in ("", led_group):
            if len(some) == 1:
                paragraphs.append(f"{group}: {_marked(some[0])}")
                continue
            paragraphs.append(f"{group}:")
        paragraphs += _list_statements(some, leads_on=draft.leads_on)
    text = "\n\n".join(part for part in (*paragraphs, draft.closing) if part)
    citations = sorted({one.n: one for _, cited in proven for one in cited}.values(), key=lambda one: one.n)
    numbers = {(one.document_id, Span(one.start, one.end)): one.n for one in citations}
    disputed = (
        (dispute.about, tuple(numbers.get((quote.passage.document.id, quote.span), 0) for quote in dispute.quotes))
        for dispute in draft.disputes
    )
    conflicts = tuple(Conflict(about, sides) for about, sides in disputed if all(sides))
    return Composition(draft.status, text, tuple(citations), draft.notes, conflicts)


def _without_stems(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements without those that only lead to what isn't said ("For example:"), or say what one before them
    says; of the first one, which answers, and of those that say something before the colon it is told that they go on.
    "Removed the following sentence:" is said beside the sentence."""
    taken_back = {quote.passage.position for stated in statements for quote in stated.quotes if quote.retracted}
    kept: list[Statement] = []
    for n, statement in enumerate(statements):
        is_needed = taken_back & {quote.passage.position for quote in statement.quotes}
        if not is_needed and any(map(statement.is_said_by, kept)):
            continue
        if is_needed or statement.code or not statement.text.endswith(":"):
            kept.append(statement)
        elif n == 0 or any(len(quote.core) > _LONGEST_LEAD_IN for quote in statement.quotes):
            kept.append(replace(statement, text=f"{statement.text[:-1]} …"))
    return tuple(kept)


def _list_statements(proven: Sequence[_Proven], *, leads_on: bool) -> Iterator[str]:
    """The statements with their markers: what leads by itself, the others as a list; whom all of them have in common
    is named once, before it."""
    marked = list(map(_marked, proven))
    speaker = f"{attribution(proven[0][0].quotes[0])}: "
    if not leads_on:
        if proven[0][0].opening is not None or len(marked) == 1:
            yield marked.pop(0)
        elif all(text.startswith(speaker) for text in marked):
            yield speaker.rstrip()
        if all(text.startswith(speaker) for text in marked):
            marked = [text.removeprefix(speaker) for text in marked]
    yield "\n".join(f"- {text}" for text in marked)


def _marked(proven: _Proven) -> str:
    statement, cited = proven
    marked = f"{statement.text} {''.join(f'[{citation.n}]' for citation in cited)}"
    return "\n".join((f"{marked}\n\n```", *statement.code, "```")) if statement.code else marked


def wording(quote: Quote, text: str, *, max_characters: int = STATEMENT_CHARACTERS, keeps_tickets: bool = False) -> str:
    """What an answer says of a quote: its core on one line, with what it can't be read without, without markup, cut at
    a word where it is long.

    The change that only its heading names stands before it; numbers of tickets at its end are left to the quote, unless
    they are asked for. What looks like a citation marker stands in a code span; what the source takes back is said to
    be taken back. Code of one line ends it as a code span.
    """
    core = quote.core.slice(text)
    begin = text.rfind("\n", 0, quote.core.start) + 1
    line = text[begin : quote.core.start] + core
    is_flat = "\n" not in text[quote.core.start : begin + _FLAT_CHARACTERS] and len(text) > begin + _FLAT_CHARACTERS
    heading = quote.passage.heading if _ENTRY.match(line) else ()
    alone = words_alone(quote, text, room=min(max_characters, _ROOM_BESIDE), room_before=max_characters)
    alone = _TITLE_ABOVE.sub(": ", source_words(alone, text, quote.passage.document.media_type))
    said = say_entry(alone, heading, keeps_tickets=keeps_tickets, is_flat=is_flat)
    words = safe(shorten(said, max_characters=max_characters))
    code = code_of(quote, text)
    if len(code) == 1:
        written = " ".join(safe_code(code[0]).split())
        words += f" {as_code(written)}" if len(words) + len(written) < max_characters else ""
    words = words.strip()
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


def telling_clause(words: str, *, max_characters: int, longest: int = 0) -> str:
    """The first sentences that fit, or the first one up to `longest`; of a longer one its first clauses, or as many
    words as fit with an ellipsis. Never empty where `words` aren't."""
    said = said_words(words)
    if len(said) <= max_characters:
        return said
    longest = max(longest, max_characters)
    ends = [*(found.end() for found in _SENTENCE_ENDS.finditer(said)), len(said)]
    ends = [end for end in ends if _LEAST_SHARE * max_characters <= end <= longest and _is_whole(said[:end])]
    if ends:
        return said[: max((end for end in ends if end <= max_characters), default=ends[0])]
    clauses = (said[: found.start()] for found in _CLAUSE_ENDS.finditer(said, 0, longest))
    whole = [clause for clause in clauses if len(clause) >= _LEAST_SHARE * max_characters and _is_whole(clause)]
    return f"{whole[-1]}." if whole else shorten(said, max_characters=longest)


def _is_whole(said: str) -> bool:
    """Whether no code span or parenthesis is left open."""
    return said.count("`") % 2 == 0 and said.count("(") == said.count(")")


def said_words(words: str) -> str:
    """An entry's words without tickets, commits, authors and the commit's type around them; never empty where `words`
    aren't."""
    said = without_records(words).strip()
    if found := _COMMIT_TYPE.match(said):
        return (f"{found['scope']}: " if found["scope"] else "") + without_records(said[found.end() :])
    return said


def has_yanked_heading(passage: StoredPassage) -> bool:
    """Whether a passage's headings say that its release was taken back."""
    return any(map(_YANKED.search, passage.heading))


def is_unreleased(passage: StoredPassage) -> bool:
    """Whether a passage's headings say that its release isn't out."""
    return any(map(_UNRELEASED.search, passage.heading))


def attribution(quote: Quote) -> str:
    """Product and release of a quote, and who speaks where it isn't the source; news and opinion by their title."""
    document = quote.passage.document
    place = f"**{safe(' '.join(part for part in (document.product, quote.passage.release) if part))}**"
    if has_yanked_heading(quote.passage):
        place += " (yanked)"
    if is_unreleased(quote.passage):
        place += " (unreleased)"
    if document.authority.is_opinion or document.is_contested:
        return according_to(quote)
    if quote.passage.quoted:
        place += f" (quoting {safe(quote.passage.quoted)})"
    return f"{place} (digest)" if document.authority is Authority.DIGEST else place


def state(
    quote: Quote,
    text: str,
    *,
    max_characters: int = STATEMENT_CHARACTERS,
    keeps_tickets: bool = False,
    tells_day: bool = False,
) -> Statement:
    """The statement of a quote: who speaks, and its words as `wording` puts them; of what is news also the day."""
    words = wording(quote, text, max_characters=max_characters, keeps_tickets=keeps_tickets)
    code = code_of(quote, text)
    shown = "\n".join(safe_code(line) for line in code[:_MOST_CODE_LINES]).rstrip().split("\n")
    shown += ["…"] * (len(code) > _MOST_CODE_LINES)
    is_shown = len(code) > 1 and sum(map(len, shown)) <= _CODE_CHARACTERS
    return Statement(attributed(quote, words, tells_day=tells_day), (quote,), code=tuple(shown) if is_shown else ())


def attributed(quote: Quote, words: str, *, tells_day: bool = False) -> str:
    """Words with their attribution before them, and on request the day that the release came out; what itself begins
    with product and release isn't told them twice."""
    speaker = attribution(quote)
    place = speaker.strip("*")
    rest = words[len(place) :]
    if speaker == f"**{place}**" and words.casefold().startswith(place.casefold()) and rest[:1] == " ":
        return f"{speaker}{rest}"
    date = quote.passage.release_date
    if date and tells_day and not quote.passage.document.authority.is_opinion:
        # One pair of brackets for who speaks and when.
        speaker = f"{speaker} ({date.isoformat()})".replace(") (", ", ")
    return f"{speaker}: {words}" if words else speaker


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
    core = Span(max(span.start, quote.core.start), min(span.end, quote.core.end))
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
        telling=core if core.start < core.end else span,
    )
