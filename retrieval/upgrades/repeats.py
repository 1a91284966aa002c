"""Repeats of a change in a patch release, a candidate or a guide, and changes that the range itself reverts."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import hypot, log

import numpy as np
from numpy.typing import NDArray

from corpus.deadline import waited_for
from corpus.effects import is_shift, named_change, stated_change
from corpus.lexicon import STOP_WORDS
from corpus.model import Change
from corpus.symbols import ADVISORY
from corpus.versions import Version
from retrieval.upgrades.entries import NotedEntry

_WORD = re.compile(r"\d+(?:\.\d+)*|\w+")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)*(?!\w)")
_TICKET = re.compile(r"https?://\S+|\bby @[\w-]+|\(?(?:#|gh-|bpo-|PR\s)\d+\)?|\b[0-9a-f]{7,40}\b")
_UNDONE = re.compile(
    r"(?<!partly )(?<!partially )\breverted (?:in|by|with) (?:release |version )?v?(\d+(?:\.\d+)+)(?![\d.]*+ except\b)",
    re.I,
)
_SAME_SHARE = 0.75  # Chosen by hand, never fitted.
_SAME_WORDS = 4
_NONE = Version.parse("0")
_SERIES = 2  # So many numbers name a series.
_STEM, _AT_ONCE, _COLUMNS = 5, 2000, 8192
_NEAREST = 24  # So many others are compared with an entry.
_ALIKE, _SURELY, _EQUAL = 0.44, 0.7, 0.86
"""The least likeness of two entries that report one change: if each is the other's nearest in its document, if only one
is, and if they are in two sections of one document. Chosen by hand, never fitted."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundChange:
    """An entry that matters, with its change and its release."""

    entry: NotedEntry
    change: Change
    symbols: tuple[str, ...]  # Code that it is about.
    words: frozenset[str]
    numbers: frozenset[str]  # The numbers that it names beside tickets: another minimum is another requirement.
    vector: NDArray[np.float32]  # What its first item means.

    @property
    def version(self) -> Version:
        """The release that it is about."""
        return self.entry.version or _NONE

    @property
    def rank(self) -> tuple[int, bool, bool, bool, Version]:
        """Sort key of repeats, the best to cite highest: by authority, then a section of its own (which says what to
        do) before a line of a list, then in a list of such changes, then final before pre-release."""
        authority = self.entry.passage.document.authority.weight
        stored = self.entry.stored
        return authority, bool(stored.title), stored.is_listed, not self.version.is_prerelease, self.version


@dataclass(frozen=True, slots=True)
class FoldedChange:
    """A change to be listed, and the other releases that report it."""

    finding: FoundChange
    repeated_in: tuple[str, ...]


def significant_words(text: str) -> frozenset[str]:
    """Return the words by which two entries are compared, cut to their stems unless code, so that "removed" and
    "removal" are equal; without stop words, tickets and commits."""
    words = (word for word in _WORD.findall(_TICKET.sub(" ", text)) if word.casefold() not in STOP_WORDS)
    return frozenset(
        word.casefold()[:_STEM] if word.isalpha() and word[1:].islower() else word.casefold() for word in words
    )


def numbers_of(text: str) -> frozenset[str]:
    """Return the numbers in a text, without tickets."""
    return frozenset(_NUMBER.findall(_TICKET.sub(" ", text)))


def vulnerabilities_of(entry: NotedEntry) -> frozenset[str]:
    """Return the numbered vulnerabilities of an entry's title, or else of its first words: the CVEs if it has any."""
    named = (frozenset(map(str.upper, ADVISORY.findall(words))) for words in (entry.title, entry.lead))
    names = next(filter(None, named), frozenset())
    return frozenset(name for name in names if name.startswith("CVE")) or names


def without_details(findings: Sequence[FoundChange]) -> list[FoundChange]:
    """Return the findings in order, without those in a section below one whose title already reports the change
    ("Limitations"), unless their own title states another change."""
    headed = {
        _section_of(finding)
        for finding in findings
        if (title := finding.entry.title) and (is_shift(title) or named_change(title))
    }

    def is_detail(finding: FoundChange) -> bool:
        document, version, heading = _section_of(finding)
        return any((document, version, heading[:end]) in headed for end in range(1, len(heading)))

    return [finding for finding in findings if stated_change(finding.entry.title) or not is_detail(finding)]


def _section_of(finding: FoundChange) -> tuple[object, Version, tuple[str, ...]]:
    return finding.entry.passage.document.id, finding.version, tuple(finding.entry.passage.heading)


def fold_repeats(findings: Sequence[FoundChange]) -> tuple[FoldedChange, ...]:
    """Return each change once, represented by its best entry to cite; in the order of `findings`."""
    group_of = {number: [number] for number in range(len(findings))}
    for number, other in _repeats(findings):
        theirs, mine = sorted((group_of[other], group_of[number]), key=len)
        if mine is not theirs:
            mine += theirs
            group_of.update(dict.fromkeys(theirs, mine))
    kept: dict[int, FoldedChange] = {}
    for group in {id(group): group for group in group_of.values()}.values():
        # What only announces an end gives way to what tells it.
        best = max(group, key=lambda n: (findings[n].change is not Change.DEPRECATED, findings[n].rank))
        others = {findings[n].version for n in group} - {findings[best].version}
        kept[best] = FoldedChange(findings[best], tuple(version.label for version in sorted(others)))
    return tuple(kept[number] for number in sorted(kept))


def reverted(findings: Iterable[FoundChange], entries: Iterable[NotedEntry]) -> frozenset[int]:
    """Return the positions of the findings that the range reverts later, in its words or theirs ("reverted in 2")."""
    noted = frozenset(entry.version for entry in entries)
    reverts: defaultdict[str, list[tuple[NotedEntry, frozenset[str]]]] = defaultdict(list)
    for entry in (entry for entry in entries if entry.stored.reverts):
        for word in (words := significant_words(entry.lead)):
            reverts[word].append((entry, words))

    def is_reverted(finding: FoundChange) -> bool:
        undone = (Version.try_parse(number) for number in _UNDONE.findall(finding.entry.lead))
        if any(version in noted and version > finding.version for version in filter(None, undone)):
            return True
        # What is back again is told by its name alone.
        named = significant_words(" ".join(finding.symbols)) if finding.change is Change.REMOVED else frozenset()
        wanted = named or finding.words
        least = max(min(_SAME_WORDS, len(wanted)), _SAME_SHARE * len(wanted))
        # What holds enough of its words holds one of those that few hold.
        few = sorted(wanted, key=lambda word: len(reverts.get(word, ())))[: int(len(wanted) - least) + 1]
        near = ((entry, words) for word in few for entry, words in reverts.get(word, ()) if entry is not finding.entry)
        return any(
            len(wanted & words) >= least and (entry.version or _NONE) >= finding.version
            for entry, words in near
            if "rever" not in words or len(finding.words & words) >= _SAME_SHARE * len(finding.words)
        )

    return frozenset(number for number, finding in enumerate(waited_for(findings)) if is_reverted(finding))


def _repeats(findings: Sequence[FoundChange]) -> Iterator[tuple[int, int]]:
    """Yield pairs that report one change: in the same words, or alike among as many findings as fit in memory."""
    first_of: dict[object, int] = {}
    kept: dict[tuple[int, object, Version], int] = {}
    for number in sorted(range(len(findings)), key=lambda number: findings[number].version):
        finding = findings[number]
        # Entries that report one change in the same words, without tickets.
        text = " ".join((finding.entry.lead, *(atom.words for atom in finding.entry.atoms)))
        key = finding.change, *_WORD.findall(_TICKET.sub(" ", text.casefold()))
        yield (first := first_of.setdefault(key, number)), number
        kept.setdefault((first, finding.entry.passage.document.id, finding.version), number)
    rows = [(number, first) for (first, _, _), number in kept.items()]
    for start in range(0, len(rows), _AT_ONCE):
        numbers, firsts = np.array(rows[start : start + _AT_ONCE]).T
        yield from ((numbers[first], numbers[other]) for first, other in _alike([findings[n] for n in numbers], firsts))


def _alike(findings: Sequence[FoundChange], tellings: NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """Yield pairs of entries with different `tellings` that report one change: in nearly the same words, or in
    different words if each is the most alike in the other's document and release, as in a guide and a changelog."""
    likeness = _likeness(findings)
    likeness[tellings[:, None] == tellings] = 0
    few = np.argpartition(likeness, -min(_NEAREST, len(likeness)), axis=1)[:, -_NEAREST:].tolist()
    pairs = {(min(first, other), max(first, other)) for first, others in enumerate(few) for other in others}
    nearest: dict[tuple[int, int], tuple[float, int]] = {}
    for first, other in waited_for(sorted(pair for pair in pairs if likeness[pair] >= _ALIKE)):
        mine, theirs, alike = findings[first], findings[other], float(likeness[first, other])
        document, their = (finding.entry.passage.document.id for finding in (mine, theirs))
        if not _may_be_same(mine, theirs):
            continue
        if mine.change is Change.SECURITY or alike >= _EQUAL:
            yield first, other
        if document != their and _of_one_release(mine.version, theirs.version):
            nearest[first, their] = max(nearest.get((first, their), (0.0, -1)), (alike, other))
            nearest[other, document] = max(nearest.get((other, document), (0.0, -1)), (alike, first))
    for (first, _), (alike, other) in nearest.items():
        document = findings[first].entry.passage.document.id
        if alike >= _SURELY or nearest[other, document][1] == first:
            yield first, other


def _may_be_same(first: FoundChange, other: FoundChange) -> bool:
    """Return whether two entries have the same vulnerabilities and numbers and, if both name code, a name in common."""
    if Change.SECURITY in (first.change, other.change):
        mine, theirs = vulnerabilities_of(first.entry), vulnerabilities_of(other.entry)
        return first.change is other.change and mine == theirs and bool(mine or first.words == other.words)
    # No list repeats itself, and no release removes what it deprecates.
    is_listed_apart = _section_of(first) == _section_of(other) and first.words != other.words
    goes = first.change is not other.change and Change.DEPRECATED in (first.change, other.change)
    if is_listed_apart or (goes and first.version == other.version):
        return False
    names, others = ([f".{name.strip('-.:`()')}" for name in finding.symbols] for finding in (first, other))
    has_name = any(name.endswith(end) or end.endswith(name) for name in names for end in others)
    agree = first.numbers <= other.numbers or other.numbers <= first.numbers
    return agree and (has_name or not (names and others))


def _of_one_release(first: Version, other: Version) -> bool:
    """Return whether two releases are the same, ignoring pre-releases, or one is the other's series."""
    short, long = sorted((first.release, other.release), key=len)
    return long[: len(short)] == short and (len(short) == _SERIES or not any(long[len(short) : 3]))


def _likeness(findings: Sequence[FoundChange]) -> NDArray[np.float32]:
    """Return the likeness of each two findings, the mean of three: in meaning; in the words of their titles or first
    sentences, rare words counting more; and by the share of these words in the whole text of the other."""
    firsts = [significant_words(finding.entry.title or finding.entry.lead.partition(". ")[0]) for finding in findings]
    texts = (" ".join(atom.words for atom in finding.entry.atoms if not atom.is_code) for finding in findings)
    wholes = [first | significant_words(text) for first, text in zip(firsts, texts, strict=True)]
    holders = Counter(word for words in wholes for word in words)
    weights = {word: log(1 + len(findings) / count) for word, count in holders.items()}
    # What one alone holds is in common with none.
    columns = {word: at for at, (word, count) in enumerate(holders.most_common(_COLUMNS)) if count > 1}
    unit, whole = (np.zeros((len(findings), len(columns)), np.float32) for _ in range(2))
    shares = np.zeros((len(findings), 1), np.float32)
    for number in waited_for(range(len(findings))):
        mine = [weights[word] for word in firsts[number]]
        norm = hypot(*mine) or 1.0
        shares[number] = norm / (sum(mine) or 1.0)
        for word in firsts[number] & columns.keys():
            unit[number, columns[word]] = weights[word] / norm
        whole[number, [columns[word] for word in wholes[number] & columns.keys()]] = 1
    within = unit @ whole.T
    within *= shares
    meanings = np.stack([finding.vector for finding in findings])
    alike: NDArray[np.float32] = (unit @ unit.T + meanings @ meanings.T + np.maximum(within, within.T)) / 3
    return alike
