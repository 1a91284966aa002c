"""Yes or no, where a question asks for it: told by a model that reads question and best item together."""

import re
from dataclasses import replace
from itertools import pairwise

from corpus.happenings import Modality, find_acts, reports_act
from corpus.model import Act
from corpus.plain_words import one_line
from corpus.version_mentions import find_versions
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.answers.events import GONE, STATUS, find_revert, is_about, is_named_after, is_past, reports_event
from retrieval.answers.not_found import uncovered_release
from retrieval.judge.claims import judge_yes_no
from retrieval.judge.pairs import DENIALS, Sign, named_releases, read_item, read_pair, split_words
from retrieval.model import Form, Query, Status
from retrieval.quoting.composing import Draft
from retrieval.quoting.findings import Findings

_TOLD = {"Since": Act.ADDED, STATUS[Act.REMOVED]: Act.REMOVED}
_FROM = re.compile(r"\b(?:upgrade|upgrading|move|moving|go|going|come|coming|migrate)\b[^.?]*?\bfrom\s", re.IGNORECASE)
_GONE, _STILL = re.compile(r"\bgone\b", re.IGNORECASE), re.compile(r"\bstill\b", re.IGNORECASE)
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
    query, said = findings.query, findings.words_of(best)
    told = next((act for act in (Act.REMOVED, Act.ADDED) if reports_act(act, best.act, said)), None)
    if told and best.act is not Act.REPLACED and reports_event(findings, best.quote):
        by_release = _by_release(query, told, best.passage.release)
        if by_release is not None:
            return by_release
    if _asked_release(query) and best.act is not Act.REQUIRES and not is_about(findings, best.quote):
        return None
    asked = one_line(query.search_text).rstrip("? ")
    pair = read_pair(asked, named_releases(query), read_item(best, findings.index))
    # A question that denies something, or names two answers ("is it gone or still there"), makes yes and no ambiguous.
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs) or "or" in split_words(asked.casefold()):
        return None
    ((yes, no),) = judge_yes_no([pair])
    # A removal that names the asked thing as the replacement doesn't remove it; one undone is no yes, one done no no.
    words = split_words(said.casefold())
    is_denied = any(one in ("not", "never") and find_acts(other) for one, other in pairwise(words))
    is_open = query.act is None or reports_act(query.act, best.act, said) is not False
    is_undone = yes > no and (is_denied or not is_open)
    is_after = best.act in GONE and is_named_after(findings, said)
    is_added = no > yes and (Act.ADDED, Modality.DONE) in find_acts(said)
    is_added &= query.act in (None, Act.ADDED, Act.REQUIRES) and DENIALS.isdisjoint(words)
    if max(yes, no) < _SURE or is_undone or is_after or is_added:
        return None
    # A question about now isn't answered by an entry that a later release ended or brought back.
    is_now = query.act is not Act.REVERTED and not (query.constraint and query.constraint.versions)
    is_over = is_past(findings, best) if is_now else find_revert(findings, best.quote, at_once=True)
    return None if yes > no and is_over else yes > no


def ask_since_when(query: Query) -> str:
    """Return the question since when that is so which a question asks of one release ("does gizmo 2.1 have turn?");
    empty for any other."""
    asked, text = _asked_release(query), query.search_text
    if asked is None or len(query.products) != 1 or query.version_filtered:
        return ""
    for mention in reversed(find_versions(text, names=query.products)):
        if mention.version == asked:
            text = text[: mention.start].removesuffix("v") + text[mention.end :]
    return "since when " + _STILL.sub("no longer", text)


def answer_by_release(draft: Draft, findings: Findings) -> Draft | None:
    """Return a draft that tells since when something is so as the answer whether it is so in the asked release; None
    where it doesn't surely tell that, or may have changed by a release of which there are no notes."""
    first = draft.statements[0] if draft.status is Status.ANSWERED and draft.statements else None
    release, asked = first.quotes[0].passage.release if first else None, _asked_release(findings.query)
    act = _TOLD.get(first.opening.status) if first and first.opening else None
    if first is None or first.opening is None or act is None or release is None or asked is None:
        return None
    asks_other = act is Act.ADDED and (_STILL.search(findings.query.text) or _says_end(findings.query))
    if asks_other or (asked >= release and uncovered_release(findings)):
        return None
    opening = replace(first.opening, verdict=_by_release(findings.query, act, release))
    return replace(draft, statements=(replace(first, opening=opening), *draft.statements[1:]))


def tells_of(draft: Draft, findings: Findings) -> bool:
    """Return whether a draft tells of what is asked about."""
    quotes = [quote for statement in draft.statements for quote in statement.quotes]
    is_told = not quotes or any(is_about(findings, quote) for quote in quotes)
    return draft.status is not Status.NOT_FOUND and is_told


def _by_release(query: Query, act: Act, release: Version | None) -> bool | None:
    """Return whether it is so in the asked release, where what came or went did so in another; None where that doesn't
    follow."""
    asked, is_gone = _asked_release(query), act is Act.REMOVED
    if asked is None or release is None or _FROM.search(query.text):
        return None
    is_after = asked >= release or VersionConstraint.exactly(asked).match(release) is not VersionMatch.OUTSIDE
    if query.act in (None, Act.ADDED) or (query.act is Act.REMOVED and _STILL.search(query.text)):
        return is_after is not is_gone
    return is_after if query.act is Act.REMOVED and is_gone and _says_end(query) else None


def _asked_release(query: Query) -> Version | None:
    """Return the one release of which a question asks whether something is so; None where it denies something."""
    named = query.constraint.versions if query.constraint else ()
    is_plain = query.form is Form.YES_NO and DENIALS.isdisjoint(split_words(query.text.casefold()))
    # "Does oven 3.12 support Python 3.12?"
    return named[0] if is_plain and len(named) == 1 and query.text.count(str(named[0])) < 2 else None


def _says_end(query: Query) -> bool:
    """Return whether a question itself says that something ended ("is it gone"), not what it is called."""
    return bool(_GONE.search(query.text)) or any(act in GONE for act, _ in find_acts(query.text))
