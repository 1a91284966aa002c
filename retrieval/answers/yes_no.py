"""Yes or no, where a question asks for it: told by a model that reads question and best item together."""

from itertools import pairwise

from corpus.happenings import find_acts, reports_act
from corpus.model import Act
from corpus.plain_words import one_line
from retrieval.answers.events import GONE, is_named_after, is_past
from retrieval.judge.claims import judge_yes_no
from retrieval.judge.pairs import Sign, named_releases, read_item, read_pair, split_words
from retrieval.quoting.findings import Findings

_SURE = 0.8
"""How sure yes or no must be. What .7 and .9 give tells docs/decisions/0012."""
_ANSWERS = 0.15
"""How likely the item must be to hold the answer at all. Of panels asked with and without it tells
docs/decisions/0012."""


def decide_yes_no(findings: Findings) -> bool | None:
    """Return whether what answers a question for yes or no best surely says yes, or no; None where it isn't sure."""
    best = findings.fitting[0]
    # Only the product's own notes on a release that is out count.
    is_out = best.passage.release is not None and not best.passage.is_unreleased
    if not (is_out and best.passage.is_own) or best.item.retracted or best.score < _ANSWERS:
        return None
    asked = one_line(findings.query.search_text).rstrip("? ")
    pair = read_pair(asked, named_releases(findings.query), read_item(best, findings.index))
    # A question that denies something, or names two answers ("is it gone or still there"), makes yes and no ambiguous.
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs) or "or" in split_words(asked.casefold()):
        return None
    ((yes, no),) = judge_yes_no([pair])
    # A removal that names the asked thing as the replacement doesn't remove it; an act undone or planned is no yes.
    query = findings.query
    words = split_words(findings.words_of(best).casefold())
    is_denied = any(one in ("not", "never") and find_acts(other) for one, other in pairwise(words))
    is_open = query.act is None or reports_act(query.act, best.act, findings.words_of(best)) is not False
    is_undone = yes > no and (is_denied or not is_open)
    is_after = best.act in GONE and is_named_after(findings, findings.words_of(best))
    if max(yes, no) < _SURE or is_undone or is_after:
        return None
    # A question about now isn't answered by an entry that a later release ended or brought back.
    is_now = query.act is not Act.REVERTED and not (query.constraint and query.constraint.versions)
    return None if yes > no and is_now and is_past(findings, best) else yes > no
