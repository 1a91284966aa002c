"""Query, hit, citation, answer: the values a question passes through on its way.

They are the contract's JSON in Python (docs/contract.md); `ui.rendering` and `ui.contract.answer` turn them into bytes.
"""

from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from corpus.model import Act, Authority, Kind, Span
from corpus.versions import VersionConstraint
from retrieval.blocks import Blocks, markdown_of

MAX_QUESTION_LENGTH = 4_000


class Shape(StrEnum):
    """What an answer is made of, and so who drafts it (`retrieval.answers`)."""

    CHAT = "chat"  # One sentence of what can be asked.
    CATALOGUE = "catalogue"  # What the catalogue knows of releases; no passage.
    NEWS = "news"  # What the notes of whole releases put first.
    SECURITY = "security"  # What releases mended of vulnerabilities.
    LIST = "list"  # The best entries of several releases.
    EVENT = "event"  # The release in which something happened to one thing.
    FACT = "fact"  # The one entry that answers.


@dataclass(frozen=True, slots=True)
class Traits:
    """What is so of every question of a form: its row in the table that `Form` is."""

    shape: Shape
    words: str = ""  # What it asks for, for people; empty for a plain fact.
    intent: str = ""  # The contract's word for it, where that isn't the form's own.
    kinds: frozenset[Kind] = frozenset()  # Of passages that search prefers for it.
    is_trouble: bool = False  # Something went wrong for who asks, or is gone; a later release mends it.
    asks_state: bool = False  # It asks how things are, of which the notes of an earlier release tell.
    is_terse: bool = False  # So a fragment reads that leaves to the question before it what is asked.
    turns_on_name: bool = False  # It asks whether or when what its verb says happened to what it names.
    is_move: bool = False  # It is about going to a release; what it names is where something happens to who asks.
    asks_changes: bool = False  # A release is told by what the one before it hadn't.
    is_compared: bool = True  # Two releases may be told by what the pages of each say.
    is_everywhere: bool = False  # What somebody runs doesn't narrow it.

    @property
    def is_catalogue(self) -> bool:
        return self.shape is Shape.CATALOGUE

    @property
    def is_news(self) -> bool:
        return self.shape is Shape.NEWS

    @property
    def is_listing(self) -> bool:
        """Whether it is answered by going through releases, not by one best entry."""
        return self.is_catalogue or self.is_news

    @property
    def is_judged(self) -> bool:
        """Whether the judge reads what was found."""
        return not self.is_listing and self.shape is not Shape.CHAT

    @property
    def is_of_releases(self) -> bool:
        """Whether a day or a year in it is that of a release."""
        return self.is_listing or self.shape is Shape.SECURITY

    @property
    def is_in_older_notes(self) -> bool:
        """Whether older notes tell it: those of the newest release seldom repeat them."""
        return self.asks_state or self.shape is Shape.EVENT

    @property
    def depth(self) -> int:
        """How many passages are read for it; an answer over several releases is in more places."""
        return 24 if self.shape in (Shape.NEWS, Shape.SECURITY, Shape.LIST) else 10


_BROKEN = frozenset({Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION})
_NEW, _HOLES = frozenset({Kind.FEATURE, Kind.PERFORMANCE}), frozenset({Kind.SECURITY})


class Form(StrEnum):
    """What shape of answer a question asks for: the one table of what follows from it. What a single form alone does is
    written where it is done."""

    WHATS_NEW = "whats_new", Traits(Shape.NEWS, "what is new", kinds=_NEW, is_terse=True, asks_changes=True)
    LATEST = "latest", Traits(Shape.CATALOGUE, "which releases there are", "catalogue", is_everywhere=True)
    EXISTS = "exists", Traits(Shape.CATALOGUE, "which releases there are", "catalogue")
    SHOULD_UPGRADE = "should_upgrade", Traits(Shape.NEWS, "whether to upgrade", is_move=True, is_compared=False)
    BREAKS = "breaks", Traits(Shape.NEWS, "what breaks", "upgrade", kinds=_BROKEN, is_move=True)
    MIGRATE = "migrate", Traits(Shape.FACT, "what to use instead", is_trouble=True)
    ERROR = "error", Traits(Shape.FACT, "what an error means", is_trouble=True)
    SINCE_WHEN = "since_when", Traits(Shape.EVENT, "since when", turns_on_name=True, is_everywhere=True)
    YES_NO = "yes_no", Traits(Shape.FACT, asks_state=True, is_terse=True, turns_on_name=True)
    VALUE = "value", Traits(Shape.FACT, "a number or a name", asks_state=True, is_terse=True)
    SECURITY = "security", Traits(Shape.SECURITY, "security", kinds=_HOLES, is_trouble=True, is_compared=False)
    COMPARE = "compare", Traits(Shape.LIST, "how releases differ", asks_changes=True)
    SYMPTOM = "symptom", Traits(Shape.FACT, "why something changed", is_trouble=True)
    FACT = "fact", Traits(Shape.FACT, asks_state=True, is_terse=True)
    CHAT = "chat", Traits(Shape.CHAT)

    traits: Traits
    intent: str  # The contract's word for it.

    def __new__(cls, word: str, traits: Traits = Traits(Shape.FACT)) -> "Form":
        form = str.__new__(cls, word)
        form._value_, form.traits, form.intent = word, traits, traits.intent or word
        return form


class Wanted(StrEnum):
    """What a question asks for by name; most ask for nothing of the sort.

    Values come first, what is asked of a product's releases after them.
    """

    CVE = "cve"
    SCORE = "score"
    CHANGE = "change"  # The number of a pull request, an issue or a commit.
    PERSON = "person"
    RATIO = "ratio"
    AMOUNT = "amount"
    LIMIT = "limit"
    COUNT = "count"
    DAY = "day"
    EXCEPTION = "exception"
    COURSE = "course"  # How something went from release to release.
    RELEASES = "releases"  # All releases of which something is so.
    LAST = "last"  # The last release of which something was so.
    NEWEST = "newest"
    OLDEST = "oldest"
    IS_NEWEST = "is_newest"
    IS_OLDEST = "is_oldest"
    LIST = "list"
    THERE = "there"  # Whether something is out, or in the index.
    ORDER = "order"  # Which of two came first.
    WITHDRAWN = "withdrawn"
    DOCUMENTS = "documents"
    PRODUCTS = "products"  # What the index covers.


class Relative(StrEnum):
    """How a question names releases by their place among the others."""

    NEWEST = "newest"
    PREVIOUS = "previous"
    NEXT = "next"
    OLDER = "older"
    NEWER = "newer"
    ANY = "any"


class Facet(StrEnum):
    """A part of what a question is understood as; a person may take one back that was read wrongly."""

    PRODUCT = "product"
    VERSION = "version"
    INTENT = "intent"


class Status(StrEnum):
    ANSWERED = "answered"
    PARTIAL = "partial"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed question."""

    text: str  # The question as asked, without the words around it.
    search_text: str
    """What is searched: the question, and where it leans on them the earlier questions of the conversation."""
    products: tuple[str, ...]  # Canonical product names; empty: any product.
    product_stated: bool  # Named by the question, its history or a filter, not inferred.
    constraint: VersionConstraint | None
    version_filtered: bool  # The constraint is a filter: notes of other releases aren't shown at all.
    symbols: tuple[str, ...]
    references: tuple[str, ...]  # `#123`, `CVE-2024-1234`, `PEP 649`, written as `Passage.references` writes them.
    form: Form  # What shape of answer it asks for.
    act: Act | None = None  # What happening it asks about; None for no particular one.
    wanted: Wanted | None = None
    relative: Relative | None = None
    versions_named_as: str = ""
    """The question's words for the releases where it names them without a number: "latest", "in 2024". With no
    constraint: no release of the product is so."""
    unknown_products: tuple[str, ...] = ()
    """What the question is about and the catalogue doesn't have; only where it names no product that it has."""
    versions_open: str = ""
    """The question's words for releases ("latest") that are others for each product, where it isn't about one."""
    bearing: VersionConstraint | None = None
    """Releases whose notes bear on the asked one, where the form of the question has such; None otherwise."""
    versions_set_aside: VersionConstraint | None = None
    """What the question says of versions, where the version filter says otherwise."""
    statements: int | None = None  # How many statements it asks for; None where it doesn't say.
    asks_of_answer: bool = False  # A bare "since when?": it asks of what the last answer to no such question told.
    barred: tuple[str, ...] = ()  # Tokens of what it says that it isn't about; no entry with one answers it.
    before: "Query | None" = None
    """The question before it, under the same filters; None for the first one of a conversation."""
    otherwise: "tuple[Query, ...]" = ()
    """What else a follow-up may ask: told where that finds what is nearer, or it finds nothing new as it is."""

    @property
    def earlier(self) -> "tuple[Query, ...]":
        """The questions before it, the first one first."""
        return (*self.before.earlier, self.before) if self.before is not None else ()

    def listing(self, most: int | None) -> "Query":
        """Return it asking for so many changes where it doesn't say, with those before it, that "more" goes on with."""
        asked = self.statements or (most if self.form in (Form.WHATS_NEW, Form.BREAKS) else None)
        return replace(self, statements=asked, before=self.before and self.before.listing(most))


@dataclass(frozen=True, slots=True)
class Interpretation:
    """What the question was understood as, for people."""

    products: tuple[str, ...]
    versions: str | None
    symbols: tuple[str, ...]
    intent: str
    unknown_products: tuple[str, ...] = ()
    versions_words: str = ""  # The same versions, without signs.
    standalone: str | None = None
    """A follow-up that a language model read, as it would be asked without the questions before it."""


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """A passage as an answer lists it, best first; `text` is the slice `[start, end)` of the document."""

    source: str
    start: int
    end: int
    text: str
    score: float
    product: str
    version: str | None
    kind: Kind
    title: str
    heading: tuple[str, ...]
    date: date | None
    authority: Authority
    url: str | None
    document_id: int


@dataclass(frozen=True, slots=True)
class Citation:
    """A verbatim quote with its place: a slice of the stored document, whose checksum was checked."""

    n: int  # The marker `[n]` in the answer, from 1.
    quote: str
    source: str
    start: int
    end: int
    url: str | None  # The quote's place in the original, as long as such an address lasts (`retrieval.quoting.links`).
    title: str
    product: str
    version: str | None
    date: date | None
    authority: Authority
    heading: tuple[str, ...]
    telling: Span
    """What of the quote answers, in the document's text as `start` and `end` are; the rest makes it understood."""
    document_id: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """Sources that disagree about one subject; `citations` are the numbers of both sides, official first."""

    about: str
    citations: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item that was found beside an answer: its range, and what it says on one line."""

    document_id: int
    start: int
    end: int
    line: str
    is_about: bool  # Whether it holds the names that are asked for, or most of what a question without names tells.


class Heard(StrEnum):
    """Whether a language model had a say in an answer."""

    NO = "no"
    """There is none, it had nothing to say that could be used, or nothing that it reads can change the answer."""
    NOT_YET = "not_yet"  # It wasn't to be asked, and may change the answer.
    YES = "yes"


@dataclass(frozen=True, slots=True)
class Answer:
    """What the assistant says. Invariants: docs/contract.md, held by `retrieval.quoting.composing`."""

    question: str
    status: Status
    confidence: float  # 0 to 1: the calibrated probability that the answer is right.
    blocks: Blocks  # What it tells, by what each part is.
    citations: tuple[Citation, ...]
    passages: tuple[RankedPassage, ...]
    conflicts: tuple[Conflict, ...]
    interpretation: Interpretation
    notes: tuple[str, ...]
    elapsed_ms: float
    reason: str | None = None
    """What spoke most against an answer, as a sentence; only where the confidence decided that there is none."""
    heard: Heard = Heard.NO
    candidates: tuple[Candidate, ...] = ()  # What was found beside it, best first, as many as were asked for.

    @property
    def answer(self) -> str:
        """Markdown with `[n]` markers; document text that looks like a marker stands in a code span."""
        return markdown_of(self.blocks)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked passages without an answer."""

    query: str
    passages: tuple[RankedPassage, ...]
    interpretation: Interpretation
    elapsed_ms: float
