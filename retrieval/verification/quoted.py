"""What a clause cites, read: the quotes, their statements, and what they stand under."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.model import Citation
from retrieval.verification.reading import Reading, read_text, split_statements

_WRAP = re.compile(r"\r?\n(?!\s*(?:\n|[-*+•#|>]\s|\d{1,3}[.)]\s|```|\|))")
_NEW_FIRST = re.compile(r"\b(?:instead of|rather than|replaces|replacing)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Quoted:
    """The quotes of a clause. Headings, product, release and date are said of them, not by them."""

    quotes: tuple[Reading, ...]
    statements: tuple[Reading, ...]
    """The sentences and entries of all quotes."""
    around: Reading
    last_headings: tuple[Reading, ...]
    places: frozenset[str]
    """Products and releases, as written."""
    products: frozenset[str]
    """Their products' words, case-folded."""
    releases: tuple[Version, ...]

    @property
    def readings(self) -> tuple[Reading, ...]:
        return (*self.quotes, self.around)

    def closest(self, claim: Reading) -> Reading:
        """The statement that shares most words with `claim`, the first of several; an empty one without any."""
        return max(self.statements, key=lambda one: len(claim.stems & one.stems), default=read_text(""))


def read_quotes(citations: Sequence[Citation]) -> Quoted:
    """Read the quotes of `citations` without their markup and addresses."""
    quotes = tuple(read_text(_unwrap(one.quote)) for one in citations)
    about = (part for one in citations for part in (one.product, one.version or "", *map(one_line, one.heading)))
    dates = (one.date.isoformat() for one in citations if one.date)
    versions = (Version.try_parse(one.version) for one in citations if one.version)
    return Quoted(
        quotes=quotes,
        statements=tuple(read_text(part) for quote in quotes for part in split_statements(quote.text)),
        around=read_text(" ; ".join((*about, *dates))),
        last_headings=tuple(read_text(one_line(one.heading[-1])) for one in citations if one.heading),
        places=frozenset(part for one in citations for part in (one.product, one.version) if part),
        products=frozenset(word for one in citations for word in re.findall(r"\w+", one.product.casefold())),
        releases=tuple(version for version in versions if version is not None),
    )


def keys_of(reading: Reading, *, known: Iterable[str] = ()) -> tuple[str, ...]:
    """Numbers and names of code in order of place, those of `known` too; of "new instead of old" the old one first."""
    named = {*(number.text for number in reading.numbers), *reading.names, *known}
    if not named:
        return ()
    pattern = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(named, key=lambda one: (-len(one), one)))
    found = list(re.finditer(pattern, reading.text))
    keys = [one[0] for one in found]
    for phrase in _NEW_FIRST.finditer(reading.text):
        after = sum(one.start() < phrase.start() for one in found)
        if 0 < after < len(keys):
            keys[after - 1], keys[after] = keys[after], keys[after - 1]
    return tuple(keys)


def _unwrap(quote: str) -> str:
    """A quote without markup, a line for each paragraph and list entry."""
    return "\n".join(map(one_line, _WRAP.sub(" ", quote).splitlines()))
