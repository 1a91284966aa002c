"""Yes or no, if asked: a model reads question and best item together, unless the item's label says otherwise."""

from corpus.affirming import SENTENCE_END, affirms
from corpus.effects import stated_change
from corpus.happenings import NOT_DONE, Modality, find_acts
from corpus.lexicon import split_tokens
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.versions import VersionConstraint
from retrieval.answers.events import ENDS, STILL, contains_topic, denies, ends_only_part, find_revert
from retrieval.judge.claims import judge_yes_no
from retrieval.judge.moves import Relation, read_moves, relate_moves
from retrieval.judge.pairs import Sign, named_releases, read_item, read_pair, split_words
from retrieval.model import Query
from retrieval.quoting.findings import Findings

_SURE = 0.8  # Least probability of yes or no; docs/lab/claims.md has figures for .7.
_OFF = frozenset(split_tokens("off disabled"))
_ANSWERS = 0.15
"""Least score of the item, the probability that it answers at all; docs/lab/claims.md has figures without it."""


def decide_yes_no(findings: Findings) -> bool | None:
    """Return the best item's answer, True for yes; None if unsure, of another release, or asked with a denial."""
    query, best = findings.query, findings.fitting[0]
    release, named = best.passage.release, query.constraint.versions if query.constraint else ()
    # Only the product's own notes on a release that is out count.
    is_out = release is not None and best.passage.is_own and not best.passage.is_unreleased
    is_asked = not named or any(VersionConstraint.exactly(version).contains(release) for version in named if release)
    if not (is_out and is_asked) or best.item.retracted or best.score < _ANSWERS or best.act in NOT_DONE:
        return None
    question = one_line(query.search_text).rstrip("? ")
    item = read_item(best, findings.index)
    pair = read_pair(question, named_releases(query), item)
    # With a denial or two answers in the question ("is it gone or still there"), yes and no are ambiguous.
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs) or "or" in split_words(question.casefold()):
        return None
    ((yes, no),) = judge_yes_no([pair])
    is_yes = yes > no
    if max(yes, no) < _SURE or contradicts_label(query, best.act, is_yes=is_yes):
        return None
    if not contains_topic(findings, best.quote, best.act) or (asks_end(query) and ends_only_part(findings, item.text)):
        return None
    is_end = not ENDS.isdisjoint((best.act, *dict(find_acts(item.text))))
    ends = is_end or best.item.is_code or stated_change(item.text) or denies(item.text)
    is_kept = not (is_yes or ends) and STILL.search(query.text)
    if is_kept or _reads_otherwise(query, question, item.text, is_yes=is_yes):
        return None
    # A question about now isn't answered by an entry that a later release ended or brought back.
    is_now = query.act is not Act.REVERTED and not named
    return None if is_yes and find_revert(findings, best.quote, at_once=not is_now) else is_yes


def _reads_otherwise(query: Query, question: str, words: str, *, is_yes: bool) -> bool:
    """Return whether an entry takes back, denies or undoes the asked act, or turns a switch: the model misreads it."""
    acts = dict(find_acts(words))
    relation = relate_moves(read_moves(question, is_claim=True), read_moves(words, is_claim=False))
    if acts.get(Act.REVERTED) is Modality.DONE and query.act is not Act.REVERTED:
        return Act.ADDED in acts or is_yes is asks_end(query)
    is_off = [not _OFF.isdisjoint(split_tokens(side)) for side in (question, words)]
    is_turned = query.act is Act.DEFAULT and is_off[0] != is_off[1]
    is_denied = query.act in acts and acts[query.act] is not Modality.DONE
    first = SENTENCE_END.split(words, maxsplit=1)[0]
    is_told = Act.REMOVED in acts and affirms(first, Act.REMOVED)
    is_withdrawn = query.act is Act.REMOVED and asks_end(query) and not is_told
    is_denied |= denies(words) and not asks_end(query)
    return is_yes and (is_denied or is_turned or is_withdrawn or relation is Relation.SWAPPED)


def contradicts_label(query: Query, act: Act, *, is_yes: bool) -> bool:
    """Return whether an entry with a label can't give an answer: one that ends a thing says no to whether it exists and
    yes to whether it ended, one that brings it the opposite."""
    if act is Act.REMOVED:
        return is_yes is not asks_end(query)
    return act is Act.ADDED and is_yes is asks_end(query)


def asks_end(query: Query) -> bool:
    """Return whether a question asks if something ended ("did it drop 3.8"), not if it is there ("does it run")."""
    is_end = query.act in ENDS or (query.act is None and "gone" in split_words(query.text.casefold()))
    return is_end and not STILL.search(query.text)
