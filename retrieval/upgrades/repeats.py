"""Repeated and reverted changes: decided here for upgrades, lists, pages and answers alike."""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from math import ceil

from corpus.deadline import waited_for
from corpus.effects import is_shift, named_change, stated_change
from corpus.entry_words import COMMIT, is_record, without_metadata, without_records
from corpus.lexicon import content_words, split_tokens, word_tokens
from corpus.model import Change, Kind
from corpus.plain_words import SEARCHED_NAME, one_line
from corpus.symbols import ADVISORY, find_references, find_symbols
from corpus.versions import Version
from retrieval.upgrades.entries import NotedEntry

REVERT = re.compile(r"\brevert(?:s|ed|ing)?\b(?! \()(?P<what>.{1,80})", re.IGNORECASE)
"""A revert and its object; in "were reverted (#12)" the number is the entry's own."""
_PARTLY = re.compile(r"\bpart(?:ly|ial(?:ly)?)\b", re.IGNORECASE)
_TICKET, _OWNER = re.compile(r"(?:#|gh-|bpo-|\bPR )\d+"), re.compile(r"(?<!\w)[A-Za-z_][\w-]*(?:[./]|::)(?=\w{3})")
_UNDONE = re.compile(
    r"(?<!partly )(?<!partially )\breverted (?:in|by|with) (?:release |version )?v?(\d+(?:\.\d+)+)(?![\d.]*+ except\b)",
    re.I,
)
_ACTS = frozenset(
    split_tokens(
        """add remove drop deprecate support change set default longer make allow require fix new update rename replace
        introduce switch move revert back out put bring undo roll reinstate restore break breaking minimum version"""
    )
)
"""Words for what happened: entries on one change may choose others. Chosen by hand."""
_SAME_SHARE, _LISTED_SHARE, _COPIED_SHARE, _LEAST_SHARE, _SAME_WORDS = 0.75, 0.6, 0.85, 0.4, 4
"""The share of a change's words that another document on its release has, and of one that an upgrade lists; the least
share of the longer words in a later release, and else; how few words must all be there. By hand, never fitted."""
_NONE = Version.parse("0")
_SERIES = 2  # So many numbers name a series.
_SYMBOLS = 20


@dataclass(frozen=True, eq=False)
class FoundChange:
    """An entry as a change, with what compares it with others."""

    entry: NotedEntry
    change: Change | None  # What an upgrade lists it as; None if it doesn't.
    repeated_in: tuple[str, ...] = ()  # The other releases that report it.

    @property
    def version(self) -> Version:
        """The release that it is about."""
        return self.entry.version or _NONE

    @cached_property
    def words(self) -> frozenset[str]:
        """What it says, as `change_words`."""
        return change_words(self.entry.lead)

    @cached_property
    def head(self) -> frozenset[str]:
        """What its title or first sentence says, as `change_words`, but names without what owns them."""
        return change_words(_OWNER.sub("", self.entry.title or self.entry.lead.partition(". ")[0]))

    @cached_property
    def symbols(self) -> tuple[str, ...]:
        """The code that it is about."""
        said = (without_records(atom.words) for atom in self.entry.atoms[:3] if not is_record(atom.words))
        # The dot of a reference is no part of the name.
        words = SEARCHED_NAME.sub(r"\g<marks>", " ".join((self.entry.title, *said)))
        return tuple(name for name in find_symbols(words) if not COMMIT.fullmatch(name))[:_SYMBOLS]

    @cached_property
    def exact(self) -> frozenset[str]:
        """The names and numbers there, but its release's number: with others it is another change."""
        names, label = change_words(_OWNER.sub("", " ".join(self.symbols))), self.version.label
        return frozenset(word for word in self.head if word in names or (word[0].isdigit() and label.find(word) != 0))

    @property
    def place(self) -> tuple[object, Version, tuple[str, ...]]:
        """Its document, release and section."""
        return self.entry.passage.document.id, self.version, tuple(self.entry.passage.heading)

    @property
    def rank(self) -> tuple[bool, bool, int, bool, bool, bool, Version]:
        """Sort key of repeats, the best to cite highest: what is listed, an end before its announcement,
        then by authority, then a section of its own (which says what to do) before a line of a list, then in a list of
        such changes, then final before pre-release."""
        authority, stored = self.entry.passage.document.authority.weight, self.entry.stored
        tells = self.change is not None, self.change is not Change.DEPRECATED
        return *tells, authority, bool(stored.title), stored.is_listed, not self.version.is_prerelease, self.version


@lru_cache(maxsize=4096)  # Most entries are one sentence, whose words are their head's.
def change_words(text: str) -> frozenset[str]:
    """Return the tokens by which two changes are compared: of what changed, without what happened, stop words, tickets
    and authors; all of them if there are no others."""
    words = _TICKET.sub(" ", without_metadata(one_line(text)))
    tokens = frozenset(token for word in content_words(words) for token in word_tokens(word)[:1])
    return tokens - _ACTS or tokens


def has_most(words: frozenset[str], of_change: frozenset[str], share: float = _SAME_SHARE) -> bool:
    """Return whether words have enough of a change's words to be about it; false for a change without words."""
    return bool(of_change) and len(words & of_change) >= _enough(of_change, share)


def reverted_records(text: str) -> tuple[str, ...]:
    """Return the ticket that an entry reverts ("Revert #12"), if it names one; one after it is the entry's own."""
    reverted = REVERT.search(one_line(text))
    return find_references(reverted["what"])[:1] if reverted else ()


def vulnerabilities_of(entry: NotedEntry) -> frozenset[str]:
    """Return the numbered vulnerabilities of an entry's title, or else of its first words: the CVEs if it has any."""
    named = (frozenset(map(str.upper, ADVISORY.findall(words))) for words in (entry.title, entry.lead))
    names = next(filter(None, named), frozenset())
    return frozenset(name for name in names if name.startswith("CVE")) or names


def details_of(findings: Sequence[FoundChange]) -> frozenset[FoundChange]:
    """Return the findings in a section below one whose title reports the change, unless their own states another."""
    titled = ((finding.place, finding.entry.title) for finding in findings if finding.entry.title)
    headed = {place for place, title in titled if is_shift(title) or named_change(title)}

    def is_detail(finding: FoundChange) -> bool:
        *release, heading = finding.place
        return any((*release, heading[:end]) in headed for end in range(1, len(heading)))

    return frozenset(f for f in findings if is_detail(f) and not stated_change(f.entry.title))


def tell_once(findings: Sequence[FoundChange]) -> tuple[FoundChange, ...]:
    """Return each change once, by its best entry to cite and with the other releases that report it, in order."""
    equal: dict[object, FoundChange] = {}
    groups: dict[FoundChange, list[FoundChange]] = {}
    holders: defaultdict[str, list[FoundChange]] = defaultdict(list)
    for finding in waited_for(sorted(findings, key=lambda finding: -len(finding.head))):
        said = (finding.change is Change.SECURITY and vulnerabilities_of(finding.entry)) or finding.words or finding
        key = said, finding.change or finding.entry.stored.kind
        near = (other for other in _near(finding.head, holders) if _is_same(finding, other))
        near = (o for o in near if all(finding.place != each.place for each in groups[o]))  # No list repeats itself.
        first = equal.get(key) or next(near, finding)
        equal.setdefault(key, first)
        groups.setdefault(first, []).append(finding)
        for word in finding.head if first is finding else ():
            holders[word].append(finding)
    best_of: dict[FoundChange, FoundChange] = {}
    for group in groups.values():
        best = max(group, key=lambda finding: finding.rank)
        others = {finding.version for finding in group} - {best.version}
        best_of[best] = replace(best, repeated_in=tuple(version.label for version in sorted(others)))
    return tuple(best_of[finding] for finding in findings if finding in best_of)


def reverted(findings: Iterable[FoundChange], entries: Iterable[NotedEntry]) -> frozenset[int]:
    """Return the positions of the findings that the range reverts later, in its words or theirs ("reverted in 2")."""
    noted = frozenset(entry.version for entry in entries)
    holders: defaultdict[str, list[FoundChange]] = defaultdict(list)
    for entry in (entry for entry in entries if entry.stored.reverts and not _PARTLY.search(entry.lead)):
        revert = FoundChange(entry, None)
        for word in revert.words:
            holders[word].append(revert)

    def is_reverted(finding: FoundChange) -> bool:
        undone = (Version.try_parse(number) for number in _UNDONE.findall(finding.entry.lead))
        if any(version in noted and version > finding.version for version in filter(None, undone)):
            return True
        if not holders:
            return False
        # What is back again is told by its name alone; a revert is about what it reverts.
        named = change_words(" ".join(finding.symbols)) if finding.change is Change.REMOVED else frozenset()
        wanted = named or finding.words
        return any(
            revert.version >= finding.version and revert.entry is not finding.entry
            for revert in _near(wanted, holders)
            if (names_revert := REVERT.search(revert.entry.lead)) or finding.change
            if (_is_about if names_revert else has_most)(revert.words, wanted)
        )

    return frozenset(number for number, finding in enumerate(waited_for(findings)) if is_reverted(finding))


def _enough(words: Collection[str], share: float = _SAME_SHARE) -> int:
    return max(min(_SAME_WORDS, len(words)), ceil(share * len(words)))


def _is_about(words: frozenset[str], of_change: frozenset[str], share: float = _SAME_SHARE) -> bool:
    return has_most(words, of_change, share) and len(words & of_change) >= _LEAST_SHARE * len(words)


def _near(words: Collection[str], holders: Mapping[str, Sequence[FoundChange]]) -> Iterable[FoundChange]:
    """Return the holders of the rarest of the words: changes with enough of all words hold one of those."""
    rarest = sorted(sorted(words), key=lambda word: len(holders.get(word, ())))[
        : len(words) - _enough(words, _LISTED_SHARE) + 1
    ]
    return waited_for(dict.fromkeys(chain.from_iterable(holders.get(word, ()) for word in rarest)))


def _is_same(first: FoundChange, other: FoundChange) -> bool:
    """Return whether two entries report one change, the `other` with more words in its title or first sentence: one has
    all words of the other, or another document on that release most."""
    changes, is_one_file = {first.change, other.change}, first.place[0] == other.place[0]
    short, long = sorted((first.version.release, other.version.release), key=len)
    is_one = long[: len(short)] == short and (len(short) == _SERIES or not any(long[len(short) : 3]))
    # No release removes what it deprecates, and what it adds may go again.
    is_apart = len(changes) > 1 and Change.DEPRECATED in changes and first.version == other.version
    if is_apart or Change.SECURITY in changes or (len(changes) > 1 and None in changes and (is_one_file or not is_one)):
        return False
    is_listed, pairs = None not in changes, (sorted((first.words, other.words), key=len), (first.head, other.head))
    # A summary's line and its details share few words.
    least = (2 if is_one and is_one_file else 3) if is_listed else _SAME_WORDS
    share = _LEAST_SHARE if is_listed or is_one else _COPIED_SHARE
    is_near = any(least <= len(few) >= share * len(many) and few <= many for few, many in pairs)
    if is_one and not is_one_file and len({finding.entry.stored.kind is Kind.FIX for finding in (first, other)}) == 1:
        is_near |= _is_about(other.head, first.head, _LISTED_SHARE if is_listed else _SAME_SHARE)
        shared = first.head & other.head
        is_named = is_listed and len(shared) >= _LEAST_SHARE * len(first.head)
        is_near |= is_named and not shared.isdisjoint(first.exact & other.exact)
    if not is_near or (not is_one and Change.REQUIREMENT in changes):
        return is_near and first.exact == other.exact
    return first.exact <= other.exact or other.exact <= first.exact
