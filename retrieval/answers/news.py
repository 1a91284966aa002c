"""What releases bring, most important first: what's new, what breaks, whether to upgrade.

Every item of the asked releases is looked at, whatever its words: what a release tells is known by the acts of its
items, not by what a search finds. Without a version, the newest stable release is meant.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from corpus.catalogue import CatalogueProduct, CatalogueRelease
from corpus.kinds import is_highlight, kind_of_heading
from corpus.lexicon import split_tokens
from corpus.model import Act, Authority, Item, Kind
from corpus.plain_words import one_line
from corpus.search_store import PassageFilter
from corpus.stored import StoredPassage
from corpus.versions import VersionConstraint
from retrieval.answers.catalogue_releases import name_releases, releases_that_fit
from retrieval.components import narrow_to_part
from retrieval.drafting import OPINION, Draft, Statement, attributed, shorten, wording
from retrieval.findings import Findings
from retrieval.item_forms import is_code, is_title
from retrieval.model import Form, Status
from retrieval.question_words import QuestionWord, share_met
from retrieval.quotes import Quote
from retrieval.relative_releases import stable_releases
from retrieval.safe_text import safe
from retrieval.said_words import leads_away
from retrieval.statements import leans_back, states_something

if TYPE_CHECKING:
    from retrieval.upgrades.repeats import Told

_READ_PASSAGES = 3000
_STATED, _TRIED = 6, 12
_STATEMENT_CHARACTERS = 120
_TITLE_CHARACTERS = 80
_BREAKING = 0.95
_ON_SUBJECT = 0.5
_SURE = 0.5
"""So sure of its act, an entry is news in fewer words than a statement has ("Added themes")."""
_IMPORTANCE = {
    Act.SECURED: 1.0,
    Act.REMOVED: 0.9,
    Act.DEPRECATED: 0.85,
    Act.DEFAULT: 0.8,
    Act.REQUIRES: 0.75,
    Act.REVERTED: 0.7,
    Act.REPLACED: 0.7,
    Act.ADDED: 0.65,
    Act.FASTER: 0.55,
    Act.CHANGED: 0.5,
    Act.PLANNED: 0.4,
    Act.FIXED: 0.35,
}
"""What a reader of a release wants to know first."""
_ACTS_OF_KIND: dict[Kind | None, Act] = {Kind.REMOVAL: Act.REMOVED, Kind.DEPRECATION: Act.DEPRECATED}
_ENTRY_CHARACTERS = 160
_LEANS_PENALTY, _WITHIN_PENALTY, _AGAIN_PENALTY, _SAME_TITLE_PENALTY = 0.3, 0.2, 0.06, 0.5
_SUBJECT_SHARE = 0.5
_VOICE_SHARE, _HIGHLIGHT_SHARE = 0.05, 0.3
_LISTED_SHARE, _MAJOR_SHARE, _GUIDE_SHARE = 0.3, 0.4, 0.2


@dataclass(frozen=True, slots=True)
class NewsItem:
    """One item of a release that tells news, with how much it matters."""

    passage: StoredPassage
    number: int
    act: Act
    breaks: bool
    weight: float
    subject: float
    """The share of the weight of what the question is about, beside the release, that it holds."""
    title: str
    """The heading that names what it is about; empty where that names a release or a kind of changes."""


def draft_news(findings: Findings) -> Draft | None:
    """The most important items of the asked releases; None where the question isn't about one product's releases."""
    product = _asked_product(findings)
    if product is None or not (releases := asked_releases(findings, product)):
        return None
    if findings.query.form is Form.BREAKS:
        return _draft_breaking(findings, product, releases)
    act = findings.query.act
    tried = [releases]
    if findings.query.constraint is None and act is not None:
        # "What was removed?" means the newest release that removes something.
        tried = [(one,) for one in stable_releases(product.releases)[:_TRIED]]
    told = ((some, _wanted(findings, product, some)) for some in tried)
    releases, wanted = next(((some, items) for some, items in told if items), (releases, []))
    if not wanted and act is not None:
        return _nothing_told(product, releases, act.value)
    if not wanted:
        return None
    statements = tuple(_state(findings, one) for one in _spread(wanted))
    return Draft(Status.ANSWERED, _lead(findings, product, releases, wanted), statements)


def _wanted(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> list[NewsItem]:
    """The items of some releases that the question asks for, weightiest first."""
    items = sorted(_read_items(findings, product, releases), key=lambda one: -one.weight)
    wanted = [one for one in items if _is_wanted(findings, one)]
    wanted = [one for one in wanted if _names_symbol(findings, _words(findings, one))] or wanted
    most = max((one.subject for one in wanted), default=0.0)
    return [one for one in wanted if most < _ON_SUBJECT or one.subject >= most / 2]


def _nothing_told(product: CatalogueProduct, releases: Sequence[CatalogueRelease], what: str) -> Draft:
    said = f"Not found: the notes of {name_releases(product, releases)} name nothing that is {what}."
    return Draft(Status.NOT_FOUND, said, ())


def _draft_breaking(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> Draft:
    """What an upgrade would list (`retrieval.upgrades`), the weightiest of it, or that there is nothing of the kind."""
    from retrieval.upgrades.citing import quote_entry, summarise
    from retrieval.upgrades.model import Change
    from retrieval.upgrades.reading import read_changes
    from retrieval.upgrades.repeats import fold_repeats
    from retrieval.upgrades.scopes import Scope

    (whole,), sources = findings.products, _sources(product)
    read = read_changes(findings.index, whole, {one.version for one in releases}.__contains__).kept
    told = fold_repeats([one for one in read if one.entry.passage.document.source in sources])
    if not told:
        return _nothing_told(product, releases, "removed, deprecated or breaks")
    told = tuple(one for one in told if _names_symbol(findings, one.finding.entry.lead)) or told
    order = list(Change)
    telling = _telling(findings)

    def weight(one: "Told") -> float:
        finding, first_item = one.finding, one.finding.entry.atoms[0].item
        subject = share_met(telling, frozenset(split_tokens(finding.entry.lead))) if telling else 0.0
        severity = 1 - order.index(finding.change) / len(order)
        return (
            severity
            - (first_item.certainty if first_item.act is Act.OTHER else 0.0)
            + _LISTED_SHARE * finding.entry.is_listed
            + _MAJOR_SHARE * (finding.version.base == releases[-1].version.base)
            + _GUIDE_SHARE * (finding.entry.scope is Scope.GUIDE)
            + _SUBJECT_SHARE * subject
        )

    chosen = sorted(told, key=lambda one: -weight(one))[:_STATED]
    quotes = [quote_entry(one.finding.entry, findings.index) for one in chosen]
    words = [
        shorten(
            summarise(one.finding.entry, one.finding.change, quote, findings.index),
            max_characters=_STATEMENT_CHARACTERS,
        )
        for one, quote in zip(chosen, quotes, strict=True)
    ]
    statements = tuple(Statement(attributed(quote, said), (quote,)) for quote, said in zip(quotes, words, strict=True))
    count = f"{len(told)} {'change' if len(told) == 1 else 'changes'} to mind"
    first = f", the first {_STATED} by weight" if len(told) > _STATED else ""
    return Draft(Status.ANSWERED, f"{_name(findings, product, releases)} tells of {count}{first}:", statements)


def _asked_product(findings: Findings) -> CatalogueProduct | None:
    named = findings.products if findings.query.products else ()
    return narrow_to_part(named[0], findings.query.search_text) if len(named) == 1 else None


def asked_releases(findings: Findings, product: CatalogueProduct) -> tuple[CatalogueRelease, ...]:
    """The releases that a question is about, newest first: without a version the newest stable one; of two versions
    what an upgrade from the one to the other passes, the line that is left excluded."""
    constraint = findings.query.constraint
    if constraint is None:
        return stable_releases(product.releases)[:1]
    ends = sorted(constraint.versions)
    low, high = (ends[0], ends[-1]) if len(ends) > 1 else (constraint.low, constraint.high)
    if findings.query.form in (Form.BREAKS, Form.SHOULD_UPGRADE) and low is not None and high is not None:
        left, entered = VersionConstraint.exactly(low), VersionConstraint.exactly(high)
        listed = product.releases
        return tuple(
            one
            for one in listed
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
    telling = _telling(findings)
    said: set[str] = set()
    for passage in passages:
        text = index.text_of(passage)
        for number, item in enumerate(passage.items):
            words = item.span.slice(text)
            plain, act = one_line(words), _act_of(passage, item)
            folded = plain.casefold()
            is_news = not item.retracted and folded not in said and not leads_away(words)
            is_news = is_news and not words.rstrip().endswith(":") and not is_code(text, item.span)
            if is_news and _says_news(item, act, plain) and not is_title(passage, words):
                said.add(folded)
                yield _weigh(passage, number, act, text, telling)


def _sources(product: CatalogueProduct) -> frozenset[str]:
    return frozenset(source for release in product.releases for source in release.sources)


def _telling(findings: Findings) -> tuple[QuestionWord, ...]:
    """The words that say what the question is about beside releases and changes; none for most questions."""
    return tuple(word for word in findings.focus.telling if not word.is_generic)


def _says_news(item: Item, act: Act, words: str) -> bool:
    """Whether an item tells a change, in a sentence or in a short entry that does so surely ("Drop Python 3.11")."""
    if act is Act.OTHER:
        return False
    return states_something(words) or ((act is not item.act or item.certainty >= _SURE) and len(words.split()) > 1)


def _act_of(passage: StoredPassage, item: Item) -> Act:
    """An item's act; of an entry that tells none itself, what the section that lists it says ("Removed")."""
    if item.act is not Act.OTHER or len(item.span) > _ENTRY_CHARACTERS or not passage.heading:
        return item.act
    return _ACTS_OF_KIND.get(kind_of_heading(passage.heading[-1]), Act.OTHER)


def _weigh(passage: StoredPassage, number: int, act: Act, text: str, telling: Sequence[QuestionWord]) -> NewsItem:
    item = passage.items[number]
    words = item.span.slice(text)
    breaks = passage.kind is Kind.BREAKING
    weight = max(_IMPORTANCE[act], _BREAKING if breaks else 0.0) * (0.5 + 0.5 * item.certainty)
    before = text[passage.items[number - 1].span.end : item.span.start] if number else "\n"
    title = _own_title(passage)
    weight -= _WITHIN_PENALTY * bool(title and number)
    weight -= _LEANS_PENALTY * leans_back(words) + _WITHIN_PENALTY * ("\n" not in before)
    weight += _HIGHLIGHT_SHARE * any(map(is_highlight, passage.heading))
    weight += _VOICE_SHARE * (passage.document.authority is Authority.OFFICIAL)
    told = frozenset(split_tokens(" ".join((words, *passage.heading))))
    subject = share_met(telling, told) if telling else 0.0
    return NewsItem(passage, number, act, breaks, weight + _SUBJECT_SHARE * subject, subject, title)


def _names_symbol(findings: Findings, words: str) -> bool:
    """Whether words name the one symbol asked about: where some items do, the others are beside the point."""
    symbols = findings.query.symbols
    return len(symbols) == 1 and set(split_tokens(symbols[0])[:1]) <= set(split_tokens(words))


def _words(findings: Findings, one: NewsItem) -> str:
    return one.passage.items[one.number].span.slice(findings.index.text_of(one.passage))


def _is_wanted(findings: Findings, one: NewsItem) -> bool:
    act = findings.query.act
    return findings.query.form is not Form.WHATS_NEW or act is None or act is Act.CHANGED or one.act is act


def _spread(items: Sequence[NewsItem]) -> list[NewsItem]:
    """The items with each further one of a passage or an act a little lower, so that one thing doesn't tell it all."""
    seen: Counter[object] = Counter()
    left = list(items[: 10 * _STATED])
    spread: list[NewsItem] = []
    while left and len(spread) < _STATED:
        best = max(
            left,
            key=lambda one: (
                one.weight
                - _AGAIN_PENALTY * (seen[one.passage.position] + seen[one.act])
                - _SAME_TITLE_PENALTY * (seen[one.title] if one.title else 0)
            ),
        )
        left.remove(best)
        seen[best.passage.position] += 1
        seen[best.act] += 1
        seen[best.title] += 1
        spread.append(best)
    return spread


def _state(findings: Findings, one: NewsItem) -> Statement:
    text = findings.index.text_of(one.passage)
    span = one.passage.items[one.number].span
    quote = Quote(one.passage, span, span, retracted=False)
    said = wording(quote, text, max_characters=_STATEMENT_CHARACTERS)
    is_told = not one.title or said.casefold().startswith(one.title.casefold())
    return Statement(attributed(quote, said if is_told else f"{one.title}: {said}"), (quote,))


def _own_title(passage: StoredPassage) -> str:
    """The heading that names what a passage is about; empty where it names a release, or a kind of changes."""
    title = one_line(passage.heading[-1]).rstrip(" :") if len(passage.heading) > 1 else ""
    is_release = bool(passage.release) and str(passage.release) in title
    return "" if is_release or len(title) > _TITLE_CHARACTERS or kind_of_heading(title) else safe(title)


def _lead(
    findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease], items: Sequence[NewsItem]
) -> str:
    name = _name(findings, product, releases)
    count = f"{len(items)} {'change' if len(items) == 1 else 'changes'}"
    first = f", the first {_STATED} by weight" if len(items) > _STATED else ""
    secured = any(one.act is Act.SECURED for one in items)
    breaking = sum(one.breaks or one.act in (Act.REMOVED, Act.REQUIRES) for one in items)
    if findings.query.form is Form.SHOULD_UPGRADE:
        if secured:
            return f"Yes: {name} has security fixes{first}:"
        return f"{name} tells of no security fix; of {count}, {breaking or 'none'} may break something{first}:"
    return f"{name} tells of {count}{first}:"


def _name(findings: Findings, product: CatalogueProduct, releases: Sequence[CatalogueRelease]) -> str:
    newest = releases[0]
    if len(releases) > 1:
        return f"**{safe(product.name)} {releases[-1].version}** to **{newest.version}**"
    day = f" ({newest.date.isoformat()})" if newest.date else ""
    is_newest = findings.query.constraint is None and releases[:1] == stable_releases(product.releases)[:1]
    which = ", the newest release," if is_newest else ""
    return f"**{safe(product.name)} {newest.version}**{day}{which}"
