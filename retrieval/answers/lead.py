"""What an answer says before the words of its first quote: yes or no where that is asked, and what became of the thing.

A word of ours stands only where question and quote agree; where either isn't sure, the quote opens. Yes and no are told
by the model that judges claims, which reads the question beside the items that answer best.
"""

import re
from dataclasses import replace

from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act
from corpus.plain_words import one_line, readable
from corpus.versions import Version
from retrieval.claims.entailment import load_entailment
from retrieval.claims.evidence import named_releases, told_of
from retrieval.claims.pairs import Sign, read_pair
from retrieval.claims.wording import read_wording
from retrieval.drafting import OPINION, Opening, Statement, announced, is_unreleased
from retrieval.findings import Findings
from retrieval.model import Form
from retrieval.question.words import share_met
from retrieval.quoting.quotes import GOES, ItemScore, Quote
from retrieval.search.item_forms import is_code

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


def lead(
    findings: Findings, one: ItemScore, quote: Quote, verdict: bool | None = None, *, keeps_tickets: bool = False
) -> Statement:
    """The first statement of an answer: what is said of the quote of an entry, with its day and what opens it."""
    said = Statement(announced(quote, findings.text_of(quote), keeps_tickets=keeps_tickets), (quote,))
    if quote.passage.document.authority in OPINION or quote.retracted:
        return said
    return replace(said, opening=Opening(verdict, "" if verdict is not None else told_status(findings, one)))


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
    later = (one for one in findings.fitting[:_READ] if _is_later(findings, one, best) and _may_decide(one, best))
    # What was there before is told by how it came better than by what was added to it.
    for one in sorted(later, key=lambda one: one.passage.release_order, reverse=True)[:_LATER]:
        newer = _judge(findings, one)
        is_other = newer.index(max(newer)) != first.index(max(first))
        if max(newer) >= (_SURE if max(first) < _SURE else _LIKELY if is_other else 1):
            return one, _word(findings, one, newer)
    return best, _word(findings, best, first)


def _judge(findings: Findings, one: ItemScore) -> tuple[float, float]:
    """The probabilities that an entry says yes and that it says no. Of a number above a bound that it sets it can't say
    no; and what a question itself denies the model doesn't read."""
    asked, told = one_line(findings.query.search_text).rstrip("? "), told_of(one, findings.index)
    pair = read_pair(asked, named_releases(findings.query), told)
    if any(sign is Sign.DENIAL for _, _, sign in pair[0].signs):
        return 0.0, 0.0
    (judged,) = load_entailment().judge([pair])
    return judged.supported, judged.contradicted * read_wording(pair, told).can_refute


def _word(findings: Findings, one: ItemScore, judged: tuple[float, float]) -> bool | None:
    is_so = judged[0] > judged[1]
    # What took a thing's place didn't go with it; and what is to come isn't so.
    is_turned = one.act in _ENDS or _REPLACES.search(findings.words_of(one))
    is_other = (is_turned and not _is_told_first(findings, one)) or (is_so and _is_to_come(findings, one))
    # Nor is a thing there of whose end the entry tells; no entry tells that a thing is not mended or not deprecated,
    # nor one that begins with the asked end ("Drop support for", to "did it drop") that this end wasn't.
    asked = findings.query.act
    begun = frozenset(split_tokens(findings.words_of(one))[:1]).difference(STOP_WORDS)
    names = (token for name in findings.focus.names for token in name.tokens)
    is_same = one.act in _GONE and bool(begun.intersection(split_tokens(findings.query.search_text)).difference(names))
    is_denied = one.act in GOES and asked not in _GONE if is_so else asked in _UNDENIED or is_same
    is_sure = max(judged) >= _SURE and one.score >= _ANSWERS
    return is_so if is_sure and not is_denied and not is_other else None


def _is_later(findings: Findings, one: ItemScore, best: ItemScore) -> bool:
    """Whether an entry of a later release names all that is asked about."""
    is_later = one.passage.release_order > best.passage.release_order
    return is_later and is_about(findings, one.quote, least=ALL)


def _is_to_come(findings: Findings, one: ItemScore) -> bool:
    """Whether an entry tells what will be, and isn't asked for that."""
    told, asked = (split_tokens(text) for text in (findings.words_of(one), findings.query.search_text))
    return one.act is Act.PLANNED or ("will" in told and "will" not in asked)


def _is_told_first(findings: Findings, one: ItemScore) -> bool:
    """Whether an entry names what is asked about, whole, before it comes to something else."""
    first = frozenset(split_tokens(_ELSE.split(readable(findings.words_of(one)), maxsplit=1)[0]))
    asked = findings.focus.names or findings.focus.telling
    return all(word.tokens[0] in first for word in findings.focus.names) and share_met(asked, first) >= _ABOUT


def _may_decide(one: ItemScore, best: ItemScore) -> bool:
    """Whether an entry is the product's own word on a release that is out."""
    version = Version.try_parse(one.passage.release or "")
    document = one.passage.document
    is_out = version is not None and not is_unreleased(one.passage)
    is_own = document.product == best.passage.document.product and document.authority not in OPINION
    return is_out and is_own and not one.item.retracted
