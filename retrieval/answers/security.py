"""Answers about security: the releases that fix a vulnerability, and the security fixes that a release has or lacks."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from corpus.catalogue import stable_releases
from corpus.item_sentences import is_statement, speaks_of_security
from corpus.lexicon import split_tokens
from corpus.model import Change, Section
from corpus.symbols import ADVISORY
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import name_releases, releases_that_fit
from retrieval.answers.fact import draft_fact
from retrieval.blocks import Closing, More, words_of
from retrieval.model import Status, Wanted
from retrieval.question.relative import LATEST, RECORD_WORDS
from retrieval.question.subject import name_tokens_of
from retrieval.quoting.composing import Draft, not_found, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.upgrades.citing import quote_entry
from retrieval.upgrades.released_changes import read_changes
from retrieval.upgrades.repeats import FoundChange, vulnerabilities_of

_STATEMENTS, _CHARACTERS = 7, 300  # Most statements, and characters of each. A matter of display.
_ASKS_FIXES = frozenset(split_tokens("fix address patch resolve"))


def draft_security(findings: Findings) -> Draft:
    """Answer with an entry from each release that names the record asked about ("CVE-2024-1234"), in version order.

    Falls back to the plain answer if the question names no record, or fewer than two releases do.
    """
    references = findings.query.references
    naming: list[tuple[int, ItemScore]] = []
    for scored in findings.fitting:
        words = findings.words_of(scored)
        if not references or not set(references) & set(scored.passage.references) or not is_statement(words):
            continue
        is_named = any(reference.casefold() in words.casefold() for reference in references)
        if is_named or any(reference in title for reference in references for title in scored.passage.heading):
            naming.append((len(set(ADVISORY.findall(words))) if is_named else 1, scored))
    best_of: dict[tuple[str, Version | None], ItemScore] = {}
    # Prefer entries that name only this record, because those that name several are lists.
    for _, scored in sorted(naming, key=lambda pair: pair[0]):
        best_of.setdefault((scored.passage.document.product, scored.passage.release), scored)
    chosen = sorted(best_of.values(), key=lambda best: best.passage.release_order)[-_STATEMENTS:]
    if len(chosen) < 2:
        return draft_fact(findings)
    return _draft_quotes(findings, [quote_item(best, findings.text_of(best), room=_CHARACTERS) for best in chosen])


def draft_fixes(findings: Findings) -> Draft | None:
    """Answer with the security fixes of later releases that the requested one lacks; if there are none, or its own
    fixes are asked for, with those of the requested releases, newest first; with "not found" if their notes mention
    none.

    None if the question asks for more, isn't about a single product, or needs a search.
    """
    query = findings.query
    known = RECORD_WORDS.union(name_tokens_of(findings.products), split_tokens(query.versions_named_as))
    words = [token.removesuffix("'s") for token in findings.outcome.tokens]
    asks_more = any(sum(map(str.isalpha, word)) > 1 for word in words if word not in known)
    if len(query.products) != 1 or query.references or query.symbols or asks_more:
        return None
    constraint, (product,) = query.constraint, findings.products
    named_as = query.versions_named_as if query.versions_named_as != LATEST else ""
    which = " ".join(filter(None, (product.name, named_as or str(constraint or ""))))
    if query.bearing is not None and constraint and _ASKS_FIXES.isdisjoint(words):
        (version,) = constraint.versions
        later = VersionConstraint.after(version).contains
        if fixes := _list_fixes(findings, read_changes(findings.index, product, later, Change.SECURITY).security):
            lead = f"{product.name} {version} lacks {_count(fixes)} of later releases:"
            return _draft_quotes(findings, fixes, lead=lead)
    fits, is_newest = constraint or VersionConstraint(), query.wanted is Wanted.NEWEST
    reading = read_changes(findings.index, product, fits.contains, Change.SECURITY)
    if fixes := _list_fixes(findings, reading.security, (lambda version: version) if is_newest else fits.match):
        if is_newest:
            last = max(fix.version for fix in reading.security)
            newer = [release for release in stable_releases(product.releases) if release.version > last]
            ends = " to ".join(dict.fromkeys(str(release.version) for release in (*newer[-1:], *newer[:1])))
            note = f"The notes of {product.name} {ends}, which are newer, mark no security fix that stands."
            return replace(_draft_quotes(findings, fixes), notes=(note,) if newer and not constraint else ())
        return _draft_quotes(findings, fixes[::-1], lead=f"The notes of {which} mark {_count(fixes)} as such:")
    listed = (entry for entry in reading.entries if entry.stored.section is Section.SECURITY and entry.passage.is_own)
    if quotes := [quote_entry(entry, findings.index) for entry in listed][::-1]:
        return _draft_quotes(findings, quotes, lead=f"The notes of {which} mark no security fix, but tell of security:")
    if any(speaks_of_security(passage.span.slice(findings.index.text_of(passage))) for passage in reading.passages):
        return None
    if constraint is not None:
        which = name_releases(product, releases_that_fit(product, constraint))
    return not_found(f"the notes of {which} name no vulnerability and no security fix.")


def _count(fixes: Sequence[Quote]) -> str:
    return f"{len(fixes)} security fixes" if len(fixes) > 1 else "1 security fix"


def _list_fixes(
    findings: Findings, changes: Sequence[FoundChange], rank: Callable[[Version], Any] = lambda _: 0
) -> list[Quote]:
    """Return quotes of security fixes in the product's own notes, oldest first, only from the releases with the highest
    `rank` among those that have any; each vulnerability once, although several series may get its fix.
    """
    quotes: list[Quote] = []
    seen: set[str] = set()
    named = (fix for fix in changes if is_statement(fix.entry.lead) or ADVISORY.search(fix.entry.lead))
    fixes = [fix for fix in named if fix.entry.passage.is_own]
    best = max((rank(fix.version) for fix in fixes), default=None)
    for fix in sorted(fixes, key=lambda fix: (fix.version, fix.entry.passage.position)):
        names = vulnerabilities_of(fix.entry) or {fix.entry.lead.casefold()}
        if rank(fix.version) == best and not names <= seen:
            seen |= names
            quotes.append(quote_entry(fix.entry, findings.index))
    return quotes


def _draft_quotes(findings: Findings, quotes: Sequence[Quote], *, lead: str = "") -> Draft:
    stated = tuple(statement_of(quote, findings.text_of(quote), tells_day=True) for quote in quotes[:_STATEMENTS])
    more = len(quotes) - len(stated)
    closing = Closing(more, More(quotes[-1].passage.document.source)) if more else None
    return Draft(Status.ANSWERED, words_of(lead), stated, leads_on=bool(lead) and len(stated) == 1, closing=closing)
