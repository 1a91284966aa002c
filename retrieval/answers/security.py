"""Which releases deal with a recorded vulnerability, and which vulnerabilities a release deals with."""

from collections.abc import Collection, Iterator, Sequence

from corpus.lexicon import split_tokens
from corpus.model import Kind
from corpus.plain_words import one_line
from corpus.versions import VersionConstraint, VersionMatch
from retrieval.answers.catalogue_releases import name_releases, releases_that_fit
from retrieval.answers.fact import draft_fact
from retrieval.composing import OPINION, Draft, Statement, attribution, state, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.quoting.quotes import ItemScore, Quote, join_neighbours, widen
from retrieval.quoting.safe_text import safe
from retrieval.quoting.statements import ADVISORY, RECORD, secures, speaks_of_security, states_something
from retrieval.releases.matching import release_matches
from retrieval.search.hits import Hit

_STATEMENTS = 12
_READ_PASSAGES = 2000
_RECORD_CHARACTERS = 180
"""A matter of display."""
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
        if is_named or any(reference in title for reference in asked for title in scored.passage.heading):
            naming.append((len(set(RECORD.findall(words))) if is_named else 1, scored))
    best_of: dict[tuple[str, str | None], ItemScore] = {}
    # What names this record alone describes it; what names several only lists them.
    for _, scored in sorted(naming, key=lambda counted: counted[0]):
        best_of.setdefault((scored.passage.document.product, scored.passage.release), scored)
    chosen = sorted(best_of.values(), key=lambda best: best.passage.release_order)[-_STATEMENTS:]
    if len(chosen) < 2:
        return draft_fact(findings)
    return _draft_quotes(findings, [widen(best, findings.text_of(best)) for best in chosen])


def draft_records(findings: Findings) -> Draft | None:
    """What later releases fixed that the asked one has; where nothing, or what it fixed itself is asked for, every
    recorded vulnerability that the notes of the asked releases name, the newest release first.

    None where the question asks for more than that, or is about no one product, or no such release names any.
    """
    query = findings.query
    named = (name for product in findings.products for name in (product.name, *product.aliases))
    known = {*_RECORD_WORDS, *split_tokens(" ".join((query.versions_named_as, *named)))}
    asks_more = any(sum(map(str.isalpha, token)) > 1 for token in findings.outcome.tokens if token not in known)
    if len(query.products) != 1 or query.references or query.symbols or asks_more:
        return None
    product = safe(query.products[0])
    if query.bearing is not None and query.constraint and _ASKS_FIXES.isdisjoint(findings.outcome.tokens):
        (asked,) = query.constraint.versions
        if fixes := _read_fixes(findings, VersionConstraint.after(asked)):
            some = f"{len(fixes)} security fix{'es' * (len(fixes) > 1)}"
            first = ", the nearest" * (len(fixes) > _STATEMENTS)
            return _draft_quotes(findings, fixes, lead=f"{product} {asked} lacks {some} of later releases{first}:")
    best_of: dict[tuple[str | None, str], tuple[bool, ItemScore]] = {}
    for one, words in _items_with(findings, split_tokens("CVE"), query.constraint):
        records = RECORD.findall(words) or RECORD.findall(" ".join(one.passage.heading))
        describes = states_something(words) and len(set(records)) == 1
        for record in records:
            key = (one.passage.release, record.upper())
            if key not in best_of or (describes and not best_of[key][0]):
                best_of[key] = (describes, one)
    if not best_of:
        return _draft_unnumbered(findings)
    told: dict[tuple[int, int], tuple[ItemScore, list[str]]] = {}
    newest_first = sorted(best_of, key=lambda key: (best_of[key][1].passage.release_order, key[1]), reverse=True)
    for release, record in newest_first:
        one = best_of[release, record][1]
        told.setdefault((one.passage.position, one.number), (one, []))[1].append(record)
    count = len({record for _, record in best_of})
    more = ". The newest:" if len(told) > _STATEMENTS else "."
    which = " ".join(filter(None, (product, query.versions_named_as or str(query.constraint or ""))))
    lead = f"The notes of {which} name {count} recorded vulnerabilit{'y' if count == 1 else 'ies'}{more}"
    statements = []
    for one, records in list(told.values())[:_STATEMENTS]:
        quote = widen(one, findings.text_of(one))
        words = wording(quote, findings.text_of(one), max_characters=_RECORD_CHARACTERS)
        is_said = all(record.casefold() in words.casefold() for record in records)
        ahead = "" if is_said else f"{', '.join(sorted(records))}: "
        statements.append(Statement(f"{attribution(quote)}: {ahead}{words}", (quote,)))
    return Draft(Status.ANSWERED, lead, tuple(statements))


def _draft_unnumbered(findings: Findings) -> Draft | None:
    """The entries on security without a record's number of the asked releases; the honest no where their notes don't
    speak of it in any words. None where no indexed release is named, or only the search can tell."""
    # Other questions need none of these, and don't wait for their imports.
    from retrieval.upgrades.released_changes import read_changes

    (product,) = findings.products
    constraint = findings.query.constraint
    releases = releases_that_fit(product, constraint) if constraint is not None else ()
    if constraint is None or not releases:
        return None
    if fixes := _read_fixes(findings, constraint):
        return _draft_quotes(findings, fixes)
    reading = read_changes(findings.index, product, frozenset(release.version for release in releases).__contains__)
    if any(speaks_of_security(passage.span.slice(findings.index.text_of(passage))) for passage in reading.noted):
        return None
    which = name_releases(product, releases)
    return Draft(Status.NOT_FOUND, f"Not found: the notes of {which} name no vulnerability and no security fix.", ())


def _read_fixes(findings: Findings, constraint: VersionConstraint) -> list[Quote]:
    """What tells of a security fix in the notes of some releases, the oldest first; of a record only what tells first
    of it, for a fix goes into several lines of releases."""
    quotes: list[Quote] = []
    said: set[str] = set()
    for one, words in _items_with(findings, _ON_SECURITY, constraint):
        names = {name.upper() for name in ADVISORY.findall(words)} or {one_line(words).casefold()}
        is_fix = states_something(words) and secures(one.item, words, is_below=one.passage.kind is Kind.SECURITY)
        if is_fix and not names <= said and one.passage.document.authority not in OPINION:
            said |= names
            quote = widen(one, findings.text_of(one))
            if not any(map(quote.overlaps, quotes)):
                quotes.append(quote)
    return quotes


def _items_with(
    findings: Findings, tokens: Collection[str], constraint: VersionConstraint | None
) -> Iterator[tuple[ItemScore, str]]:
    """The items, with their words, of the passages of the releases that hold one of `tokens`, the oldest first."""
    index = findings.index
    positions = index.passages_holding(tokens, products=findings.query.products)
    matches = release_matches(constraint, index.passages, positions)
    nearest = max(matches, default=VersionMatch.OUTSIDE)
    fitting = positions[matches == nearest] if nearest > VersionMatch.OUTSIDE else positions[:0]
    passages = index.load_passages(fitting[:_READ_PASSAGES].tolist())
    for passage in sorted(passages, key=lambda loaded: (loaded.release_order, loaded.position)):
        hit = Hit(passage, score=0.0, cosine=0.0, match=VersionMatch.EXACT)
        for number, item in enumerate(passage.items):
            yield ItemScore(hit, number, None, 0.0), item.span.slice(index.text_of(passage))


def _draft_quotes(findings: Findings, quotes: Sequence[Quote], *, lead: str = "") -> Draft:
    joined = join_neighbours(quotes[:_STATEMENTS])
    stated = (state(quote, findings.text_of(quote), tells_day=True) for quote in joined)
    return Draft(Status.ANSWERED, lead, tuple(stated))
