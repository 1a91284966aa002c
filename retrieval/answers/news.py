"""What releases bring, most important first: what's new, what breaks, whether to upgrade, how two differ."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from corpus.catalogue import CatalogueRelease, stable_releases
from corpus.index.reader import IndexReader
from corpus.item_sentences import speaks_of_security
from corpus.model import Authority, Change, Kind
from corpus.plain_words import listed
from corpus.versions import Version
from retrieval.answers.catalogue_releases import NOT_OUT, name_release, name_releases, not_out_words
from retrieval.answers.changes import (
    FEW,
    GROUPS,
    HIGHLIGHTS,
    NOT_DONE,
    SURELY,
    WORDS,
    NewsItem,
    asked_changes,
    asked_range,
    asked_releases,
    changes_of,
    changes_to_come,
)
from retrieval.blocks import NO_WORDS, Closing, More, Words, name_of, words_of
from retrieval.model import Form, Relative, Status
from retrieval.question.relative import LATEST
from retrieval.quoting.composing import Draft, Statement, attribution, not_found
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote
from retrieval.quoting.wording import fit_sentences, shorten
from retrieval.search.item_forms import is_title
from retrieval.upgrades.citing import quote_entry, summarise

_TRIED = 60  # Most releases searched for one that did what is asked for.
_ANSWER_CHARACTERS, _AROUND, _LONGEST = 800, 8, 300
"""Most characters of a list, around a statement, and of a first sentence that isn't cut."""
_COUNTS, _SHORT = {Form.BREAKS: 10, Form.COMPARE: 5}, {Form.BREAKS: 100}
# Who upgrades needs all that breaks: more of it, each shorter; of two releases each has a few.
_COUNT_ELSE, _SHORT_ELSE = 7, 110
YOURS = "Breaks what you use"
_MOST_OFFERED, _OFFERED_LINE, _OFFERED_CHARACTERS = 200, 120, 8_000
"""Most changes offered for a choice, the length of each one's line, and of all lines together."""
_LABEL = re.compile(
    r"(?:new|added|(?:bug ?)?fix(?:ed)?|improved|improvement|enhancement|changed|feature|security): (?=\S+ )",
    re.IGNORECASE,
)
"""A label in an entry's own words, which repeats the group that it is listed under."""


class ListedNews(NamedTuple):
    """The changes of the releases that a question is about, most important first."""

    releases: Sequence[CatalogueRelease]
    items: Sequence[NewsItem]
    wanted: Sequence[NewsItem]  # Those that are asked for.


def offer_news(listed: ListedNews | None, index: IndexReader) -> tuple[list[NewsItem], list[str], Counter[str]]:
    """Return the changes to choose from, grouped by release; a line for each; and counts by kind of those without room,
    which are the least important of those not asked for."""
    every = dict.fromkeys((*listed.wanted, *listed.items) if listed else ())
    room, offered = _OFFERED_CHARACTERS, dict[NewsItem, str]()
    for item in [*every][:_MOST_OFFERED]:
        words = _words_of(item, quote_entry(item.entry, index), index, has_groups=True)
        line = f"{item.group}: {fit_sentences(words, max_characters=_OFFERED_LINE)}"
        if (room := room - len(line)) >= 0:
            offered[item] = shorten(line, max_characters=_OFFERED_LINE)
    order: list[Version | None] = [release.version for release in listed.releases] if listed else []
    items = sorted(offered, key=lambda item: ([*order, item.entry.version]).index(item.entry.version))
    return items, [offered[item] for item in items], Counter(item.group for item in every if item not in offered)


def list_news(findings: Findings) -> ListedNews | None:
    """Return the changes of one product's releases; None if the question doesn't name one, or no release of it."""
    query, form = findings.query, findings.query.form
    if not query.products or len(findings.products) != 1:
        return None
    (product,) = findings.products
    if query.relative is Relative.NEXT and query.constraint is None:
        to_come: Sequence[CatalogueRelease] = [
            release for release in product.releases if not_out_words(product, release) == NOT_OUT
        ]
        items = changes_to_come(findings, to_come)
        return ListedNews(to_come, items, asked_changes(findings, items))
    if not (releases := asked_releases(findings, product)):
        return None
    tried = [releases]
    if query.constraint is None and form in (Form.WHATS_NEW, Form.BREAKS):
        # "What was removed?" means the newest release that removes something, "what is new?" one that tells anything.
        tried = [(release,) for release in stable_releases(product.releases)[:_TRIED]]
    for each in tried:
        items = changes_of(findings, each)
        if wanted := asked_changes(findings, items):
            return ListedNews(each, items, wanted)
    return ListedNews(tried[0], items, ())


def draft_news(findings: Findings, read: ListedNews | None = None, choice: Sequence[NewsItem] = ()) -> Draft | None:
    """List the most important changes of one product's releases, or the `choice` of those in `read`, in its order; None
    if no product or release is named, or nothing is found and no kind of change is asked for."""
    if (news := read or list_news(findings)) is None:
        return None
    (releases, items, wanted), (product,) = news, findings.products
    query, form, constraint = findings.query, findings.query.form, findings.query.constraint
    act = query.act if form is Form.WHATS_NEW else None
    kind = "removed, deprecated or breaking" if form is Form.BREAKS else act.value.replace("_", " ") if act else ""
    if query.relative is Relative.NEXT and constraint is None:
        return _draft_unreleased(findings, news, kind, choice)
    if not wanted and not kind:
        return None
    left = _without_quoted(findings, wanted)
    if not left:
        lacks = "is left to tell: that was all" if wanted else f"reads as {kind}"
        return not_found(f"nothing in the notes of {name_releases(product, releases)} {lacks}.")
    chosen, has_groups = _without_quoted(findings, choice) or left, not kind
    stated = _select_statements(findings, chosen, releases, has_groups=has_groups, is_chosen=bool(choice))
    lead = _name_range(findings, releases, stated)
    if form is Form.SHOULD_UPGRADE:
        unready = not_out_words(product, releases[0])
        ahead = f"{product.name} {releases[0].version} {unready}. " if unready else ""
        lead = f"{ahead}{_verdict(releases, items)}: " + lead
    elif form is not Form.BREAKS and (constraint is None or query.versions_named_as == LATEST):
        lead += ", the newest release" if releases[:1] == stable_releases(product.releases)[:1] else ""
    if form is Form.COMPARE and constraint and (before := constraint.low or next(iter(constraint.versions[:-1]), None)):
        lead += f", after {before}"
    closing = _close_list(findings, left, stated, releases)
    notes: tuple[str, ...] = ()
    if (ends := asked_range(query, product)) and constraint and constraint.low and ends[0] != constraint.low:
        notes = (f"This begins after {product.name} {ends[0]}, the last release of {constraint.low}.",)
    if has_groups and not any(item.subject for item in items) and (counts := _counts(left, form)):
        lead += f"{', with' if form.traits.is_move else ':'} {counts}."
        return Draft(Status.ANSWERED, lead, stated, notes, closing=closing)
    return Draft(Status.ANSWERED, lead + ":", stated, notes, leads_on=True, closing=closing)


def _draft_unreleased(findings: Findings, news: ListedNews, kind: str, choice: Sequence[NewsItem]) -> Draft:
    """List the changes, of one `kind` unless it is empty, that no release has yet."""
    (to_come, items, wanted), (product,) = news, findings.products
    if not wanted:
        out = name_release(product, stable_releases(product.releases)[0]) if product.releases else words_of("none")
        which = f" that {f'reads as {kind}' if kind else 'says more'}" if items else ""
        no = f"the notes tell of no unreleased change of {product.name}{which}. The newest release is "
        return not_found(no + out + ".")
    has_groups = findings.query.form is Form.BREAKS or not kind
    stated = _select_statements(findings, choice or wanted, to_come, has_groups=has_groups)
    lead = name_of(product.name, listed([str(release.version) for release in to_come])) + " (unreleased):"
    return Draft(Status.ANSWERED, lead, stated, leads_on=True, closing=_close_list(findings, wanted, stated))


def _without_quoted(findings: Findings, items: Sequence[NewsItem]) -> list[NewsItem]:
    """Return the items that no earlier answer quoted."""

    def was_quoted(item: NewsItem) -> bool:
        document, span = item.entry.passage.document.id, item.entry.stored.span
        return any(quote.passage.document.id == document and quote.core.meets(span) for quote in findings.earlier)

    return [item for item in items if not was_quoted(item)]


def _counts(items: Sequence[NewsItem], form: Form) -> str:
    """Return "2 breaking changes, 1 new feature and 3 bug fixes", each change counted once; empty if none. For an
    upgrade without the first two kinds, which its verdict counts."""
    kinds = (Kind.SECURITY, Kind.DEPRECATION, Kind.FEATURE, Kind.FIX)
    of_group = Counter("" if item.breaks else item.group for item in items)
    numbers = [of_group[group] for group in ("", *(GROUPS[kind] for kind in kinds))]
    names = ("breaking change", "security fix", "deprecation", "new feature", "bug fix", "other change")
    if any(numbers) and not form.traits.is_move:
        numbers.append(len(items) - sum(numbers))
    counted = [*zip(numbers, names, strict=False)][2 * form.traits.is_move :]
    return listed([f"{n} {name}{('es' if name[-1] == 'x' else 's') * (n != 1)}" for n, name in counted if n])


def _close_list(
    findings: Findings,
    wanted: Sequence[NewsItem],
    stated: Sequence[Statement],
    releases: Sequence[CatalogueRelease] = (),
) -> Closing | None:
    """Count the changes left, and say where they are: in a document, or listed by a command if they break something."""
    more, product = len(wanted) - len(stated), findings.products[0]
    if more <= 0:
        return None
    if findings.query.form is not Form.BREAKS or not releases:
        return Closing(more, More(wanted[0].entry.passage.document.source))
    oldest = releases[-1].version
    before = max((release.version for release in product.releases if release.version < oldest), default=oldest)
    name = f'"{product.name}"' if " " in product.name else product.name
    first, last = map(str, asked_range(findings.query, product) or (before, releases[0].version))
    return Closing(more, More(f"relnotes upgrade {name} {first} {last}", upgrade=(product.name, first, last)))


def _words_of(item: NewsItem, quote: Quote, index: IndexReader, *, has_groups: bool) -> str:
    words = summarise(item.entry, None if has_groups else item.change, quote, index)
    return words[label.end() :] if has_groups and (label := _LABEL.match(words)) else words


def _select_statements(
    findings: Findings,
    items: Sequence[NewsItem],
    releases: Sequence[CatalogueRelease],
    *,
    has_groups: bool,
    is_chosen: bool = False,
) -> tuple[Statement, ...]:
    """Return the first changes that make a whole sentence as statements, grouped; groups of a choice are in its order.
    Each names its release if there are several, or its source if that is an opinion."""
    form, index = findings.query.form, findings.index
    short, usual = _SHORT.get(form, _SHORT_ELSE), _COUNTS.get(form, _COUNT_ELSE)
    most = findings.query.statements or usual
    # All of a short list or a good start of a long one; who upgrades needs as much of it as there is room for.
    limit = most if form is Form.BREAKS or len(items) <= most else min(most, usual)
    room = max(_ANSWER_CHARACTERS, short * limit * (most > usual))
    chosen, cut = list[tuple[NewsItem, Quote, str]](), list[tuple[NewsItem, Quote, str]]()
    size = 0
    for item in items:
        quote = quote_entry(item.entry, index)
        words = _words_of(item, quote, index, has_groups=has_groups)
        line = fit_sentences(words, max_characters=short, longest=_LONGEST).removesuffix(":")
        if not (" " in line or line.startswith("`")) or is_title(quote.passage, line):
            continue
        if line.endswith("…"):
            cut.append((item, quote, line))
            continue
        size += len(line) + len(str(quote.passage.release or "")) + _AROUND
        if size > room and len(chosen) >= FEW:
            break
        chosen.append((item, quote, line))
        if len(chosen) == limit:
            break
    chosen = chosen or cut[:1]
    groups = {item.group for item, *_ in chosen}
    has_groups = (has_groups and groups != {WORDS[-1]}) or YOURS in groups
    if has_groups:
        order = [YOURS, *([c[0].group for c in chosen] if is_chosen else (HIGHLIGHTS, *WORDS, *NOT_DONE.values()))]
        chosen.sort(key=lambda choice: order.index(choice[0].group))
    is_range = len({release.version.base for release in releases}) > 1
    return tuple(
        _statement(quote, line, item.group if has_groups else "", item.entry.version if is_range else None)
        for item, quote, line in chosen
    )


def _statement(quote: Quote, text: str, group: str, release: Version | None) -> Statement:
    speaker, words = NO_WORDS, words_of(text)
    if not quote.passage.is_own:
        speaker = attribution(quote)
    elif release is not None:
        speaker = name_of(release)
        speaker += " (yanked)" if quote.passage.is_yanked else ""
    return Statement(words, (quote,), speaker, group=group)


def _verdict(releases: Sequence[CatalogueRelease], items: Sequence[NewsItem]) -> str:
    """Return whether to upgrade in words, by all changes, not only by those on the question's subject. Never "yes" or
    "no", because they would mean the opposite to someone who asks whether to wait."""
    if len(releases) == 1 and any(item.entry.passage.is_yanked for item in items):
        return "Not this one, it was withdrawn"
    broken = sum(item.breaks for item in items)
    changes = "1 change" if broken == 1 else f"{broken} changes"
    but = f"{changes} may break something" if broken else ""
    if any(item.change is Change.SECURITY for item in items):
        return "; ".join(filter(None, ("Upgrade, for its security fixes", but)))
    # Where something may bear on security, nobody is told that nothing does.
    is_safe = not any(speaks_of_security(item.entry.lead) for item in items)
    if but:
        return f"{'No security fix, but ' * is_safe}{but}"
    bites = any(item.group in WORDS[:3] or item.breaking >= SURELY for item in items)
    if not is_safe:
        return "Worth a look"
    return "No security fix" if bites else "No security fix, and nothing that breaks"


def _name_range(findings: Findings, releases: Sequence[CatalogueRelease], stated: Sequence[Statement]) -> Words:
    """Return "Gizmo 2.8 to 2.12 (2026-05-19, digest)": the releases, the newest one's day and whose words follow; an
    oldest one that is a candidate is named as the release it became."""
    newest, oldest = releases[0], releases[-1].version
    if any(release.version == oldest.base for release in releases):
        oldest = oldest.base
    day = str(newest.date) if newest.date else "unreleased" * newest.pending
    is_digest = all(statement.quotes[0].passage.document.authority is Authority.DIGEST for statement in stated)
    asides = ", ".join(filter(None, (day, Authority.DIGEST.value * is_digest)))
    ends = name_of(findings.products[0].name, oldest)
    ends += " to " + name_of(newest.version) if oldest != newest.version else NO_WORDS
    return ("Also in " if findings.earlier else "") + ends + (f" ({asides})" if asides else "")
