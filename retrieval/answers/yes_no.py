"""Yes or no, where a question asks for it: told by the model that judges claims, which reads the question beside the
items that answer best.
"""

from corpus.happenings import NOT_DONE
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.versions import VersionMatch
from retrieval.answers.events import ALL, ENDS, GONE, MENDS, REPLACES, has_happened, is_about, is_past, is_told_first
from retrieval.judge.claims import judge_claims
from retrieval.judge.pairs import Sign, named_releases, read_pair, split_words, told_of
from retrieval.judge.wording import read_wording
from retrieval.quoting.composing import is_unreleased
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import GOES, ItemScore

_TOLD = GONE | {Act.ADDED}
_UNDENIED = MENDS | {Act.DEPRECATED}
_SURE, _LIKELY = 0.8, 0.5
"""How sure yes or no must be, and how sure where the entry itself surely tells what is asked about. What the first
gives, and .7 in its place, tells docs/decisions/0012; the second was chosen by hand, never fitted."""
_ANSWERS = 0.15
"""How likely the entry must be to hold the answer at all. Of panels asked with and without it tells
docs/decisions/0012."""


def decide_yes_no(findings: Findings) -> tuple[ItemScore, bool | None]:
    """What answers a question for yes or no best, and which of them it surely says, if any."""
    best = findings.fitting[0]
    # The product's own word on a release that is out.
    is_out = best.passage.release is not None and not is_unreleased(best.passage)
    may_decide = is_out and best.passage.is_own and not best.item.retracted and best.score >= _ANSWERS
    return best, _yes_or_no(findings, best) if may_decide else None


def _yes_or_no(findings: Findings, best: ItemScore) -> bool | None:
    asked, told = one_line(findings.query.search_text).rstrip("? "), told_of(best, findings.index)
    pair = read_pair(asked, named_releases(findings.query), told)
    # What a question itself denies, or asks between ("is it gone or still there"), the model doesn't read.
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs) or "or" in split_words(asked.casefold()):
        return None
    happened = None if findings.query.act is None else has_happened(findings, best, findings.query.act)
    if happened is False and best.act in NOT_DONE:
        # A known issue of the asked release isn't mended in it, nor has it done what it plans.
        is_asked = findings.query.constraint is not None and best.hit.match is VersionMatch.EXACT
        return False if is_asked and is_about(findings, best.quote, least=ALL) else None
    (judged,) = judge_claims([pair])
    yes, no = judged.supported, judged.contradicted * read_wording(pair, told).can_refute
    is_so, act, asked_act = yes > no, best.act, findings.query.act
    is_first = is_told_first(findings, findings.words_of(best))
    tells = best.item.certainty >= _LIKELY and is_first and is_about(findings, best.quote, least=ALL)
    is_asked = act in _TOLD and act is asked_act if is_so else act in (Act.REMOVED, Act.REPLACED)
    if max(yes, no) < (_LIKELY if tells and is_asked else _SURE):
        return None
    # What took a thing's place didn't go with it.
    if (act in GONE or REPLACES.search(findings.words_of(best))) and not is_first:
        return None
    words, question = (split_tokens(text) for text in (findings.words_of(best), findings.query.search_text))
    if not is_so:
        # No entry tells that a thing is not mended or not deprecated, nor one of something else that it didn't go, nor
        # one that tells or begins with the asked end ("Drop support for", to "did it drop") that this end wasn't.
        names = {token for name in findings.focus.names for token in name.tokens}
        begun = {*words[:1], *split_tokens(act)} - STOP_WORDS - names - set(split_tokens(told.product))
        is_same_end = asked_act in GONE and (act not in ENDS or not begun.isdisjoint(question))
        return None if asked_act in _UNDENIED or is_same_end else False
    # Nor is a thing there of whose end the entry tells, or what is to come.
    is_to_come = act is Act.PLANNED or ("will" in words and "will" not in question and act is not asked_act)
    is_ended = act in GOES and asked_act not in GONE | {act}
    constraint = findings.query.constraint
    is_over = asked_act is not Act.REVERTED and not (constraint and constraint.versions) and is_past(findings, best)
    return None if is_to_come or happened is False or is_ended or is_over else True
