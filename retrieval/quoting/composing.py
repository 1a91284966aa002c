"""Draft to answer: quotes are verified as slices of the stored text, numbered, and only then worded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from corpus.index.reader import IndexReader
from corpus.index.tables import TableReader
from corpus.model import Authority, Span
from corpus.plain_words import one_line
from retrieval.blocks import NO_WORDS, Blocks, Closing, Run, StatementBlock, Words, name_of, words_of
from retrieval.model import Citation, Conflict, Status
from retrieval.quoting.links import quote_link
from retrieval.quoting.quote_ranges import SHOWN_CHARACTERS
from retrieval.quoting.quotes import MAX_CODE_CHARACTERS, Quote
from retrieval.quoting.wording import labelled, shorten, word_quote

NOT_FOUND = "Not found"
_LONGEST_LEAD_IN = 40
_TITLE_CHARACTERS = 80  # A matter of display.


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
    speaker: Words = NO_WORDS  # Who says it, of what and when; empty where the words or the lead tell.
    before: Words = NO_WORDS  # Words of ours that stand before it.
    opening: Opening | None = None  # What goes before it where the quotes bear that; nothing otherwise.
    label: str = ""  # The change that its section names and its words don't ("Removed").
    code: tuple[str, ...] = ()  # Lines of code, as they may stand in a fence, that are shown below it.
    group: str = ""  # The word that it is told under with its neighbours of the same; none where empty.

    @property
    def labelled(self) -> Words:
        """The words with the label before them."""
        return labelled(self.label, self.words)

    def is_repeated_by(self, other: "Statement") -> bool:
        """Return whether the other one, of the same release of the same document, has these words among its own."""
        mine, its = (one.quotes[0].passage for one in (self, other))
        is_same = (mine.document.id, mine.release) == (its.document.id, its.release)
        return is_same and not self.code and self.labelled.text in other.labelled.text


@dataclass(frozen=True, slots=True)
class Dispute:
    """Two quotes that disagree, the one of more authority first; both stand in statements of their own."""

    about: str
    quotes: tuple[Quote, Quote]


def quotes_of(statements: Iterable[Statement]) -> list[Quote]:
    """Return what statements quote, in their order."""
    return [quote for statement in statements for quote in statement.quotes]


@dataclass(frozen=True, slots=True)
class Draft:
    """An answer before verification; `lead` stands before the statements and claims nothing about the software."""

    status: Status
    lead: Words = NO_WORDS
    statements: tuple[Statement, ...] = ()
    notes: tuple[str, ...] = ()
    disputes: tuple[Dispute, ...] = ()
    is_list: bool = False  # It tells a choice of what releases bring.
    by_confidence: bool = False  # It is what it is because the confidence was high enough, or wasn't.
    leads_on: bool = False  # Whether the first statement ends the lead, on its line.
    aside: Words = NO_WORDS  # What goes on after the lead.
    nearest: tuple[StatementBlock, ...] = ()  # What the nearest passages tell, where nothing was found.
    closing: Closing | None = None  # How much more there is, and where.


def not_found(why: str | Words = "", aside: str = "", *, nearest: tuple[StatementBlock, ...] = ()) -> Draft:
    """Return the honest no: that it isn't found, why where that is known, and what goes on after it."""
    lead = words_of(f"{NOT_FOUND}: ") + why if why else words_of(f"{NOT_FOUND} in the library's release notes.")
    return Draft(Status.NOT_FOUND, lead, aside=words_of(aside), nearest=nearest)


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
    """Keep the statements that still have a proof, each with its citations, numbered from 1 by first use."""
    cited = cite_quotes(_quotes_of(statements), index)
    proven = ((one, tuple(filter(None, islice(cited, len(one.quotes))))) for one in statements)
    return tuple((statement, citations) for statement, citations in proven if citations)


def _quotes_of(statements: Sequence[Statement]) -> tuple[Quote, ...]:
    return tuple(quote for statement in statements for quote in statement.quotes)


def cite_quotes(quotes: Iterable[Quote], index: TableReader) -> Iterator[Citation | None]:
    """Return a citation for each quote, numbered from 1 in the order of first use; None for one that isn't a slice of
    the stored text."""
    known: dict[tuple[int, Span], Citation] = {}
    for quote in quotes:
        key = quote.passage.document.id, quote.span
        citation = known.get(key) or _citation(quote, index, n=len(known) + 1)
        if citation is not None:
            known[key] = citation
        yield citation


def compose_answer(draft: Draft, index: IndexReader, *, by_catalogue: bool = False) -> Composition:
    """Verify a draft and tell it in blocks; without a proof left it is a `not_found`, but for what was drafted
    `by_catalogue` in words alone."""
    if draft.status is Status.NOT_FOUND:
        blocks = Blocks(draft.lead, draft.nearest, aside=draft.aside)
        return Composition(Status.NOT_FOUND, blocks, notes=draft.notes)
    proven = verify_quotes(_without_stems(draft), index)
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
    citations = sorted({one.n: one for _, cited in proven for one in cited}.values(), key=lambda one: one.n)
    numbers = {(one.document_id, Span(one.start, one.end)): one.n for one in citations}
    disputed = (
        (dispute.about, tuple(numbers.get((quote.passage.document.id, quote.span), 0) for quote in dispute.quotes))
        for dispute in draft.disputes
    )
    conflicts = tuple(Conflict(about, sides) for about, sides in disputed if all(sides))
    return Composition(draft.status, blocks, tuple(citations), draft.notes, conflicts)


def _block(statement: Statement, cited: Sequence[Citation]) -> StatementBlock:
    """A statement as a block, with what its opening says before it."""
    opening, before, label = statement.opening, statement.before, statement.label
    status = opening.status if opening else ""
    if status:
        # "Removed in Lamp 2.0: Removed: glow()".
        label = "" if label == status.split()[0] else label
        if statement.quotes[0].passage.is_unreleased:
            status = "Comes with" if status == "Since" else f"To be {status[:1].lower()}{status[1:]}"
        before = f"{status} " + before
    verdict = "" if opening is None or opening.verdict is None else "Yes" if opening.verdict else "No"
    words, numbers = labelled(label, statement.words), tuple(citation.n for citation in cited)
    code, leads = "\n".join(statement.code), opening is not None
    return StatementBlock(words, numbers, verdict, before, statement.speaker, statement.group, code, leads)


def _without_stems(draft: Draft) -> tuple[Statement, ...]:
    """Return the statements without those that only lead to what isn't said ("For example:"), or say what one before
    them says; of the first one, which answers, and of those that say something before the colon it is told that they go
    on. "Removed the following sentence:" is said beside the sentence, and both sides of a disagreement are."""
    taken_back = {quote.passage.position for quote in _quotes_of(draft.statements) if quote.retracted}
    disputed = [quote for dispute in draft.disputes for quote in dispute.quotes]
    kept: list[Statement] = []
    for n, statement in enumerate(draft.statements):
        is_needed = taken_back & {quote.passage.position for quote in statement.quotes}
        is_side = any(quote in disputed for quote in statement.quotes)
        if not (is_needed or is_side) and any(map(statement.is_repeated_by, kept)):
            continue
        if is_needed or statement.code or not statement.words.text.endswith(":"):
            kept.append(statement)
        elif n == 0 or any(len(quote.core) > _LONGEST_LEAD_IN for quote in statement.quotes):
            kept.append(replace(statement, words=statement.words.without_colon() + " …"))
    return tuple(kept)


def attribution(quote: Quote, *, tells_day: bool = False) -> Words:
    """Product and release of a quote with what is to be known of it, as that it was yanked, and on request the day;
    who speaks where it isn't the source, news and opinion by their title and without a day."""
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
    asked: frozenset[str] = frozenset(),
) -> Statement:
    """Make the statement of a quote: who speaks, and its words as `word_quote` puts them; of news also the day."""
    wording = word_quote(quote, text, max_characters=max_characters, keeps_tickets=keeps_tickets, asked=asked)
    speaker, words = attributed(quote, wording.words, tells_day=tells_day)
    return Statement(words, (quote,), speaker, label=wording.label, code=wording.code)


def attributed(quote: Quote, words: Words, *, tells_day: bool = False) -> tuple[Words, Words]:
    """Return who says some words, on request with the day that the release came out, and the words; what itself begins
    with product and release isn't told them twice."""
    place = attribution(quote).text
    first = words.runs[0] if words else Run("")
    begins = first.text.casefold().startswith(f"{place.casefold()} ") and not first.is_code
    if begins and attribution(quote) == name_of(place):
        rest = Words((replace(first, text=first.text[len(place) :]), *words.runs[1:]))
        return NO_WORDS, attribution(quote, tells_day=tells_day) + rest
    return attribution(quote, tells_day=tells_day), words


def according_to(quote: Quote) -> Words:
    """Return the words that leave a statement to its source: "According to “Title” (analyst) on **Product 2.0**"."""
    document = quote.passage.document
    parts = [str(part) for part in (document.product, quote.passage.release) if part]
    title = shorten(one_line(document.title), max_characters=_TITLE_CHARACTERS)
    source = words_of(f"According to “{title}” ({document.authority.value})")
    return source if all(part in title for part in parts) else source + " on " + name_of(*parts)


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
        version=str(quote.passage.release) if quote.passage.release else None,
        date=quote.passage.date,
        authority=document.authority,
        heading=quote.passage.heading,
        telling=core if core.start < core.end else span,
    )
