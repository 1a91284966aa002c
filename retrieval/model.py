"""Query, citation, answer: the values that a question becomes, step by step.

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
    """What an answer is made of, which decides the drafter (`retrieval.answers`)."""

    CHAT = "chat"  # One sentence about what can be asked.
    CATALOGUE = "catalogue"  # Facts about releases from the catalogue; no passage.
    NEWS = "news"  # The most important entries of whole releases.
    SECURITY = "security"  # The vulnerabilities that releases fixed.
    LIST = "list"  # The best entries of several releases.
    EVENT = "event"  # The release in which something happened to one thing.
    FACT = "fact"  # The one entry that answers.


@dataclass(frozen=True, slots=True)
class Traits:
    """Properties shared by all questions of a form: its row in the table `Form`."""

    shape: Shape
    words: str = ""  # What it asks for, in words for people; empty for a plain fact.
    intent: str = ""  # The contract's word for the form, if it isn't the form's own.
    kinds: frozenset[Kind] = frozenset()  # Kinds of passages that search prefers.
    is_trouble: bool = False  # Something broke or is gone for the user; a later release may fix it.
    asks_state: bool = False  # It asks how things are, which the notes of an earlier release may report.
    is_terse: bool = False  # Fragments ("and 8.4?") are read as this form; the question before says what is asked.
    turns_on_name: bool = False  # It asks whether or when its verb's event happened to the thing it names.
    is_move: bool = False  # It is about moving to a release; the thing it names is where the user is affected.
    is_compared: bool = True  # Two releases may be described by comparing their reference pages.
    is_everywhere: bool = False  # The version that somebody runs doesn't narrow it.

    @property
    def is_catalogue(self) -> bool:
        return self.shape is Shape.CATALOGUE

    @property
    def is_news(self) -> bool:
        return self.shape is Shape.NEWS

    @property
    def is_listing(self) -> bool:
        """Whether the answer goes through releases instead of choosing one best entry."""
        return self.is_catalogue or self.is_news

    @property
    def is_judged(self) -> bool:
        """Whether the judge reads the items that search found."""
        return not self.is_listing and self.shape is not Shape.CHAT

    @property
    def is_in_older_notes(self) -> bool:
        """Whether older notes may answer: those of the newest release seldom repeat them."""
        return self.asks_state or self.shape is Shape.EVENT

    @property
    def depth(self) -> int:
        """How many passages are read; an answer over several releases is spread over more of them."""
        return 24 if self.shape in (Shape.NEWS, Shape.SECURITY, Shape.LIST) else 10


_BROKEN = frozenset({Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION})
_NEW, _HOLES = frozenset({Kind.FEATURE, Kind.PERFORMANCE}), frozenset({Kind.SECURITY})


class Form(StrEnum):
    """The kind of answer a question asks for, with the properties that several forms share."""

    WHATS_NEW = "whats_new", Traits(Shape.NEWS, "what is new", kinds=_NEW, is_terse=True)
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
    COMPARE = "compare", Traits(Shape.LIST, "how releases differ")
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
    """The particular thing a question asks for; most ask for none of these.

    Values come first, then questions about a product's releases.
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
    COURSE = "course"  # How something changed from release to release.
    RELEASES = "releases"  # All releases with some property.
    LAST = "last"  # The last release with some property.
    NEWEST = "newest"
    OLDEST = "oldest"
    IS_NEWEST = "is_newest"
    IS_OLDEST = "is_oldest"
    LIST = "list"
    THERE = "there"  # Whether a release is out, or a product in the index.
    ORDER = "order"  # Which of two came first.
    WITHDRAWN = "withdrawn"
    DOCUMENTS = "documents"  # Answered with the releases that they are of.
    PRODUCTS = "products"  # What the index covers.


class Relative(StrEnum):
    """How a question names releases by their order."""

    NEWEST = "newest"
    PREVIOUS = "previous"
    NEXT = "next"
    OLDER = "older"
    NEWER = "newer"
    ANY = "any"


class Facet(StrEnum):
    """A part of a question's interpretation; a person may withdraw one that was read wrongly."""

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

    text: str  # The question, in the usual forms of its characters.
    search_text: str
    """The text to search for: the question, with the words of earlier questions if it refers to them."""
    products: tuple[str, ...]  # Canonical product names; empty: any product.
    product_stated: bool  # Named by the question, its history or a filter, not inferred.
    constraint: VersionConstraint | None
    version_filtered: bool  # Whether the constraint is a filter, which excludes the notes of other releases.
    symbols: tuple[str, ...]
    references: tuple[str, ...]  # `#123`, `CVE-2024-1234`, `PEP 649`, written as `Passage.references` writes them.
    form: Form
    act: Act | None = None  # The kind of event it asks about; None for no particular one.
    wanted: Wanted | None = None
    relative: Relative | None = None
    versions_named_as: str = ""
    """The words for releases named without a number ("previous release")."""
    unknown_products: tuple[str, ...] = ()
    """Products asked about that the catalogue lacks; empty if the question names one that the catalogue has."""
    versions_open: str = ""
    """The question's words for releases ("latest") that depend on the product, if it isn't about a single one."""
    bearing: VersionConstraint | None = None
    """Releases whose notes are relevant to the one asked about; None unless the form has such releases."""
    versions_set_aside: VersionConstraint | None = None
    """The versions that the question states, if the version filter overrules them."""
    statements: int | None = None  # How many statements it asks for; None if it doesn't say.
    asks_of_answer: bool = False  # A bare "since when?", which asks about the content of an earlier answer.
    before: "Query | None" = None
    """The question before it, under the same filters; None for the first one of a conversation."""

    @property
    def earlier(self) -> "tuple[Query, ...]":
        """The questions before it, oldest first."""
        return (*self.before.earlier, self.before) if self.before is not None else ()

    def listing(self, most: int | None) -> "Query":
        """Return the query limited to `most` changes if it asks for news without a number, like the earlier ones."""
        count = self.statements or (most if self.form in (Form.WHATS_NEW, Form.BREAKS) else None)
        return replace(self, statements=count, before=self.before and self.before.listing(most))


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How the question was understood, for people."""

    products: tuple[str, ...]
    versions: str | None
    symbols: tuple[str, ...]
    intent: str
    unknown_products: tuple[str, ...] = ()
    versions_words: str = ""  # The versions in words ("after 2.8, up to 2.12").
    standalone: str | None = None
    """A follow-up rewritten by a language model so that it can be asked alone."""


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
    """The part of the quote that answers, as offsets in the document like `start` and `end`; the rest is context."""
    document_id: int


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item found for a question beside its answer: its range, and its text on one line."""

    document_id: int
    start: int
    end: int
    line: str
    is_about: bool  # Whether it contains the names asked about or, if there are none, most of the question's words.


class Heard(StrEnum):
    """Whether a language model contributed to an answer."""

    NO = "no"
    """There is none, its output couldn't be used, or it couldn't change this answer."""
    NOT_YET = "not_yet"  # The caller asked for an answer without it; it may change this one.
    YES = "yes"


@dataclass(frozen=True, slots=True)
class Answer:
    """The assistant's answer. Invariants: docs/contract.md, ensured by `retrieval.quoting.composing`."""

    question: str
    status: Status
    confidence: float  # 0 to 1: the calibrated probability that the answer is right.
    blocks: Blocks  # Its text by parts.
    citations: tuple[Citation, ...]
    passages: tuple[RankedPassage, ...]
    interpretation: Interpretation
    notes: tuple[str, ...]
    elapsed_ms: float
    reason: str | None = None
    """The strongest reason against answering, as a sentence; only if low confidence led to "not found"."""
    heard: Heard = Heard.NO
    candidates: tuple[Candidate, ...] = ()  # Other items found, best first, as many as the caller asked for.

    @property
    def answer(self) -> str:
        """Markdown with `[n]` markers; document text that looks like a marker is put in a code span."""
        return markdown_of(self.blocks)


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked passages without an answer."""

    query: str
    passages: tuple[RankedPassage, ...]
    interpretation: Interpretation
    elapsed_ms: float
