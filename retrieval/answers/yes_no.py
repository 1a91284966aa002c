"""Yes or no, where a question asks for it: told by a model that reads question and best item together."""

from corpus.plain_words import one_line
from retrieval.answers.events import has_happened, is_about
from retrieval.judge.claims import judge_yes_no
from retrieval.judge.pairs import Sign, named_releases, read_pair, split_words, told_of
from retrieval.quoting.composing import is_unreleased
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import GOES

_SURE = 0.8  # How sure yes or no must be. What .7 gives tells docs/decisions/0012.
_ANSWERS = 0.15
"""How likely the item must be to hold the answer at all. Of panels asked with and without it tells
docs/decisions/0012."""


def decide_yes_no(findings: Findings) -> bool | None:
    """Whether what answers a question for yes or no best surely says yes, or no; None where it isn't sure."""
    best = findings.fitting[0]
    # The product's own word on a release that is out.
    is_out = best.passage.release is not None and not is_unreleased(best.passage)
    if not (is_out and best.passage.is_own) or best.item.retracted or best.score < _ANSWERS:
        return None
    asked = one_line(findings.query.search_text).rstrip("? ")
    pair = read_pair(asked, named_releases(findings.query), told_of(best, findings.index))
    # To what a question itself denies, or asks between ("is it gone or still there"), either word may mean both.
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs) or "or" in split_words(asked.casefold()):
        return None
    ((yes, no),) = judge_yes_no([pair])
    # What wasn't done after all, is only planned, or what a later release ended, tells no yes.
    act = findings.query.act
    later = (one for one in findings.fitting if one.passage.release_order > best.passage.release_order)
    is_undone = act is not None and has_happened(findings, best, act) is False
    is_undone = is_undone or any(one.act in GOES and is_about(findings, one.quote) for one in later)
    return None if max(yes, no) < _SURE or (yes > no and is_undone) else yes > no
