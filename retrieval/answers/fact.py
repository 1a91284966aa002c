"""The plain answer: what answers best with what explains it, and what else is about as likely to answer."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.lexicon import split_tokens
from corpus.plain_words import one_line
from retrieval.answers.lead import decide, lead
from retrieval.answers.not_found import draft_not_found
from retrieval.drafting import STATEMENT_CHARACTERS, Draft, Statement, attributed, wording
from retrieval.findings import Findings
from retrieval.model import Form, Status
from retrieval.question.words import QuestionWord
from retrieval.quoting.quotes import (
    MAX_QUOTE_CHARACTERS,
    ItemScore,
    Quote,
    explain,
    quote_item,
)
from retrieval.search.item_forms import is_code, is_title

_STATEMENTS = 4
_NAMED = 3
_ANSWER_CHARACTERS = 750
_FIRST_CHARACTERS, _FURTHER_CHARACTERS = 260, 200
"""A statement takes in what explains it up to this length, the first so that it is told within the first lines."""
_MIN_SHARE, _MIN_SHARE_BESIDE = 0.45, 0.2
"""A further statement must be this much as likely to hold the answer as the first; within its quote it costs less."""


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one."""
    ranked = findings.fitting
    if not ranked:
        return draft_not_found(findings)
    first, verdict = decide(findings) if findings.query.form is Form.YES_NO else (ranked[0], None)
    ranked = (replace(first, score=ranked[0].score), *ranked)
    quotes = _tell(findings, ranked)
    unsaid = _unsaid(findings, quotes)
    if verdict is None and _knows_none(findings, unsaid):
        return draft_not_found(findings)
    cautions = _cautions(unsaid)
    keeps_tickets = any(value.name == "pull request" for value in findings.focus.values)
    statements = (
        lead(findings, ranked[0], quotes[0], verdict, keeps_tickets=keeps_tickets),
        *(_state(findings, quote, keeps_tickets=keeps_tickets) for quote in quotes[1:]),
    )
    return Draft(Status.PARTIAL if cautions else Status.ANSWERED, "", statements, cautions)


def _tell(findings: Findings, ranked: Sequence[ItemScore]) -> list[Quote]:
    """What is said, best first, each item with what explains it, as long as the answer stays short: what stands within
    an earlier quote is proven by that, and needs to answer less well than what needs a quote of its own."""
    quotes: list[Quote] = []
    room = _ANSWER_CHARACTERS
    for scored in ranked:
        text = findings.text_of(scored)
        beside = next((q for q in quotes if q.passage is scored.passage and q.span.holds(scored.item.span)), None)
        least = (_MIN_SHARE_BESIDE if beside else _MIN_SHARE) * ranked[0].score
        if quotes and (scored.score < least or (beside and not _is_sayable(scored, text))):
            continue
        if beside:
            quote = replace(beside, core=scored.item.span)
        else:
            quote = quote_item(scored, text, room=MAX_QUOTE_CHARACTERS, apart_from=quotes)
        if any(_says_again(findings, quote, other) for other in quotes):
            continue
        length = _FURTHER_CHARACTERS if quotes else _FIRST_CHARACTERS
        quote = explain(quote, text, room=length, apart_from=quotes, shows_code=findings.query.form.tells_trouble)
        length = min(len(one_line(quote.core.slice(text))), STATEMENT_CHARACTERS)
        if not quotes or length <= room:
            quotes.append(quote)
            room -= length
        if len(quotes) == _STATEMENTS:
            break
    return quotes


def _is_sayable(one: ItemScore, text: str) -> bool:
    is_form = is_code(text, one.item.span) or is_title(one.passage, one.item.span.slice(text))
    return not is_form and not one.item.retracted


def _says_again(findings: Findings, quote: Quote, other: Quote) -> bool:
    """Whether a quote's core stands in another's, or says the same in another place (a fix of two patch releases)."""
    if quote.span != other.span and quote.overlaps(other):
        return True
    words, theirs = (one_line(findings.core_of(q)).casefold() for q in (quote, other))
    return words == theirs or quote.shares_core(other)


def _unsaid(findings: Findings, quotes: Sequence[Quote]) -> tuple[QuestionWord, ...]:
    """Which names of the question stand in none of the quotes nor above them."""
    said = " ".join(
        " ".join((quote.passage.document.product, quote.passage.document.title, *quote.passage.heading))
        + " "
        + quote.span.slice(findings.text_of(quote))
        for quote in quotes
    )
    tokens = frozenset(split_tokens(said))
    return tuple(name for name in findings.focus.names if not name.met_by(tokens) and not _is_written(name.text, said))


def _is_written(name: str, text: str) -> bool:
    """Whether a name stands in a text as it is, be it as a part of another: 13 in "13.0+"."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _knows_none(findings: Findings, unsaid: Sequence[QuestionWord]) -> bool:
    """Whether all names of the question are unsaid, and no passage about its products has one of them: what is told
    then is of something else. Not so of numbers, which others answer ("3.9 or later" a question about 3.8), nor of
    rare words, which notes may say otherwise."""
    names = [name for name in findings.focus.names if not (name.text[0].isdigit() or name.text.islower())]
    if not names or not all(name in unsaid for name in names):
        return False
    products = [product.name for product in findings.products]
    tokens = [token for name in names for token in name.tokens]
    return not findings.index.passages_holding(tokens, products=products).size


def _cautions(unsaid: Sequence[QuestionWord]) -> tuple[str, ...]:
    """What the quotes don't mention: the reader may take an answer for more than it says."""
    texts = [name.text for name in unsaid if not name.text.islower()]
    named = " or ".join(f"`{text.replace('`', '')}`" for text in texts[:_NAMED])
    return (f"None of the quotes mentions {named}.",) if named else ()


def _state(findings: Findings, quote: Quote, *, keeps_tickets: bool) -> Statement:
    words = wording(quote, findings.text_of(quote), keeps_tickets=keeps_tickets)
    return Statement(attributed(quote, words), (quote,))
