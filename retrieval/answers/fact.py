"""The plain answer: one statement, of the best item with its context. Of further likely items nine in ten would add
nothing (docs/decisions/0015). Before the quote's words it may say yes or no, and what happened to the thing."""

import re
from collections.abc import Collection
from dataclasses import replace
from itertools import pairwise, takewhile

from corpus.happenings import reports_act
from corpus.index.release_matching import match_release
from corpus.lexicon import has_synonyms, split_tokens
from corpus.model import Act
from corpus.plain_words import as_code
from corpus.versions import VersionMatch
from retrieval.answers.events import ENDS, STARTS, comes_after, ends_only_part, event_status, first_clause, is_about
from retrieval.answers.missing import begin_sentence, entry_of, missing_value, names_asked, with_all_mentions
from retrieval.answers.not_found import draft_not_found
from retrieval.answers.yes_no import decide_yes_no
from retrieval.blocks import words_of
from retrieval.model import Form, Status, Wanted
from retrieval.question.tokens import name_tokens
from retrieval.question.words import share_met
from retrieval.quoting.composing import Draft, Opening, Statement, statement_of
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item, quote_items, surround, without_overlaps
from retrieval.quoting.quotes import REMOVES, WARNS, ItemScore, Quote

_NAMED = 3  # Most names listed as missing.
_ELSEWHERE = re.compile(
    r"(?i)\b(?:instead|in (?:favou?r|place) of|(?:replac|supersed|cover)ed (?:by|with)|renamed? to"
    r"|(?:migrat|switch|mov)\w+ to)\b|(?:\b(?:please|must|should|can|to|now|explicitly)|[,;:.\u2013\u2014-]) use\b"
)
"""Words that name a replacement."""
_AFTER = re.compile(r"(?i)\W*(?:after|now|new|instead|use|replacement)\b[^.]{0,20}:\W*")  # A line above the new code.
_ADDS_SHARE, _PROSE_SHARE, _NEAR, _AHEAD = 0.3, 0.5, 0.1, 2.0
"""Shares of the best item's score from which a neighbour is shown, and prose chosen instead of code; least score of an
entry that is probably meant in trouble, and how many times the next one's it is. Never fitted."""
_ACROSS, _ACROSS_CHARACTERS = 7, 180  # Statements over several releases, and the length of each. A matter of display.
_MIN_SHARE, _RANK_GIVEN_BACK = 0.4, 0.015
"""Least share of the best likeness for an entry over several releases; and the bonus for each rank of its passage,
because a range is spread over several passages. Chosen by hand, never fitted."""


def draft_fact(findings: Findings) -> Draft:
    """Answer with the best item, of the requested release if any; partly if it lacks a requested value or name."""
    if not findings.fitting:
        return draft_not_found(findings)
    query, first = findings.query, findings.fitting[0].passage
    # A later release may name the asked one.
    is_later = query.form is Form.YES_NO and match_release(query.constraint, first.release) is VersionMatch.OUTSIDE
    if (first.is_foreign or is_later) and not findings.tells_now:
        exact = (i for i in findings.fitting if i.hit.match is VersionMatch.EXACT and not i.passage.is_foreign)
        findings = next((findings.led_by(item) for item in exact if is_about(findings, item.quote)), findings)
    if end := _newest_end(findings):
        findings = findings.led_by(end)
    is_present, verdict = findings.tells_now, None
    if query.form is Form.YES_NO:
        verdict = decide_yes_no(findings) if findings.verdict is None else findings.verdict
    ranked = findings.fitting
    best = ranked[0] if is_present or verdict is not None else _most_readable(findings, ranked[0])
    text = findings.text_of(best)
    least = _ADDS_SHARE * ranked[0].score
    beside = {item.number for item in ranked if item.passage is best.passage and item.score >= least}
    wanted, value = findings.focus.value, "" if is_present else missing_value(findings, best)
    quote = surround(quote_items(best.passage, best.number, best.number, text, adding=beside))
    document, named = quote.passage.document, names_asked(findings)
    words = " ".join((document.product, document.title, *quote.passage.heading, entry_of(findings, best)))
    tokens = frozenset(split_tokens(words))
    names = (n for n in findings.focus.names if n.text in named and not has_synonyms(n.text))
    written = (name for name in names if name.is_thing or not (name.text.isalnum() and name.text.islower()))
    sure = (name for name in written if name.text.lower() not in document.product.lower())
    # An option must match whole: another one may begin with the same word.
    unmet = (name for name in sure if not name.met_by(tokens))
    missing = [name for name in unmet if name.text[0] == "-" or tokens.isdisjoint(name_tokens(name.text))]
    is_another = query.act in ENDS and any(name.is_thing or name.text[0] == "-" for name in missing)
    is_elsewhere = findings.focus.names and not any(word.met_by(tokens) for word in findings.focus.keywords)
    # What brought a thing in an earlier release doesn't say what replaces it.
    is_new = query.form is Form.MIGRATE and best.hit.match is VersionMatch.BEARING and best.act in STARTS
    if is_new or is_another or (is_elsewhere and query.form.traits.turns_on_name and not is_present):
        return draft_not_found(findings)
    listed = " or ".join(as_code(name.text) for name in missing[:_NAMED])
    cautions = (f"None of the quotes mentions {listed}.",) if listed else ()
    asked_tokens, keeps_tickets = frozenset(findings.outcome.tokens), wanted in (Wanted.CHANGE, Wanted.PERSON)
    statement = statement_of(quote, text, keeps_tickets=keeps_tickets, tells_day=True, tokens=asked_tokens)
    if quote.passage.is_own and not quote.retracted:
        opening = Opening(verdict, "" if verdict is not None else event_status(findings, best.quote))
        statement = replace(statement, opening=opening)
    status = Status.PARTIAL if cautions or value else Status.ANSWERED
    lead = f"{begin_sentence(value)};" if value else ""
    statements = (statement, *([] if lead else _replacement(findings, quote, statement.words.text)))
    return Draft(status, words_of(lead), statements, cautions, leads_on=bool(lead))


def _replacement(findings: Findings, quote: Quote, shown: str) -> list[Statement]:
    """Return a statement of what to use now, if a question asks for it and the `shown` report of an end lacks it: code
    below the entry, or the newest entry up to that release that names the thing and its replacement; else empty."""
    passage, at, release, text = quote.passage, quote.passage.position, quote.passage.release, findings.text_of(quote)
    ends = any(item.span == quote.core and item.act in ENDS for item in passage.items)
    if findings.query.form is not Form.MIGRATE or not (ends and release) or _ELSEWHERE.search(shown):
        return []
    rows = {at, at + 1}.intersection(findings.index.release_positions(passage.document.product, release))
    near = [p for p in findings.index.load_passages(sorted(rows)) if p.document.id == passage.document.id]
    below = [(p, n) for p in near for n, item in enumerate(p.items) if item.span.start >= quote.core.end]
    for (before, m), (after, n) in pairwise(takewhile(lambda place: not place[0].items[place[1]].is_entry, below)):
        if after.items[n].is_code and _AFTER.fullmatch(before.items[m].span.slice(text)):
            return [statement_of(quote_items(after, n, n, text), text)]
    unbound = replace(findings, query=replace(findings.query, constraint=None, bearing=None))
    wide = with_all_mentions(unbound, findings.focus.names or findings.focus.keywords) or findings
    mentions = [(item, wide.words_of(item)) for item in wide.scored if item.passage.is_own and is_about(wide, quote)]
    naming = [
        ((item.act in WARNS) + ("deprecat" in words), item.passage.release_order, n, item)
        for n, (item, words) in enumerate(mentions)
        if _ELSEWHERE.search(words) and (item.act in ENDS | WARNS or "deprecat" in words) and is_about(wide, item.quote)
        if comes_after(quote, item.quote) and not item.quote.shares_core(quote)
    ]
    newest = [quote_item(item, findings.text_of(item)) for *_, item in sorted(naming)[-1:]]
    return [statement_of(named, findings.text_of(named), tells_day=True) for named in newest]


def _newest_end(findings: Findings) -> ItemScore | None:
    """Return the newest removal or deprecation of what a pasted error names, or the best item if it is a removal (a
    name may be removed from one place after another); None for none."""
    names = [word for word in findings.focus.names if word.text in findings.query.symbols]
    if findings.query.form is not Form.ERROR or not names:
        return None
    wide = with_all_mentions(findings, names) or findings

    def is_end(item: ItemScore) -> bool:
        words = wide.words_of(item)
        clause = frozenset(split_tokens(first_clause(words)))
        is_told = item.act in ENDS and item.passage.is_own and share_met(names, clause) > 0
        return is_told and not ends_only_part(findings, words)

    best = findings.fitting[0]
    if best.act in REMOVES and is_end(best):
        return best
    return max(filter(is_end, wide.fitting), key=lambda item: item.passage.release_order, default=None)


def draft_probable(findings: Findings, *, aside: Collection[str] = ()) -> Draft | None:
    """Answer with one of the first two items, marked as probable; None if neither contains at least two keywords, all
    names required except those `aside`, all others but one, the kind of value asked for, for "since when" the event."""
    keywords, asked_names, query = findings.focus.keywords, {*names_asked(findings)}, findings.query
    event, behind = query.act or Act.ADDED, _AHEAD * max((item.score for item in findings.fitting[1:]), default=0.0)

    def is_enough(item: ItemScore) -> bool:
        if query.form.traits.is_trouble and item.score >= max(_NEAR, behind):
            return True  # What somebody sees is told in other words.
        lacking = [word for word in keywords if not word.met_by(item.tokens)]
        names = {word.text for word in lacking if word.is_name}.difference(aside)
        is_other = query.form is Form.SINCE_WHEN and not reports_act(event, item.act, findings.words_of(item))
        return len(keywords) > len(lacking) + 1 and len(names) < 2 and not (names & asked_names or is_other)

    best = next((item for item in findings.fitting[:2] if is_enough(item) and not missing_value(findings, item)), None)
    if best is None:
        return None
    fact = draft_fact(findings.led_by(best))
    bare = (replace(statement, opening=None) for statement in fact.statements)
    return replace(fact, lead=words_of("Probably:"), statements=tuple(bare), leads_on=True) if fact.statements else None


def _most_readable(findings: Findings, best: ItemScore) -> ItemScore:
    """Return the best item, or one nearly as good: in place of code a sentence with a word of the question, in place of
    an entry about another thing, for a question about an event, one about the thing asked for."""
    near = (item for item in findings.fitting if item.score >= _PROSE_SHARE * best.score)
    if best.passage.is_unreleased:
        return next((item for item in near if not item.passage.is_unreleased and is_about(findings, item.quote)), best)
    if best.item.is_code:
        keywords, prose = findings.focus.keywords, (item for item in near if not item.item.is_code)
        least = _PROSE_SHARE * share_met(keywords, best.tokens)
        return next((item for item in prose if share_met(keywords, item.tokens) >= least), best)
    # "Since when" has chosen by the event.
    if findings.query.act is None or findings.query.form is Form.SINCE_WHEN or is_about(findings, best.quote):
        return best
    return next((item for item in near if is_about(findings, item.quote)), best)


def draft_across_releases(findings: Findings) -> Draft:
    """Answer with the best items of the requested releases, in version order; as `draft_fact` does if only one fits."""
    rank = {hit.passage.position: n for n, hit in enumerate(findings.outcome.hits)}
    fitting, outside = findings.fitting, VersionMatch.OUTSIDE
    released = ((item, item.passage.release) for item in fitting)
    in_range = [i for i, of in released if of is None or match_release(findings.query.constraint, of) is not outside]
    scores = [(i.likeness + _RANK_GIVEN_BACK * rank.get(i.passage.position, 0), i) for i in in_range or fitting]
    best = sorted(scores, key=lambda score: -score[0])[:_ACROSS]
    chosen = (item for score, item in best if score >= _MIN_SHARE * best[0][0])
    quotes = without_overlaps(quote_item(item, findings.text_of(item)) for item in chosen)
    if len(quotes) < 2:
        return draft_fact(findings)
    quotes.sort(key=lambda quote: (quote.passage.release_order, quote.core))
    stated = (statement_of(quote, findings.text_of(quote), max_characters=_ACROSS_CHARACTERS) for quote in quotes)
    return Draft(Status.ANSWERED, statements=tuple(stated))
