"""Answers about security: the releases that fix a vulnerability, and the security fixes that a release has or lacks."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from corpus.catalogue import stable_releases
from corpus.happenings import NOT_DONE
from corpus.item_sentences import is_statement, speaks_of_security, unsecured
from corpus.lexicon import split_tokens
from corpus.model import Section
from corpus.symbols import ADVISORY
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import name_releases, releases_that_fit
from retrieval.answers.fact import draft_fact
from retrieval.blocks import Closing, More, name_of, words_of
from retrieval.model import Status, Wanted
from retrieval.question.relative import LATEST
from retrieval.question.subject import name_tokens_of
from retrieval.quoting.composing import Draft, Statement, not_found, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item, without_overlaps
from retrieval.quoting.quotes import ItemScore, Quote
from retrieval.quoting.wording import word_quote
from retrieval.upgrades.citing import quote_entry
from retrieval.upgrades.entries import NotedEntry
from retrieval.upgrades.released_changes import read_changes
from retrieval.upgrades.repeats import FoundChange, vulnerabilities_of

_STATEMENTS, _CHARACTERS, _SHORT, _FEW = 6, 300, 80, 3  # Most statements, characters of each. A matter of display.
_RECORD_WORDS = frozenset(
    split_tokens(
        """cve cves vulnerability vulnerabilities vuln vulns vulnerable security issue issues hole holes flaw flaws
        advisory advisories problem problems fix fixes fixed address addresses addressed patch patches patched resolve
        resolved contain contains include included release releases version versions list all any many which known
        were do does get got have has there mention mentioned recorded reported records number numbers name
        between before after since from to until up through and or later newer older latest newest last recent most
        when was ever with changelog changelogs relevant related here still that on"""
    )
)
_LISTS = frozenset(split_tokens("all any every list which what entries overview"))
_SAYS_SO = re.compile(r"secur|vulnerab|\bCVE|\bGHSA", re.IGNORECASE)
_LATER = frozenset(split_tokens("after later since newer"))
_ASKS_FIXES = frozenset(split_tokens("fix address patch resolve"))


def draft_security(findings: Findings) -> Draft:
    """Answer with an entry from each release that names the record asked about ("CVE-2024-1234"), in version order.

    Falls back to the plain answer if the question names no record, or fewer than two releases do.
    """
    references = findings.query.references
    naming: list[tuple[int, ItemScore]] = []
    for scored in findings.fitting:
        words = findings.words_of(scored)
        is_named = any(reference.casefold() in words.casefold() for reference in references)
        is_headed = any(reference in title for reference in references for title in scored.passage.heading)
        if (is_named or is_headed) and set(references) & set(scored.passage.references) and is_statement(words):
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
    known = _RECORD_WORDS.union(name_tokens_of(findings.products), split_tokens(query.versions_named_as))
    words = {token.removesuffix("'s") for token in findings.outcome.tokens}
    is_list = not _LISTS.isdisjoint(split_tokens(query.text))
    more = {word for word in words - known if sum(map(str.isalpha, word)) > 1}
    # A list of all is asked for whoever wants it.
    asks_more = more & {word.tokens[0] for word in findings.focus.names} if is_list else more
    if len(query.products) != 1 or query.references or query.symbols or asks_more:
        return None
    constraint, (product,) = query.constraint, findings.products
    named_as = query.versions_named_as if query.versions_named_as != LATEST else ""
    which = " ".join(filter(None, (product.name, named_as or str(constraint or ""))))
    if query.bearing is not None and constraint and (_ASKS_FIXES.isdisjoint(words) or not _LATER.isdisjoint(words)):
        (version,) = constraint.versions
        later = read_changes(findings.index, product, VersionConstraint.after(version).contains)
        if fixes := _list_fixes(findings, later.security, lambda _: 0):
            lead = f"{product.name} {version} lacks {_count(fixes)} of later releases"
            return _draft_quotes(findings, fixes, lead=lead)
    fits, is_newest = constraint or VersionConstraint(), query.wanted is Wanted.NEWEST
    if constraint and constraint.low and constraint.high and is_list:
        fits = VersionConstraint.through(constraint.low, constraint.high)
    reading = read_changes(findings.index, product, fits.contains)
    rank = (lambda v: v) if is_newest else (lambda _: 0) if is_list else fits.match
    fixes = _list_fixes(findings, reading.security, rank)
    if fixes and is_newest:
        last = max(fix.version for fix in reading.security)
        newer = [release for release in stable_releases(product.releases) if release.version > last]
        ends = " to ".join(dict.fromkeys(str(release.version) for release in (*newer[-1:], *newer[:1])))
        note = f"The notes of {product.name} {ends}, which are newer, mark no security fix that stands."
        return replace(_draft_quotes(findings, fixes), notes=(note,) if newer and not constraint else ())
    ours = [entry for entry in reading.entries if entry.passage.is_own]
    related = [entry for entry in ours if entry.stored.section is Section.SECURITY or (is_list and _may_fix(entry))]
    related = [entry for entry in related if _SAYS_SO.search(entry.lead)] or related
    related.sort(key=lambda entry: (entry.version, -entry.passage.position), reverse=True)
    quotes = without_overlaps([*fixes[::-1], *(quote_entry(entry, findings.index) for entry in related)])
    is_one = constraint is not None and bool(constraint.versions)
    if len(fixes) >= _FEW or (fixes and (is_one or len(quotes) == len(fixes))):
        return _draft_quotes(findings, fixes[::-1], lead=f"The notes of {which} mark {_count(fixes)} as such")
    if quotes:
        marked = f"{_count(fixes)} as such, and" if fixes else "no security fix, but"
        return _draft_quotes(findings, quotes, lead=f"The notes of {which} mark {marked} tell of security")
    if any(speaks_of_security(passage.span.slice(findings.index.text_of(passage))) for passage in reading.passages):
        return None
    if constraint is not None:
        which = name_releases(product, releases_that_fit(product, constraint))
    return not_found(f"the notes of {which} name no vulnerability and no security fix.")


def _may_fix(entry: NotedEntry) -> bool:
    """Return whether an entry may report a security fix that nothing marks as one."""
    is_done = entry.stored.section is not Section.HOUSEKEEPING and entry.first.act not in NOT_DONE
    return is_done and speaks_of_security(entry.lead) and not unsecured(entry.lead)


def _count(fixes: Sequence[Quote]) -> str:
    return f"{len(fixes)} security fix{'es' * (len(fixes) > 1)}"


def _list_fixes(findings: Findings, changes: Iterable[FoundChange], rank: Callable[[Version], Any]) -> list[Quote]:
    """Return quotes of security fixes in the product's own notes, oldest first, of the releases with the highest `rank`
    of those with any; each vulnerability once, although several series may get its fix."""
    quotes: list[Quote] = []
    seen: set[str] = set()
    fixes = [fix for fix in changes if is_statement(fix.entry.lead) and fix.entry.passage.is_own]
    best = max((rank(fix.version) for fix in fixes), default=None)
    for fix in sorted(fixes, key=lambda fix: (fix.version, fix.entry.passage.position)):
        names = vulnerabilities_of(fix.entry) or {fix.entry.lead.casefold()}
        if rank(fix.version) == best and not names <= seen:
            seen |= names
            quotes.append(quote_entry(fix.entry, findings.index))
    return quotes


def _draft_quotes(findings: Findings, quotes: Sequence[Quote], *, lead: str = "") -> Draft:
    words = words_of(lead + ":" * bool(lead))
    if len(quotes) <= _FEW:
        stated = tuple(statement_of(quote, findings.text_of(quote), tells_day=True) for quote in quotes)
        return Draft(Status.ANSWERED, words, stated, leads_on=bool(lead) and len(stated) == 1)
    # Of more than can be shown, first those that have a number.
    numbers_of = [[*dict.fromkeys(ADVISORY.findall(q.span.slice(findings.text_of(q))))] for q in quotes]
    shown = list[Statement]()
    for n in sorted(sorted(range(len(quotes)), key=lambda n: not numbers_of[n])[:_STATEMENTS]):
        quote, passage = quotes[n], quotes[n].passage
        fix = word_quote(quote, findings.text_of(quote), max_characters=_SHORT).labelled
        numbers = [number for number in numbers_of[n] if number not in fix.text]
        fix += f" ({', '.join(numbers)})" * bool(numbers)
        day = f" ({passage.release_date})" * bool(passage.release_date)
        shown.append(Statement(fix, (quote,), name_of(passage.release) + day))
    closing = Closing(len(quotes) - len(shown), More(quotes[0].passage.document.source))
    return Draft(Status.ANSWERED, words, tuple(shown), closing=closing if closing.count else None)
