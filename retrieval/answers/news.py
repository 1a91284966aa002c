"""What releases bring, most important first: what's new, what breaks, whether to upgrade.

Every item of the asked releases is weighed as it was read when it was ingested, not by what a search finds.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from corpus.catalogue import CatalogueProduct, CatalogueRelease, stable_releases
from corpus.change_kinds import kind_of_heading, kind_of_text
from corpus.deadline import waited_for
from corpus.happenings import NOT_DONE
from corpus.index.stored import StoredPassage
from corpus.item_sentences import leans_back, secures, speaks_of_security, states_something
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act, Authority, Change, Item, Kind, Section, Span
from corpus.plain_words import listed, one_line
from corpus.said_words import leads_away
from corpus.sections import is_category, section_of_tag, section_of_title
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import NOT_OUT, name_release, name_releases, not_out_words, releases_that_fit
from retrieval.blocks import NO_WORDS, Closing, More, Words, name_of, words_of
from retrieval.model import Form, Relative, Status
from retrieval.products.components import narrow_to_part
from retrieval.question.relative import LATEST
from retrieval.question.words import QuestionWord, share_met
from retrieval.quoting.composing import Draft, Statement, attributed, has_yanked_heading, not_found
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote, told_act
from retrieval.quoting.wording import said_words, say_quote, telling_clause
from retrieval.search.item_forms import is_title

if TYPE_CHECKING:
    from retrieval.upgrades.entries import Atom, NotedEntry

_GRAVE = re.compile(
    r"\b(?:crash|panic|segfault|segmentation fault|corrupt|(?:data|message)s? loss|los(?:s of|ing|t) data|deadlock|hang"
    r"|(?:memory|goroutine|connection)s? leak|leaks? memory|regression|race condition|data race|infinite loop)",
    re.IGNORECASE,
)
_URGENT = re.compile(r"\bdata loss\b|\b(?:should|must|urged to|recommended to) upgrade\b", re.IGNORECASE)
_PUT_FIRST = re.compile(r"\bhighlights?\b|\bkey (?:features|changes)\b|^major (?:changes|features)\b", re.IGNORECASE)
_READ_PASSAGES = 3000
_STATED, _TRIED, _FEW = 6, 12, 3
_STATED_CHARACTERS, _AROUND, _SHORT, _LONGEST, _READ_CHARACTERS = 700, 8, 200, 300, 600
"""After which nothing more is told, so that an answer is read at a glance, and what stands around a statement beside
its release; up to where a statement takes in a second
sentence, up to where its first is told whole, and of what it is made: fewer whole ones say more than more that are cut.
A matter of display."""
_BREAKING_STATED, _BREAKING_SHORT = 10, 120
"""Who upgrades needs all that breaks: more of it, each shorter. A matter of display."""
_TITLE_CHARACTERS, _NAME_CHARACTERS = 80, 40
_SUBJECT_SHARE, _SECURED_SHARE = 0.5, 1.0
_BREAKING_SHARE, _LISTED_SHARE, _TURNING_SHARE = 0.5, 0.2, 0.4
"""What bites most is what breaks something among what matters, both learned: beside how much a change is a headline,
how surely it breaks something, that an upgrade lists it and not as a mere deprecation, that the first release of the
newest major version has it. These shares were chosen by hand, never fitted."""
_SURELY, _PERHAPS = 0.5, 0.2
"""How likely a change that no upgrade lists breaks something, to be told; the second where there are few others. Chosen
by hand, never fitted."""
_SURELY_NOTHING = 0.95  # How surely what nothing is read of tells nothing. Chosen by hand, never fitted.
_SPARES = frozenset({Act.ADDED, Act.FIXED, Act.SECURED, Act.FASTER, *NOT_DONE})
_UNREAD = frozenset({Act.CHANGED, Act.OTHER})
_BREAKS = frozenset({Act.REMOVED, Act.REQUIRES, Act.DEFAULT, Act.REPLACED})
_ALL_TOLD = "is left to tell: that was all"
_WORDS = ("Breaking", "Removed", "Deprecated", "Security", "New", "Faster", "Fixed", "Changed")
_GROUPS = dict(zip(Kind, _WORDS, strict=True))
"""The word that a kind's changes are told under, in the order in which they are."""
_HIGHLIGHTS = "Highlights"
_NOT_DONE = {Act.PLANNED: "Announced", Act.KNOWN_ISSUE: "Known issues"}
_KIND_OF_ACT = {Act.ADDED: Kind.FEATURE, Act.FASTER: Kind.PERFORMANCE, Act.FIXED: Kind.FIX}
_KIND_OF_TAG = {Section.FEATURE: Kind.FEATURE, Section.FIX: Kind.FIX}
_GROUP_OF_ACT = {act: _GROUPS[kind] for act, kind in _KIND_OF_ACT.items()} | {
    Act.REMOVED: _GROUPS[Kind.REMOVAL],
    Act.DEPRECATED: _GROUPS[Kind.DEPRECATION],
    Act.SECURED: _GROUPS[Kind.SECURITY],
}
_WHOLE = frozenset(split_tokens("changed new release version"))  # What titles of all that a release brings are made of.
_LEAVES_OPEN = frozenset({_GROUPS[Kind.BREAKING], _GROUPS[Kind.OTHER], _HIGHLIGHTS})
"""The words of sections in which anything may have happened."""
_UNTOLD = (None, Kind.OTHER, Kind.SECURITY)
"""What a heading says nothing of how to call what is below it: not all below "Security" mends a hole."""
_SURELY_READ = 0.8
"""How surely an act is read to be told under its word without a heading that says so. Chosen by hand, never fitted."""
_STATED_KINDS = frozenset({Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION})
"""What an entry may say of itself, whatever heading it stands under."""


_Say = Callable[[], tuple[Quote, str, str]]
"""What words a change, with its quote and the change that its section names: the notes have hundreds of which few are
told."""


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One item of a release that tells news, with how much it matters."""

    passage: StoredPassage
    number: int
    act: Act
    weight: float
    subject: float  # The share of the weight of what the question is about, beside the release, that it holds.
    tokens: frozenset[str]
    title: str  # The heading that names what it is about; empty where that names a release or a kind of changes.
    is_grave: bool  # Whether it ends crashes, hangs or the loss of data.
    may_secure: bool
    """Whether it may be about a vulnerability, in whatever words: then it isn't said that there is none."""
    leads: bool  # Whether the notes themselves put it first, among their highlights.
    group: str  # The word that it is told under, as its heading or its own words have it.

    @property
    def item(self) -> Item:
        return self.passage.items[self.number]


def draft_news(findings: Findings) -> Draft | None:
    """The most important items of the asked releases; None where the question isn't about one product's releases."""
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
        items = list(_read_items(findings, _passages_of(findings, product, releases)))
        if wanted := _wanted(findings, items):
            break
    else:
        return _nothing(product, tried[0], f"reads as {act.value.replace('_', ' ')}") if act is not None else None
    before = [_telling_tokens(findings.core_of(quote)) for quote in findings.told]
    wanted = [item for item in wanted if not (_was_quoted(findings, item) or _is_told(item.tokens, before))]
    if not wanted:
        return _nothing(product, releases, _ALL_TOLD)
    first = wanted[:1]
    if form is Form.WHATS_NEW and act is None:
        # What the notes themselves put first; what breaks comes after it, under its own word.
        first = _by_title([item for item in wanted if item.leads and item.group not in _WORDS[:3]])[:_FEW]
    told = _spread([*first, *(item for item in wanted if item not in first)])
    said = [(item.group * (act is None), partial(_say, findings, item)) for item in told]
    leading, *_ = Counter(item.group for item in first).most_common(1) or [("", 0)]
    stated = _state(said, releases, limit=query.statements or _STATED, leading=leading[0])
    lead = _name(findings, product, releases, stated)
    if form is Form.SHOULD_UPGRADE:
        unready = not_out_words(product, releases[0])
        ahead = f"{product.name} {releases[0].version} {unready}. " if unready else ""
        lead = f"{ahead}{_verdict(releases, items)}: " + lead
    elif query.constraint is None or query.versions_named_as == LATEST:
        lead += ", the newest release" * (releases[:1] == stable_releases(product.releases)[:1])
    return Draft(Status.ANSWERED, lead + ":", stated, leads_on=True, closing=_how_many_more(wanted, stated))


def _how_many_more(wanted: Sequence[NewsItem], stated: Sequence[Statement]) -> Closing | None:
    count = len(wanted) - len(stated)
    ((source, _),) = Counter(item.passage.document.source for item in wanted).most_common(1)
    return Closing(count, More(source)) if count > 0 else None


def _draft_unreleased(findings: Findings, product: CatalogueProduct) -> Draft:
    """What the notes tell of that isn't out yet: their unreleased sections and the releases to come."""
    index, form, name = findings.index, findings.query.form, product.name
    to_come = [release for release in product.releases if not_out_words(product, release) == NOT_OUT]
    passages = _passages_of(findings, product, to_come) if to_come else []
    for document in index.documents_of(product.name):
        named = (one for one in index.document_releases(document.id) if one.version is None and one.label)
        # What has a day is out, whatever it is called.
        sections = (one for one in named if one.date is None)
        passages += (passage for one in sections for passage in index.document_passages(document.id, within=one.span))
    items = list(_read_items(findings, [one for one in passages if not (one.is_foreign or one.boilerplate)]))
    act = findings.query.act if form is Form.WHATS_NEW else None
    if form is Form.BREAKS:
        items = [item for item in items if item.group in _WORDS[:3] or item.act in _BREAKS]
    if not items or not (wanted := _wanted(findings, items)):
        out = name_release(product, stable_releases(product.releases)[0]) if product.releases else words_of("none")
        what = f"unreleased change of {name} {f'that reads as {act.value}' if act else ''}".strip()
        no = f"Not found: the notes tell of no {what}. The newest release is " + out + "."
        return Draft(Status.NOT_FOUND, no)
    said = [(item.group * (act is None), partial(_say, findings, item)) for item in _spread(wanted)]
    stated = _state(said, to_come, limit=findings.query.statements or _STATED)
    versions = listed([str(release.version) for release in to_come])
    lead = name_of(name, versions) + " (unreleased):"
    return Draft(Status.ANSWERED, lead, stated, leads_on=True, closing=_how_many_more(wanted, stated))


def _nothing(product: CatalogueProduct, releases: Sequence[CatalogueRelease], what: str) -> Draft:
    names = name_releases(product, releases)
    return not_found(f"Not found: nothing in the notes of {names} {what}.")


def _was_quoted(findings: Findings, one: "NewsItem | Atom") -> bool:
    document, span = one.passage.document.id, one.item.span
    return any(quote.passage.document.id == document and quote.core.meets(span) for quote in findings.told)


def _draft_breaking(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """What breaks something, the weightiest of it, or that there is nothing of the kind."""
    weighed = _weigh_breaking(findings, product, releases)
    if not weighed:
        return _nothing(product, releases, "reads as removed, deprecated or breaking")
    told = [_telling_tokens(findings.core_of(quote)) for quote in findings.told]
    chosen: list[tuple[str, _Say]] = []
    for _, tokens, was_quoted, say in waited_for(sorted(weighed, key=lambda weighted: -weighted[0])):
        if not was_quoted and not _is_told(tokens, told):
            told.append(tokens)
            chosen.append(("", say))
    if not chosen:
        return _nothing(product, releases, _ALL_TOLD)
    stated = _state(chosen, releases, limit=findings.query.statements or _BREAKING_STATED, short=_BREAKING_SHORT)
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


def _weigh_breaking(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]
) -> list[tuple[float, frozenset[str], bool, _Say]]:
    """What an upgrade would list (`retrieval.upgrades`) and what else surely breaks something: the weight of each, its
    words' tokens, whether an answer before quoted it, and what words it."""
    from retrieval.upgrades.citing import quote_entry, summarise
    from retrieval.upgrades.released_changes import read_changes
    from retrieval.upgrades.repeats import fold_repeats

    (whole,), sources = findings.products, _sources(product)
    read = read_changes(findings.index, whole, {release.version for release in releases}.__contains__).kept
    major = releases[0].version.release[0]
    turning = min(release.version for release in releases if release.version.release[0] == major).base
    subject = _telling(findings)

    def weigh(items: Sequence[Item], tokens: frozenset[str], version: Version | None, *, is_listed: bool) -> float:
        return (
            max(item.headline for item in items)
            + _BREAKING_SHARE * max(item.breaking for item in items)
            + _LISTED_SHARE * is_listed
            + _TURNING_SHARE * (version is not None and version.base == turning)
            + _SUBJECT_SHARE * (share_met(subject, tokens) if subject else 0.0)
        )

    def say(entry: "NotedEntry", change: Change) -> tuple[Quote, str, str]:
        quote = quote_entry(entry, findings.index)
        return quote, "", summarise(entry, change, quote, findings.index)

    own = [found for found in read if found.entry.passage.document.source in sources]
    weighed: list[tuple[float, frozenset[str], bool, _Say]] = []
    for fold in fold_repeats(own):
        entry, change, version = fold.finding.entry, fold.finding.change, fold.finding.version
        tokens = _telling_tokens(f"{entry.title} {entry.lead}")
        items = [atom.item for atom in entry.atoms]
        weight = weigh(items, tokens, version, is_listed=change is not Change.DEPRECATED)
        was_quoted = any(_was_quoted(findings, atom) for atom in entry.atoms)
        weighed.append((weight, tokens, was_quoted, partial(say, entry, change)))
    listed = {(found.entry.atoms[0].item.span, found.entry.passage.document.id) for found in read}
    others = _read_items(findings, _passages_of(findings, product, releases), least_breaking=_PERHAPS)
    for one in sorted(others, key=lambda news: -news.item.breaking):
        is_spared = one.act in _SPARES or one.passage.kind is Kind.SECURITY
        is_listed = (one.item.span, one.passage.document.id) in listed
        least = _SURELY if len(weighed) >= _STATED else _PERHAPS
        if not is_spared and not is_listed and one.item.breaking >= least:
            weight = weigh([one.item], one.tokens, Version.try_parse(str(one.passage.release)), is_listed=False)
            weighed.append((weight, one.tokens, _was_quoted(findings, one), partial(_say, findings, one)))
    return weighed


def _sources(product: CatalogueProduct) -> frozenset[str]:
    return frozenset(source for release in product.releases for source in release.sources)


def _telling(findings: Findings) -> tuple[QuestionWord, ...]:
    """What the question is about beside releases and changes; nothing for most questions."""
    return tuple(word for word in findings.focus.telling if word.is_name or not word.is_generic)


def _wanted(findings: Findings, read: Sequence[NewsItem]) -> list[NewsItem]:
    query, act = findings.query, findings.query.act if findings.query.form is Form.WHATS_NEW else None
    is_judged = query.form is Form.SHOULD_UPGRADE
    # What the verdict rests on comes first.
    items = sorted(
        read, key=lambda item: (not is_judged or not (item.is_grave or item.act is Act.SECURED), -item.weight)
    )
    # A release that changes little, or only says why it was made, tells just that; what surely tells nothing, never.
    is_whole = act in (None, Act.CHANGED)
    is_small = is_whole and len(items) <= _FEW
    if is_whole and (named := _in_named_section(findings, items)):
        wanted = named
    elif act in (None, Act.CHANGED):
        wanted = [
            item
            for item in items
            if (is_small and item.item.certainty < _SURELY_NOTHING)
            or item.act not in (Act.OTHER, Act.KNOWN_ISSUE)
            or item.group == _HIGHLIGHTS
        ]
    else:
        wanted = _having_act(items, act)
    wanted = wanted or (items if is_small or (is_whole and not _telling(findings)) else [])
    most = max((item.subject for item in wanted), default=0.0)
    # Whatever somebody weighs an upgrade for, its vulnerabilities count.
    return [
        item
        for item in wanted
        if most < _SUBJECT_SHARE or item.subject >= most / 2 or (is_judged and item.act is Act.SECURED)
    ]


def _in_named_section(findings: Findings, items: Sequence[NewsItem]) -> list[NewsItem]:
    """The items of the sections that a question names in the words of their titles ("Dependencies")."""
    asked = set(findings.outcome.tokens)
    named: list[NewsItem] = []
    for item in items:
        titles = (title for title in item.passage.heading[1:] if is_category(title) or section_of_title(title))
        words = (set(split_tokens(title)) - _WHOLE - STOP_WORDS for title in titles)
        if any(title and title <= asked for title in words):
            named.append(item)
    return named


def _having_act(items: Sequence[NewsItem], act: Act) -> list[NewsItem]:
    """The items of which an act is told: their section says so, or they do below one that leaves it open; surely,
    where the notes have a section for it."""
    group = _GROUP_OF_ACT.get(act)
    has_section = any(item.group == group for item in items)

    def is_open(item: NewsItem) -> bool:
        is_altered = bool(item.passage.heading) and section_of_title(item.passage.heading[-1]) is Section.ALTERED
        is_sure = item.item.certainty >= _SURELY_READ and not is_altered
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
    if findings.query.form.traits.is_move and low is not None and high is not None:
        left, entered = VersionConstraint.exactly(low), VersionConstraint.exactly(high)
        return tuple(
            release
            for release in product.releases
            if low < release.version
            and not left.contains(release.version)
            and (release.version <= high or entered.contains(release.version))
        )
    return releases_that_fit(product, constraint)


def _passages_of(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]
) -> list[StoredPassage]:
    """The passages of some releases with their candidates, of others' opinions only where there is nothing else."""
    exact = {release.version for release in releases}
    places = findings.index.release_positions(product.name, lambda one: one in exact or one.base in exact)
    sources = _sources(product)
    loaded = findings.index.load_passages(places[:_READ_PASSAGES])
    passages = [stored for stored in loaded if not stored.is_foreign and stored.document.source in sources]
    return [stored for stored in passages if stored.is_own] or passages


def _read_items(
    findings: Findings, passages: Sequence[StoredPassage], *, least_breaking: float = 0.0
) -> Iterator[NewsItem]:
    """Each item once that says something and breaks something by `least_breaking`; subjects are weighed among these."""
    index = findings.index
    found: dict[str, tuple[StoredPassage, int, str]] = {}
    for passage in passages:
        text = index.text_of(passage)
        for number, item in enumerate(passage.items):
            words = item.span.slice(text)
            if item.breaking >= least_breaking and _says_news(passage, number, text):
                found.setdefault(one_line(words).casefold(), (passage, number, words))
    telling = _telling(findings)
    for passage, number, words in found.values():
        # Where an item stands: its document, the headings above it, and the name that it begins with ("console: ...").
        name, colon, _ = words.partition(":")
        place = (passage.document.source, *passage.heading, name * bool(colon and len(name) <= _NAME_CHARACTERS))
        around = frozenset(split_tokens(" ".join(place)))
        item, act, tokens = passage.items[number], told_act(passage, number), _telling_tokens(words)
        is_fix = secures(item, words, is_below=passage.kind is Kind.SECURITY)
        act = Act.SECURED if is_fix else Act.CHANGED if act is Act.SECURED else act
        group = _GROUPS[Kind.SECURITY] if is_fix else _NOT_DONE.get(act) or _group(passage, words, item)
        subject = share_met(telling, tokens | around) if telling else 0.0
        weight = item.headline + _BREAKING_SHARE * item.breaking + _SECURED_SHARE * is_fix + _SUBJECT_SHARE * subject
        leads = any(map(_PUT_FIRST.search, passage.heading[1:])) and act is not Act.PLANNED
        may_secure = speaks_of_security(words)
        is_grave = bool(_GRAVE.search(words) if act is Act.FIXED else act in _UNREAD and _URGENT.search(words))
        title = _own_title(passage)
        yield NewsItem(passage, number, act, weight, subject, tokens, title, is_grave, may_secure, leads, group)


def _says_news(passage: StoredPassage, number: int, text: str) -> bool:
    """Whether an item is neither taken back nor a part of something: a title, code, a stem, a pointer, a bare word."""
    item = passage.items[number]
    words = item.span.slice(text)
    line = one_line(words)
    is_part = (
        line.rstrip("*_ ").endswith((":", "...", "…")) or item.is_code or is_title(passage, words) or leads_away(line)
    )
    return not (is_part or item.retracted) and len(line.split()) > 1


def _group(passage: StoredPassage, words: str, item: Item) -> str:
    """The word that an item is told under: the notes' own, of the nearest heading that has one or of what it says."""
    headings = [title for title in reversed(passage.heading[1:]) if not _PUT_FIRST.search(title)]
    kind = next((kind for title in headings if (kind := kind_of_heading(title)) not in _UNTOLD), Kind.OTHER)
    own = kind_of_text(words)
    # "Fix a deprecation warning" deprecates nothing.
    is_mended = item.act in (Act.FIXED, Act.FASTER) and item.certainty >= _SURELY
    # What is removed may have been deprecated before.
    leaves_open = kind in (Kind.OTHER, Kind.FEATURE) or (kind is Kind.REMOVAL and item.act is not Act.REMOVED)
    if own in _STATED_KINDS and leaves_open and not is_mended:
        kind = own
    elif kind is Kind.OTHER and (tag := section_of_tag(words)) is not None:
        kind = _KIND_OF_TAG.get(tag, kind)
    if kind in (Kind.OTHER, Kind.FEATURE) and len(headings) < len(passage.heading) - 1:
        return _HIGHLIGHTS
    is_altered = bool(headings) and section_of_title(headings[0]) is Section.ALTERED
    if kind is Kind.OTHER and item.certainty >= _SURELY_READ and not is_altered:
        kind = _KIND_OF_ACT.get(item.act, kind)
    return _GROUPS[kind]


def _spread(items: Sequence[NewsItem]) -> list[NewsItem]:
    """The first items with some to spare, none telling what one before it tells."""
    chosen: list[NewsItem] = []
    for candidate in _by_title(items):
        if len(chosen) < _TRIED and not _is_told(candidate.tokens, [other.tokens for other in chosen]):
            chosen.append(candidate)
    return chosen


def _by_title(items: Sequence[NewsItem]) -> list[NewsItem]:
    """The items, of each titled section the first one before any others, which mostly explain it."""
    firsts = {item.title: item for item in reversed(items) if item.title}
    return sorted(items, key=lambda item: firsts.get(item.title, item) is not item)


def _telling_tokens(text: str) -> frozenset[str]:
    """Of what an entry says: the addresses of its tickets and authors are the same in all entries of a list."""
    return frozenset(split_tokens(said_words(one_line(text)))) - STOP_WORDS


def _is_told(tokens: frozenset[str], told: Sequence[frozenset[str]]) -> bool:
    """Whether all words of the shorter one are in one told: another name or number is another change."""
    return any(tokens and other and (tokens <= other or other <= tokens) for other in told)


def _say(findings: Findings, one: NewsItem) -> tuple[Quote, str, str]:
    """Where an item stands, the change that its section names, and what it says, with its title before it or the
    sentence that it leans on."""
    span, text = one.item.span, findings.text_of(one)
    before = one.passage.items[one.number - 1] if one.number else None
    if before and leans_back(span.slice(text)) and not one.item.opens:
        span = Span(before.span.start, span.end)
    quote = Quote(one.passage, span, span)
    label, said = say_quote(quote, text, max_characters=_READ_CHARACTERS)
    is_told = _telling_tokens(one.title) <= _telling_tokens(said)
    return quote, label, said if is_told else f"{one.title}: {said}"


def _state(
    said: Iterable[tuple[str, _Say]],
    releases: Sequence[CatalogueRelease],
    *,
    limit: int,
    leading: str = "",
    short: int = _SHORT,
) -> tuple[Statement, ...]:
    """The first statements that say something whole, those of a group together. Each has its release before it where
    the lead names several, and who speaks where that is an opinion."""
    chosen: list[tuple[str, Quote, str]] = []
    cut: list[tuple[str, Quote, str]] = []
    for group, say in said:
        quote, label, words = say()
        words = words if group or not label else f"{label}: {words}"
        told = telling_clause(words, max_characters=short, longest=_LONGEST)
        # What a line says that leads to code is said without it; a heading alone says nothing.
        leads, told = told.endswith(":"), told.removesuffix(":")
        if any(told == other for *_, other in chosen):
            continue
        is_said = " " in told or told.startswith("`")
        if is_said and not is_title(quote.passage, told) and (states_something(told) or not leads):
            (cut if told.endswith("…") else chosen).append((group, quote, told))
        if (
            len(chosen) == limit
            or sum(len(told) + len(quote.passage.release or "") + _AROUND for _, quote, told in chosen)
            > _STATED_CHARACTERS
        ):
            break
    chosen = chosen or cut[:1]
    order = (leading, "", _HIGHLIGHTS, *_WORDS[:2], _GROUPS[Kind.SECURITY], *_WORDS, *_NOT_DONE.values())
    has_groups = any(group != _WORDS[-1] for group, *_ in chosen)
    out = {release.version for release in releases}
    stated = []
    for group, quote, told in sorted(chosen, key=lambda one: order.index(one[0])):
        speaker, saying = NO_WORDS, words_of(told)
        if not quote.passage.is_own:
            speaker, saying = attributed(quote, saying)
        elif len({version.base for version in out}) > 1 and quote.passage.release is not None:
            base = Version.parse(quote.passage.release).base
            speaker = name_of(str(base) if base in out else quote.passage.release)
            speaker += " (yanked)" if has_yanked_heading(quote.passage) else ""
        stated.append(Statement(saying, (quote,), speaker, group=group if has_groups else ""))
    return tuple(stated)


def _own_title(passage: StoredPassage) -> str:
    """The heading that names what a passage is about; empty where it names a release, or a kind of changes."""
    if len(passage.heading) < 2:
        return ""
    title = said_words(one_line(passage.heading[-1])).rstrip(" :")
    is_release = bool(passage.release) and str(passage.release) in title
    return "" if is_release or title.endswith("?") or len(title) > _TITLE_CHARACTERS or is_category(title) else title


def _verdict(releases: Sequence[CatalogueRelease], items: Sequence[NewsItem]) -> str:
    """Whether to upgrade, by all that the notes tell and not only by what the question is about; no yes or no, which
    would say the opposite to who asks whether to wait."""
    if len(releases) == 1 and any(has_yanked_heading(item.passage) for item in items):
        return "Not this one, it was withdrawn"
    if any(item.act is Act.SECURED for item in items):
        return "Upgrade, for its security fixes"
    # Where something may bear on security, nobody is told that nothing does.
    is_safe = not any(item.may_secure for item in items)
    if any(item.is_grave for item in items):
        return f"Worth it for stability{', not for security' * is_safe}"
    if any(item.act in _BREAKS for item in items):
        return "No security fix, but something that may break" if is_safe else "Something may break"
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
    first = name_of(product.name, str(oldest))
    ends = first if oldest == newest.version else first + " to " + name_of(str(newest.version))
    return "Also in " * bool(findings.told) + ends + (f" ({told})" if told else "")
