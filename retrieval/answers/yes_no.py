"""Yes or no, if a question asks for it: decided by a model that reads question and best item together."""

import re
from dataclasses import replace

from corpus.happenings import Modality, find_acts
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.version_mentions import find_versions
from corpus.versions import Version, VersionConstraint
from retrieval.answers.events import STILL, find_revert, is_about, reports_event, supports_verdict
from retrieval.answers.not_found import uncovered_release
from retrieval.judge.claims import judge_yes_no
from retrieval.judge.moves import Relation, read_moves, relate_moves
from retrieval.judge.pairs import DENIALS, Sign, named_releases, read_item, read_pair, split_words
from retrieval.model import MAX_QUESTION_LENGTH, Form, Query, Status
from retrieval.quoting.composing import Draft
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import ItemScore

_ELSE = re.compile(
    r"(?i)\b(?:new|crash|hang|fail|br(?:ea|o)k|bug|leak|error|warn|slow|fast|quick|safe|affect|vulnerab|requir|need|default"
    r"|(?:upgrad|mov|go|com|migrat)(?:e|ing)\b[^.?]*?\bfrom\s)"
)
"""Words of questions that don't ask whether something exists."""
_GONE, _NEW = (
    re.compile(r"\bgone\b", re.IGNORECASE),
    re.compile(r"\b(?:to|into|as|by|with|replace|supersede)\b", re.IGNORECASE),
)
_SURE = 0.8  # Least probability of yes or no; docs/decisions/0012 has the results for .7 and .9.
_ANSWERS = 0.15
"""Least score of the item, the probability that it answers at all; docs/decisions/0012 has results with and without."""


def decide_yes_no(findings: Findings) -> bool | None:
    """Return the best item's answer, True for yes; None if unsure, or for a question with a denial or two answers."""
    best = findings.fitting[0]
    release = best.passage.release
    # Only the product's own notes on a release that is out count.
    is_out = best.passage.is_own and not best.passage.is_unreleased
    if release is None or not is_out or best.item.retracted or best.score < _ANSWERS:
        return None
    query, named = findings.query, _asked_release(findings.query)
    # An event in another release is decided by their order (`answer_by_release`); other later notes decide nothing.
    if named and not VersionConstraint.exactly(named).contains(release) and (named < release or _event(findings, best)):
        return None
    question = one_line(query.search_text).rstrip("? ")
    item = read_item(best, findings.index)
    pair = read_pair(question, named_releases(query), item)
    # With a denial or two answers in the question ("is it gone or still there"), yes and no are ambiguous.
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs) or "or" in split_words(question.casefold()):
        return None
    ((yes, no),) = judge_yes_no([pair])
    if max(yes, no) < _SURE or not supports_verdict(findings, best, says=yes > no):
        return None
    # "Has it been renamed?" asks for no direction.
    moves = read_moves(question, is_claim=True) if _NEW.search(question) else ()
    relation = relate_moves(moves, read_moves(item.text, is_claim=False))
    if not item.text or (relation and (yes > no) is not (relation is Relation.SAME)):
        return None
    # A question about now isn't answered by an entry that a later release ended or brought back.
    is_now = query.act is not Act.REVERTED and not (query.constraint and query.constraint.versions)
    return None if yes > no and find_revert(findings, best.quote, at_once=not is_now) else yes > no


def ask_since_when(query: Query, draft: Draft) -> str:
    """Return a question whether a release has something as "since when" ("does gizmo 2.1 have turn?" -> "since when
    does gizmo have turn?"). Empty if the draft says yes or no, or for an event, crashes, requirements or speed."""
    is_decided = any(statement.opening and statement.opening.verdict is not None for statement in draft.statements)
    named, text = _asked_release(query), query.search_text
    is_other = is_decided or _ELSE.search(query.text) or find_acts(query.text) or query.version_filtered
    if named is None or len(query.products) != 1 or is_other:
        return ""
    for mention in reversed(find_versions(text, names=query.products)):
        if mention.version == named:
            text = text[: mention.start].removesuffix("v") + text[mention.end :]
    since = "since when " + STILL.sub("no longer", text)
    return since if len(since) <= MAX_QUESTION_LENGTH else ""


def answer_by_release(draft: Draft, later: Findings, before: Draft, findings: Findings) -> Draft | None:
    """Turn `draft`, the answer to "since when" from the findings `later`, into yes or no for the requested release, or
    no verdict if neither is asked for. Return None if unsure (another event lies between the releases, or the notes
    don't reach the requested one), or if the draft `before` already answers with another entry."""
    first = draft.statements[0] if draft.status is Status.ANSWERED and draft.statements else None
    item = next((item for item in later.fitting if first and item.quote.shares_core(first.quotes[0])), None)
    release, named, query = item.passage.release if item else None, _asked_release(findings.query), findings.query
    event = _event(later, item) if item else None
    quoted = (quote for statement in before.statements for quote in statement.quotes)
    if tells_of(before, findings) and not any(item and item.quote.shares_core(quote) for quote in quoted):
        return None
    if first is None or item is None or first.opening is None or event is None or release is None or named is None:
        return None
    if event is Act.ADDED and (STILL.search(query.text) or _GONE.search(query.text)):
        return None
    (product,) = later.index.products_named([item.passage.document.product])
    days = {known.version: known.date for known in product.releases}
    # "1.1" means exactly 1.1 if that is listed so; "3" means the whole series, also beside a 3.0.0.
    is_series = str(named) not in map(str, days) and VersionConstraint.exactly(named).contains(release)
    is_after = named >= release or is_series
    asked_day, event_day = days.get(named), days.get(release)
    # 4.9.1 may have come out after 5.0.0.
    is_beside = is_after and asked_day is not None and event_day is not None and asked_day < event_day
    if is_beside or (is_after and uncovered_release(findings)):
        return None
    between = sorted((named, release))
    rivals = (other for other in later.fitting if _event(later, other) not in (None, event))
    if any(of is not None and between[0] <= of <= between[1] for of in (rival.passage.release for rival in rivals)):
        return None
    exists = is_after is (event is Act.ADDED)
    is_asked = query.act in (None, Act.ADDED, Act.REQUIRES) or (query.act is Act.REMOVED and STILL.search(query.text))
    verdict = exists if is_asked else not exists if _GONE.search(query.text) else None
    return replace(
        draft, statements=(replace(first, opening=replace(first.opening, verdict=verdict)), *draft.statements[1:])
    )


def tells_of(draft: Draft, findings: Findings) -> bool:
    """Return whether a draft is about the thing asked for, or repeats a quote of the earlier answer asked about."""
    quotes = [quote for statement in draft.statements for quote in statement.quotes]
    is_on_subject = not quotes or any(is_about(findings, quote) for quote in quotes)
    is_repeated = any(quote.shares_core(earlier) for quote in quotes for earlier in findings.earlier)
    return draft.status is not Status.NOT_FOUND and (is_on_subject or is_repeated)


def _event(findings: Findings, item: ItemScore) -> Act | None:
    """Return ADDED or REMOVED if an entry surely reports that for the thing asked about; else None."""
    words = findings.words_of(item)
    acts = {act for act, how in find_acts(words) if how is Modality.DONE}
    ends = {Act.REMOVED, Act.REVERTED, Act.REPLACED} & (acts or {item.act})
    is_added = Act.ADDED in (acts or {item.act}) and DENIALS.isdisjoint(split_words(words.casefold()))
    if not (item.passage.is_own and reports_event(findings, item.quote)):
        return None
    return Act.REMOVED if ends == {Act.REMOVED} else Act.ADDED if is_added and not ends else None


def _asked_release(query: Query) -> Version | None:
    """Return the single release that a yes-no question names; None for any other question or one with a denial."""
    named = query.constraint.versions if query.constraint else ()
    is_plain = query.form is Form.YES_NO and DENIALS.isdisjoint(split_words(query.text.casefold()))
    # "Does oven 3.12 support Python 3.12?" has the number twice.
    return named[0] if is_plain and len(named) == 1 and query.text.count(str(named[0])) < 2 else None
