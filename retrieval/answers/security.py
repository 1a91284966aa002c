"""Which releases deal with a recorded vulnerability, and which vulnerabilities a release deals with."""

from collections.abc import Sequence

from corpus.lexicon import split_tokens
from corpus.model import Kind
from corpus.plain_words import one_line
from corpus.versions import VersionConstraint, VersionMatch
from retrieval.answers.catalogue_releases import name_releases, releases_that_fit
from retrieval.answers.fact import draft_fact
from retrieval.drafting import OPINION, Draft, Statement, announced, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quoting.quotes import ItemScore, Quote, join_neighbours, widen
from retrieval.quoting.safe_text import safe
from retrieval.quoting.securing import ADVISORY, RECORD, secures
from retrieval.quoting.statements import speaks_of_security, states_something
from retrieval.releases.matching import release_matches
from retrieval.search.hits import Hit

_RELEASES = 12
_RECORDS = 12
_READ_PASSAGES = 2000
_STATEMENT_CHARACTERS = 180
_RECORD_WORDS = frozenset(
    split_tokens(
        """cve cves vulnerability vulnerabilities vuln vulns vulnerable security issue issues hole holes flaw flaws
        advisory advisories problem problems fix fixes fixed address addresses addressed patch patches patched resolve
        resolved contain contains include included release releases version versions list all any many which known
        were do does get got have has there mention mentioned recorded reported records number numbers name
        between before after since from to until up through and or later newer older"""
    )
)
_ASKS_FIXES = frozenset(split_tokens("fix address patch resolve"))
_ON_SECURITY = frozenset(
    split_tokens(
        """security secure insecure vulnerability vulnerable exploit attack malicious inject injection crafted CVE GHSA
        RUSTSEC XSS SSRF traversal overflow denial bypass redirect"""
    )
)


def draft_security(findings: Findings) -> Draft:
    """Quote, for each release that names the asked record, the entry that does, in version order.

    The plain answer where the question names no record, or no release does.
    """
    asked = findings.query.references
    naming: list[tuple[int, ItemScore]] = []
    for scored in findings.fitting:
        words = findings.words_of(scored)
        if not asked or not set(asked) & set(scored.passage.references) or not states_something(words):
            continue
        is_named = any(reference.casefold() in words.casefold() for reference in asked)
        is_below = any(reference in title for reference in asked for title in scored.passage.heading)
        if is_named or is_below:
            naming.append((len(set(RECORD.findall(words))) if is_named else 1, scored))
    best_of: dict[tuple[str, str | None], ItemScore] = {}
    # What names this record alone describes it; what names several only lists them.
    for _, scored in sorted(naming, key=lambda counted: counted[0]):
        best_of.setdefault((scored.passage.document.product, scored.passage.release), scored)
    chosen = sorted(best_of.values(), key=lambda best: best.passage.release_order)[-_RELEASES:]
    if len(chosen) < 2:
        return draft_fact(findings)
    quotes = [widen(best, findings.text_of(best)) for best in chosen]
    return Draft(Status.ANSWERED, "", _announce(findings, quotes))


def draft_records(findings: Findings) -> Draft | None:
    """What later releases fixed that the asked one has; where nothing, or what it fixed itself is asked for, every
    recorded vulnerability that the notes of the asked releases name, the newest release first.

    None where the question asks for more than that, or is about no one product, or no such release names any.
    """
    query, index = findings.query, findings.index
    names = {
        token
        for product in findings.products
        for name in (product.name, *product.aliases)
        for token in split_tokens(name)
    }
    left = set(findings.outcome.tokens) - names - _RECORD_WORDS - set(split_tokens(query.versions_named_as))
    if (
        len(query.products) != 1
        or query.references
        or query.symbols
        or any(sum(map(str.isalpha, token)) > 1 for token in left)
    ):
        return None
    asks_own = query.bearing is None or not _ASKS_FIXES.isdisjoint(findings.outcome.tokens)
    if not asks_own and (lacking := _draft_lacking(findings)):
        return lacking
    positions = index.passages_holding(split_tokens("CVE"), products=query.products)
    matches = release_matches(query.constraint, index.passages, positions)
    positions = positions[matches == max(matches, default=VersionMatch.OUTSIDE)] if matches.any() else positions[:0]
    best_of: dict[tuple[str | None, str], tuple[bool, ItemScore]] = {}
    for passage in index.load_passages(positions[:_READ_PASSAGES].tolist()):
        hit = Hit(passage, score=0.0, cosine=0.0, match=VersionMatch.EXACT)
        text = index.text_of(passage)
        for place, item in enumerate(passage.items):
            words = item.span.slice(text)
            named = RECORD.findall(words) or RECORD.findall(" ".join(passage.heading))
            describes = states_something(words) and len(set(named)) == 1
            for record in named:
                key = (passage.release, record.upper())
                if key not in best_of or (describes and not best_of[key][0]):
                    best_of[key] = (describes, ItemScore(hit, place, None, 0.0))
    if not best_of:
        return _draft_unnumbered(findings)
    records_of: dict[tuple[int, int], list[str]] = {}
    newest_first = sorted(best_of, key=lambda key: (best_of[key][1].hit.passage.release_order, key[1]), reverse=True)
    for release, record in newest_first:
        _, scored = best_of[release, record]
        records_of.setdefault((scored.passage.position, scored.number), []).append(record)
    entries = {(best.passage.position, best.number): best for _, best in best_of.values()}
    statements = [_tell_records(findings, records, entries[place]) for place, records in records_of.items()]
    count = len({record for _, record in best_of})
    more = ". The newest:" if len(statements) > _RECORDS else "."
    which = " ".join(filter(None, (safe(query.products[0]), query.versions_named_as or str(query.constraint or ""))))
    lead = f"The notes of {which} name {count} recorded vulnerabilit{'y' if count == 1 else 'ies'}{more}"
    return Draft(Status.ANSWERED, lead, tuple(statements[:_RECORDS]))


def _draft_lacking(findings: Findings) -> Draft | None:
    """The security fixes of the releases after the asked one, the nearest first: those who run it lack them."""
    query = findings.query
    assert query.constraint is not None
    (asked,) = query.constraint.versions
    fixes = _read_fixes(findings, VersionConstraint.after(asked))
    if not fixes:
        return None
    count = f"{len(fixes)} security fix{'es' * (len(fixes) > 1)}"
    first = ", the nearest" * (len(fixes) > _RECORDS)
    lead = f"{safe(query.products[0])} {asked} lacks {count} of later releases{first}:"
    return Draft(Status.ANSWERED, lead, _announce(findings, fixes))


def _read_fixes(findings: Findings, constraint: VersionConstraint) -> list[Quote]:
    """What tells of a security fix in the notes of some releases, the oldest first; of a record only what tells first
    of it, for a fix goes into several lines of releases."""
    index = findings.index
    positions = index.passages_holding(_ON_SECURITY, products=findings.query.products)
    fitting = positions[release_matches(constraint, index.passages, positions) > VersionMatch.OUTSIDE]
    passages = index.load_passages(fitting[:_READ_PASSAGES].tolist())
    quotes: list[Quote] = []
    said: set[str] = set()
    for passage in sorted(passages, key=lambda loaded: (loaded.release_order, loaded.position)):
        hit = Hit(passage, score=0.0, cosine=0.0, match=VersionMatch.EXACT)
        text = index.text_of(passage)
        for place, item in enumerate(passage.items):
            words = item.span.slice(text)
            names = {name.upper() for name in ADVISORY.findall(words)} or {one_line(words).casefold()}
            is_fix = states_something(words) and secures(item, words, is_below=passage.kind is Kind.SECURITY)
            if names <= said or passage.document.authority in OPINION or not is_fix:
                continue
            said |= names
            quote = widen(ItemScore(hit, place, None, 0.0), text)
            if not any(map(quote.overlaps, quotes)):
                quotes.append(quote)
    return quotes


def _draft_unnumbered(findings: Findings) -> Draft | None:
    """The entries on security without a record's number of the asked releases; the honest no where their notes don't
    speak of it in any words. None where no indexed release is named, or only the search can tell."""
    # Other questions need none of these, and don't wait for their imports.
    from retrieval.upgrades.reading import read_changes

    (product,) = findings.products
    constraint = findings.query.constraint
    releases = releases_that_fit(product, constraint) if constraint is not None else ()
    if constraint is None or not releases:
        return None
    reading = read_changes(findings.index, product, frozenset(release.version for release in releases).__contains__)
    if fixes := _read_fixes(findings, constraint):
        return Draft(Status.ANSWERED, "", _announce(findings, fixes))
    if any(speaks_of_security(passage.span.slice(findings.index.text_of(passage))) for passage in reading.noted):
        return None
    which = name_releases(product, releases)
    return Draft(Status.NOT_FOUND, f"Not found: the notes of {which} name no vulnerability and no security fix.", ())


def _tell_records(findings: Findings, records: Sequence[str], one: ItemScore) -> Statement:
    text = findings.text_of(one)
    quote = widen(one, text)
    words = wording(quote, text, max_characters=_STATEMENT_CHARACTERS)
    named = f"{', '.join(sorted(records))}: "
    is_said = all(record.casefold() in words.casefold() for record in records)
    return Statement(f"{attribution(quote)}: {'' if is_said else named}{words}", (quote,))


def _announce(findings: Findings, quotes: Sequence[Quote]) -> tuple[Statement, ...]:
    joined = join_neighbours(quotes[:_RECORDS])
    return tuple(Statement(announced(quote, findings.text_of(quote)), (quote,)) for quote in joined)
