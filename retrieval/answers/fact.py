"""The plain answer: what answers best with what explains it, and what else is about as likely to answer; of several
releases the entries that answer best, in version order.

Before the words of its first quote it says yes or no where that is asked, and what became of the thing. A word of ours
stands only where question and quote agree; where either isn't sure, the quote opens. Yes and no are told by the model
that judges claims, which reads the question beside the items that answer best.
"""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act
from corpus.plain_words import as_code, one_line, readable
from corpus.versions import Version, VersionMatch
from retrieval.answers.not_found import draft_not_found
from retrieval.claims.entailment import load_entailment
from retrieval.claims.evidence import named_releases, told_of
from retrieval.claims.pairs import Sign, read_pair
from retrieval.claims.wording import read_wording
from retrieval.drafting import OPINION, STATEMENT_CHARACTERS, Draft, Opening, is_unreleased, state
from retrieval.findings import Findings
from retrieval.model import Form, Status, Wanted
from retrieval.question.words import share_met
from retrieval.quoting.quotes import (
    GOES,
    MAX_QUOTE_CHARACTERS,
    ItemScore,
    Quote,
    explain,
    join_neighbours,
    quote_item,
    select_quotes,
)
from retrieval.quoting.said_words import leads_away
from retrieval.releases.matching import match_release
from retrieval.search.item_forms import is_code, is_title

_STATEMENTS = 4
_NAMED = 3
_ANSWER_CHARACTERS = 750
_FIRST_CHARACTERS, _FURTHER_CHARACTERS = 260, 200
"""A statement takes in what explains it up to this length, the first so that it is told within the first lines."""
_MIN_SHARE, _MIN_SHARE_BESIDE = 0.45, 0.2
"""A further statement must be this much as likely to hold the answer as the first; within its quote it costs less."""
_ACROSS, _ACROSS_CHARACTERS = 7, 180
"""Statements of several releases at most, and the length of each."""
_MIN_SHARE_ACROSS = 0.4
"""An entry of several releases must score this share of the best."""
_RANK_GIVEN_BACK = 0.015
"""For each place that an entry's passage stands behind the first, for a range is told in more than one passage."""
STATUS = {
    Act.DEPRECATED: "Deprecated in",
    Act.REMOVED: "Removed in",
    Act.REPLACED: "Replaced in",
    Act.REVERTED: "Reverted in",
    Act.FIXED: "Fixed in",
    Act.SECURED: "Fixed in",
}
"""What happened, as it is said before the release."""
ARRIVES = frozenset({Act.ADDED, Act.CHANGED, Act.DEFAULT, Act.REQUIRES})
"""What is so since the release that tells it."""
_MENDS = frozenset({Act.FIXED, Act.SECURED, Act.FASTER})
_GONE = frozenset({Act.REMOVED, Act.REPLACED, Act.DEPRECATED})
_ENDS = GOES | _GONE
_UNDENIED = _MENDS | {Act.DEPRECATED}
_CERTAIN = 0.7
"""How surely an item must have been read to tell what happened."""
_READ, _LATER = 20, 2
_REPLACES = re.compile(r"\b(?:instead|rather|in (?:favou?r|place) of|replaced|superseded|renamed)\b", re.IGNORECASE)
_ELSE = re.compile(rf"[.:;]\s|{_REPLACES.pattern}|\buse\b", re.IGNORECASE)
_SURE, _LIKELY, _ANSWERS = 0.8, 0.5, 0.15
"""How sure yes or no must be, and how likely the entry to hold the answer at all. On 176 questions of both polarities
about eight projects (half of them in `tests/data/polarity`) 52 got a word, .98 right; 59, .93 right, with whatever
entry."""
_ABOUT, ALL = 0.6, 0.85
"""Of the weight of what is asked about: what became of another thing isn't said of this one."""


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one."""
    ranked = findings.fitting
    if not ranked:
        return draft_not_found(findings)
    first, verdict = decide(findings) if findings.query.form is Form.YES_NO else (ranked[0], None)
    quotes = _choose_quotes(findings, (replace(first, score=ranked[0].score), *ranked))
    # Which names of the question stand in none of the quotes nor above them; 13 stands in "13.0+".
    said = ""
    for quote in quotes:
        document, heading = quote.passage.document, quote.passage.heading
        said += " ".join((" ", document.product, document.title, *heading, quote.span.slice(findings.text_of(quote))))
    tokens, names = frozenset(split_tokens(said)), findings.focus.names
    unsaid = [
        name
        for name in names
        if not name.met_by(tokens) and not re.search(rf"(?<!\w){re.escape(name.text)}(?!\w)", said, re.IGNORECASE)
    ]
    # Numbers others answer ("3.9 or later" a question about 3.8), and rare words notes may say otherwise.
    own = [name for name in names if not (name.text[0].isdigit() or name.text.islower())]
    if verdict is None and own and all(name in unsaid for name in own):
        # Where no passage about its products has one of them, what is told is of something else.
        products = [product.name for product in findings.products]
        if not findings.index.passages_holding((t for name in own for t in name.tokens), products=products).size:
            return draft_not_found(findings)
    texts = [name.text for name in unsaid if not name.text.islower()]
    named = " or ".join(map(as_code, texts[:_NAMED]))
    cautions = (f"None of the quotes mentions {named}.",) if named else ()
    keeps_tickets = findings.focus.value is Wanted.CHANGE
    statements = [
        state(quote, findings.text_of(quote), keeps_tickets=keeps_tickets, tells_day=quote is quotes[0])
        for quote in quotes
    ]
    if quotes[0].passage.document.authority not in OPINION and not quotes[0].retracted:
        opening = Opening(verdict, "" if verdict is not None else told_status(findings, first))
        statements[0] = replace(statements[0], opening=opening)
    return Draft(Status.PARTIAL if cautions else Status.ANSWERED, "", tuple(statements), cautions)


def _choose_quotes(findings: Findings, ranked: Sequence[ItemScore]) -> list[Quote]:
    """What is said, best first, each item with what explains it, as long as the answer stays short: what stands within
    an earlier quote is proven by that, and needs to answer less well than what needs a quote of its own."""
    quotes: list[Quote] = []
    room = _ANSWER_CHARACTERS
    for scored in ranked:
        text = findings.text_of(scored)
        beside = next((q for q in quotes if q.passage is scored.passage and q.span.holds(scored.item.span)), None)
        least = (_MIN_SHARE_BESIDE if beside else _MIN_SHARE) * ranked[0].score
        words = scored.item.span.slice(text)
        is_bare = is_code(text, scored.item.span) or is_title(scored.passage, words) or scored.item.retracted
        if quotes and (scored.score < least or (beside and is_bare)):
            continue
        if beside:
            quote = replace(beside, core=scored.item.span)
        else:
            quote = quote_item(scored, text, room=MAX_QUOTE_CHARACTERS, apart_from=quotes)
        if any(_says_again(findings, quote, other) for other in quotes):
            continue
        length = _FURTHER_CHARACTERS if quotes else _FIRST_CHARACTERS
        quote = explain(quote, text, room=length, apart_from=quotes, shows_code=findings.query.form.tells_trouble)
        length = min(len(one_line(quote.core.slice(text))), STATEMENT_CHARACTERS)
        if not quotes or length <= room:
            quotes.append(quote)
            room -= length
        if len(quotes) == _STATEMENTS:
            break
    return quotes


def _says_again(findings: Findings, quote: Quote, other: Quote) -> bool:
    """Whether a quote's core stands in another's, or says the same in another place (a fix of two patch releases)."""
    if quote.shares_core(other) or (quote.span != other.span and quote.overlaps(other)):
        return True
    words, theirs = (one_line(findings.core_of(q)).casefold() for q in (quote, other))
    return words == theirs


def draft_across_releases(findings: Findings) -> Draft:
    """Quote the best entries of the asked releases, in version order; the plain answer where there is only one."""
    rank = {hit.passage.position: n for n, hit in enumerate(findings.outcome.hits)}
    asked = []
    for one in findings.fitting:
        release = Version.parse(one.passage.release) if one.passage.release else None
        if release is None or match_release(findings.query.constraint, release) is not VersionMatch.OUTSIDE:
            asked.append(one)
    scores: list[tuple[float, ItemScore]] = []
    for one in asked or findings.fitting:
        words, passage = findings.words_of(one), one.passage
        if not leads_away(words) and one_line(words) not in {*map(one_line, passage.heading), passage.document.title}:
            # What the source takes back stands behind the others.
            score = one.likeness - one.item.retracted / 4 + _RANK_GIVEN_BACK * rank.get(passage.position, 0)
            scores.append((score, one))
    best = sorted(scores, key=lambda score: -score[0])[:_ACROSS]
    chosen = [scored for score, scored in best if score >= _MIN_SHARE_ACROSS * best[0][0]]
    if len(chosen) < 2:
        return draft_fact(findings)
    quotes = sorted(
        join_neighbours(select_quotes(chosen, findings.index, limit=_ACROSS)),
        key=lambda quote: (quote.passage.release_order, quote.core),
    )
    stated = (state(quote, findings.text_of(quote), max_characters=_ACROSS_CHARACTERS) for quote in quotes)
    return Draft(Status.ANSWERED, "", tuple(stated))


def told_status(findings: Findings, one: ItemScore) -> str:
    """What became of the thing asked about, where the entry surely tells that of all of it, and the question asks for
    it or begins with it; else empty."""
    act, form = one.item.act, findings.query.form
    asked = _GONE if form is Form.MIGRATE else _MENDS if form.tells_trouble else frozenset({findings.query.act})
    is_told = act in asked and one.item.certainty >= _CERTAIN and is_about(findings, one.quote)
    is_told = is_told and (act not in _ENDS or _is_told_first(findings, one))
    # "Revert the fix of …" is read as a fix, for what it speaks of.
    is_told = is_told and not (act in _MENDS and "revert" in split_tokens(findings.words_of(one)))
    return STATUS.get(act, "") if is_told and not is_code(findings.text_of(one), one.item.span) else ""


def is_about(findings: Findings, quote: Quote, *, least: float = _ABOUT) -> bool:
    """Whether what a quote says, or stands under, names what is asked about, its numbers one and all; a question
    without a telling word is about nothing."""
    document, focus = quote.passage.document, findings.focus
    said = (document.product, document.title, *quote.passage.heading, findings.core_of(quote))
    tokens, asked = frozenset(split_tokens(" ".join(said))), focus.names or focus.telling
    is_met = all(word.met_by(tokens) for word in asked if word.text[0].isdigit())
    return bool(focus.telling) and is_met and share_met(asked, tokens) >= least


def decide(findings: Findings) -> tuple[ItemScore, bool | None]:
    """What answers a question for yes or no as things are now, and which of them it surely says, if any: the entry that
    answers best, or a later one on the same thing that says otherwise."""
    best = findings.fitting[0]
    if not _may_decide(best, best):
        return best, None
    first = _judge(findings, best)
    later = [
        one
        for one in findings.fitting[:_READ]
        if one.passage.release_order > best.passage.release_order
        and is_about(findings, one.quote, least=ALL)
        and _may_decide(one, best)
    ]
    # What was there before is told by how it came better than by what was added to it.
    for one in sorted(later, key=lambda one: one.passage.release_order, reverse=True)[:_LATER]:
        newer = _judge(findings, one)
        is_other = newer.index(max(newer)) != first.index(max(first))
        if max(newer) >= (_SURE if max(first) < _SURE else _LIKELY if is_other else 1):
            return one, _verdict(findings, one, newer)
    return best, _verdict(findings, best, first)


def _judge(findings: Findings, one: ItemScore) -> tuple[float, float]:
    """The probabilities that an entry says yes and that it says no. Of a number above a bound that it sets it can't say
    no; and what a question itself denies the model doesn't read."""
    asked, told = one_line(findings.query.search_text).rstrip("? "), told_of(one, findings.index)
    pair = read_pair(asked, named_releases(findings.query), told)
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs):
        return 0.0, 0.0
    (judged,) = load_entailment().judge([pair])
    return judged.supported, judged.contradicted * read_wording(pair, told).can_refute


def _verdict(findings: Findings, one: ItemScore, judged: tuple[float, float]) -> bool | None:
    is_so = judged[0] > judged[1]
    if max(judged) < _SURE or one.score < _ANSWERS:
        return None
    # What took a thing's place didn't go with it.
    is_turned = one.act in _ENDS or _REPLACES.search(findings.words_of(one))
    if is_turned and not _is_told_first(findings, one):
        return None
    told, asked = (split_tokens(text) for text in (findings.words_of(one), findings.query.search_text))
    if is_so:
        # Nor is a thing there of whose end the entry tells, or what is to come.
        is_to_come = one.act is Act.PLANNED or ("will" in told and "will" not in asked)
        return None if is_to_come or (one.act in GOES and findings.query.act not in _GONE) else True
    # No entry tells that a thing is not mended or not deprecated, nor one that begins with the asked end ("Drop support
    # for", to "did it drop") that this end wasn't.
    names = {token for name in findings.focus.names for token in name.tokens}
    begun = set(told[:1]) - STOP_WORDS - names
    is_same_end = one.act in _GONE and not begun.isdisjoint(asked)
    return None if findings.query.act in _UNDENIED or is_same_end else False


def _is_told_first(findings: Findings, one: ItemScore) -> bool:
    """Whether an entry names what is asked about, whole, before it comes to something else."""
    first = frozenset(split_tokens(_ELSE.split(readable(findings.words_of(one)), maxsplit=1)[0]))
    asked = findings.focus.names or findings.focus.telling
    return all(word.tokens[0] in first for word in findings.focus.names) and share_met(asked, first) >= _ABOUT


def _may_decide(one: ItemScore, best: ItemScore) -> bool:
    """Whether an entry is the product's own word on a release that is out."""
    document = one.passage.document
    is_out = Version.try_parse(one.passage.release or "") is not None and not is_unreleased(one.passage)
    is_own = document.product == best.passage.document.product and document.authority not in OPINION
    return is_out and is_own and not one.item.retracted
