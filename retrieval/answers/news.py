"""What releases bring, most important first: what's new, what breaks, whether to upgrade, how two differ.

Every entry of the asked releases is weighed as it was read when it was ingested, not by what a search finds.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct, CatalogueRelease, stable_releases
from corpus.deadline import waited_for
from corpus.item_sentences import speaks_of_security, states_something
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act, Authority, Change, Kind, Section
from corpus.plain_words import listed, one_line
from corpus.sections import is_category, section_of_title
from corpus.stores.protocol import PassageFilter
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import NOT_OUT, name_release, name_releases, not_out_words, releases_that_fit
from retrieval.blocks import NO_WORDS, Closing, More, Words, name_of, words_of
from retrieval.model import Form, Relative, Status
from retrieval.products.components import narrow_to_part
from retrieval.question.relative import LATEST
from retrieval.question.subject import COMPARING
from retrieval.question.words import QuestionWord, share_met
from retrieval.quoting.composing import Draft, Statement, attributed, has_yanked_heading, not_found
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote
from retrieval.quoting.wording import said_words, telling_clause
from retrieval.search.item_forms import is_title
from retrieval.upgrades.citing import quote_entry, summarise
from retrieval.upgrades.entries import NotedEntry, read_entries
from retrieval.upgrades.released_changes import read_changes
from retrieval.upgrades.repeats import fold_repeats

_GRAVE = re.compile(
    r"\b(?:crash|panic|segfault|segmentation fault|corrupt|(?:data|message)s? loss|los(?:s of|ing|t) data|deadlock|hang"
    r"|(?:memory|goroutine|connection)s? leak|leaks? memory|regression|race condition|data race|infinite loop)",
    re.IGNORECASE,
)
_URGENT = re.compile(r"\bdata loss\b|\b(?:should|must|urged to|recommended to) upgrade\b", re.IGNORECASE)
_STATED, _TRIED, _FEW, _FIRST = 7, 12, 3, 4
_STATED_CHARACTERS, _AROUND, _SHORT, _LONGEST = 780, 8, 140, 300
"""After which nothing more is told, and what stands around a statement beside its release; up to where a statement
takes in a second sentence, and its first is told whole. A matter of display."""
_BREAKING_STATED, _BREAKING_SHORT = 10, 120
"""Who upgrades needs all that breaks: more of it, each shorter. A matter of display."""
_NAME_CHARACTERS, _AT_ONCE = 40, 2
"""Of what an entry begins with as the part that it is about; and how many entries of one release are told before the
others of a range have had their say. A matter of display."""
_SUBJECT_SHARE, _SECURED_SHARE = 0.5, 1.0
_BREAKING_SHARE, _LISTED_SHARE = 0.5, 0.2
"""What bites most is what breaks something among what matters, both learned: beside how much a change is a headline,
how surely it breaks something, and that an upgrade lists it and not as a mere deprecation. These shares were chosen by
hand, never fitted."""
_NEARER, _NEAREST, _MANY = 1.5, 0.9, 20
"""By how many standard deviations entries that hold an ordinary word stand nearer to the question than ones drawn at
random, so that it is what the question is about; and to be about it in other words, of which share of the others an
entry must be nearer, of at least so many. Chosen by hand, never fitted."""
_SURELY_READ, _SURELY_NOTHING = 0.8, 0.95
_SURELY, _PERHAPS = 0.5, 0.2
"""How surely an act must be read to be told, and that nothing is told; how likely a change that no upgrade lists breaks
something, to be told, the second where there are few others. Chosen by hand, never fitted."""
_SPARES = frozenset({Act.ADDED, Act.FIXED, Act.SECURED, Act.FASTER})
_UNREAD = frozenset({Act.CHANGED, Act.OTHER})
_LEADS_TO_CODE = re.compile(r"(?<=[.!?]) [^.!?]*:$")
"""The last of several sentences, where it introduces what isn't told."""
_ALL_TOLD = "is left to tell: that was all"
_WORDS = ("Breaking", "Removed", "Deprecated", "Security", "New", "Faster", "Fixed", "Changed")
_GROUPS = dict(zip(Kind, _WORDS, strict=True))
"""The word that a kind's changes are told under, in the order in which they are."""
_HIGHLIGHTS = "Highlights"
_BREAKING = _WORDS[:3]
_LEAVES_OPEN = frozenset({_GROUPS[Kind.BREAKING], _GROUPS[Kind.OTHER], _HIGHLIGHTS})
"""The words of sections in which anything may have happened."""
_NOT_DONE = {Act.PLANNED: "Announced", Act.KNOWN_ISSUE: "Known issues"}
_GROUP_OF_ACT = {
    Act.ADDED: _GROUPS[Kind.FEATURE],
    Act.FASTER: _GROUPS[Kind.PERFORMANCE],
    Act.FIXED: _GROUPS[Kind.FIX],
    Act.REMOVED: _GROUPS[Kind.REMOVAL],
    Act.DEPRECATED: _GROUPS[Kind.DEPRECATION],
    Act.SECURED: _GROUPS[Kind.SECURITY],
}
_WHOLE = frozenset(split_tokens("changed new release version"))  # What titles of all that a release brings are made of.


@dataclass(frozen=True, slots=True, eq=False)
class NewsItem:
    """One entry of a release that tells news, with how much it matters."""

    entry: NotedEntry
    change: Change | None  # What an upgrade lists it as.
    weight: float
    subject: float  # How much of what the question is about, beside the release, it holds, 0 to 2.
    tokens: frozenset[str]
    group: str  # The word that it is told under.

    @property
    def act(self) -> Act:
        """What it says happened."""
        return self.entry.first.act

    @property
    def is_grave(self) -> bool:
        """Whether it ends crashes, hangs or the loss of data."""
        words = self.entry.lead
        is_fix = self.act is Act.FIXED or self.group == _GROUPS[Kind.FIX]
        return bool(_GRAVE.search(words) if is_fix else self.act in _UNREAD and _URGENT.search(words))

    @property
    def breaking(self) -> float:
        """The learned probability that it breaks something, 0 to 1."""
        is_secured = self.change is Change.SECURITY or self.entry.told.section is Section.SECURITY
        return 0.0 if is_secured else self.entry.first.breaking

    @property
    def breaks(self) -> bool:
        """Whether an upgrade lists it as what breaks something."""
        return self.change not in (None, Change.DEPRECATED, Change.SECURITY)


def draft_news(findings: Findings) -> Draft | None:
    """The most important entries of the asked releases; None where the question isn't about one product's releases."""
    query, form = findings.query, findings.query.form
    named = findings.products if query.products else ()
    product = narrow_to_part(named[0], query.search_text) if len(named) == 1 else None
    if product is not None and query.relative is Relative.NEXT and query.constraint is None:
        return _draft_unreleased(findings, product)
    if product is None or not (releases := asked_releases(findings, product)):
        return None
    if form is Form.BREAKS:
        return _draft_breaking(findings, product, releases)
    act = query.act if form is Form.WHATS_NEW else None
    tried = [releases]
    if query.constraint is None and act is not None:
        # "What was removed?" means the newest release that removes something.
        tried = [(release,) for release in stable_releases(product.releases)[:_TRIED]]
    for releases in tried:
        items = _read_items(findings, product, releases)
        if wanted := _wanted(findings, items):
            break
    else:
        return _nothing(product, tried[0], f"reads as {act.value.replace('_', ' ')}") if act is not None else None
    wanted = _untold(findings, wanted)
    if not wanted:
        return _nothing(product, releases, _ALL_TOLD)
    led = _led(wanted, form, act, query.statements)
    stated = _state(findings, led, releases, has_groups=act is None)
    lead = _name(findings, product, releases, stated)
    if form is Form.SHOULD_UPGRADE:
        unready = not_out_words(product, releases[0])
        ahead = f"{product.name} {releases[0].version} {unready}. " if unready else ""
        lead = f"{ahead}{_verdict(releases, items)}: " + lead
    elif query.constraint is None or query.versions_named_as == LATEST:
        lead += ", the newest release" * (releases[:1] == stable_releases(product.releases)[:1])
    is_whole = act is None and form is not Form.SHOULD_UPGRADE and not any(item.subject for item in items)
    if is_whole and (counts := _counts(items)):
        lead += f": {counts}"
        return Draft(Status.ANSWERED, lead + ".", stated, closing=_how_many_more(wanted, stated))
    return Draft(Status.ANSWERED, lead + ":", stated, leads_on=True, closing=_how_many_more(wanted, stated))


def _led(wanted: Sequence[NewsItem], form: Form, act: Act | None, room: int | None) -> Sequence[NewsItem]:
    """In which order entries are told: of what is new what the notes put first, in their order, then what breaks, then
    security; of an upgrade security and what breaks before what is repaired; each by weight."""
    if act is not None or (room is not None and room < _FEW):
        return wanted
    breaking = [item for item in wanted if item.breaks]
    secured = [item for item in wanted if item.group == _GROUPS[Kind.SECURITY]]
    if form is Form.SHOULD_UPGRADE:
        grave = [item for item in wanted if item.is_grave]
        return [*dict.fromkeys((*secured[:_FIRST], *breaking[:_FIRST], *grave[:_FIRST], *wanted))]
    leading = [item for item in wanted if item.entry.told.leads and item.act is not Act.OTHER and item not in secured]
    # Of several sections put first each has its say, in the words that tell most.
    firsts = {item.entry.passage.heading: item for item in reversed(leading)}
    leading = list(firsts.values()) if len(firsts) > 1 else leading
    leading.sort(key=lambda item: (item.entry.passage.position, item.entry.told.span))
    return [*dict.fromkeys((*leading[:_FIRST], *breaking[:_FEW], *secured[:_FEW], *leading, *wanted))]


def _counts(items: Sequence[NewsItem]) -> str:
    """How many changes break something, are new, or mend a hole, in words; empty where that tells nothing."""
    told = (
        (sum(item.breaks for item in items), "breaking change", "breaking changes"),
        (sum(item.group == _GROUPS[Kind.SECURITY] for item in items), "security fix", "security fixes"),
        (sum(item.group == _GROUPS[Kind.FEATURE] for item in items), "new feature", "new features"),
        (sum(item.group == _GROUPS[Kind.FIX] for item in items), "bug fix", "bug fixes"),
    )
    return listed([f"{number} {one if number == 1 else many}" for number, one, many in told if number])


def _how_many_more(wanted: Sequence[NewsItem], stated: Sequence[Statement]) -> Closing | None:
    more = len(wanted) - len(stated)
    return Closing(more, More(wanted[0].entry.passage.document.source)) if more > 0 else None


def _draft_unreleased(findings: Findings, product: CatalogueProduct) -> Draft:
    """What the notes tell of that isn't out yet: their unreleased sections and the releases to come."""
    index, form, name = findings.index, findings.query.form, product.name
    to_come = [release for release in product.releases if not_out_words(product, release) == NOT_OUT]
    places = index.release_positions(name, {release.version for release in to_come}.__contains__)
    passages = list(index.load_passages(places))
    for document in index.documents_of(product.name):
        named = (one for one in index.document_releases(document.id) if one.version is None and one.label)
        # What has a day is out, whatever it is called.
        sections = (one for one in named if one.date is None)
        passages += (passage for one in sections for passage in index.document_passages(document.id, within=one.span))
    noted = read_entries([one for one in passages if not (one.is_foreign or one.boilerplate)], index)
    items = _weighed(findings, [(entry, entry.told.change) for entry in noted])
    act = findings.query.act if form is Form.WHATS_NEW else None
    if form is Form.BREAKS:
        items = [item for item in items if item.breaks or item.group in _BREAKING]
    if not items or not (wanted := _wanted(findings, items)):
        out = name_release(product, stable_releases(product.releases)[0]) if product.releases else words_of("none")
        what = f"unreleased change of {name} {f'that reads as {act.value}' if act else ''}".strip()
        no = f"Not found: the notes tell of no {what}. The newest release is " + out + "."
        return Draft(Status.NOT_FOUND, no)
    stated = _state(findings, _led(wanted, form, act, findings.query.statements), to_come, has_groups=act is None)
    versions = listed([str(release.version) for release in to_come])
    lead = name_of(name, versions) + " (unreleased):"
    return Draft(Status.ANSWERED, lead, stated, leads_on=True, closing=_how_many_more(wanted, stated))


def _nothing(product: CatalogueProduct, releases: Sequence[CatalogueRelease], what: str) -> Draft:
    names = name_releases(product, releases)
    return not_found(f"Not found: nothing in the notes of {names} {what}.")


def _untold(findings: Findings, items: Sequence[NewsItem]) -> list[NewsItem]:
    """The items that no answer before quoted or told in other words."""
    before = [_telling_tokens(findings.core_of(quote)) for quote in findings.told]

    def was_quoted(item: NewsItem) -> bool:
        document, span = item.entry.passage.document.id, item.entry.told.span
        return any(quote.passage.document.id == document and quote.core.meets(span) for quote in findings.told)

    return [item for item in items if not (was_quoted(item) or _is_told(item.tokens, before))]


def _draft_breaking(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]
) -> Draft | None:
    """What breaks something, the weightiest of it, or that there is nothing of the kind; None where the best that was
    found tells of what is asked about and none of these does."""
    read = _read_items(findings, product, releases)
    items = [item for item in read if item.breaks or item.group in _BREAKING]
    # What no upgrade lists, but surely breaks something; of a release that lists little, what perhaps does.
    least = _SURELY if len(items) >= _STATED else _PERHAPS
    spared, listing = (*_SPARES, *_NOT_DONE), set(items)
    items += [item for item in read if item not in listing and item.act not in spared and item.breaking >= least]
    weighed = sorted(items, key=lambda item: -item.weight - _LISTED_SHARE * item.breaks)
    about = [item for item in _about(read) if item.subject]
    entry_of = {(passage.position, part.span): item for item in read for passage, part in item.entry.items}
    best = [(one, entry_of.get((one.passage.position, one.item.span))) for one in findings.fitting[:1]]
    words = _telling(findings)
    tells = any(item in about if item else words and share_met(words, one.tokens) == 1 for one, item in best)
    if tells and {*about}.isdisjoint(weighed):
        return None
    if not weighed:
        return _nothing(product, releases, "reads as removed, deprecated or breaking")
    chosen = _untold(findings, weighed)
    if not chosen:
        return _nothing(product, releases, _ALL_TOLD)
    stated = _state(findings, chosen, releases, has_groups=False, most=_BREAKING_STATED, short=_BREAKING_SHORT)
    closing = None
    if more := len(chosen) - len(stated):
        constraint, oldest = findings.query.constraint, releases[-1].version
        before = max((release.version for release in product.releases if release.version < oldest), default=oldest)
        ends = [before, releases[0].version]
        if constraint is not None and len(constraint.versions) > 1:
            ends = sorted(constraint.versions)
        name = f'"{product.name}"' if " " in product.name else product.name
        first, last = str(ends[0]), str(ends[-1])
        command = f"relnotes upgrade {name} {first} {last}"
        closing = Closing(more, More(command, upgrade=(product.name, first, last)))
    lead = _name(findings, product, releases, stated) + ":"
    return Draft(Status.ANSWERED, lead, stated, leads_on=True, closing=closing)


def _telling(findings: Findings) -> tuple[QuestionWord, ...]:
    """What the question may be about beside releases and changes; nothing for most questions."""
    words = (word for word in findings.focus.telling if word.is_name or not word.is_generic)
    return tuple(word for word in words if COMPARING.isdisjoint(word.tokens))


def _wanted(findings: Findings, items: Sequence[NewsItem]) -> list[NewsItem]:
    query, act = findings.query, findings.query.act if findings.query.form is Form.WHATS_NEW else None
    # A release that changes little, or only says why it was made, tells just that; what surely tells nothing, never.
    is_whole = act in (None, Act.CHANGED)
    is_small = is_whole and len(items) <= _FEW
    if is_whole and (named := _in_named_section(findings, items)):
        wanted = named
    elif is_whole:
        # Below a head that says what it does, an entry may only name it.
        perhaps = [item for item in items if item.entry.first.certainty < _SURELY_NOTHING]
        is_named = {item for item in perhaps if is_small or item.group != _GROUPS[Kind.OTHER]}
        wanted = [item for item in items if item.act is not Act.OTHER or item in is_named]
    else:
        wanted = _having_act(items, act or Act.CHANGED)
    wanted = wanted or (list(items) if is_small or (is_whole and not _telling(findings)) else [])
    about = _about(wanted)
    # Whatever somebody weighs an upgrade for, its vulnerabilities count.
    is_judged = query.form is Form.SHOULD_UPGRADE
    secured = [item for item in wanted if is_judged and item.change is Change.SECURITY and item not in about]
    return [*about, *secured]


def _about(items: Sequence[NewsItem]) -> list[NewsItem]:
    """The items that hold what the question is about; all where it is about nothing else than the release."""
    most = max((item.subject for item in items), default=0.0)
    return [item for item in items if item.subject >= most / 2]


def _in_named_section(findings: Findings, items: Sequence[NewsItem]) -> list[NewsItem]:
    """The items of the sections that a question names in the words of their titles ("Dependencies")."""
    asked = set(findings.outcome.tokens)
    named: list[NewsItem] = []
    for item in items:
        titles = (title for title in item.entry.passage.heading[1:] if is_category(title) or section_of_title(title))
        words = (set(split_tokens(title)) - _WHOLE - STOP_WORDS for title in titles)
        if any(title and title <= asked for title in words):
            named.append(item)
    return named


def _having_act(items: Sequence[NewsItem], act: Act) -> list[NewsItem]:
    """The items of which an act is told: they are listed under it, or say so where no head of theirs says otherwise."""
    group = _GROUP_OF_ACT.get(act)
    has_section = any(item.group == group for item in items)

    def is_open(item: NewsItem) -> bool:
        first, is_altered = item.entry.first, item.entry.told.section is Section.ALTERED
        is_sure = first.certainty >= _SURELY_READ and not is_altered
        return item.group in _LEAVES_OPEN and (is_sure or not has_section)

    return [item for item in items if item.group == group or (item.act is act and (group is None or is_open(item)))]


def asked_releases(findings: Findings, product: CatalogueProduct) -> tuple[CatalogueRelease, ...]:
    """The releases that a question is about, newest first: without a version the newest stable one; of a range what an
    upgrade from the one end to the other passes, the line that is left excluded."""
    constraint = findings.query.constraint
    if constraint is None:
        return stable_releases(product.releases)[:1]
    named = constraint.versions
    low, high = (named[0], named[-1]) if len(named) > 1 else (constraint.low, constraint.high)
    form = findings.query.form
    if (form.traits.is_move or form is Form.COMPARE) and low is not None and high is not None:
        left, entered = VersionConstraint.exactly(low), VersionConstraint.exactly(high)
        return tuple(
            release
            for release in product.releases
            if low < release.version
            and not left.contains(release.version)
            and (release.version <= high or entered.contains(release.version))
        )
    return releases_that_fit(product, constraint)


def _read_items(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> list[NewsItem]:
    """Each entry of some releases and their candidates once that says something, the weightiest first; others' opinions
    only where there is nothing else, and what breaks by the best of its places."""
    (whole,) = findings.products
    sources = {source for release in product.releases for source in release.sources}
    exact = {release.version for release in releases}
    reading = read_changes(findings.index, whole, lambda one: one in exact or one.base in exact)
    is_part = product.name != whole.name
    ours = [entry for entry in reading.entries if not is_part or entry.passage.document.source in sources]
    entries = [entry for entry in ours if entry.passage.is_own] or ours
    folded = {id(told.finding.entry): told.finding.change for told in fold_repeats(reading.kept)}
    repeated = {id(found.entry) for found in reading.kept} - folded.keys()
    told = (entry for entry in entries if id(entry) not in repeated)
    changes = (
        (entry, folded.get(id(entry)) or (Change.SECURITY if entry.told.change is Change.SECURITY else None))
        for entry in told
    )
    return _weighed(findings, changes)


def _weighed(findings: Findings, entries: Iterable[tuple[NotedEntry, Change | None]]) -> list[NewsItem]:
    told: dict[str, tuple[NotedEntry, Change | None]] = {}
    for entry, change in waited_for(entries):
        if _says_news(entry):
            told.setdefault(entry.lead.casefold(), (entry, change))
    found = list(told.values())
    subjects = _subjects(findings, [entry for entry, _ in found]) or [0.0] * len(found)
    items = []
    for (entry, change), subject in zip(found, subjects, strict=True):
        parts = [item for _, item in entry.items[:_FEW]]
        weight = (
            max(item.headline for item in parts)
            + _BREAKING_SHARE * max(item.breaking for item in parts)
            + _SECURED_SHARE * (change is Change.SECURITY)
            + _SUBJECT_SHARE * subject
        )
        items.append(NewsItem(entry, change, weight, subject, _telling_tokens(entry.lead), _group(entry, change)))
    return sorted(items, key=lambda item: -item.weight)


def _subjects(findings: Findings, entries: Sequence[NotedEntry]) -> list[float]:
    """For each entry how much of what the question is about it holds, from 0 where it holds no word of it to 2 where it
    holds all and is nearest; nothing where the question is about nothing else than the release.

    A word that no entry holds says why somebody asks; so does an ordinary one that no heading has, and whose entries
    are no nearer to the question than others are.
    """
    telling = _telling(findings)
    if not (telling and entries):
        return []
    near = _nearness(findings, entries)
    places = [_place_tokens(entry) for entry in entries]
    tokens = [_telling_tokens(entry.lead) | place for entry, place in zip(entries, places, strict=True)]

    def is_subject(word: QuestionWord) -> bool:
        holding = [nearness for nearness, held in zip(near, tokens, strict=True) if word.met_by(held)]
        # The mean of n places drawn at random from 0 to 1 has a variance of 1/12n.
        distance = sum(one - 0.5 for one in holding) * math.sqrt(12 / len(holding)) if holding else 0.0
        return bool(holding) and (word.is_name or any(map(word.met_by, places)) or distance >= _NEARER)

    subject = [word for word in telling if is_subject(word)]
    held = [share_met(subject, one) * (1 + nearness) for one, nearness in zip(tokens, near, strict=True)]
    # Of many the nearest may tell of it in other words ("Dropped PyPy", to which Python goes).
    least = max(held) / 2 * (len(entries) >= _MANY)
    return [max(one, (nearness >= _NEAREST) * least) for one, nearness in zip(held, near, strict=True)]


def _nearness(findings: Findings, entries: Sequence[NotedEntry]) -> list[float]:
    """For each entry the share of the others that are no nearer to the question, 0 to 1."""
    table = findings.index.passages
    parts = [[(passage.position, passage.items.index(item)) for passage, item in entry.items] for entry in entries]
    positions = sorted({position for places in parts for position, _ in places})
    codes = tuple(sorted(set(table.version_codes[positions].tolist())))
    wanted = PassageFilter(findings.index.product_places(findings.query.products), codes)
    rows, _ = findings.index.store.nearest_items(findings.outcome.vector, wanted, limit=len(table.item_passages))
    ranks = {row: rank for rank, row in enumerate(rows.tolist())}
    firsts = dict(zip(positions, table.item_passages.searchsorted(positions).tolist(), strict=True))
    last = len(ranks)
    best = [min(ranks.get(firsts[position] + number, last) for position, number in places) for places in parts]
    order = sorted(range(len(best)), key=best.__getitem__, reverse=True)
    nearness = dict(zip(order, range(len(order)), strict=True))
    return [nearness[i] / max(len(order) - 1, 1) for i in range(len(order))]


def _place_tokens(entry: NotedEntry) -> frozenset[str]:
    """The tokens of where an entry stands: its document, the headings above it, and the name that it begins with
    ("console: …")."""
    name, colon, _ = entry.lead.partition(":")
    document, heading = entry.passage.document, entry.passage.heading
    place = (document.source, *heading, name * bool(colon and len(name) <= _NAME_CHARACTERS))
    return frozenset(split_tokens(" ".join(place)))


def _group(entry: NotedEntry, change: Change | None) -> str:
    """The word that an entry is told under."""
    if not_done := _NOT_DONE.get(entry.first.act):
        return not_done
    kind = entry.told.kind
    if change not in (None, Change.DEPRECATED, Change.SECURITY) and kind is Kind.OTHER:
        kind = Kind.BREAKING
    return _HIGHLIGHTS if entry.told.leads and kind in (Kind.OTHER, Kind.FEATURE) else _GROUPS[kind]


def _says_news(entry: NotedEntry) -> bool:
    """Whether an entry says something by itself, and isn't a stem, a title or a bare word."""
    words = entry.lead
    is_stem = len(entry.items) == 1 and words.rstrip("*_ ").endswith((":", "...", "…"))
    return len(words.split()) > 1 and not is_stem


def _telling_tokens(text: str) -> frozenset[str]:
    """Of what an entry says: the addresses of its tickets and authors are the same in all entries of a list."""
    return frozenset(split_tokens(said_words(one_line(text)))) - STOP_WORDS


def _is_told(tokens: frozenset[str], told: Sequence[frozenset[str]]) -> bool:
    """Whether all words of the shorter one are in one told: another name or number is another change."""
    return any(tokens and other and (tokens <= other or other <= tokens) for other in told)


def _in_turn(items: Sequence[NewsItem]) -> list[NewsItem]:
    """The items, of each release the first few before the others of any: each has its say."""
    seen: Counter[Version | None] = Counter()
    turns: dict[NewsItem, int] = {}
    for item in items:
        version = item.entry.version.base if item.entry.version else None
        turns[item] = seen[version] // _AT_ONCE
        seen[version] += 1
    return sorted(items, key=turns.__getitem__)


def _state(
    findings: Findings,
    items: Sequence[NewsItem],
    releases: Sequence[CatalogueRelease],
    *,
    has_groups: bool,
    most: int = _STATED,
    short: int = _SHORT,
) -> tuple[Statement, ...]:
    """The first statements that say something whole, those of a group together. Each has its release before it where
    the lead names several, and who speaks where that is an opinion."""
    limit = findings.query.statements or most
    chosen, cut = list[tuple[str, Quote, str]](), list[tuple[str, Quote, str]]()
    tokens, size = list[frozenset[str]](), 0
    for item in _in_turn(items) if has_groups else items:
        if _is_told(item.tokens, tokens):
            continue
        quote = quote_entry(item.entry, findings.index)
        words = summarise(item.entry, None if has_groups else item.change, quote, findings.index)
        told = telling_clause(words, max_characters=short, longest=_LONGEST)
        # What a line says that leads to code is said without it; a heading alone says nothing.
        leads = told.endswith(":")
        label, _, rest = told.partition(": ")
        # "Feature: …" is told under that word.
        told = rest if has_groups and rest and is_category(label) else told
        told = (_LEADS_TO_CODE.sub("", told) if leads else told).removesuffix(":")
        is_said = " " in told or told.startswith("`")
        if any(told == other for *_, other in chosen) or not (
            is_said and not is_title(quote.passage, told) and (states_something(told) or not leads)
        ):
            continue
        if told.endswith("…"):
            cut.append((item.group, quote, told))
            continue
        size += len(told) + len(str(quote.passage.release or "")) + _AROUND
        if size > _STATED_CHARACTERS and len(chosen) >= _FEW:
            break
        tokens.append(item.tokens)
        chosen.append((item.group, quote, told))
        if len(chosen) == limit:
            break
    chosen = chosen or cut[:1]
    place = {group: number for number, group in enumerate((_HIGHLIGHTS, *_WORDS, *_NOT_DONE.values()))}
    several = len({release.version.base for release in releases}) > 1
    has_groups = has_groups and any(group != _WORDS[-1] for group, *_ in chosen)
    stated = []
    for group, quote, told in sorted(chosen, key=lambda one: place[one[0]]) if has_groups else chosen:
        speaker, saying = NO_WORDS, words_of(told)
        if not quote.passage.is_own:
            speaker, saying = attributed(quote, saying)
        elif several and quote.passage.release is not None:
            base = quote.passage.release.base
            is_out = any(release.version == base for release in releases)
            speaker = name_of(base if is_out else quote.passage.release)
            speaker += " (yanked)" if has_yanked_heading(quote.passage) else ""
        stated.append(Statement(saying, (quote,), speaker, group=group if has_groups else ""))
    return tuple(stated)


def _verdict(releases: Sequence[CatalogueRelease], items: Sequence[NewsItem]) -> str:
    """Whether to upgrade, by all that the notes tell and not only by what the question is about; no yes or no, which
    would say the opposite to who asks whether to wait."""
    if len(releases) == 1 and any(has_yanked_heading(item.entry.passage) for item in items):
        return "Not this one, it was withdrawn"
    broken = sum(item.breaks for item in items)
    but = f"{broken} change{'s' * (broken != 1)} may break something" if broken else ""
    if any(item.change is Change.SECURITY for item in items):
        return f"Upgrade, for its security fixes{f'; {but}' * bool(but)}"
    # Where something may bear on security, nobody is told that nothing does.
    is_safe = not any(speaks_of_security(item.entry.lead) for item in items)
    if but:
        return f"{'No security fix, but ' * is_safe}{but}" if is_safe else but[:1].upper() + but[1:]
    if any(item.is_grave for item in items):
        return f"Worth it for stability{', not for security' * is_safe}"
    return "Nothing in the notes reads as urgent" if is_safe else "Worth a look"


def _name(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease], stated: Sequence[Statement]
) -> Words:
    """The releases with the first one's day and whose words follow, several from the one to the other; a candidate is
    the one it became."""
    newest, oldest = releases[0], releases[-1].version
    if any(release.version == oldest.base for release in releases):
        oldest = oldest.base
    day = newest.date.isoformat() if newest.date else "unreleased" * newest.pending
    is_digest = all(one.quotes[0].passage.document.authority is Authority.DIGEST for one in stated)
    told = ", ".join(filter(None, (day, Authority.DIGEST.value * is_digest)))
    ends = name_of(product.name, oldest)
    ends += " to " + name_of(newest.version) if oldest != newest.version else NO_WORDS
    return "Also in " * bool(findings.told) + ends + (f" ({told})" if told else "")
