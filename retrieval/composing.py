"""Draft to answer: quotes are verified as slices of the stored text, numbered, and only then worded."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from corpus.index.reader import IndexReader
from corpus.index.stored import StoredPassage
from corpus.index.tables import TableReader
from corpus.model import Authority, Span
from corpus.plain_words import as_code, one_line
from corpus.source_words import source_words
from retrieval.blocks import NO_WORDS, Blocks, Closing, Run, Told, Words, code_line, markdown_words, name_of, words_of
from retrieval.model import Citation, Conflict, Status
from retrieval.quoting.links import quote_link
from retrieval.quoting.quotes import MAX_CODE_CHARACTERS, Quote, code_of, words_alone
from retrieval.quoting.said_words import say_entry, unsaid_change, without_records

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


@dataclass(frozen=True, slots=True)
class Opening:
    """What an answer says in words of its own: yes or no, and what became of the thing where ("Removed in")."""

    verdict: bool | None
    status: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing the answer says, in words of the sources, with the quotes that prove it."""

    words: Words
    quotes: tuple[Quote, ...]
    speaker: Words = NO_WORDS
    """Who says it, of what and when; empty where the words or the lead tell."""
    before: Words = NO_WORDS
    """Words of ours that stand before it."""
    opening: Opening | None = None
    """What goes before it where the quotes bear that; nothing otherwise."""
    label: str = ""
    """The change that its section names and its words don't ("Removed")."""
    code: tuple[str, ...] = ()
    """Lines of code, as they may stand in a fence, that are shown below it."""
    group: str = ""
    """The word that it is told under with its neighbours of the same; none where empty."""

    @property
    def text(self) -> str:
        """What it says of its quotes, in Markdown."""
        return markdown_words(self.labelled)

    @property
    def labelled(self) -> Words:
        """The words with the label before them."""
        return f"{self.label}: " + self.words if self.label else self.words

    def is_said_by(self, other: "Statement") -> bool:
        """Whether the other one, of the same release of the same document, has these words among its own."""
        mine, its = (one.quotes[0].passage for one in (self, other))
        is_same = (mine.document.id, mine.release) == (its.document.id, its.release)
        return is_same and not self.code and self.labelled.text in other.labelled.text


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two quotes that disagree, the one of more authority first; both stand in statements of their own."""

    about: str
    quotes: tuple[Quote, Quote]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before verification; `lead` stands before the statements and claims nothing about the software."""

    status: Status
    lead: Words = NO_WORDS
    statements: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    by_confidence: bool = False
    """It is what it is because the confidence was high enough, or wasn't."""
    leads_on: bool = False
    """Whether the first statement ends the lead, on its line."""
    aside: Words = NO_WORDS
    """What goes on after the lead."""
    nearest: tuple[Told, ...] = ()
    """What the nearest passages tell, where nothing was found."""
    closing: Closing | None = None
    """How much more there is, and where."""


def not_found(why: str, aside: str = "") -> Draft:
    """The honest no, in one sentence of ours that begins with "Not found", and what goes on after it."""
    return Draft(Status.NOT_FOUND, words_of(why), aside=words_of(aside))


@dataclass(frozen=True, slots=True)
class Composition:
    """The answer's blocks with their citations."""

    status: Status
    blocks: Blocks
    citations: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


_Proven = tuple[Statement, tuple[Citation, ...]]


def verify_quotes(statements: Sequence[Statement], index: TableReader) -> tuple[_Proven, ...]:
    """The statements that still have a proof, each with its citations, numbered from 1 in the order of first use."""
    cited = {id(quote): citation for quote, citation in cite_quotes(_quotes_of(statements), index)}
    proven = ((one, tuple(cited[id(quote)] for quote in one.quotes if id(quote) in cited)) for one in statements)
    return tuple((statement, citations) for statement, citations in proven if citations)


def _quotes_of(statements: Sequence[Statement]) -> tuple[Quote, ...]:
    return tuple(quote for statement in statements for quote in statement.quotes)


def cite_quotes(quotes: Iterable[Quote], index: TableReader) -> tuple[tuple[Quote, Citation], ...]:
    """The quotes that are verified as slices of the stored text, each with its citation, numbered from 1 in the order
    of first use."""
    known: dict[tuple[int, Span], Citation] = {}
    cited: list[tuple[Quote, Citation]] = []
    for quote in quotes:
        key = quote.passage.document.id, quote.span
        citation = known.get(key) or _citation(quote, index, n=len(known) + 1)
        if citation is not None:
            known[key] = citation
            cited.append((quote, citation))
    return tuple(cited)


def compose_answer(draft: Draft, index: IndexReader, *, by_catalogue: bool = False) -> Composition:
    """Verify a draft and tell it in blocks; without a proof left it is a `not_found`, but for what was drafted
    `by_catalogue` in words alone."""
    if draft.status is Status.NOT_FOUND:
        blocks = Blocks(draft.lead, draft.nearest, aside=draft.aside)
        return Composition(Status.NOT_FOUND, blocks, notes=draft.notes)
    proven = verify_quotes(_without_stems(draft.statements), index)
    if not proven and (draft.statements or not draft.lead or not by_catalogue):
        unproven = Blocks(words_of("Not found: no quote of the sources could be verified."))
        return Composition(Status.NOT_FOUND, unproven, notes=draft.notes)
    blocks = Blocks(
        lead=draft.lead,
        statements=tuple(_told(statement, cited) for statement, cited in proven),
        leads_on=draft.leads_on and bool(proven),
        aside=draft.aside,
        closing=draft.closing,
    )
    citations = sorted({one.n: one for _, cited in proven for one in cited}.values(), key=lambda one: one.n)
    numbers = {(one.document_id, Span(one.start, one.end)): one.n for one in citations}
    disputed = (
        (dispute.about, tuple(numbers.get((quote.passage.document.id, quote.span), 0) for quote in dispute.quotes))
        for dispute in draft.disputes
    )
    conflicts = tuple(Conflict(about, sides) for about, sides in disputed if all(sides))
    return Composition(draft.status, blocks, tuple(citations), draft.notes, conflicts)


def _told(statement: Statement, cited: Sequence[Citation]) -> Told:
    """A statement as a block, with what its opening says before it."""
    opening, before, label = statement.opening, statement.before, statement.label
    status = opening.status if opening else ""
    if status:
        # "Removed in Lamp 2.0: Removed: glow()".
        label = "" if label == status.split()[0] else label
        if is_unreleased(statement.quotes[0].passage):
            status = "Comes with" if status == "Since" else f"To be {status[:1].lower()}{status[1:]}"
        before = f"{status} " + before
    verdict = "" if opening is None or opening.verdict is None else "Yes" if opening.verdict else "No"
    words = replace(statement, label=label).labelled
    numbers = tuple(citation.n for citation in cited)
    code, leads = "\n".join(statement.code), opening is not None
    return Told(words, numbers, verdict, before, statement.speaker, statement.group, code, leads)


def _without_stems(statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """The statements without those that only lead to what isn't said ("For example:"), or say what one before them
    says; of the first one, which answers, and of those that say something before the colon it is told that they go on.
    "Removed the following sentence:" is said beside the sentence."""
    taken_back = {quote.passage.position for quote in _quotes_of(statements) if quote.retracted}
    kept: list[Statement] = []
    for n, statement in enumerate(statements):
        is_needed = taken_back & {quote.passage.position for quote in statement.quotes}
        if not is_needed and any(map(statement.is_said_by, kept)):
            continue
        if is_needed or statement.code or not statement.words.text.endswith(":"):
            kept.append(statement)
        elif n == 0 or any(len(quote.core) > _LONGEST_LEAD_IN for quote in statement.quotes):
            kept.append(replace(statement, words=statement.words.without_end(":") + " …"))
    return tuple(kept)


def wording(
    quote: Quote, text: str, *, max_characters: int = STATEMENT_CHARACTERS, keeps_tickets: bool = False
) -> tuple[str, str]:
    """The change that only the heading of a quote names ("Removed"; mostly empty), and what an answer says of it: its
    core on one line, with what it can't be read without, without markup, cut at a word where it is long.

    Numbers of tickets at its end are left to the quote, unless they are asked for. What the source takes back is said
    to be taken back. Code of one line ends it as a code span.
    """
    core = quote.core.slice(text)
    begin = text.rfind("\n", 0, quote.core.start) + 1
    line = text[begin : quote.core.start] + core
    is_flat = "\n" not in text[quote.core.start : begin + _FLAT_CHARACTERS] and len(text) > begin + _FLAT_CHARACTERS
    alone = words_alone(quote, text, room=min(max_characters, _ROOM_BESIDE), room_before=max_characters)
    alone = _TITLE_ABOVE.sub(": ", source_words(alone, text, quote.passage.document.media_type))
    said = say_entry(alone, keeps_tickets=keeps_tickets, is_flat=is_flat)
    label = unsaid_change(said, quote.passage.heading) if _ENTRY.match(line) else ""
    words = shorten(said, max_characters=max_characters - (len(label) + 2) * bool(label))
    code = code_of(quote, text)
    if len(code) == 1:
        written = " ".join(code_line(code[0]).split())
        words += f" {as_code(written)}" if len(words) + len(written) < max_characters else ""
    words = words.strip()
    return label, f"(taken back by the source itself) {words}" if quote.retracted else words


def labelled_wording(quote: Quote, text: str, *, max_characters: int) -> str:
    """What an answer says of a quote, with the change before it that only its heading names."""
    return ": ".join(filter(None, wording(quote, text, max_characters=max_characters)))


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


def attribution(quote: Quote) -> Words:
    """Product and release of a quote, and who speaks where it isn't the source; news and opinion by their title."""
    document = quote.passage.document
    if document.authority.is_opinion or document.is_contested:
        return according_to(quote)
    place = name_of(document.product, quote.passage.release)
    if has_yanked_heading(quote.passage):
        place += " (yanked)"
    if is_unreleased(quote.passage):
        place += " (unreleased)"
    if quote.passage.quoted:
        place += f" (quoting {quote.passage.quoted})"
    return place + " (digest)" if document.authority is Authority.DIGEST else place


def state(
    quote: Quote,
    text: str,
    *,
    max_characters: int = STATEMENT_CHARACTERS,
    keeps_tickets: bool = False,
    tells_day: bool = False,
) -> Statement:
    """The statement of a quote: who speaks, and its words as `wording` puts them; of what is news also the day."""
    label, words = wording(quote, text, max_characters=max_characters, keeps_tickets=keeps_tickets)
    code = code_of(quote, text)
    shown = "\n".join(code_line(line) for line in code[:_MOST_CODE_LINES]).rstrip().split("\n")
    shown += ["…"] * (len(code) > _MOST_CODE_LINES)
    is_shown = len(code) > 1 and sum(map(len, shown)) <= _CODE_CHARACTERS
    speaker, said = attributed(quote, words_of(words), tells_day=tells_day)
    return Statement(said, (quote,), speaker, label=label, code=tuple(shown) if is_shown else ())


def attributed(quote: Quote, words: Words, *, tells_day: bool = False) -> tuple[Words, Words]:
    """Who says some words, on request with the day that the release came out, and the words; what itself begins with
    product and release isn't told them twice."""
    speaker = attribution(quote)
    place = speaker.text
    first = words.runs[0] if words else Run("")
    begins = first.text.casefold().startswith(f"{place.casefold()} ") and not first.is_code
    if speaker == name_of(place) and begins:
        return NO_WORDS, name_of(place) + Words((replace(first, text=first.text[len(place) :]), *words.runs[1:]))
    date = quote.passage.release_date
    if date and tells_day and not quote.passage.document.authority.is_opinion:
        # One pair of brackets for who speaks and when.
        *names, last = speaker.runs
        aside = last.text.removesuffix(")") if names else ""
        day = Run(f"{aside}, {date.isoformat()})" if aside else f" ({date.isoformat()})")
        speaker = Words((*names, day)) if aside else Words((*speaker.runs, day))
    return speaker, words


def according_to(quote: Quote) -> Words:
    """The words that leave a statement to its source: "According to “Title” (analyst) on **Product 2.0**"."""
    document = quote.passage.document
    parts = [part for part in (document.product, quote.passage.release) if part]
    title = shorten(one_line(document.title), max_characters=_TITLE_CHARACTERS)
    said = words_of(f"According to “{title}” ({document.authority.value})")
    return said if all(part in title for part in parts) else said + " on " + name_of(*parts)


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
