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
from corpus.index.stored import StoredPassage
from corpus.kinds import kind_of_heading, kind_of_text
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act, Authority, Item, Kind, Span
from corpus.plain_words import as_code, has_links_or_tags, one_line
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import heading_quote, name_releases, releases_that_fit, standing
from retrieval.drafting import OPINION, Draft, Statement, attributed, is_of_withdrawn, wording
from retrieval.findings import Findings
from retrieval.model import Form, Status
from retrieval.products.components import narrow_to_part
from retrieval.question.words import QuestionWord, share_met
from retrieval.quoting.quotes import Quote, is_same_prose, told_act
from retrieval.quoting.safe_text import safe
from retrieval.quoting.said_words import leads_away
from retrieval.quoting.securing import secures
from retrieval.quoting.statements import leans_back, speaks_of_security, states_something
from retrieval.quoting.telling_clause import said_words, telling_clause
from retrieval.releases.relative import LATEST
from retrieval.search.item_forms import is_code, is_title
from retrieval.upgrades.scopes import is_category

if TYPE_CHECKING:
    from retrieval.upgrades.atoms import Atom
    from retrieval.upgrades.entries import Entry

_GRAVE = re.compile(
    r"\b(?:crash|panic|segfault|segmentation fault|corrupt|(?:data|message)s? loss|los(?:s of|ing|t) data|deadlock|hang"
    r"|(?:memory|goroutine|connection)s? leak|leaks? memory|regression|race condition|data race|infinite loop)",
    re.IGNORECASE,
)
_PUT_FIRST = re.compile(r"\bhighlights?\b|\bkey (?:features|changes)\b|^major (?:changes|features)\b", re.IGNORECASE)
_READ_PASSAGES = 3000
_STATED, _TRIED, _FEW = 6, 12, 3
_STATED_CHARACTERS, _LEAST_CHARACTERS, _LONGEST, _READ_CHARACTERS = 720, 130, 240, 600
"""Of all statements together, so that an answer is read at a glance, what a long one has at least of it and at most,
and of what one is made of: fewer whole ones say more than more that are cut."""
_TITLE_CHARACTERS, _NAME_CHARACTERS = 80, 40
_SUBJECT_SHARE, _SECURED_SHARE, _GRAVE_SHARE = 0.5, 1.0, 1.0
_BREAKING_SHARE, _LISTED_SHARE, _TURNING_SHARE, _REQUIRED_SHARE = 0.5, 0.2, 0.4, 0.3
"""What bites most is what breaks something among what matters, both learned: beside how much a change is a headline,
how surely it breaks something, that an upgrade lists it and not as a mere deprecation, that the first release of the
newest major version has it, that everybody must have what it requires."""
_SURELY, _PERHAPS = 0.5, 0.2
"""How likely a change that no upgrade lists breaks something, to be told; the second where there are few others."""
_SURELY_NOTHING = 0.95
_SPARES = frozenset({Act.ADDED, Act.FIXED, Act.SECURED, Act.FASTER})
_BREAKS = frozenset({Act.REMOVED, Act.REQUIRES, Act.DEFAULT, Act.REPLACED})
_ALL_TOLD = "is left to tell: that was all"
_WORDS = ("Breaking", "Removed", "Deprecated", "Security", "New", "Faster", "Fixed", "Changed")
_GROUPS = dict(zip(Kind, _WORDS, strict=True))
"""The word that a kind's changes are told under, in the order in which they are."""
_HIGHLIGHTS = "Highlights"
_KIND_OF_ACT = {Act.ADDED: Kind.FEATURE, Act.FASTER: Kind.PERFORMANCE, Act.FIXED: Kind.FIX}
_UNTOLD = (None, Kind.OTHER, Kind.SECURITY)
"""What a heading says nothing of how to call what is below it: not all below "Security" mends a hole."""
_SURELY_READ = 0.8
"""How surely an act is read to be told under its word without a heading that says so."""
_STATED_KINDS = frozenset({Kind.BREAKING, Kind.REMOVAL, Kind.DEPRECATION})
"""What an entry may say of itself, whatever heading it stands under."""


_Say = Callable[[], tuple[Quote, str]]
"""What words a change, with its quote: the notes have hundreds of which few are told."""


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One item of a release that tells news, with how much it matters."""

    passage: StoredPassage
    number: int
    act: Act
    weight: float
    subject: float
    """The share of the weight of what the question is about, beside the release, that it holds."""
    tokens: frozenset[str]
    title: str
    """The heading that names what it is about; empty where that names a release or a kind of changes."""
    is_grave: bool
    """Whether it ends crashes, hangs or the loss of data."""
    may_secure: bool
    """Whether it may be about a vulnerability, in whatever words: then it isn't said that there is none."""
    leads: bool
    """Whether the notes themselves put it first: among their highlights, else before their first section."""
    group: str
    """The word that it is told under, as its heading or its own words have it."""

    @property
    def item(self) -> Item:
        return self.passage.items[self.number]


def draft_news(findings: Findings) -> Draft | None:
    """The most important items of the asked releases; None where the question isn't about one product's releases."""
    product = _asked_product(findings)
    if product is None or not (releases := asked_releases(findings, product)):
        return None
    query, form = findings.query, findings.query.form
    if form is Form.BREAKS:
        return _draft_breaking(findings, product, releases)
    act = query.act if form is Form.WHATS_NEW else None
    tried = [releases]
    if query.constraint is None and act is not None:
        # "What was removed?" means the newest release that removes something.
        tried = [(release,) for release in stable_releases(product.releases)[:_TRIED]]
    read = ((some, list(_read_items(findings, product, some))) for some in tried)
    candidates = ((some, items, _wanted(findings, items)) for some, items in read)
    releases, items, wanted = next((candidate for candidate in candidates if candidate[-1]), (releases, [], []))
    if not wanted:
        return _nothing(product, releases, f"reads as {act.value}") if act is not None else None
    before = _told_before(findings)
    wanted = [item for item in wanted if not (_was_quoted(findings, item) or _is_told(item.tokens, before))]
    if not wanted:
        return _nothing(product, releases, _ALL_TOLD)
    first = _put_first(wanted) if form is Form.WHATS_NEW and act is None else wanted[:1]
    told = _spread([*first, *(item for item in wanted if item not in first)])
    said = [(item.group * (act is None), partial(_say, findings, item)) for item in told]
    stated = _state(said, releases, limit=query.statements or _STATED, leading=first[0].group if first else "")
    lead = _lead(findings, product, releases, items, stated)
    more = len(wanted) - len(stated)
    sources = Counter(item.passage.document.source for item in wanted).most_common(1)
    closing = f"{more} more in {as_code(sources[0][0])}." if more > 0 else ""
    return Draft(Status.ANSWERED, lead, stated, leads_on=True, closing=closing)


def _put_first(wanted: Sequence[NewsItem]) -> list[NewsItem]:
    """What the notes themselves put first, in their order; of much the weightiest."""
    leading = [item for item in wanted if item.leads]
    if len(leading) <= _TRIED:
        leading.sort(key=lambda item: (item.passage.position, item.number))
    return leading[:_FEW]


def draft_step_back(findings: Findings) -> Draft | None:
    """That the release to upgrade to is older than the one in use; None where it isn't."""
    product, constraint = _asked_product(findings), findings.query.constraint
    if product is None or constraint is None or findings.query.form is not Form.SHOULD_UPGRADE:
        return None
    low, high = constraint.low, constraint.high
    if low is None or high is None or low <= high:
        return None
    ends = [next(iter(releases_that_fit(product, VersionConstraint.exactly(end))), None) for end in (high, low)]
    quotes = tuple(quote for end in ends if end and (quote := heading_quote(findings, product, end)))
    said = f"That is a step back: **{safe(product.name)} {high}** is older than {low}."
    return Draft(Status.ANSWERED, "", (Statement(said, quotes),)) if quotes else None


def _nothing(product: CatalogueProduct, releases: Sequence[CatalogueRelease], what: str) -> Draft:
    names = name_releases(product, releases)
    return Draft(Status.NOT_FOUND, f"Not found: nothing in the notes of {names} {what}.")


def _told_before(findings: Findings) -> list[frozenset[str]]:
    texts = (findings.core_of(quote) for quote in findings.told)
    return [_telling_tokens(text) for text in texts]


def _was_quoted(findings: Findings, one: "NewsItem | Atom") -> bool:
    document, span = one.passage.document.id, one.item.span
    return any(quote.passage.document.id == document and quote.core.meets(span) for quote in findings.told)


def _draft_breaking(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """What an upgrade would list (`retrieval.upgrades`) and what else surely breaks something, the weightiest of it, or
    that there is nothing of the kind."""
    from retrieval.upgrades.citing import quote_entry, summarise
    from retrieval.upgrades.model import Change
    from retrieval.upgrades.reading import read_changes
    from retrieval.upgrades.repeats import fold_repeats

    (whole,), sources = findings.products, _sources(product)
    read = read_changes(findings.index, whole, {release.version for release in releases}.__contains__).kept
    folds = fold_repeats([found for found in read if found.entry.passage.document.source in sources])
    folded = [fold.finding for fold in folds]
    turning = min(
        release.version for release in releases if release.version.release[0] == releases[0].version.release[0]
    ).base
    telling = _telling(findings)

    def weigh(items: Sequence[Item], tokens: frozenset[str], version: Version | None, *, is_listed: bool) -> float:
        return (
            max(item.headline for item in items)
            + _BREAKING_SHARE * max(item.breaking for item in items)
            + _LISTED_SHARE * is_listed
            + _TURNING_SHARE * (version is not None and version.base == turning)
            + (_SUBJECT_SHARE * share_met(telling, tokens) if telling else 0.0)
        )

    def say(entry: "Entry", change: Change) -> tuple[Quote, str]:
        quote = quote_entry(entry, findings.index)
        return quote, summarise(entry, change, quote, findings.index)

    weighed: list[tuple[float, frozenset[str], bool, _Say]] = []
    for finding in folded:
        entry, change = finding.entry, finding.change
        tokens = _telling_tokens(f"{entry.title} {entry.lead}")
        is_listed = change is not Change.DEPRECATED
        weight = weigh([atom.item for atom in entry.atoms], tokens, finding.version, is_listed=is_listed)
        weight += _REQUIRED_SHARE * (change is Change.REQUIREMENT)
        was_quoted = any(_was_quoted(findings, atom) for atom in entry.atoms)
        weighed.append((weight, tokens, was_quoted, partial(say, entry, change)))
    listed = {(found.entry.atoms[0].item.span, found.entry.passage.document.id) for found in read}
    others = _read_items(findings, product, releases, least_breaking=_PERHAPS)
    for item in sorted(others, key=lambda news: -news.item.breaking):
        is_listed = (
            item.act in _SPARES
            or item.passage.kind is Kind.SECURITY
            or (item.item.span, item.passage.document.id) in listed
        )
        if not is_listed and item.item.breaking >= (_SURELY if len(weighed) >= _STATED else _PERHAPS):
            version = Version.try_parse(str(item.passage.release))
            weight = weigh([item.item], item.tokens, version, is_listed=False)
            weighed.append((weight, item.tokens, _was_quoted(findings, item), partial(_say, findings, item)))
    if not weighed:
        return _nothing(product, releases, "reads as removed, deprecated or breaking")
    before = _told_before(findings)
    chosen: list[tuple[frozenset[str], _Say]] = []
    for _, tokens, was_quoted, state in sorted(weighed, key=lambda weighted: -weighted[0]):
        if not was_quoted and not _is_told(tokens, [*before, *(other for other, _ in chosen)]):
            chosen.append((tokens, state))
    if not chosen:
        return _nothing(product, releases, _ALL_TOLD)
    stated = _state([("", state) for _, state in chosen], releases, limit=findings.query.statements or _STATED)
    lead = f"{_name(findings, product, releases, stated)}:"
    more = len(chosen) - len(stated)
    closing = f"{more} more: {as_code(_upgrade_command(findings, product, releases))}" if more else ""
    return Draft(Status.ANSWERED, lead, stated, leads_on=True, closing=closing)


def _upgrade_command(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> str:
    oldest, newest = releases[-1].version, releases[0].version
    before = max((release.version for release in product.releases if release.version < oldest), default=oldest)
    constraint = findings.query.constraint
    asked = sorted(constraint.versions) if constraint is not None and len(constraint.versions) > 1 else [before, newest]
    name = f'"{product.name}"' if " " in product.name else product.name
    return f"relnotes upgrade {name} {asked[0]} {asked[-1]}"


def _sources(product: CatalogueProduct) -> frozenset[str]:
    return frozenset(source for release in product.releases for source in release.sources)


def _telling(findings: Findings) -> tuple[QuestionWord, ...]:
    """What the question is about beside releases and changes; nothing for most questions."""
    return tuple(word for word in findings.focus.telling if not word.is_generic)


def _wanted(findings: Findings, read: Sequence[NewsItem]) -> list[NewsItem]:
    is_judged = findings.query.form is Form.SHOULD_UPGRADE
    items = sorted(
        read,
        key=lambda item: (
            -item.weight
            - _GRAVE_SHARE * (is_judged and (item.is_grave or item.act is Act.SECURED))
            - _BREAKING_SHARE * (is_judged and item.group in _WORDS[:2])
        ),
    )
    is_open = findings.query.form is not Form.WHATS_NEW or findings.query.act is None
    # A release that changes little, or only says why it was made, tells just that; what surely tells nothing, last.
    is_small = is_open and len(items) <= _FEW
    wanted = [
        item for item in items if _is_wanted(findings, item) or (is_small and item.item.certainty < _SURELY_NOTHING)
    ]
    wanted = wanted or (items if is_small or (is_open and not _telling(findings)) else [])
    # Where some items name the one symbol that is asked about, the others are beside the point.
    symbol = split_tokens(findings.query.symbols[0])[:1] if len(findings.query.symbols) == 1 else ()
    named = [item for item in wanted if item.tokens.issuperset(symbol)] or wanted
    most = max((item.subject for item in named), default=0.0)
    about = {id(item) for item in named if most < _SUBJECT_SHARE or item.subject >= most / 2}
    # Whatever somebody weighs an upgrade for, its vulnerabilities count.
    return [item for item in wanted if id(item) in about or (is_judged and item.act is Act.SECURED)]


def _asked_product(findings: Findings) -> CatalogueProduct | None:
    named = findings.products if findings.query.products else ()
    return narrow_to_part(named[0], findings.query.search_text) if len(named) == 1 else None


def asked_releases(findings: Findings, product: CatalogueProduct) -> tuple[CatalogueRelease, ...]:
    """The releases that a question is about, newest first: without a version the newest stable one; of a range what an
    upgrade from the one end to the other passes, the line that is left excluded."""
    constraint = findings.query.constraint
    if constraint is None:
        return stable_releases(product.releases)[:1]
    named = constraint.versions
    low, high = (named[0], named[-1]) if len(named) > 1 else (constraint.low, constraint.high)
    if findings.query.form in (Form.BREAKS, Form.SHOULD_UPGRADE) and low is not None and high is not None:
        left, entered = VersionConstraint.exactly(low), VersionConstraint.exactly(high)
        return tuple(
            release
            for release in product.releases
            if low < release.version
            and not left.contains(release.version)
            and (release.version <= high or entered.contains(release.version))
        )
    return releases_that_fit(product, constraint)


def _read_items(
    findings: Findings,
    product: CatalogueProduct,
    releases: Sequence[CatalogueRelease],
    *,
    least_breaking: float = 0.0,
) -> Iterator[NewsItem]:
    """Each item once that says something and breaks something by `least_breaking`; subjects are weighed among these."""
    index = findings.index
    exact = {release.version for release in releases}
    places = index.release_positions(product.name, lambda version: version in exact or version.base in exact)
    sources = _sources(product)
    loaded = index.load_passages(places[:_READ_PASSAGES])
    passages = [stored for stored in loaded if not stored.boilerplate and stored.document.source in sources]
    if any(stored.document.authority not in OPINION for stored in passages):
        passages = [stored for stored in passages if stored.document.authority not in OPINION]
    found: dict[str, tuple[StoredPassage, int, str]] = {}
    titles: dict[int, str] = {}
    deepest: Counter[tuple[int, str | None]] = Counter()
    highlights: Counter[tuple[int, str | None]] = Counter()
    for passage in passages:
        text = index.text_of(passage)
        notes = passage.document.id, passage.release
        deepest[notes] = max(deepest[notes], len(passage.heading))
        titles[passage.position] = _own_title(passage, text)
        highlights[notes] += any(map(_PUT_FIRST.search, passage.heading[1:]))
        for number, item in enumerate(passage.items):
            if item.breaking < least_breaking:
                continue
            words = item.span.slice(text)
            folded = one_line(words).casefold()
            is_part = words.rstrip().endswith(":") or is_code(text, item.span) or is_title(passage, words)
            is_part = is_part or leads_away(one_line(words))
            is_part = is_part or (told_act(passage, number) is Act.OTHER and not states_something(words))
            if not is_part and not item.retracted and len(folded.split()) > 1:
                found.setdefault(folded, (passage, number, words))
    placed = [frozenset(split_tokens(_place(passage, words))) for passage, _, words in found.values()]
    telling = _telling(findings)
    # "Anything for browser tests?" is about what stands under such a name; other words may only be around the question.
    names = tuple(word for word in telling if 0 < sum(word.met_by(place) for place in placed) < len(placed))
    for place, (passage, number, words) in zip(placed, found.values(), strict=True):
        own = _telling_tokens(words)
        subject = share_met(names or telling, own | place) if telling else 0.0
        notes = passage.document.id, passage.release
        is_highlight = any(map(_PUT_FIRST.search, passage.heading[1:]))
        leads = is_highlight if highlights[notes] else len(passage.heading) < deepest[notes]
        title = titles[passage.position]
        yield _weigh(passage, number, words, own, subject=subject, title=title, leads=leads)


def _place(passage: StoredPassage, words: str) -> str:
    """Where an item stands: its document, the headings above it, and the name that it begins with ("console: ...")."""
    name, colon, _ = words.partition(":")
    return " ".join((passage.document.source, *passage.heading, name * bool(colon and len(name) <= _NAME_CHARACTERS)))


def _weigh(
    passage: StoredPassage, number: int, words: str, tokens: frozenset[str], *, subject: float, title: str, leads: bool
) -> NewsItem:
    item, act = passage.items[number], told_act(passage, number)
    is_fix = secures(item, words, is_below=passage.kind is Kind.SECURITY)
    act = Act.SECURED if is_fix else Act.CHANGED if act is Act.SECURED else act
    weight = item.headline + _BREAKING_SHARE * item.breaking + _SECURED_SHARE * is_fix + _SUBJECT_SHARE * subject
    is_grave, may_secure = act is Act.FIXED and bool(_GRAVE.search(words)), speaks_of_security(words)
    group = _GROUPS[Kind.SECURITY] if is_fix else _group(passage, words, item)
    weight += _LISTED_SHARE * (group in _WORDS[:2] and item.breaking >= _PERHAPS)
    return NewsItem(passage, number, act, weight, subject, tokens, title, is_grave, may_secure, leads, group)


def _group(passage: StoredPassage, words: str, item: Item) -> str:
    """The word that an item is told under: the notes' own, of the nearest heading that has one or of what it says."""
    headings = [title for title in reversed(passage.heading[1:]) if not _PUT_FIRST.search(title)]
    kind = next((kind for title in headings if (kind := kind_of_heading(title)) not in _UNTOLD), Kind.OTHER)
    own = kind_of_text(words)
    if own in _STATED_KINDS and kind in (Kind.OTHER, Kind.FEATURE, Kind.REMOVAL):
        return _GROUPS[own]
    if kind in (Kind.OTHER, Kind.FEATURE) and len(headings) < len(passage.heading) - 1:
        return _HIGHLIGHTS
    if kind is Kind.OTHER and item.certainty >= _SURELY_READ:
        kind = _KIND_OF_ACT.get(item.act, kind)
    return _GROUPS[kind]


def _is_wanted(findings: Findings, one: NewsItem) -> bool:
    form, act = findings.query.form, findings.query.act
    is_asked = form is not Form.WHATS_NEW or act is None or act is Act.CHANGED or one.act is act
    return is_asked and (one.act is not Act.OTHER or (one.group == _HIGHLIGHTS and act is None))


def _spread(items: Sequence[NewsItem]) -> list[NewsItem]:
    """The weightiest items, none telling what one before it tells in other words; of each titled section the first
    before any others, which mostly explain it."""
    firsts = {item.title: item for item in reversed(items) if item.title}
    chosen: list[NewsItem] = []
    for candidate in sorted(items, key=lambda item: firsts.get(item.title, item) is not item):
        if len(chosen) < _STATED and not _is_told(candidate.tokens, [other.tokens for other in chosen]):
            chosen.append(candidate)
    return sorted(chosen, key=items.index)


def _telling_tokens(text: str) -> frozenset[str]:
    """Of what an entry says: the addresses of its tickets and authors are the same in all entries of a list."""
    return frozenset(split_tokens(said_words(one_line(text)))) - STOP_WORDS


def _is_told(tokens: frozenset[str], told: Sequence[frozenset[str]]) -> bool:
    """Whether the words of the shorter one are all in one told: another name or number is another change."""
    return any(tokens and other and (tokens <= other or other <= tokens) for other in told)


def _say(findings: Findings, one: NewsItem) -> tuple[Quote, str]:
    """What an item says, with its title before it or the sentence that it leans on, and where."""
    span, text = one.item.span, findings.text_of(one)
    before = one.passage.items[one.number - 1] if one.number else None
    if before and leans_back(span.slice(text)) and is_same_prose(text, before, one.item):
        span = Span(before.span.start, span.end)
    quote = Quote(one.passage, span, span)
    said = wording(quote, text, max_characters=_READ_CHARACTERS)
    is_told = not one.title or one_line(said).casefold().startswith(one.title.casefold())
    return quote, said if is_told else f"{one.title}: {said}"


def _state(
    said: Iterable[tuple[str, _Say]],
    releases: Sequence[CatalogueRelease],
    *,
    limit: int,
    leading: str = "",
) -> tuple[Statement, ...]:
    """The first statements that say something, those of a group together: what the short ones leave of their room, the
    long ones take."""
    chosen: list[tuple[str, Quote, str]] = []
    for group, say in said:
        quote, words = say()
        if " " in words and not words.endswith(":"):
            chosen.append((group, quote, words))
        if len(chosen) == limit:
            break
    lengths = [len(said_words(words)) for *_, words in chosen]
    while (room := _fair_room(lengths)) < _LEAST_CHARACTERS:
        lengths.pop()
    chosen = chosen[: len(lengths)]
    order = tuple(dict.fromkeys((leading, "", _HIGHLIGHTS, *_WORDS[:2], _GROUPS[Kind.SECURITY], *_WORDS)))
    has_groups = any(group != _WORDS[-1] for group, *_ in chosen)
    stated = []
    for group, quote, words in sorted(chosen, key=lambda one: order.index(one[0])):
        told = telling_clause(words.removeprefix(f"{group}: "), max_characters=min(room, _LONGEST))
        stated.append(Statement(_placed(quote, told, releases), (quote,), group=group if has_groups else ""))
    return tuple(stated)


def _fair_room(lengths: Sequence[int]) -> int:
    left = _STATED_CHARACTERS
    for number, length in enumerate(sorted(lengths)):
        room = left // (len(lengths) - number)
        if length > room:
            return room
        left -= length
    return _LONGEST


def _placed(quote: Quote, words: str, releases: Sequence[CatalogueRelease]) -> str:
    """A statement with its release before it where the lead names several, and who speaks where that is an opinion."""
    passage = quote.passage
    if passage.document.authority in OPINION:
        return attributed(quote, words)
    if len({release.version.base for release in releases}) == 1 or passage.release is None:
        return words
    label = Version.parse(passage.release)
    is_out = any(release.version == label.base for release in releases)
    yanked = " (yanked)" if is_of_withdrawn(passage) else ""
    return f"**{label.base if is_out else safe(passage.release)}**{yanked}: {words}"


def _own_title(passage: StoredPassage, text: str) -> str:
    """The heading that names what a passage is about; empty where it names a release, or a kind of changes, or has
    links or tags: its words without them say another thing than their writer did."""
    above = text[passage.span.start : passage.items[0].span.start] if passage.items else ""
    written = [line for line in above.splitlines() if any(map(str.isalpha, line))]
    if written and has_links_or_tags(written[-1]):
        return ""
    title = said_words(one_line(passage.heading[-1])).rstrip(" :") if len(passage.heading) > 1 else ""
    is_release = bool(passage.release) and str(passage.release) in title
    return "" if is_release or len(title) > _TITLE_CHARACTERS or is_category(title) else safe(title)


def _lead(
    findings: Findings,
    product: CatalogueProduct,
    releases: Sequence[CatalogueRelease],
    items: Sequence[NewsItem],
    stated: Sequence[Statement],
) -> str:
    name = _name(findings, product, releases, stated)
    named_so = findings.query.constraint is None or findings.query.versions_named_as == LATEST
    if findings.query.form is Form.SHOULD_UPGRADE:
        unready = standing(product, releases[0])
        ahead = f"{safe(product.name)} {releases[0].version} {unready}. " if unready else ""
        name = f"{ahead}{_verdict(findings, product, releases, items)}: {name}"
    elif named_so and releases[:1] == stable_releases(product.releases)[:1]:
        name += ", the newest release"
    return f"{name}:"


def _verdict(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease], items: Sequence[NewsItem]
) -> str:
    """Whether to upgrade, by all that the notes tell and not only by what the question is about; no yes or no, which
    would say the opposite to who asks whether to wait."""
    constraint = findings.query.constraint
    left = [release for release in product.releases if constraint is not None and release.version == constraint.low]
    if len(releases) == 1 and any(is_of_withdrawn(item.passage) for item in items):
        return "Not this one, it was withdrawn"
    if left and any(is_of_withdrawn(item.passage) for item in _read_items(findings, product, left)):
        return f"Upgrade, {left[0].version} was withdrawn"
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
) -> str:
    """The releases with the first one's day and whose words follow, several from the one to the other; a candidate is
    the one it became."""
    newest, oldest = releases[0], releases[-1].version
    if any(release.version == oldest.base for release in releases):
        oldest = oldest.base
    day = newest.date.isoformat() if newest.date else "unreleased" * newest.pending
    is_digest = all(one.quotes[0].passage.document.authority is Authority.DIGEST for one in stated)
    told = ", ".join(filter(None, (day, Authority.DIGEST.value * is_digest)))
    to = f" to **{newest.version}**" if oldest != newest.version else ""
    also = "Also in " * bool(findings.told)
    return f"{also}**{safe(product.name)} {oldest}**{to}{f' ({told})' * bool(told)}"
