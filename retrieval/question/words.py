"""The words of a question with their weights, which of them are names, and the kind of value it asks for.

Near misses are recognised by missing names. "Does XCCL run on Windows?" isn't answered by a passage about XCCL without
Windows, however similar otherwise; a missing plain word ("quicker") may only be paraphrased.
"""

import re
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct
from corpus.everyday_words import PLATFORMS, is_everyday
from corpus.lexicon import content_words, spellings, split_tokens
from corpus.stores.lexical_index import LexicalIndex
from corpus.versions import Version
from retrieval.model import Form, Query, Wanted
from retrieval.products.known import KnownProducts
from retrieval.products.names import NICKNAMES
from retrieval.question.subject import KINDS_OF_THINGS
from retrieval.question.token_weights import inverse_frequency, is_generic

_PROCESSORS = """x86_64 amd64 x64 intel aarch64 arm64 silicon m1 i386 i686 x86 s390x zarch riscv64 riscv64gc
    ppc powerpc ppc64 powerpc64 ppc64le ppc64el powerpc64le"""
"""Names of processors in dpkg (cputable), GNU (config.sub) and by vendors."""
RUNS_ON = PLATFORMS.union(_PROCESSORS.split())
_PARTS_SHARE = 0.9
"""The credit for a compound if a text has all its parts ("is capturing" for `is_capturing`). Chosen by hand."""
CODE = re.compile(r"\d|_|\w\.\w|::|^--?\w|[a-z][A-Z]|\w[A-Z]")
_PAIR = re.compile(r"\b(the |an? )?([a-z][\w-]*) (?=([a-z]+)\b(?! [`A-Z-]))")
_QUOTING = ".,;:!?()'\"`*"
_COUNTS = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|single|both|no|none|dozens?|hundreds?"
_DAYS = r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* \d|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_MONTHS = "(?:January|February|March|April|May|June|July|August|September|October|November|December)"
_UNITS = r"%|percent\b|x\b|×|-?fold\b|times\b|m?s\b|seconds?\b|minutes?\b|hours?\b|[KMGT]?i?B\b|bytes\b"
_SHAPES = {
    Wanted.CVE: r"(?i:CVE-\d)",
    Wanted.SCORE: r"(?i:\bCVSS\b|\bseverity\b|\b\d\.\d\s*/\s*10\b)",
    Wanted.CHANGE: (
        r"#\d+|(?<!\w)!\d+|/(?:pull|issues|merge_requests|commits?)/\w|:\w+:`!?\d+"
        r"|(?i:\b(?:gh|bpo|[pm]r|bug|issue|ticket|(?:pull|merge)(?: request)?|commit|patch|change)[\s:/#!-]{1,3}\d+)"
        r"|\b(?!CVE|UTF|SHA|ISO|PEP|RFC)[A-Z][A-Z0-9]{1,11}-\d{2,7}\b|(?<![\d.])\b\d{4,6}\b(?![\d.])|\b(?=[a-f]*\d)[\da-f]{7,40}\b"
    ),
    Wanted.PERSON: (
        r"@\w|\bby [A-Z@]|[Tt]hanks|[Cc]redit|[Cc]ontributed by|[Pp]atch by|(?<![.!?] )\b[A-Z][a-z]+ [A-Z][a-z]+\b"
    ),
    Wanted.RATIO: rf"(?i:\d\s*(?:{_UNITS})|\b(?:twice|half|halves|double|doubles|triple|orders? of magnitude)\b)",
    Wanted.AMOUNT: rf"(?i:\d\s*(?:{_UNITS})|\b(?:half|twice|no) )",
    Wanted.LIMIT: rf"(?i:\d|\b(?:{_COUNTS}|any|unlimited|infinite)\b)",
    Wanted.COUNT: rf"(?i:(?<![\w.#-])\d[\d,]*\b(?![\w-]*\.\d)|\b(?:{_COUNTS})\b)",
    Wanted.DAY: rf"\b(?:19|20)\d\d\b|{_DAYS}|\b{_MONTHS}\b",
    Wanted.EXCEPTION: r"\b[A-Za-z_]*(?:Error|Warning|Exception|Interrupt|Exit|Group)\b",
}
RECORDS = frozenset(split_tokens("PR PRs MR pull merge request issue ticket commit number nr hash"))
"""Words for the number of a change; in a question for one they aren't part of its subject."""
ASKED_VALUES = {wanted: re.compile(pattern) for wanted, pattern in _SHAPES.items()}
"""A pattern for each kind of value that can be recognised by its form."""


@dataclass(frozen=True, slots=True)
class QuestionWord:
    """A content word of a question that is neither a product nor a version."""

    text: str
    tokens: tuple[str, ...]  # The word's lexical tokens: the whole first, then its parts.
    weight: float  # Inverse document frequency of its first token.
    is_name: bool
    is_generic: bool  # Common to all release notes ("added", "release").
    is_thing: bool = False  # A name before the kind of thing that it names: "spin" of "the spin option".
    alike: tuple[frozenset[str], ...] = ()  # The tokens of each of its other spellings.

    def met_by(self, tokens: AbstractSet[str]) -> float:
        """Return how well a text with these tokens matches the word: 1 whole, 0.9 in another spelling, else 0."""
        if self.tokens[0] in tokens:
            return 1.0
        return _PARTS_SHARE if any(spelling <= tokens for spelling in self.alike) else 0.0


def share_met(words: Sequence[QuestionWord], tokens: AbstractSet[str]) -> float:
    """Return the share of the words' weight that a text with these tokens matches, 0 to 1; 1 without words."""
    total = sum(word.weight for word in words)
    return sum(word.weight * word.met_by(tokens) for word in words) / total if total else 1.0


@dataclass(frozen=True, slots=True)
class Focus:
    """The question's words and the kind of value it asks for."""

    words: tuple[QuestionWord, ...]
    """The distinct words of the search text, in order, without the query's products and versions."""
    value: Wanted | None = None  # The kind of value asked for; None for none that a pattern recognises.

    @classmethod
    def of(
        cls, query: Query, lexical: LexicalIndex, *, catalogue: Sequence[CatalogueProduct], passages: int
    ) -> "Focus":
        """Return the focus of a parsed question; names of its products, by any alias, aren't words of it."""
        known = KnownProducts.of(catalogue)
        products = filter(None, map(known.find, query.products))
        names = (name for product in products for name in (product.name, *product.aliases))
        skipped = {token for name in names for token in split_tokens(name)[:1]}
        skipped |= RECORDS if query.wanted is Wanted.CHANGE else set()
        parts = query.search_text.split()
        starts = {p.strip(_QUOTING) for i, p in enumerate(parts) if not i or parts[i - 1].endswith((".", "?", "!"))}
        pairs = _PAIR.findall(query.search_text) if query.act is not None and query.form is not Form.ERROR else []
        kinds = ((text, the and not is_everyday(kind), split_tokens(kind)) for the, text, kind in pairs)
        things = {text for text, is_jargon, kind in kinds if is_jargon or not KINDS_OF_THINGS.isdisjoint(kind)}
        words: dict[str, QuestionWord] = {}
        for text in content_words(query.search_text):
            tokens = split_tokens(text.removesuffix("'s"))
            if not tokens or tokens[0] in skipped or tokens[0] in words or _is_version(text, query):
                continue
            if text.casefold() not in known.everyday and known.called(text) in query.products:
                continue
            is_thing = text in things and not is_generic(tokens[0])
            is_named = is_thing or is_name(text, starts_sentence=text in starts)
            words[tokens[0]] = QuestionWord(
                text=text,
                tokens=tokens,
                weight=inverse_frequency(lexical.document_frequency(tokens[0]), passages=passages),
                is_name=is_named,
                is_generic=is_generic(tokens[0]),
                is_thing=is_thing,
                alike=tuple(_other_spellings(text.removesuffix("'s"), tokens, is_name=is_named)),
            )
        return cls(tuple(words.values()), query.wanted if query.wanted in ASKED_VALUES else None)

    @property
    def names(self) -> tuple[QuestionWord, ...]:
        """The words that are names, which an answer must contain."""
        return tuple(word for word in self.words if word.is_name)

    @property
    def keywords(self) -> tuple[QuestionWord, ...]:
        """The names and the words that aren't generic; all words if there are none."""
        return tuple(word for word in self.words if word.is_name or not word.is_generic) or self.words

    def has_value_in(self, text: str) -> bool:
        """Return whether a text contains a value of the kind asked for; True if no kind is."""
        return self.value is None or bool(ASKED_VALUES[self.value].search(text))


def _other_spellings(text: str, tokens: tuple[str, ...], *, is_name: bool) -> Iterator[frozenset[str]]:
    """Yield the tokens of each other spelling or synonym of a word; a plain word is split in two only if `is_name`."""
    if len(tokens) > 1:
        yield frozenset(tokens[1:])
        # "py3.8" is Python 3.8.
        yield frozenset(NICKNAMES.get(part, (part,))[0] for part in tokens[1:])
    for written in spellings(text):
        if is_name or len(written) == 1 or "".join(written).casefold() != text.casefold():
            yield frozenset(token for part in written for token in split_tokens(part)[:1])


def is_name(text: str, *, starts_sentence: bool = False) -> bool:
    """Return whether a word is code, a number, capitalised within a sentence, a platform, or not everyday English.

    A single letter is no name, because too many things are called "C" or "I".
    """
    if len(text.partition("'")[0]) == 1 and text[0].isalpha():
        return False
    if CODE.search(text) or (text[0].isupper() and not starts_sentence) or text.lower() in RUNS_ON:
        return True
    return not any(map(is_generic, split_tokens(text)[:1])) and not is_everyday(text)


def _is_version(text: str, query: Query) -> bool:
    """Return whether a word is one of the versions asked for; another product's ("dropped Python 3.7") is a name."""
    constraint, number = query.constraint, text.lstrip("vV")
    if constraint is None or not number[:1].isdecimal():
        return False
    if "." not in text:
        return number.isdecimal()
    version = Version.try_parse(text.lower().removesuffix(".x"))
    return version is not None and version in (*constraint.versions, constraint.low, constraint.high)
