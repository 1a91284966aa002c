"""From draft to answer: quotes are verified as slices of the stored text, numbered, and only then worded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from corpus.index.reader import IndexReader
from corpus.index.tables import TableReader
from corpus.model import Authority, Span
from corpus.plain_words import one_line
from retrieval.blocks import NO_WORDS, Blocks, Closing, StatementBlock, Words, name_of, words_of
from retrieval.model import Citation, Status
from retrieval.quoting.links import quote_link
from retrieval.quoting.quote_ranges import SHOWN_CHARACTERS
from retrieval.quoting.quotes import MAX_CODE_CHARACTERS, Quote
from retrieval.quoting.wording import labelled, shorten, word_quote

NOT_FOUND = "Not found"
_TITLE_CHARACTERS = 80  # A matter of display.


@dataclass(frozen=True, slots=True)
class Opening:
    """Our own words before a statement: yes or no, and what happened ("Removed in")."""

    verdict: bool | None
    status: str


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a draft, in the words of the sources, with the quotes that prove it."""

    words: Words
    quotes: tuple[Quote, ...]
    speaker: Words = NO_WORDS  # Source, product, release and day; empty if the words or the lead already name them.
    before: Words = NO_WORDS  # Our own words before it.
    opening: Opening | None = None  # Our own verdict and status, if the quotes support them.
    label: str = ""  # The change that its section names and its words don't ("Removed").
    code: tuple[str, ...] = ()  # Lines of code shown below it, safe for a fence.
    group: str = ""  # The label it shares with its neighbours; empty for none.

    @property
    def labelled(self) -> Words:
        """The label and the words: "Removed: glow()"; the words alone without a label."""
        return labelled(self.label, self.words)


def quotes_of(statements: Iterable[Statement]) -> list[Quote]:
    """Return the quotes of statements, in order."""
    return [quote for statement in statements for quote in statement.quotes]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before verification; `lead` comes before the statements and claims nothing about the software."""

    status: Status
    lead: Words = NO_WORDS
    statements: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()
    is_list: bool = False  # It lists some of the changes of releases.
    by_confidence: bool = False  # Whether the confidence decided between this answer and "not found".
    leads_on: bool = False  # Whether the first statement completes the lead's line.
    aside: Words = NO_WORDS  # Continues the lead's paragraph.
    nearest: tuple[StatementBlock, ...] = ()  # Statements from the nearest passages, for "not found".
    closing: Closing | None = None  # How many more entries there are, and where.


def not_found(why: str | Words = "", aside: str = "", *, nearest: tuple[StatementBlock, ...] = ()) -> Draft:
    """Return a "not found" draft: the reason if it is known, `aside` after it, and the `nearest` statements."""
    lead = words_of(f"{NOT_FOUND}: ") + why if why else words_of(f"{NOT_FOUND} in the library's release notes.")
    return Draft(Status.NOT_FOUND, lead, aside=words_of(aside), nearest=nearest)


@dataclass(frozen=True, slots=True)
class Composition:
    """The answer's blocks with their citations."""

    status: Status
    blocks: Blocks
    citations: tuple[Citation, ...] = ()
    notes: tuple[str, ...] = ()


_Proven = tuple[Statement, tuple[Citation, ...]]


def verify_quotes(statements: Sequence[Statement], index: TableReader) -> tuple[_Proven, ...]:
    """Return the statements with at least one verified quote, each with its citations, numbered from 1 by first use."""
    cited = cite_quotes(quotes_of(statements), index)
    proven = ((statement, tuple(filter(None, islice(cited, len(statement.quotes))))) for statement in statements)
    return tuple((statement, citations) for statement, citations in proven if citations)


def cite_quotes(quotes: Iterable[Quote], index: TableReader) -> Iterator[Citation | None]:
    """Yield a citation for each quote, numbered from 1 by first use; None for one that isn't a slice of its passage."""
    known: dict[tuple[int, Span], Citation] = {}
    for quote in quotes:
        key = quote.passage.document.id, quote.span
        citation = known.get(key) or _cite(quote, index, n=len(known) + 1)
        if citation is not None:
            known[key] = citation
        yield citation


def compose_answer(draft: Draft, index: IndexReader, *, by_catalogue: bool = False) -> Composition:
    """Verify a draft and return its blocks; without a verified quote `not_found`, unless `by_catalogue` has none."""
    if draft.status is Status.NOT_FOUND:
        return Composition(Status.NOT_FOUND, Blocks(draft.lead, draft.nearest, aside=draft.aside), notes=draft.notes)
    proven = verify_quotes(draft.statements, index)
    if not proven and (draft.statements or not draft.lead or not by_catalogue):
        unproven = not_found("no quote of the sources could be verified.")
        return Composition(Status.NOT_FOUND, Blocks(unproven.lead), notes=draft.notes)
    blocks = Blocks(
        lead=draft.lead,
        statements=tuple(_block(statement, cited) for statement, cited in proven),
        leads_on=draft.leads_on and bool(proven),
        aside=draft.aside,
        closing=draft.closing,
    )
    citations = sorted({citation.n: citation for _, cited in proven for citation in cited}.values(), key=lambda c: c.n)
    return Composition(draft.status, blocks, tuple(citations), draft.notes)


def _block(statement: Statement, cited: Sequence[Citation]) -> StatementBlock:
    """Return a statement as a block, with the words of its opening before it."""
    opening, before, label = statement.opening, statement.before, statement.label
    status = opening.status if opening else ""
    if status:
        # Or the answer would read "Removed in Lamp 2.0: Removed: glow()".
        label = "" if label == status.split()[0] else label
        if statement.quotes[0].passage.is_unreleased:
            status = "Comes with" if status == "Since" else f"To be {status[:1].lower()}{status[1:]}"
        before = f"{status} " + before
    verdict = "" if opening is None or opening.verdict is None else "Yes" if opening.verdict else "No"
    words, numbers = labelled(label, statement.words), tuple(citation.n for citation in cited)
    code, leads = "\n".join(statement.code), opening is not None
    return StatementBlock(words, numbers, verdict, before, statement.speaker, statement.group, code, leads)


def attribution(quote: Quote, *, tells_day: bool = False) -> Words:
    """Return product and release of a quote with remarks and, if `tells_day`, the day: `**Gizmo 2.12** (yanked,
    2026-05-19)`; for news and opinion their title instead."""
    passage, document = quote.passage, quote.passage.document
    if document.authority.is_opinion:
        return according_to(quote)
    place, asides = according_to(quote), list[str]()
    if not document.is_contested:
        place = name_of(document.product, passage.release)
        asides += ["yanked"] * passage.is_yanked + [
            "pre-release" if passage.release_date else "unreleased"
        ] * passage.is_unreleased
        asides += [f"quoting {passage.quoted}"] * bool(passage.quoted)
        asides += [Authority.DIGEST.value] * (document.authority is Authority.DIGEST)
    if tells_day and passage.release_date:
        asides.append(str(passage.release_date))
    return place + f" ({', '.join(asides)})" if asides else place


def statement_of(
    quote: Quote,
    text: str,
    *,
    max_characters: int = SHOWN_CHARACTERS,
    keeps_tickets: bool = False,
    tells_day: bool = False,
    tokens: frozenset[str] = frozenset(),
) -> Statement:
    """Return a quote as a statement: its words by `word_quote`, and its speaker by `attribution`."""
    wording = word_quote(quote, text, max_characters=max_characters, keeps_tickets=keeps_tickets, tokens=tokens)
    speaker = attribution(quote, tells_day=tells_day)
    return Statement(wording.words, (quote,), speaker, label=wording.label, code=wording.code)


def according_to(quote: Quote) -> Words:
    """Return the attribution to a document by its title: "According to “Title” (analyst) on **Product 2.0**"."""
    document = quote.passage.document
    parts = [str(part) for part in (document.product, quote.passage.release) if part]
    title = shorten(one_line(document.title), max_characters=_TITLE_CHARACTERS)
    source = words_of(f"According to “{title}” ({document.authority.value})")
    return source if all(part in title for part in parts) else source + " on " + name_of(*parts)


def _cite(quote: Quote, index: TableReader, *, n: int) -> Citation | None:
    """Return the citation `n` of a quote; None if it isn't a slice of its passage, is blank or too long."""
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
        version=str(quote.passage.release) if quote.passage.release else None,
        date=quote.passage.date,
        authority=document.authority,
        heading=quote.passage.heading,
        telling=core if core.start < core.end else span,
    )
