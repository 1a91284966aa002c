"""The same change told again, in a patch release, a candidate, a guide; and one that the range itself takes back."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from math import hypot, log

from corpus.deadline import waited_for
from corpus.effects import is_shift, stated_change
from corpus.lexicon import STOP_WORDS
from corpus.model import Change
from corpus.symbols import find_references
from corpus.versions import Version
from retrieval.upgrades.entries import NotedEntry

_WORD = re.compile(r"[^\W\d_][\w.-]*\w|\d+(?:\.\d+)+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?!\w)")
_TICKET = re.compile(r"https?://\S+|\bby @[\w-]+|\(?(?:#|gh-|bpo-|PR\s)\d+\)?|\b[0-9a-f]{7,40}\b")
_SAME_SHARE = 0.75  # Chosen by hand, never fitted.
_SAME_WORDS = 4
_FEWEST_WORDS = 3
_RARE_IN = 12  # Words that more of the entries hold don't bring two entries together. Chosen by hand, never fitted.
_BEGINNING = re.compile(r"([^\W\d_]{1,5})[^\W\d_]*(\d*)|(\d+(?:\.\d+)*)")
"""By how they begin words are one, "removed" and "removal"; by the number that they end in they are not."""
_PATH = re.compile(r"[.:/\\#]+(?=\w)")
_ALIKE, _EQUAL = 0.34, 0.9
"""Cosine from which on the nearest entry of another place tells the same, and of another section of one place. Chosen
by hand, never fitted."""


@dataclass(frozen=True, slots=True)
class FoundChange:
    """An entry that matters, with its change and its release."""

    entry: NotedEntry
    change: Change
    symbols: tuple[str, ...]  # Code that it is about.
    words: frozenset[str]
    numbers: frozenset[str]  # The numbers that it names beside tickets: another minimum is another requirement.

    @property
    def version(self) -> Version:
        """The release that it tells of."""
        return self.entry.version or Version.parse("0")

    @property
    def rank(self) -> tuple[int, bool, bool, Version]:
        """Higher is the better one to cite of two that say the same: by who speaks, listed as such, final."""
        authority = self.entry.passage.document.authority.weight
        return authority, self.entry.told.is_listed, not self.version.is_prerelease, self.version


@dataclass(frozen=True, slots=True)
class ToldChange:
    """A finding that is said, and the other releases that tell it."""

    finding: FoundChange
    repeated_in: tuple[str, ...]


def significant_words(text: str) -> frozenset[str]:
    """The words by which two entries are compared: no stop words, tickets or commits."""
    words = _WORD.findall(_TICKET.sub(" ", text).casefold())
    return frozenset(word for word in words if word not in STOP_WORDS)


def numbers_of(text: str) -> frozenset[str]:
    """The numbers in a text, tickets left out."""
    return frozenset(_NUMBER.findall(_TICKET.sub(" ", text)))


def vulnerabilities_of(entry: NotedEntry) -> frozenset[str]:
    """The vulnerabilities by number that an entry is about: those of its title, or else of its first words."""
    named = (
        frozenset(name for name in find_references(words) if name.startswith("CVE-"))
        for words in (entry.title, entry.lead)
    )
    return next(filter(None, named), frozenset())


def without_details(findings: Sequence[FoundChange]) -> list[FoundChange]:
    """The findings in order, but those in a section below one whose title already tells the change ("Limitations");
    a title there that states another one stays."""
    telling = {_section_of(finding) for finding in findings if finding.entry.title and is_shift(finding.entry.title)}

    def is_detail(finding: FoundChange) -> bool:
        document, version, heading = _section_of(finding)
        return any((document, version, heading[:end]) in telling for end in range(1, len(heading)))

    return [finding for finding in findings if stated_change(finding.entry.title) or not is_detail(finding)]


def _section_of(finding: FoundChange) -> tuple[object, Version, tuple[str, ...]]:
    return finding.entry.passage.document.id, finding.version, tuple(finding.entry.passage.heading)


def fold_repeats(findings: Sequence[FoundChange]) -> tuple[ToldChange, ...]:
    """Each change once, the best of its tellings first to be cited; in the order of `findings`."""
    group_of = {number: [number] for number in range(len(findings))}
    counterparts = _counterparts(findings)
    # Pairs that share a rare word or all words.
    holders: dict[str, list[int]] = defaultdict(list)
    saying: dict[frozenset[str], list[int]] = defaultdict(list)
    for number, finding in enumerate(findings):
        saying[finding.words].append(number)
        for word in finding.words:
            holders[word].append(number)
    similar = {pair for numbers in saying.values() for pair in pairwise(numbers)}
    similar.update(*(combinations(numbers, 2) for numbers in holders.values() if len(numbers) <= _RARE_IN))
    for number, other in waited_for((*sorted(similar), *counterparts)):
        theirs, mine = sorted((group_of[other], group_of[number]), key=len)
        is_same = (number, other) in counterparts or _is_same(findings[number], findings[other])
        if mine is not theirs and is_same:
            mine += theirs
            group_of.update(dict.fromkeys(theirs, mine))
    kept: dict[int, ToldChange] = {}
    for group in {id(group): group for group in group_of.values()}.values():
        # What only announces an end gives way to what tells it.
        best = max(group, key=lambda n: (findings[n].change is not Change.DEPRECATED, findings[n].rank))
        labels = {findings[n].version.label: findings[n].version for n in group}
        labels.pop(findings[best].version.label)
        kept[best] = ToldChange(findings[best], tuple(sorted(labels, key=labels.__getitem__)))
    return tuple(kept[number] for number in sorted(kept))


def reverted(findings: Iterable[FoundChange], entries: Iterable[NotedEntry]) -> frozenset[int]:
    """The positions of the findings that a later entry of the range takes back, in their words."""
    reverts = [(entry.version, entry, significant_words(entry.lead)) for entry in entries if entry.told.reverts]

    def is_taken_back(finding: FoundChange) -> bool:
        least = max(min(_SAME_WORDS, len(finding.words)), _SAME_SHARE * len(finding.words))
        later = ((entry, words) for version, entry, words in reverts if version and version >= finding.version)
        return any(entry is not finding.entry and len(finding.words & words) >= least for entry, words in later)

    return frozenset(number for number, finding in enumerate(waited_for(findings)) if is_taken_back(finding))


def _counterparts(findings: Sequence[FoundChange]) -> set[tuple[int, int]]:
    """Pairs of entries of which each is nearest to the other among what another place tells of the same release, as a
    guide and a changelog do in words of their own, a release and its candidate, or a page and its summary."""
    vectors = _word_vectors(findings)
    nearest: dict[tuple[int, object], tuple[float, int]] = {}
    telling: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for number, finding in enumerate(findings):
        telling[(*finding.version.release, 0, 0)[:3]].append(number)
    pairs = chain.from_iterable(combinations(numbers, 2) for numbers in telling.values())
    for one, other in waited_for(pairs):
        mine, theirs = findings[one], findings[other]
        if _section_of(mine) == _section_of(theirs) or not _agree_in_numbers(mine, theirs):
            continue
        alike = sum(weight * vectors[other].get(word, 0) for word, weight in vectors[one].items())
        is_elsewhere = _place_of(mine) != _place_of(theirs) and _name_alike(mine, theirs)
        if alike >= (_ALIKE if is_elsewhere else _EQUAL):
            for key, number in (((one, _place_of(theirs)), other), ((other, _place_of(mine)), one)):
                nearest[key] = max(nearest.get(key, (0.0, -1)), (alike, number))
    mutual = ((one, other) for (one, _), (_, other) in nearest.items() if one < other)
    return {(one, other) for one, other in mutual if nearest[other, _place_of(findings[one])][1] == one}


def _place_of(finding: FoundChange) -> tuple[int, Version]:
    return finding.entry.passage.document.id, finding.version


def _word_vectors(findings: Sequence[FoundChange]) -> list[dict[str, float]]:
    """What each finding says as the weights of its words, of length 1; a word counts the more the fewer hold it."""
    texts = (
        _TICKET.sub(" ", finding.entry.title or finding.entry.lead.partition(". ")[0]).casefold()
        for finding in findings
    )
    bags = [frozenset(map("".join, _BEGINNING.findall(text))) - STOP_WORDS for text in texts]
    holders = Counter(word for words in bags for word in words)
    vectors = []
    for words in bags:
        weights = {word: log(1 + len(findings) / holders[word]) for word in words}
        length = hypot(*weights.values()) or 1.0
        vectors.append({word: weight / length for word, weight in weights.items()})
    return vectors


def _is_same(one: FoundChange, other: FoundChange) -> bool:
    """Whether two entries tell one change, in nearly the same words."""
    if one.change is Change.SECURITY is other.change:
        mine, theirs = vulnerabilities_of(one.entry), vulnerabilities_of(other.entry)
        if mine and theirs:
            return mine == theirs
    shared = len(one.words & other.words)
    smaller, larger = sorted((len(one.words), len(other.words)))
    if smaller < _FEWEST_WORDS or not _agree_in_numbers(one, other):
        return False
    same_place = one.entry.passage.document.id == other.entry.passage.document.id and one.version == other.version
    if shared < min(_SAME_WORDS, smaller) or shared < _SAME_SHARE * (larger if same_place else smaller):
        return False
    return set(one.symbols) == set(other.symbols) or shared >= 0.9 * larger or not (one.symbols and other.symbols)


def _name_alike(one: FoundChange, other: FoundChange) -> bool:
    """Whether two entries that both name code begin with a name of the other, however much of its path each writes."""
    mine, theirs = ([_PATH.split(symbol)[-1] for symbol in finding.symbols] for finding in (one, other))
    return not (mine and theirs) or mine[0] in theirs or theirs[0] in mine


def _agree_in_numbers(one: FoundChange, other: FoundChange) -> bool:
    return one.numbers <= other.numbers or other.numbers <= one.numbers
