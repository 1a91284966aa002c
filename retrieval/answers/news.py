"""What releases bring, most important first: what's new, what breaks, whether to upgrade.

Every item of the asked releases is looked at, whatever its words: how much each matters was read when it was ingested
(`corpus.importance`), not by what a search finds. Without a version, the newest stable release is meant.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.kinds import kind_of_heading
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act, Item, Kind
from corpus.plain_words import one_line
from corpus.search_store import PassageFilter
from corpus.stored import StoredPassage
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import name_releases, releases_that_fit
from retrieval.components import narrow_to_part
from retrieval.drafting import OPINION, Draft, Statement, attributed, attribution, shorten, wording
from retrieval.findings import Findings
from retrieval.item_forms import is_code, is_title
from retrieval.model import Form, Status
from retrieval.question_words import QuestionWord, share_met
from retrieval.quotes import Quote
from retrieval.relative_releases import LATEST, stable_releases
from retrieval.safe_text import safe
from retrieval.statements import leans_back
from retrieval.told_acts import told_act

if TYPE_CHECKING:
    from retrieval.upgrades.repeats import Told

_READ_PASSAGES = 3000
_STATED, _TRIED, _FEW = 6, 12, 3
_STATED_CHARACTERS, _LEAST_CHARACTERS, _LONGEST = 730, 80, 300
"""Of all statements together, so that an answer is read at a glance, and of one."""
_TITLE_CHARACTERS, _NAME_CHARACTERS = 80, 40
_LEANS_SHARE, _SUBJECT_SHARE, _SECURED_SHARE = 0.2, 0.5, 1.0
_BREAKING_SHARE, _LISTED_SHARE, _TURNING_SHARE = 0.5, 0.2, 0.4
"""What bites most is what breaks something among what matters, both learned: beside how much a change is a headline,
how surely it breaks something, that an upgrade lists it and not as a mere deprecation, that the first release of the
newest major version has it."""
_SURELY, _PERHAPS = 0.5, 0.2
"""How likely a change that no upgrade lists breaks something, to be told; the second where there are few others."""
_SURELY_NOTHING = 0.95
_SAME_WORDS = 0.6
"""Two items that share so much of the shorter one's words tell the same."""
_BREAKS = frozenset({Act.REMOVED, Act.REQUIRES, Act.DEFAULT, Act.REPLACED})


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

    @property
    def item(self) -> Item:
        return self.passage.items[self.number]


def draft_news(findings: Findings) -> Draft | None:
    """The most important items of the asked releases; None where the question isn't about one product's releases."""
    product = _asked_product(findings)
    if product is None or not (releases := asked_releases(findings, product)):
        return None
    query = findings.query
    if query.form is Form.BREAKS:
        return _draft_breaking(findings, product, releases)
    act = query.act if query.form is Form.WHATS_NEW else None
    tried = [releases]
    if query.constraint is None and act is not None:
        # "What was removed?" means the newest release that removes something.
        tried = [(one,) for one in stable_releases(product.releases)[:_TRIED]]
    told = ((some, _wanted(findings, product, some)) for some in tried)
    releases, wanted = next(((some, items) for some, items in told if items), (releases, []))
    if not wanted and act is not None:
        return _nothing_told(product, releases, act.value)
    if not wanted:
        return None
    said = [_say(findings, one) for one in _spread(wanted)]
    return Draft(Status.ANSWERED, _lead(findings, product, releases, wanted), _state(said))


def _nothing_told(product: CatalogueProduct, releases: Sequence[CatalogueRelease], what: str) -> Draft:
    said = f"Not found: the notes of {name_releases(product, releases)} name nothing that is {what}."
    return Draft(Status.NOT_FOUND, said, ())


def _draft_breaking(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """What an upgrade would list (`retrieval.upgrades`) and what else surely breaks something, the weightiest of it, or
    that there is nothing of the kind."""
    from retrieval.upgrades.citing import quote_entry, summarise
    from retrieval.upgrades.model import Change
    from retrieval.upgrades.reading import read_changes
    from retrieval.upgrades.repeats import fold_repeats

    (whole,), sources = findings.products, _sources(product)
    read = read_changes(findings.index, whole, {one.version for one in releases}.__contains__).kept
    folded = fold_repeats([one for one in read if one.entry.passage.document.source in sources])
    told = [(one, _telling_tokens(one.finding.entry.lead)) for one in folded]
    told = [(one, tokens) for one, tokens in told if _names_symbol(findings, tokens)] or told
    turning = min(one.version for one in releases if one.version.release[0] == releases[0].version.release[0]).base
    telling = _telling(findings)

    def weigh(items: Sequence[Item], tokens: frozenset[str], version: Version | None, *, is_listed: bool) -> float:
        return (
            max(item.headline for item in items)
            + _BREAKING_SHARE * max(item.breaking for item in items)
            + _LISTED_SHARE * is_listed
            + _TURNING_SHARE * (version is not None and version.base == turning)
            + (_SUBJECT_SHARE * share_met(telling, tokens) if telling else 0.0)
        )

    def say(one: "Told") -> tuple[Quote, str]:
        quote = quote_entry(one.finding.entry, findings.index)
        return quote, summarise(one.finding.entry, one.finding.change, quote, findings.index)

    weighed: list[tuple[float, frozenset[str], Callable[[], tuple[Quote, str]]]] = []
    for one, tokens in told:
        items = [atom.item for atom in one.finding.entry.atoms]
        breaks = one.finding.change is not Change.DEPRECATED
        weighed.append((weigh(items, tokens, one.finding.version, is_listed=breaks), tokens, partial(say, one)))
    for item in sorted(_read_items(findings, product, releases), key=lambda one: -one.item.breaking):
        is_named = len(findings.query.symbols) != 1 or _names_symbol(findings, item.tokens)
        if item.item.breaking >= (_SURELY if len(weighed) >= _STATED else _PERHAPS) and is_named:
            version = Version.try_parse(str(item.passage.release))
            weight = weigh([item.item], item.tokens, version, is_listed=False)
            weighed.append((weight, item.tokens, partial(_say, findings, item)))
    if not weighed:
        return _nothing_told(product, releases, "removed, deprecated or breaks")
    first: list[tuple[frozenset[str], Callable[[], tuple[Quote, str]]]] = []
    count = 0
    for _, tokens, state in sorted(weighed, key=lambda one: -one[0]):
        if _is_told(tokens, [other for other, _ in first]):
            continue
        count += 1
        if len(first) < _STATED:
            first.append((tokens, state))
    lead = f"{_name(findings, product, releases)} tells of {_counted(count, ' to mind')}:"
    return Draft(Status.ANSWERED, lead, _state([state() for _, state in first]))


def _sources(product: CatalogueProduct) -> frozenset[str]:
    return frozenset(source for release in product.releases for source in release.sources)


def _telling(findings: Findings) -> tuple[QuestionWord, ...]:
    """What the question is about beside releases and changes; nothing for most questions."""
    return tuple(word for word in findings.focus.telling if not word.is_generic)


def _wanted(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> list[NewsItem]:
    """The items of some releases that the question asks for, weightiest first."""
    items = sorted(_read_items(findings, product, releases), key=lambda one: -one.weight)
    is_open = findings.query.form is not Form.WHATS_NEW or findings.query.act is None
    # A release that changes little, or only says why it was made, tells just that; what surely tells nothing, last.
    is_small = is_open and len(items) <= _FEW
    wanted = [one for one in items if _is_wanted(findings, one) or (is_small and one.item.certainty < _SURELY_NOTHING)]
    wanted = wanted or (items if is_small or (is_open and not _telling(findings)) else [])
    wanted = [one for one in wanted if _names_symbol(findings, one.tokens)] or wanted
    most = max((one.subject for one in wanted), default=0.0)
    return [one for one in wanted if most < _SUBJECT_SHARE or one.subject >= most / 2]


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
            one
            for one in product.releases
            if low < one.version
            and not left.contains(one.version)
            and (one.version <= high or entered.contains(one.version))
        )
    return releases_that_fit(product, constraint)


def _read_items(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]
) -> Iterator[NewsItem]:
    index = findings.index
    table = index.passages
    positions = PassageFilter(index.product_places((product.name,)), None).positions(table)
    exact = {one.version for one in releases}
    codes = [
        code
        for code in np.unique(table.version_codes[positions])
        if (version := table.distinct_versions[code]) is not None and (version in exact or version.base in exact)
    ]
    places = positions[np.isin(table.version_codes[positions], codes)][:_READ_PASSAGES]
    sources = _sources(product)
    loaded = index.load_passages(places.tolist())
    passages = [one for one in loaded if not one.boilerplate and one.document.source in sources]
    if any(one.document.authority not in OPINION for one in passages):
        passages = [one for one in passages if one.document.authority not in OPINION]
    found: dict[str, tuple[StoredPassage, int, str]] = {}
    for passage in passages:
        text = index.text_of(passage)
        for number, item in enumerate(passage.items):
            words = item.span.slice(text)
            folded = one_line(words).casefold()
            is_part = words.rstrip().endswith(":") or is_code(text, item.span) or is_title(passage, words)
            if not is_part and not item.retracted and len(folded.split()) > 1:
                found.setdefault(folded, (passage, number, words))
    placed = [frozenset(split_tokens(_place(passage, words))) for passage, _, words in found.values()]
    telling = _telling(findings)
    # "Anything for browser tests?" is about what stands under such a name; other words may only be around the question.
    names = tuple(one for one in telling if 0 < sum(one.met_by(place) for place in placed) < len(placed))
    for place, (passage, number, words) in zip(placed, found.values(), strict=True):
        own = _telling_tokens(words)
        subject = share_met(names or telling, own | place) if telling else 0.0
        yield _weigh(passage, number, words, own, subject)


def _place(passage: StoredPassage, words: str) -> str:
    """Where an item stands: its document, the headings above it, and the name that it begins with ("console: ...")."""
    name, colon, _ = words.partition(":")
    return " ".join((passage.document.source, *passage.heading, name * bool(colon and len(name) <= _NAME_CHARACTERS)))


def _weigh(passage: StoredPassage, number: int, words: str, tokens: frozenset[str], subject: float) -> NewsItem:
    item = passage.items[number]
    act = told_act(passage, number)
    secured = 1.0 if passage.kind is Kind.SECURITY else item.certainty * (act is Act.SECURED)
    weight = item.headline + _BREAKING_SHARE * item.breaking + _SECURED_SHARE * secured + _SUBJECT_SHARE * subject
    weight -= _LEANS_SHARE * leans_back(words)
    return NewsItem(passage, number, act, weight, subject, tokens, _own_title(passage))


def _names_symbol(findings: Findings, tokens: frozenset[str]) -> bool:
    """Whether an item names the one symbol asked about: where some items do, the others are beside the point."""
    symbols = findings.query.symbols
    return len(symbols) == 1 and set(split_tokens(symbols[0])[:1]) <= tokens


def _is_wanted(findings: Findings, one: NewsItem) -> bool:
    form, act = findings.query.form, findings.query.act
    is_asked = form is not Form.WHATS_NEW or act is None or act is Act.CHANGED or one.act is act
    return is_asked and one.act is not Act.OTHER


def _spread(items: Sequence[NewsItem]) -> list[NewsItem]:
    """The weightiest items, none telling what one before it tells in other words; of each titled section the first
    before any others, which mostly explain it."""
    firsts = {one.title: one for one in reversed(items) if one.title}
    chosen: list[NewsItem] = []
    for one in sorted(items, key=lambda one: firsts.get(one.title, one) is not one):
        if len(chosen) < _STATED and not _is_told(one.tokens, [other.tokens for other in chosen]):
            chosen.append(one)
    return sorted(chosen, key=lambda one: -one.weight)


def _telling_tokens(text: str) -> frozenset[str]:
    return frozenset(split_tokens(text)) - STOP_WORDS


def _is_told(tokens: frozenset[str], told: Sequence[frozenset[str]]) -> bool:
    """Whether most words of the shorter one, with its versions and code, are those of one told; tickets may differ."""
    pairs = (sorted((tokens, other), key=len) for other in told)
    return any(
        len(short & long) >= _SAME_WORDS * len(short) > 0
        and all(token.isalpha() or token.isdecimal() for token in short - long)
        for short, long in pairs
    )


def _say(findings: Findings, one: NewsItem) -> tuple[Quote, str]:
    """What an item says, with its title before it, and where."""
    span = one.item.span
    quote = Quote(one.passage, span, span, retracted=False)
    said = wording(quote, findings.index.text_of(one.passage), max_characters=_LONGEST)
    is_told = not one.title or said.casefold().startswith(one.title.casefold())
    return quote, said if is_told else f"{one.title}: {said}"


def _state(said: Sequence[tuple[Quote, str]]) -> tuple[Statement, ...]:
    """Statements that have the room of an answer together: what the short ones leave, the long ones take. Who speaks is
    named once where it is the same for all."""
    speakers = [attribution(quote) for quote, _ in said]
    named = len("".join(speakers)) if len(set(speakers)) > 1 else 0
    room = left = max(_STATED_CHARACTERS - named, _LEAST_CHARACTERS * len(said))
    for number, length in enumerate(sorted(len(words) for _, words in said)):
        room = left // (len(said) - number)
        if length > room:
            break
        left -= length
    return tuple(
        Statement(attributed(quote, shorten(words, max_characters=min(room, _LONGEST))), (quote,))
        for quote, words in said
    )


def _own_title(passage: StoredPassage) -> str:
    """The heading that names what a passage is about; empty where it names a release, or a kind of changes."""
    title = one_line(passage.heading[-1]).rstrip(" :") if len(passage.heading) > 1 else ""
    is_release = bool(passage.release) and str(passage.release) in title
    return "" if is_release or len(title) > _TITLE_CHARACTERS or kind_of_heading(title) else safe(title)


def _lead(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease], items: Sequence[NewsItem]
) -> str:
    name = _name(findings, product, releases)
    if findings.query.form is Form.SHOULD_UPGRADE:
        if any(one.act is Act.SECURED for one in items):
            return f"Yes: {name} has security fixes; it tells of {_counted(len(items))}:"
        breaking = f", {sum(one.act in _BREAKS for one in items) or 'none'} may break something"
        return f"{name} tells of no security fix; of {_counted(len(items), breaking)}:"
    return f"{name} tells of {_counted(len(items))}:"


def _counted(count: int, which: str = "") -> str:
    first = f", the first {_STATED} by weight" if count > _STATED else ""
    return f"{count} {'change' if count == 1 else 'changes'}{which}{first}"


def _name(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> str:
    newest = releases[0]
    if len(releases) > 1:
        return f"**{safe(product.name)} {releases[-1].version}** to **{newest.version}**"
    day = f" ({newest.date.isoformat()})" if newest.date else ""
    named_so = findings.query.constraint is None or findings.query.versions_named_as == LATEST
    is_newest = named_so and releases[:1] == stable_releases(product.releases)[:1]
    which = ", the newest release," if is_newest else ""
    return f"**{safe(product.name)} {newest.version}**{day}{which}"
