"""What an entry says happened, and whether to what is asked about: a word of ours before its quote ("Removed in")
stands only where question and quote agree; where either isn't sure, the quote opens.
"""

import re

from corpus.affirming import affirms
from corpus.effects import is_addition, named_change
from corpus.entry_words import without_metadata
from corpus.happenings import NOT_DONE, Modality, asserted, find_acts, reports_act
from corpus.lexicon import content_words, split_tokens
from corpus.model import Act, Change, Item
from corpus.plain_words import one_line, readable
from retrieval.judge.pairs import DENIALS, split_words
from retrieval.model import Form, Wanted
from retrieval.question.words import share_met
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import text_after
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
STILL, _NEEDS = re.compile(r"\bstill\b", re.IGNORECASE), re.compile(r"\b(?:need|requir|minim)", re.IGNORECASE)
_BEFORE = re.compile(
    r"\bfrom\s+\S+(?=\s+to\s)|\b(?:instead of|rather than|in (?:place|lieu) of)\s[^.:;,]+", re.IGNORECASE
)
"""What was before, where an entry names it beside what is."""
_AHEAD = re.compile(r"\bwill\b|(?<!at )\bonce\b|\bnext (?:\w+ )?(?:release|version)\b", re.IGNORECASE)
_BELOW = r"[<>=~^\u2264]+|before|below|prior to|older than|earlier than|up to"
_OF = re.compile(
    r"\A(?!.*\b(?:support|compat|remov|deprecat|drop|use|ability|possibility)\w* (?:for|of|to|with)\b)"
    r".*\b(?!(?:removed|deprecated|dropped|an?|the|all|both|and|or|as|is|are|was|were)\b)"
    r"\w+\W{0,2} (?:to|of|for|about|around|on|in|from|with|against|when|between) (?:[\w-]+ ){0,3}\W*\Z",
    re.IGNORECASE,
)
"""Before what only something of it has come to an end: "the references to the old"."""
FILE = re.compile(r"\b[\w-]+/[\w./-]*\w|\b\w+\.(?:py|sh|md|rst|js|ts|rs|go|c|h|txt)\b")
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
    if item is None or not quote.passage.is_own or quote.passage.release is None:
        return ""
    if item.act is Act.PLANNED and (is_when or form is Form.YES_NO) and is_about(findings, quote):
        return "Planned, says"
    if item.act not in asked:
        return ""
    if not reports_event(findings, quote) or (form is Form.YES_NO and find_revert(findings, quote)):
        return ""
    if is_when and share_met(findings.focus.keywords, _context_tokens(findings, quote)) <= _HALF:
        return ""
    stated = read_statement(findings.core_of(quote))
    if stated and stated[0] is item.act and stated[1] != quote.passage.release:
        return f"{STATUS.get(item.act, 'Since')} {stated[1]}, says" if is_when else ""
    if is_when and not is_course and reports_act(asked_act or Act.ADDED, item.act, findings.core_of(quote)) is False:
        return ""
    status = STATUS.get(item.act, "Since" if is_when or is_course else "")
    is_ahead = _AHEAD.search(ELSE.split(_told(findings, quote), maxsplit=1)[0])
    return "" if is_ahead and status in ("Since", "Removed in") else status


def reports_event(findings: Findings, quote: Quote) -> bool:
    """Return whether a quote surely tells what happened in its own release to all of what is asked about."""
    item = _core_item(quote)
    if item is None or item.is_code or item.act in NOT_DONE or not holds_asked(findings, quote, item.act):
        return False
    if reports_act(item.act, item.act, findings.core_of(quote)) is False or not _affirms(findings, quote, item.act):
        return False
    # An entry with all the question's keywords may be less certain.
    is_whole = share_met(findings.focus.keywords, _context_tokens(findings, quote)) >= ALL
    if item.certainty < (_LEAST_CERTAIN if is_whole else CERTAIN):
        return False
    # It must not deny what came unless the question does.
    is_denied = item.act in ARRIVES and _denies(_told(findings, quote))
    return not is_denied or not DENIALS.isdisjoint(split_words(findings.query.text.casefold()))


def bears_out(findings: Findings, one: ItemScore, *, says: bool) -> bool:
    """Return whether an entry that a question for yes or no is answered with tells what is asked, or that it isn't so,
    of the asked thing: a removal no yes to what is there, an addition no no, and a plan neither."""
    query, told = findings.query, _told(findings, one.quote)
    is_beside = named_change(told) is Change.REMOVED and is_of_asked(findings, told)
    if one.act in NOT_DONE or is_beside or not holds_asked(findings, one.quote, one.act):
        return False
    # What something runs on is asked for as what it needs.
    is_support = query.act is Act.REQUIRES and not _NEEDS.search(query.text)
    asked = Act.ADDED if is_support or STILL.search(query.text) else query.act
    if not _affirms(findings, one.quote, *((asked,) if asked and says else ()), one.act):
        return False
    if says:
        reported = asked is None or reports_act(asked, one.act, told)
        # What came to an end, something must say: its name may hold the very word.
        return reported is True or (reported is None and (asked not in ENDS or one.act in ENDS | {Act.OTHER}))
    if asked not in (None, Act.ADDED, Act.REQUIRES, Act.DEFAULT):
        return reports_act(asked, one.act, told) is not True
    done = {act for act, how in find_acts(told) if how is Modality.DONE} or {one.act}
    is_new = done <= {Act.ADDED, Act.DEPRECATED, Act.FASTER} or (one.act not in ENDS and is_addition(told))
    return _denies(told) or not is_new


def holds_asked(findings: Findings, quote: Quote, act: Act) -> bool:
    """Return whether the clauses of a quote that tell what is so hold what is asked about: no word of ours stands
    before one that doesn't. What an entry plans, or names as what was before, it tells nothing of; what it ends, it
    names before anything else. A number may be another where one is required."""
    told, asked = _told(findings, quote), findings.focus.names or findings.focus.keywords
    whole, own = (frozenset(split_tokens(words)) for words in (readable(findings.core_of(quote)), told))
    # A ticket's number stands beside what is told.
    tickets = {reference.casefold() for reference in findings.query.references}
    words = (word for word in findings.focus.words if word.text.casefold() not in tickets)
    if any(word.met_by(whole) > word.met_by(own) for word in words):
        return False
    if act in ENDS:
        clause = ELSE.split(told, maxsplit=1)[0]
        first = frozenset(split_tokens(clause))
        is_first = all(name.tokens[0] in first for name in findings.focus.names) and share_met(asked, first) >= _ABOUT
        # The end of "oven < 4" isn't that of all of oven.
        named = "|".join(re.escape(word.text) for word in asked)
        is_part = re.search(rf"(?:{named})\W{{0,2}}(?:\s*(?:{_BELOW})\s*)?v?\d", clause, re.IGNORECASE)
        is_whole = not is_part or any(number in findings.query.text for number in re.findall(r"\d+(?:\.\d+)*", clause))
        return is_first and is_whole and is_about(findings, quote) and not is_of_asked(findings, told)
    return is_about(findings, quote, numbers=act in ENDS | MENDS | {Act.ADDED})


def is_of_asked(findings: Findings, words: str) -> bool:
    """Return whether what words tell the end of is something of what is asked about: references to it, a test of it."""
    clause = one_line(next(filter(str.strip, ELSE.split(words)), "")).replace("`", "")
    asked = (*findings.focus.names, *findings.focus.keywords)
    places = [found.start() for word in asked for found in re.finditer(rf"\b{re.escape(word.text)}", clause, re.I)]
    return all(_OF.search(clause[:place]) for place in places) if places else bool(FILE.search(clause))


def _told(findings: Findings, quote: Quote) -> str:
    """Return what a quote tells of how things are since its release."""
    words = without_metadata(readable(findings.core_of(quote), keeps_code=True))
    return _BEFORE.sub(" ", asserted(words, quote.passage.release))


def _affirms(findings: Findings, quote: Quote, *acts: Act) -> bool:
    words, after = findings.core_of(quote), text_after(quote.passage, quote.core, findings.text_of(quote))
    return affirms(words, *(Act.FIXED if act is Act.SECURED else act for act in acts), after=after)


def _denies(told: str) -> bool:
    return not DENIALS.isdisjoint(split_words(ELSE.split(told, maxsplit=1)[0].casefold()))


def _core_item(quote: Quote) -> Item | None:
    """Return the item that a quote's core is; None where that is more or less than one."""
    return next((item for item in quote.passage.items if item.span == quote.core), None)


def is_about(findings: Findings, quote: Quote, *, least: float = _ABOUT, numbers: bool = True) -> bool:
    """Return whether what a quote says, or stands under, names what is asked about, and its `numbers` one and all; a
    question without a telling word is about nothing."""
    tokens, asked = _context_tokens(findings, quote), findings.focus.names or findings.focus.keywords
    asked = tuple(word for word in asked if numbers or not word.text[0].isdigit() or word.met_by(tokens))
    is_met = all(word.met_by(tokens) for word in asked if word.text[0].isdigit())
    is_telling = any(word.is_name or not word.is_generic for word in asked)
    return is_telling and is_met and share_met(asked, tokens) >= least


def _context_tokens(findings: Findings, quote: Quote) -> frozenset[str]:
    document = quote.passage.document
    words = (document.product, document.title, *quote.passage.heading, findings.core_of(quote))
    return frozenset(split_tokens(" ".join(words)))
