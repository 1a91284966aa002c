"""Yes or no, where a question asks for it: told by a model that reads question and best item together."""

import re
from dataclasses import replace

from corpus.happenings import Modality, find_acts
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.version_mentions import find_versions
from corpus.versions import Version, VersionConstraint
from retrieval.answers.events import STILL, bears_out, find_revert, is_about, reports_event
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
"""What a question whether something is there doesn't ask of."""
_GONE, _NEW = (
    re.compile(r"\bgone\b", re.IGNORECASE),
    re.compile(r"\b(?:to|into|as|by|with|replace|supersede)\b", re.IGNORECASE),
)
_SURE = 0.8  # How sure yes or no must be. What .7 and .9 give tells docs/decisions/0012.
_ANSWERS = 0.15
"""How likely the item must be to hold the answer at all. Of panels asked with and without it tells
docs/decisions/0012."""


def decide_yes_no(findings: Findings) -> bool | None:
    """Return whether what answers a question for yes or no best surely says yes, or no; None where it isn't sure."""
    best = findings.fitting[0]
    release = best.passage.release
    # Only the product's own notes on a release that is out count.
    is_out = best.passage.is_own and not best.passage.is_unreleased
    if release is None or not is_out or best.item.retracted or best.score < _ANSWERS:
        return None
    query, named = findings.query, _asked_release(findings.query)
    # Of what came or went in another release only the order of both tells, and a later one tells nothing else.
    if named and not VersionConstraint.exactly(named).contains(release) and (named < release or _event(findings, best)):
        return None
    asked = one_line(query.search_text).rstrip("? ")
    item = read_item(best, findings.index)
    pair = read_pair(asked, named_releases(query), item)
    # A question that denies something, or names two answers ("is it gone or still there"), makes yes and no ambiguous.
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs) or "or" in split_words(asked.casefold()):
        return None
    ((yes, no),) = judge_yes_no([pair])
    if max(yes, no) < _SURE or not bears_out(findings, best, says=yes > no):
        return None
    # "Has it been renamed?" asks of no direction.
    moves = read_moves(asked, is_claim=True) if _NEW.search(asked) else ()
    relation = relate_moves(moves, read_moves(item.text, is_claim=False))
    if not item.text or (relation and (yes > no) is not (relation is Relation.SAME)):
        return None
    # A question about now isn't answered by an entry that a later release ended or brought back.
    is_now = query.act is not Act.REVERTED and not (query.constraint and query.constraint.versions)
    return None if yes > no and find_revert(findings, best.quote, at_once=not is_now) else yes > no


def ask_since_when(query: Query, draft: Draft) -> str:
    """Return the question since when that is there which a question asks of one release ("does gizmo 2.1 have turn?");
    empty where the draft says yes or no, and for any other: what was added or removed just then, crashes, is needed or
    is faster isn't asked so."""
    is_said = any(one.opening and one.opening.verdict is not None for one in draft.statements)
    asked, text = _asked_release(query), query.search_text
    is_other = is_said or _ELSE.search(query.text) or find_acts(query.text) or query.version_filtered
    if asked is None or len(query.products) != 1 or is_other:
        return ""
    for mention in reversed(find_versions(text, names=query.products)):
        if mention.version == asked:
            text = text[: mention.start].removesuffix("v") + text[mention.end :]
    since = "since when " + STILL.sub("no longer", text)
    return since if len(since) <= MAX_QUESTION_LENGTH else ""


def answer_by_release(draft: Draft, later: Findings, before: Draft, findings: Findings) -> Draft | None:
    """Return a `draft` of what was found `later`, that tells since when something is there, as the answer whether it is
    in the asked release; None where it doesn't surely tell that, where there are no notes of that release, and where
    the draft `before` tells of what is asked by another entry."""
    first = draft.statements[0] if draft.status is Status.ANSWERED and draft.statements else None
    one = next((one for one in later.fitting if first and one.quote.shares_core(first.quotes[0])), None)
    release, asked, query = one.passage.release if one else None, _asked_release(findings.query), findings.query
    event = _event(later, one) if one else None
    quoted = (quote for statement in before.statements for quote in statement.quotes)
    if tells_of(before, findings) and not any(one and one.quote.shares_core(quote) for quote in quoted):
        return None
    if first is None or one is None or first.opening is None or event is None or release is None or asked is None:
        return None
    if event is Act.ADDED and (STILL.search(query.text) or _GONE.search(query.text)):
        return None
    (product,) = later.index.products_named([one.passage.document.product])
    days = {known.version: known.date for known in product.releases}
    # "1.1" is 1.1 where there is one; "3" is all of 3 beside 3.0.0, too.
    is_series = str(asked) not in map(str, days) and VersionConstraint.exactly(asked).contains(release)
    is_after = asked >= release or is_series
    came, was = days.get(asked), days.get(release)
    # 4.9.1 may have come out after 5.0.0.
    is_beside = is_after and came is not None and was is not None and came < was
    if is_beside or (is_after and uncovered_release(findings)):
        return None
    between = sorted((asked, release))
    rivals = (other for other in later.fitting if _event(later, other) not in (None, event))
    if any(of is not None and between[0] <= of <= between[1] for of in (rival.passage.release for rival in rivals)):
        return None
    is_there = is_after is (event is Act.ADDED)
    is_asked = query.act in (None, Act.ADDED, Act.REQUIRES) or (query.act is Act.REMOVED and STILL.search(query.text))
    verdict = is_there if is_asked else not is_there if _GONE.search(query.text) else None
    return replace(
        draft, statements=(replace(first, opening=replace(first.opening, verdict=verdict)), *draft.statements[1:])
    )


def tells_of(draft: Draft, findings: Findings) -> bool:
    """Return whether a draft tells of what is asked about, or what the answer did that is asked of."""
    quotes = [quote for statement in draft.statements for quote in statement.quotes]
    is_told = not quotes or any(is_about(findings, quote) for quote in quotes)
    is_repeated = any(quote.shares_core(one) for quote in quotes for one in findings.earlier)
    return draft.status is not Status.NOT_FOUND and (is_told or is_repeated)


def _event(findings: Findings, one: ItemScore) -> Act | None:
    """Return whether an entry surely tells that what is asked about came or went."""
    said = findings.words_of(one)
    acts = {act for act, how in find_acts(said) if how is Modality.DONE}
    went = {Act.REMOVED, Act.REVERTED, Act.REPLACED} & (acts or {one.act})
    came = Act.ADDED in (acts or {one.act}) and DENIALS.isdisjoint(split_words(said.casefold()))
    if not (one.passage.is_own and reports_event(findings, one.quote)):
        return None
    return Act.REMOVED if went == {Act.REMOVED} else Act.ADDED if came and not went else None


def _asked_release(query: Query) -> Version | None:
    """Return the one release of which a question asks whether something is so; None where it denies something."""
    named = query.constraint.versions if query.constraint else ()
    is_plain = query.form is Form.YES_NO and DENIALS.isdisjoint(split_words(query.text.casefold()))
    # "Does oven 3.12 support Python 3.12?"
    return named[0] if is_plain and len(named) == 1 and query.text.count(str(named[0])) < 2 else None
