"""Since when: what states a version itself, else the first page that says it, else the entry that answers best.

A removal is told by what tells it, wherever that stands; else that none does, with a deprecation or a plan for it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.stores.protocol import PassageFilter
from corpus.versions import Version, VersionMatch, find_versions
from retrieval.answers.fact import draft_fact
from retrieval.answers.lead import ALL, ARRIVES, STATUS, is_about
from retrieval.answers.page_course import draft_by_pages
from retrieval.drafting import OPINION, Draft, Opening, Statement, announced, attribution, wording
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.question.subject import subject_weights
from retrieval.question.token_weights import TokenWeights
from retrieval.question.words import share_met
from retrieval.quoting.quotes import GOES, MAX_QUOTE_CHARACTERS, WARNS, ItemScore, Quote, select_quotes
from retrieval.quoting.safe_text import safe
from retrieval.releases.matching import is_page, match_release
from retrieval.releases.statements import VersionStatement, find_statements
from retrieval.search.hits import Hit

_MIN_COVERAGE = 0.6
_MIN_COVERAGE_ELSEWHERE = 0.8
"""Of the subject, where the search didn't bring an entry up."""
_READ_PASSAGES = 60
_RARE_IN = 20
"""A name that more passages hold may be another thing's."""
_YEAR = re.compile(r"\b20\d\d\b")
_NEAR = 0.3
"""Another entry must be this much as likely to hold the answer as the best one."""
_QUOTES = 2
_LIFE = (Act.ADDED, Act.DEPRECATED, Act.REPLACED, Act.REMOVED)
_MIN_LIFE_COVERAGE = 0.6
_MIN_SPOKEN = 0.35
"""The share of the subject that a line must name for its first page to be the answer."""


def draft_since_when(findings: Findings) -> Draft:
    """Quote what states the version of the asked act; else the entry that answers best, and one that does nearly as
    well.

    Falls back to the plain answer where what answers best belongs to no release (a page of history says it in words).
    """
    fitting = findings.fitting
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    asked = findings.query.act or Act.ADDED
    stated = _stated(find_statements(fitting, subject, findings.index), asked) if subject.weights else ()
    if stated:
        return Draft(Status.ANSWERED, "", tuple(_state(findings, statement) for statement in stated))
    if not fitting or not fitting[0].passage.release:
        return draft_fact(findings)
    best = fitting[0]
    speaks = not subject.weights or subject.coverage(_own_tokens(findings, best)) >= _MIN_SPOKEN
    is_removal = asked in GOES and best.act not in GOES
    if speaks and (paged := draft_by_pages(findings, best, subject, is_removal=is_removal)):
        return paged
    if asked in GOES and (fullest := _names_more(findings, best, subject)):
        # A removal of another filter; what names the one asked about may still be there.
        paged = draft_by_pages(findings, fullest, subject, is_removal=True)
        if paged is not None and paged.status is Status.NOT_FOUND:
            return paged
    # Where the project itself tells it, news of it add nothing.
    is_news = best.passage.document.authority in OPINION
    removals = _find_removals(findings, subject) if is_removal or (asked in GOES and is_news) else []
    if is_removal and not removals and (unremoved := _draft_unremoved(findings)):
        return unremoved
    released = [scored for scored in removals or fitting if scored.passage.release]
    # What speaks of "Python 2.6" says nothing of the 3.12 that is asked about.
    # A release that is named is where it is looked for, not what is said of it.
    tokens = findings.outcome.tokens if findings.query.constraint is None else ()
    numbers = {token for token in tokens if "." in token and Version.try_parse(token)}
    if numbers:
        released = [scored for scored in released if numbers <= _own_tokens(findings, scored)] or released
    near = [scored for scored in released if scored.score >= _NEAR * released[0].score]
    # What several releases say in the same words came with the first of them.
    first_tokens = _own_tokens(findings, near[0]) if near else frozenset()
    arrivals = [scored for scored in near if _is_arrival(findings, scored, asked)]
    arrivals = sorted(
        arrivals or (scored for scored in near if _own_tokens(findings, scored) == first_tokens), key=_release
    )
    near = [*arrivals, *(scored for scored in near if scored not in arrivals)]
    quotes = select_quotes(near, findings.index, limit=_QUOTES, room=MAX_QUOTE_CHARACTERS)
    return Draft(
        Status.ANSWERED, "", tuple(_announce(findings, quote, asked, leads=n == 0) for n, quote in enumerate(quotes))
    )


def _names_more(findings: Findings, best: ItemScore, subject: TokenWeights) -> ItemScore | None:
    near = [scored for scored in findings.fitting if scored.score >= _NEAR * best.score]
    fullest = max(near, key=lambda scored: subject.coverage(_own_tokens(findings, scored)))
    return None if fullest is best else fullest


def _is_arrival(findings: Findings, one: ItemScore, asked: Act) -> bool:
    """Whether an entry may tell how the thing came: of several the first does."""
    return asked is one.act is Act.ADDED and share_met(findings.focus.telling, one.tokens) >= ALL


def draft_life(findings: Findings) -> Draft | None:
    """What became of a thing: the entries that add, deprecate and remove it, in order; None where fewer than two do."""
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    news = (scored for scored in findings.fitting if scored.passage.release and not is_page(scored.passage))
    about = [scored for scored in news if subject.coverage(_own_tokens(findings, scored)) >= _MIN_LIFE_COVERAGE]
    steps = (next((scored for scored in about if scored.act is act), None) for act in _LIFE)
    chosen = sorted((scored for scored in steps if scored is not None), key=_release)
    quotes = select_quotes(chosen, findings.index, limit=len(_LIFE))
    if len(quotes) < 2:
        return None
    return Draft(Status.ANSWERED, "", tuple(_announce(findings, quote, None) for quote in quotes))


def _announce(findings: Findings, quote: Quote, asked: Act | None, *, leads: bool = True) -> Statement:
    """The words of a quote, with what its release did before them where the entry tells what was asked about
    ("since when is it there" is no repair), but not in news of it."""
    text = findings.text_of(quote)
    item = next((item for item in quote.passage.items if item.span == quote.core), None)
    act = item.act if item is not None else Act.OTHER
    # Beside what leads, what was added to a thing later isn't when it came.
    is_asked = asked in (None, act) or {asked, act} <= ARRIVES
    is_told = is_asked and (leads or asked is not Act.ADDED) and act in (*ARRIVES, *STATUS)
    is_told = is_told and is_about(findings, quote) and quote.passage.document.authority not in OPINION
    return Statement(announced(quote, text), (quote,), Opening(None, STATUS.get(act, "Since") if is_told else ""))


def _stated(found: Sequence[VersionStatement], asked: Act) -> tuple[VersionStatement, ...]:
    """The statements of the asked act, each as the newest page has it, and that what was added is to go, or went."""
    wanted = asked if asked in (Act.ADDED, Act.DEPRECATED, Act.REMOVED) else Act.CHANGED
    if not any(stated.act is wanted for stated in found):
        return ()
    newest: dict[tuple[Act, Version], VersionStatement] = {}
    for statement in found:
        if statement.act is wanted or (statement.act in (Act.DEPRECATED, Act.REMOVED) and wanted is not Act.CHANGED):
            known = newest.get((statement.act, statement.version))
            if known is None or known.scored.passage.release_order < statement.scored.passage.release_order:
                newest[statement.act, statement.version] = statement
    return tuple(sorted(newest.values(), key=lambda stated: (stated.act is not wanted, stated.version)))


def _state(findings: Findings, one: VersionStatement) -> Statement:
    passage, span = one.scored.passage, one.scored.item.span
    quote = Quote(passage, span, span, retracted=one.scored.item.retracted)
    words = wording(quote, findings.index.text_of(passage))
    about = f" {safe(one_line(passage.heading[-1]))}:" if passage.heading else ""
    return Statement(f"{attribution(quote)}:{about} {words}", (quote,))


def _own_tokens(findings: Findings, one: ItemScore) -> frozenset[str]:
    """Of the entry's words, without its headings: these name its release."""
    return frozenset(split_tokens(findings.words_of(one)))


def _release(one: ItemScore) -> Version:
    return one.passage.release_order


def _find_removals(findings: Findings, subject: TokenWeights) -> list[ItemScore]:
    """The entries of releases that say the subject went: those that were found, else those of all notes on the
    product; best first."""
    members = _members(findings)
    products = _removal_products(findings)
    found = [
        scored
        for scored in findings.fitting
        if scored.passage.document.product in products
        and _tells_removal(scored)
        and (subject.coverage(scored.tokens) >= _MIN_COVERAGE or (members and members <= scored.tokens))
    ]
    if found or not subject.weights:
        return [scored for scored in found if scored.passage.document.authority not in OPINION] or found
    return sorted(_elsewhere(findings, subject, members), key=lambda scored: -scored.score)


def _draft_unremoved(findings: Findings) -> Draft | None:
    """That no removal was found, where what answers best tells a deprecation, and with it the plan where one is told;
    None where it tells something else."""
    best = findings.fitting[0]
    passage, act = best.passage, best.act
    if passage.release is None or act not in WARNS:
        return None
    if act is Act.PLANNED or _looks_ahead(findings, best, Version.parse(passage.release)):
        quotes = select_quotes([best], findings.index, limit=1, room=MAX_QUOTE_CHARACTERS)
        statements = (Statement(announced(quote, findings.text_of(quote)), (quote,)) for quote in quotes)
        return Draft(Status.PARTIAL, "No removal was found, only the plan for it.", tuple(statements))
    name = f" of `{findings.query.symbols[0].replace('`', '')}`" if len(findings.query.symbols) == 1 else ""
    place = safe(f"{passage.document.product} {passage.release}")
    lead = f"Not found: no notes tell of a removal{name}, only of its deprecation in {place}."
    return Draft(Status.NOT_FOUND, lead, ())


def _looks_ahead(findings: Findings, one: ItemScore, release: Version) -> bool:
    words = findings.words_of(one)
    return bool(_YEAR.search(words)) or any(mention.version > release for mention in find_versions(words))


def _members(findings: Findings) -> frozenset[str]:
    """The last parts of the names asked about, where they are rare: what is asked as `np.ravel2` is `numpy.ravel2` to
    the notes."""
    symbols = (symbol.removesuffix("()").rpartition(".")[2] for symbol in findings.query.symbols)
    members = frozenset(token for symbol in symbols for token in split_tokens(symbol)[:1])
    known = findings.index.lexical.document_frequency
    return members if all(known(token) <= _RARE_IN for token in members) else frozenset()


def _elsewhere(findings: Findings, subject: TokenWeights, members: frozenset[str]) -> Iterator[ItemScore]:
    """Removals in passages that the search ranked too low, by the subject's words alone."""
    index, constraint = findings.index, findings.query.constraint
    asked = Counter([*(token for token, _ in subject.weights), *members])
    found = index.store.lexical_scores(asked, PassageFilter(index.product_places(_removal_products(findings))))
    first = np.argsort(-found.scores, kind="stable")[:_READ_PASSAGES]
    passages = index.load_passages(found.positions[first].tolist())
    for passage in passages:
        match = match_release(constraint, index.passages.version_of(passage.position))
        if match is VersionMatch.OUTSIDE:
            continue
        hit = Hit(passage, 0.0, 0.0, match)
        for number, item in enumerate(passage.items):
            tokens = frozenset(split_tokens(item.span.slice(index.text_of(passage))))
            covered = subject.coverage(tokens)
            scored = ItemScore(hit, number, None, covered, tokens)
            is_about = covered >= _MIN_COVERAGE_ELSEWHERE or (members and members <= tokens)
            if is_about and not item.retracted and _tells_removal(scored):
                yield scored


def _removal_products(findings: Findings) -> frozenset[str]:
    return frozenset(findings.query.products) or frozenset({findings.fitting[0].passage.document.product})


def _tells_removal(one: ItemScore) -> bool:
    return one.passage.release is not None and one.act in GOES
