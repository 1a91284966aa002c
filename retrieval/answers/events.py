"""What an entry says happened, and whether to what is asked about: a word of ours before its quote ("Removed in")
stands only where question and quote agree; where either isn't sure, the quote opens.
"""

import re

from corpus.entry_words import without_metadata
from corpus.happenings import find_acts, reports_act
from corpus.lexicon import content_words, split_tokens
from corpus.model import Act, Item
from corpus.plain_words import one_line, readable
from retrieval.judge.pairs import DENIALS, split_words
from retrieval.model import Form, Wanted
from retrieval.question.words import share_met
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import GOES, ItemScore, Quote
from retrieval.quoting.statements import read_statement

STATUS = {
    Act.DEPRECATED: "Deprecated in",
    Act.REMOVED: "Removed in",
    Act.REPLACED: "Replaced in",
    Act.REVERTED: "Reverted in",
    Act.FIXED: "Fixed in",
    Act.SECURED: "Fixed in",
}
"""What happened, as it is said before the release."""
ARRIVES = frozenset({Act.ADDED, Act.CHANGED, Act.DEFAULT, Act.REQUIRES})  # What is so since the release that tells it.
MENDS = frozenset({Act.FIXED, Act.SECURED, Act.FASTER})
GONE = frozenset({Act.REMOVED, Act.REPLACED, Act.DEPRECATED})
ENDS = GOES | GONE
CERTAIN, _LEAST_CERTAIN = 0.7, 0.5
"""How surely an item must have been read to tell what happened. Chosen by hand, never fitted."""
ELSE = re.compile(
    r"[.:;]\s|\b(?:instead|rather|in (?:favou?r|place) of|replaced|superseded|renamed|use)\b", re.IGNORECASE
)
_ABOUT, ALL, _HALF = 0.6, 0.85, 0.5
"""Of the weight of what is asked about: what became of another thing isn't said of this one; the last of all its words,
for "since when" (of 35 typed questions one with less was answered rightly). Chosen by hand, never fitted."""


def find_revert(findings: Findings, quote: Quote, *, at_once: bool = False) -> Quote | None:
    """Return the entry of a quote's release or, unless `at_once`, a later one that reverts all that the quote tells, by
    its words."""
    tokens = comparable_tokens(without_metadata(readable(findings.core_of(quote))))
    others = (one for one in findings.fitting if one.act is Act.REVERTED and not one.quote.shares_core(quote))
    reverts = (one for one in others if comes_after(one.quote, quote))
    reverts = (one for one in reverts if not at_once or one.passage.release == quote.passage.release)
    return next((one.quote for one in reverts if tokens <= comparable_tokens(findings.words_of(one))), None)


def is_past(findings: Findings, one: ItemScore) -> bool:
    """Return whether a later release has what an entry tells the end of, or the end of what it tells to have come, so
    that the entry isn't how things are."""
    if find_revert(findings, one.quote):
        return True
    opposite = frozenset({Act.ADDED}) if one.act in GOES else GOES if one.act is Act.ADDED else frozenset()
    later = (other for other in findings.fitting if other.passage.release_order > one.passage.release_order)
    return any(other.act in opposite and is_about(findings, other.quote, least=ALL) for other in later)


def comes_after(one: Quote, other: Quote) -> bool:
    """Return whether one entry is of the other's product, and of its release or a later one."""
    later, release = (each.passage.release for each in (one, other))
    is_later = later is None or release is None or later >= release
    return is_later and one.passage.document.product == other.passage.document.product


def comparable_tokens(text: str) -> frozenset[str]:
    """Return the tokens of the words that two sentences must share to say the same; an act's verb is none of them."""
    words = (word for word in content_words(one_line(text)) if not find_acts(word))
    return frozenset(token for word in words for token in split_tokens(word)[:1])


def event_status(findings: Findings, quote: Quote) -> str:
    """Return the words that open an answer on an event ("Removed in", "Since"), where the quote of an item tells it and
    the question asks for it; else empty."""
    form, asked_act = findings.query.form, findings.query.act
    is_when, is_course = form is Form.SINCE_WHEN, findings.query.wanted is Wanted.COURSE
    asked = GONE if form is Form.MIGRATE else MENDS if form.traits.is_trouble else frozenset({asked_act})
    if is_course:
        asked = ARRIVES | STATUS.keys()
    elif is_when and (asked_act or Act.ADDED) in ARRIVES:
        asked = ARRIVES
    item = _core_item(quote)
    if item is None or item.act not in asked or not quote.passage.is_own or not reports_event(findings, quote):
        return ""
    if is_when and share_met(findings.focus.keywords, _context_tokens(findings, quote)) <= _HALF:
        return ""
    stated = read_statement(findings.core_of(quote))
    if stated and stated[0] is item.act and stated[1] != quote.passage.release:
        return f"{STATUS.get(item.act, 'Since')} {stated[1]}, says" if is_when else ""
    if is_when and not is_course and reports_act(asked_act or Act.ADDED, item.act, findings.core_of(quote)) is False:
        return ""
    return STATUS.get(item.act, "Since" if is_when or is_course else "")


def reports_event(findings: Findings, quote: Quote) -> bool:
    """Return whether a quote surely tells what happened in its own release to all of what is asked about, not just in
    passing nor as a plan."""
    item = _core_item(quote)
    words = findings.core_of(quote)
    if item is None or item.is_code or not is_about(findings, quote) or reports_act(item.act, item.act, words) is False:
        return False
    # An entry with all the question's keywords may be less certain.
    is_whole = share_met(findings.focus.keywords, _context_tokens(findings, quote)) >= ALL
    if item.certainty < (_LEAST_CERTAIN if is_whole else CERTAIN):
        return False
    # An entry must name what ends before anything else, and must not deny what came unless the question does.
    names, asked = findings.focus.names, findings.focus.names or findings.focus.keywords
    first = frozenset(split_tokens(ELSE.split(without_metadata(readable(words)), maxsplit=1)[0]))
    is_first = all(name.tokens[0] in first for name in names) and share_met(asked, first) >= _ABOUT
    if item.act in ENDS and not is_first:
        return False
    clause = split_words(ELSE.split(readable(words), maxsplit=1)[0].casefold())
    is_denied = item.act in ARRIVES and not DENIALS.isdisjoint(clause)
    return not is_denied or not DENIALS.isdisjoint(split_words(findings.query.text.casefold()))


def _core_item(quote: Quote) -> Item | None:
    """Return the item that a quote's core is; None where that is more or less than one."""
    return next((item for item in quote.passage.items if item.span == quote.core), None)


def is_about(findings: Findings, quote: Quote, *, least: float = _ABOUT) -> bool:
    """Return whether what a quote says, or stands under, names what is asked about, its numbers one and all; a question
    without a telling word is about nothing."""
    tokens, asked = _context_tokens(findings, quote), findings.focus.names or findings.focus.keywords
    is_met = all(word.met_by(tokens) for word in asked if word.text[0].isdigit())
    is_telling = any(word.is_name or not word.is_generic for word in asked)
    return is_telling and is_met and share_met(asked, tokens) >= least


def _context_tokens(findings: Findings, quote: Quote) -> frozenset[str]:
    document = quote.passage.document
    words = (document.product, document.title, *quote.passage.heading, findings.core_of(quote))
    return frozenset(split_tokens(" ".join(words)))


def is_named_after(findings: Findings, words: str) -> bool:
    """Return whether an entry names something of what is asked about only where it comes to something else."""
    first, *rest = ELSE.split(without_metadata(readable(words)), maxsplit=1)
    later = {*split_tokens(" ".join(rest))} - {*split_tokens(first)}
    return any(word.tokens[0] in later for word in findings.focus.names or findings.focus.keywords)
