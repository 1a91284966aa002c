"""What an entry says happened, and whether to what is asked about: a word of ours before its quote ("Removed in")
stands only where question and quote agree; where either isn't sure, the quote opens.
"""

from corpus.happenings import read_told, tells
from corpus.lexicon import content_words, split_tokens
from corpus.model import Act, Item
from corpus.plain_words import one_line
from retrieval.model import Form
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
CERTAIN = 0.7  # How surely an item must have been read to tell what happened. Chosen by hand, never fitted.
_ABOUT = 0.6
"""Of the weight of what is asked about: what became of another thing isn't said of this one. Chosen by hand, never
fitted."""


def has_happened(findings: Findings, one: ItemScore, asked: Act) -> bool | None:
    """Whether an entry tells that what is asked for has happened; None where that is open."""
    return tells(asked, one.act, findings.words_of(one))


def telling_tokens(text: str) -> frozenset[str]:
    """The tokens of the words that two sentences must share to say the same; an act's verb is none of them."""
    words = (word for word in content_words(one_line(text)) if not read_told(word))
    return frozenset(token for word in words for token in split_tokens(word)[:1])


def told_status(findings: Findings, quote: Quote) -> str:
    """What became of the thing asked about, where the quote of an item tells that event and the question asks for it or
    begins with it; else empty, as in news of it."""
    form, asked_act = findings.query.form, findings.query.act
    is_when = form is Form.SINCE_WHEN
    asked = GONE if form is Form.MIGRATE else MENDS if form.traits.tells_trouble else frozenset({asked_act})
    if is_when and (asked_act or Act.ADDED) in ARRIVES:
        asked = ARRIVES
    item = _told_item(quote)
    if item is None or item.act not in asked or not quote.passage.is_own or not tells_event(findings, quote):
        return ""
    stated = read_statement(findings.core_of(quote))
    if stated and stated[0] is item.act and stated[1] != quote.passage.release:
        return f"{STATUS.get(item.act, 'Since')} {stated[1]}, says" if is_when else ""
    if is_when and tells(asked_act or Act.ADDED, item.act, findings.core_of(quote)) is False:
        return ""
    return STATUS.get(item.act, "Since" if is_when else "")


def tells_event(findings: Findings, quote: Quote) -> bool:
    """Whether a quote surely tells what happened in its own release to what is asked about."""
    item = _told_item(quote)
    return item is not None and not item.is_code and item.certainty >= CERTAIN and is_about(findings, quote)


def _told_item(quote: Quote) -> Item | None:
    """The item that a quote's core is; None where that is more or less than one."""
    return next((item for item in quote.passage.items if item.span == quote.core), None)


def is_about(findings: Findings, quote: Quote, *, least: float = _ABOUT) -> bool:
    """Whether what a quote says, or stands under, names what is asked about, its numbers one and all; a question
    without a telling word is about nothing."""
    tokens, asked = _said_with(findings, quote), findings.focus.names or findings.focus.telling
    is_met = all(word.met_by(tokens) for word in asked if word.text[0].isdigit())
    return bool(findings.focus.telling) and is_met and share_met(asked, tokens) >= least


def _said_with(findings: Findings, quote: Quote) -> frozenset[str]:
    document = quote.passage.document
    said = (document.product, document.title, *quote.passage.heading, findings.core_of(quote))
    return frozenset(split_tokens(" ".join(said)))
