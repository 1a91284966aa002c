"""Yes or no, where a question asks for it: told by the model that judges claims, which reads the question beside the
items that answer best.
"""

from dataclasses import dataclass

from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.versions import Version
from retrieval.answers.events import ALL, CERTAIN, ENDS, GONE, MENDS, REPLACES, is_about, is_told_first
from retrieval.claims.entailment import judge_claims
from retrieval.claims.wording import read_wording
from retrieval.composing import OPINION, is_unreleased
from retrieval.findings import Findings
from retrieval.judge.pairs import Sign, named_releases, read_pair, split_words, told_of
from retrieval.quoting.quotes import GOES, ItemScore

_TOLD = GONE | {Act.ADDED}
_UNDENIED = MENDS | {Act.DEPRECATED}
_READ, _LATER = 20, 2
_SURE, _LIKELY = 0.8, 0.5
"""How sure yes or no must be, and how sure where the entry itself surely tells the end that is asked about, or a bound
above the number. What the first gives, and .7 in its place, tells docs/decisions/0012; the second was chosen by hand,
never fitted."""
_ANSWERS, _BOUNDS = 0.15, 0.05
"""How likely the entry must be to hold the answer at all; a bound is told in other numbers than it is asked for. Of
panels asked with and without the first tells docs/decisions/0012; the second was chosen by hand, never fitted."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """The probabilities that an entry says yes and that it says no, and whether it sets a bound above what is asked."""

    yes: float
    no: float
    is_below: bool = False


def decide_yes_no(findings: Findings) -> tuple[ItemScore, bool | None]:
    """What answers a question for yes or no as things are now, and which of them it surely says, if any: the entry that
    answers best, or a later one on the same thing that says otherwise."""
    best = findings.fitting[0]
    if not _may_decide(best, best):
        return best, None
    first = _judge(findings, best)
    # Where a thing's end is asked for and told, only what takes that back says otherwise.
    is_told = best.act is findings.query.act in GONE and best.item.certainty >= CERTAIN and first.yes > first.no
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
            return one, _yes_or_no(findings, one, newer)
    return best, _yes_or_no(findings, best, first)


def _judge(findings: Findings, one: ItemScore) -> _Judged:
    """What an entry makes of the question. Of a number above a bound that it sets it can't say no; and what a question
    itself denies, or asks between ("is it gone or still there"), the model doesn't read."""
    asked, told = one_line(findings.query.search_text).rstrip("? "), told_of(one, findings.index)
    pair = read_pair(asked, named_releases(findings.query), told)
    signs = {sign for _, _, sign in pair[0].signs}
    if Sign.DENIAL in signs or "or" in split_words(asked.casefold()):
        return _Judged(0.0, 0.0)
    (judged,) = judge_claims([pair])
    is_below = told.act is Act.REQUIRES and Sign.LOWER_NUMBER in signs
    return _Judged(judged.supported, judged.contradicted * read_wording(pair, told).can_refute, is_below)


def _yes_or_no(findings: Findings, one: ItemScore, judged: _Judged) -> bool | None:
    is_so, act, asked_act = judged.yes > judged.no, one.act, findings.query.act
    is_first = is_told_first(findings, findings.words_of(one))
    tells = one.item.certainty >= _LIKELY and is_first and is_about(findings, one.quote, least=ALL)
    is_asked = act in _TOLD and act is asked_act if is_so else act in (Act.REMOVED, Act.REPLACED)
    least = _LIKELY if judged.is_below or (tells and is_asked) else _SURE
    if max(judged.yes, judged.no) < least or one.score < (_BOUNDS if judged.is_below else _ANSWERS):
        return None
    # What took a thing's place didn't go with it.
    if (act in ENDS or REPLACES.search(findings.words_of(one))) and not is_first:
        return None
    told, asked = (split_tokens(text) for text in (findings.words_of(one), findings.query.search_text))
    if is_so:
        # Nor is a thing there of whose end the entry tells, or gone that is deprecated, or what is to come.
        is_to_come = act is Act.PLANNED or ("will" in told and "will" not in asked and act is not asked_act)
        is_other_end = act is Act.DEPRECATED and asked_act in GOES
        is_ended = act in GOES and asked_act not in GONE
        return None if is_to_come or is_other_end or is_ended else True
    # No entry tells that a thing is not mended or not deprecated, nor one of something else that it didn't go, nor one
    # that tells or begins with the asked end ("Drop support for", to "did it drop") that this end wasn't.
    names = {token for name in findings.focus.names for token in name.tokens}
    begun = {*told[:1], *split_tokens(act)} - STOP_WORDS - names - set(split_tokens(one.passage.document.product))
    is_same_end = not {act, asked_act}.isdisjoint(GONE) and not begun.isdisjoint(asked)
    is_unsure = asked_act in GONE and (one.item.certainty < _LIKELY or act not in ENDS)
    return None if asked_act in _UNDENIED or is_same_end or is_unsure else False


def _may_decide(one: ItemScore, best: ItemScore) -> bool:
    """Whether an entry is the product's own word on a release that is out."""
    document = one.passage.document
    is_out = Version.try_parse(one.passage.release or "") is not None and not is_unreleased(one.passage)
    is_own = document.product == best.passage.document.product and document.authority not in OPINION
    return is_out and is_own and not one.item.retracted
