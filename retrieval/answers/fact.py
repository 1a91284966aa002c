"""The plain answer: what answers best with what explains it, and what else is about as likely to answer; of several
releases the entries that answer best, in version order.

Before the words of its first quote it says yes or no where that is asked, and what became of the thing. A word of ours
stands only where question and quote agree; where either isn't sure, the quote opens. Yes and no are told by the model
that judges claims, which reads the question beside the items that answer best.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

from corpus.lexicon import STOP_WORDS, question_tokens, split_tokens
from corpus.model import Act, Span
from corpus.plain_words import as_code, one_line, readable
from corpus.versions import Version, VersionMatch
from retrieval.answers.not_found import draft_not_found
from retrieval.claims.entailment import load_entailment
from retrieval.claims.evidence import named_releases, told_of
from retrieval.claims.pairs import DENIALS, Sign, read_pair, split_words
from retrieval.claims.wording import read_wording
from retrieval.drafting import OPINION, STATEMENT_CHARACTERS, Draft, Opening, is_unreleased, said_words, state
from retrieval.findings import Findings
from retrieval.model import Form, Status, Wanted
from retrieval.question.words import share_met
from retrieval.quoting.quotes import (
    GOES,
    MAX_QUOTE_CHARACTERS,
    ItemScore,
    Quote,
    code_of,
    explain,
    join_neighbours,
    quote_item,
    select_quotes,
)
from retrieval.quoting.said_words import is_credit, leads_away
from retrieval.releases.matching import match_release
from retrieval.releases.statements import read_statement
from retrieval.search.item_forms import is_title

_STATEMENTS, _MOST_STATEMENTS = 2, 4
"""Statements of an answer; the most where further ones bring names of the question that the first don't."""
_NAMED = 3
_ANSWER_CHARACTERS = 750
_FIRST_CHARACTERS, _FURTHER_CHARACTERS = 260, 200
"""A statement takes in what explains it up to this length, the first so that it is told within the first lines."""
_MIN_SHARE, _MIN_SHARE_BESIDE, _MIN_SHARE_NAMING, _NEW_SHARE = 0.8, 0.8, 0.4, 0.5
"""A further statement must be this much as likely to hold the answer as the first; less where it has a name of the
question that wasn't told yet; of its words this share must be new. Chosen on the practice questions of the seeds and of
shared/fresh (n 149), where lower shares make no answer better; .85 and .6 cost one."""
_ADDS_SHARE, _PROSE_SHARE = 0.3, 0.5
"""A sentence beside is told with it, and prose in place of code, where it is this much as likely to hold the answer."""
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
_TOLD = _GONE | {Act.ADDED}
_UNDENIED = _MENDS | {Act.DEPRECATED}
_DOERS = (Wanted.CHANGE, Wanted.PERSON)
_CERTAIN = 0.7
"""How surely an item must have been read to tell what happened."""
_READ, _LATER = 20, 2
_REPLACES = re.compile(r"\b(?:instead|rather|in (?:favou?r|place) of|replaced|superseded|renamed)\b", re.IGNORECASE)
_ELSE = re.compile(rf"[.:;]\s|{_REPLACES.pattern}|\buse\b", re.IGNORECASE)
_SURE, _LIKELY = 0.8, 0.5
"""How sure yes or no must be, and how sure where the entry itself surely tells the end that is asked about, or a bound
above the number."""
_ANSWERS, _BOUNDS = 0.15, 0.05
"""How likely the entry must be to hold the answer at all; a bound is told in other numbers than it is asked for."""
_ABOUT, ALL = 0.6, 0.85
"""Of the weight of what is asked about: what became of another thing isn't said of this one."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """The probabilities that an entry says yes and that it says no, and whether it sets a bound above what is asked."""

    yes: float
    no: float
    is_below: bool = False


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one."""
    ranked = findings.fitting
    if not ranked:
        return draft_not_found(findings)
    first, verdict = decide(findings) if findings.query.form is Form.YES_NO else (ranked[0], None)
    if first.item.is_code and verdict is None:
        # A sentence that answers about as well is read more easily.
        told = (one for one in ranked if not one.item.is_code and one.score >= _PROSE_SHARE * first.score)
        first = next(told, first)
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
    keeps_tickets = findings.focus.value in _DOERS
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
    said: frozenset[str] = frozenset()
    room = _ANSWER_CHARACTERS
    least_added = _ADDS_SHARE * ranked[0].score
    adding: dict[int, frozenset[Span]] = defaultdict(frozenset)
    for one in ranked:
        if one.score >= least_added:
            adding[one.passage.position] |= {one.item.span}
    for scored in ranked:
        text = findings.text_of(scored)
        beside = next((q for q in quotes if q.passage is scored.passage and q.span.holds(scored.item.span)), None)
        brings = {name.tokens[0] for name in findings.focus.names} & scored.tokens - said
        least = (_MIN_SHARE_NAMING if brings else _MIN_SHARE_BESIDE if beside else _MIN_SHARE) * ranked[0].score
        words = scored.item.span.slice(text)
        if is_credit(words) and findings.focus.value not in _DOERS and scored is not ranked[-1]:
            continue
        is_bare = scored.item.is_code or is_title(scored.passage, words) or scored.item.retracted
        is_enough = len(quotes) >= _STATEMENTS and not brings
        if quotes and (is_enough or scored.score < least or (beside and is_bare) or leads_away(words)):
            continue
        if beside:
            quote = replace(beside, core=scored.item.span)
        else:
            quote = quote_item(scored, text, room=MAX_QUOTE_CHARACTERS, apart_from=quotes)
        if any(_says_again(findings, quote, other) for other in quotes):
            continue
        if quotes and not brings and not _adds(findings, words, quotes):
            continue
        length = _FURTHER_CHARACTERS if quotes else _FIRST_CHARACTERS
        quote = explain(
            quote,
            text,
            room=length,
            apart_from=quotes,
            shows_code=findings.query.form.tells_trouble,
            adding=adding[scored.passage.position] | {scored.item.span},
        )
        length = min(len(one_line(quote.core.slice(text))), STATEMENT_CHARACTERS)
        if not quotes or length <= room:
            quotes.append(quote)
            room -= length
            said |= scored.tokens
        if len(quotes) == _MOST_STATEMENTS:
            break
    return quotes


def _adds(findings: Findings, words: str, quotes: Sequence[Quote]) -> bool:
    """Whether an item tells a number that no quote's core has told, or enough in other words."""
    said = frozenset(token for quote in quotes for token in split_tokens(findings.core_of(quote)))
    told = frozenset(question_tokens(one_line(words)))
    return any(token[0].isdigit() for token in told - said) or len(told - said) >= _NEW_SHARE * len(told)


def _says_again(findings: Findings, quote: Quote, other: Quote) -> bool:
    """Whether a quote's core stands in another's, or says the same in another place (a fix of two patch releases)."""
    if quote.shares_core(other) or (quote.span != other.span and quote.overlaps(other)):
        return True
    words, theirs = (one_line(findings.core_of(q)).casefold() for q in (quote, other))
    code, other_code = (code_of(q, findings.text_of(q)) for q in (quote, other))
    return words in theirs or theirs in words or (bool(code) and code == other_code)


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
    """What became of the thing asked about, where the entry tells that event and the question asks for it or begins
    with it; else empty."""
    form = findings.query.form
    asked = _GONE if form is Form.MIGRATE else _MENDS if form.tells_trouble else frozenset({findings.query.act})
    return STATUS.get(one.item.act, "") if one.item.act in asked and tells_event(findings, one.quote) else ""


def tells_event(findings: Findings, quote: Quote) -> bool:
    """Whether a quote surely tells what happened in its own release to all of what is asked about, not just in passing
    nor as a plan."""
    item = next((item for item in quote.passage.items if item.span == quote.core), None)
    if item is None or item.is_code or not is_about(findings, quote):
        return False
    # Whose every telling word stands there needs to be less sure.
    is_whole = share_met(findings.focus.telling, _said_with(findings, quote)) >= ALL
    if item.certainty < (_LIKELY if is_whole else _CERTAIN):
        return False
    words = findings.core_of(quote)
    stated = read_statement(words)
    if stated and stated[0] is item.act and stated[1] != Version.try_parse(quote.passage.release or ""):
        return False
    # "Revert the fix of …" is read as a fix, for what it speaks of.
    is_undone = item.act in _MENDS and "revert" in split_tokens(words)
    return not is_undone and _tells_now(findings, item.act, words)


def _tells_now(findings: Findings, act: Act, words: str) -> bool:
    """Whether an entry tells an act as done, and of what is asked about before anything else; of what came also that
    it is so, unless the question denies it as well."""
    if act in _ENDS and not _is_told_first(findings, words):
        return False
    clause = split_words(_ELSE.split(readable(words), maxsplit=1)[0].casefold())
    told = [split_tokens(word)[:1] for word in clause]
    done = split_tokens(act)[:1]
    is_denied = act in ARRIVES and not DENIALS.isdisjoint(clause)
    is_denied = is_denied and DENIALS.isdisjoint(split_words(findings.query.text.casefold()))
    return not is_denied and "will" not in clause[: told.index(done) if done in told else None]


def is_about(findings: Findings, quote: Quote, *, least: float = _ABOUT) -> bool:
    """Whether what a quote says, or stands under, names what is asked about, its numbers one and all; a question
    without a telling word is about nothing."""
    tokens, asked = _said_with(findings, quote), findings.focus.names or findings.focus.telling
    is_met = all(word.met_by(tokens) for word in asked if word.text[0].isdigit())
    return bool(findings.focus.telling) and is_met and share_met(asked, tokens) >= least


def _said_with(findings: Findings, quote: Quote) -> frozenset[str]:
    document = quote.passage.document
    said = (document.product, document.title, *quote.passage.heading, findings.core_of(quote))
    return frozenset(split_tokens(" ".join(said)))


def decide(findings: Findings) -> tuple[ItemScore, bool | None]:
    """What answers a question for yes or no as things are now, and which of them it surely says, if any: the entry that
    answers best, or a later one on the same thing that says otherwise."""
    best = findings.fitting[0]
    if not _may_decide(best, best):
        return best, None
    first = _judge(findings, best)
    # Where a thing's end is asked for and told, only what takes that back says otherwise.
    is_told = best.act is findings.query.act in _GONE and best.item.certainty >= _CERTAIN and first.yes > first.no
    later = [
        one
        for one in findings.fitting[:_READ]
        if one.passage.release_order > best.passage.release_order
        and is_about(findings, one.quote, least=ALL)
        and _may_decide(one, best)
        and not (is_told and one.act is not Act.REVERTED)
    ]
    # What was there before is told by how it came better than by what was added to it.
    for one in sorted(later, key=lambda one: one.passage.release_order, reverse=True)[:_LATER]:
        newer = _judge(findings, one)
        is_other = (newer.yes > newer.no) != (first.yes > first.no)
        surest = max(first.yes, first.no)
        if max(newer.yes, newer.no) >= (_SURE if surest < _SURE else _LIKELY if is_other else 1):
            return one, _verdict(findings, one, newer)
    return best, _verdict(findings, best, first)


def _judge(findings: Findings, one: ItemScore) -> _Judged:
    """What an entry makes of the question. Of a number above a bound that it sets it can't say no; and what a question
    itself denies, or asks between ("is it gone or still there"), the model doesn't read."""
    asked, told = one_line(findings.query.search_text).rstrip("? "), told_of(one, findings.index)
    pair = read_pair(asked, named_releases(findings.query), told)
    signs = {sign for _, _, sign in pair[0].signs}
    if Sign.DENIAL in signs or "or" in split_words(asked.casefold()):
        return _Judged(0.0, 0.0)
    (judged,) = load_entailment().judge([pair])
    is_below = told.act is Act.REQUIRES and Sign.LOWER_NUMBER in signs
    return _Judged(judged.supported, judged.contradicted * read_wording(pair, told).can_refute, is_below)


def _verdict(findings: Findings, one: ItemScore, judged: _Judged) -> bool | None:
    is_so, act, asked_act = judged.yes > judged.no, one.act, findings.query.act
    is_first = _is_told_first(findings, findings.words_of(one))
    tells = one.item.certainty >= _LIKELY and is_first and is_about(findings, one.quote, least=ALL)
    is_asked = act in _TOLD and act is asked_act if is_so else act in (Act.REMOVED, Act.REPLACED)
    least = _LIKELY if judged.is_below or (tells and is_asked) else _SURE
    if max(judged.yes, judged.no) < least or one.score < (_BOUNDS if judged.is_below else _ANSWERS):
        return None
    # What took a thing's place didn't go with it.
    if (act in _ENDS or _REPLACES.search(findings.words_of(one))) and not is_first:
        return None
    told, asked = (split_tokens(text) for text in (findings.words_of(one), findings.query.search_text))
    if is_so:
        # Nor is a thing there of whose end the entry tells, or gone that is deprecated, or what is to come.
        is_to_come = act is Act.PLANNED or ("will" in told and "will" not in asked and act is not asked_act)
        is_other_end = act is Act.DEPRECATED and asked_act in GOES
        is_ended = act in GOES and asked_act not in _GONE
        return None if is_to_come or is_other_end or is_ended else True
    # No entry tells that a thing is not mended or not deprecated, nor one of something else that it didn't go, nor one
    # that tells or begins with the asked end ("Drop support for", to "did it drop") that this end wasn't.
    names = {token for name in findings.focus.names for token in name.tokens}
    begun = {*told[:1], *split_tokens(act)} - STOP_WORDS - names - set(split_tokens(one.passage.document.product))
    is_same_end = not {act, asked_act}.isdisjoint(_GONE) and not begun.isdisjoint(asked)
    is_unsure = asked_act in _GONE and (one.item.certainty < _LIKELY or act not in _ENDS)
    return None if asked_act in _UNDENIED or is_same_end or is_unsure else False


def _is_told_first(findings: Findings, words: str) -> bool:
    """Whether an entry names what is asked about, whole, before it comes to something else."""
    said = said_words(readable(words))
    first = frozenset(split_tokens(_ELSE.split(said, maxsplit=1)[0]))
    asked = findings.focus.names or findings.focus.telling
    return all(word.tokens[0] in first for word in findings.focus.names) and share_met(asked, first) >= _ABOUT


def _may_decide(one: ItemScore, best: ItemScore) -> bool:
    """Whether an entry is the product's own word on a release that is out."""
    document = one.passage.document
    is_out = Version.try_parse(one.passage.release or "") is not None and not is_unreleased(one.passage)
    is_own = document.product == best.passage.document.product and document.authority not in OPINION
    return is_out and is_own and not one.item.retracted
