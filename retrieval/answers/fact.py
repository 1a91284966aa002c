"""The plain answer: the best quote with its surroundings, and one more where it says nearly as much."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from corpus.lexicon import split_tokens
from corpus.model import Act, Span
from corpus.plain_words import one_line
from retrieval.answers.not_found import draft_not_found
from retrieval.drafting import Draft, Statement, attributed, wording
from retrieval.findings import Findings
from retrieval.item_forms import is_bare_title, is_code, is_title
from retrieval.model import Form, Status
from retrieval.question_words import QuestionWord
from retrieval.quotes import (
    MAX_QUOTE_CHARACTERS,
    ItemScore,
    Quote,
    is_same_prose,
    select_quotes,
)
from retrieval.statements import states_something
from retrieval.subject import subject_weights
from retrieval.weights import TokenWeights

_QUOTES = 3
_NAMED = 3
_ALSO = 2
_ALSO_SHARE = 0.75
"""What a quote says beside its core is told where it scores this share of the best."""
_MIN_SHARE = 0.5
"""A further quote must be this much as likely to hold the answer as the first."""
_NEWER_COVERAGE = 0.5
"""The share of the subject that a newer entry must name to be on the same thing."""
_NEWER_SHARE = 0.6
"""A newer entry must be this near to the question, as a share of the best one's cosine: what names the thing in passing
says nothing of it. Likely to answer as the question puts it ("does it read …?") it needn't be: it may say no."""
_IN_PASSING = frozenset({Act.FIXED, Act.SECURED, Act.FASTER})
"""What mends a thing says that it is there, which the older entry says better."""
_SURELY = 0.7
_CONTEXT_CHARACTERS = 260
"""A statement takes in the sentences around it up to this length, so that both are told within the first lines."""


def draft_fact(findings: Findings) -> Draft:
    """Quote what answers best, in the asked release if the question names one; not found where only titles fit."""
    telling = tuple(one for one in findings.fitting if not _is_mere_title(findings, one))
    telling = tuple(one for one in telling if _states(findings, one)) or telling
    if not telling:
        return draft_not_found(findings)
    ranked = _last_before(findings, telling)
    if newer := _newest_of_it(findings, telling[0]):
        ranked = (replace(newer, score=ranked[0].score), *ranked)
    quotes = select_quotes(
        ranked,
        findings.index,
        limit=_QUOTES + (newer is not None),
        min_share=_MIN_SHARE,
        room=MAX_QUOTE_CHARACTERS,
    )
    stated = (_with_context(findings, quotes[0]), *quotes[1:])
    told = tuple(_state(findings, one) for quote in stated for one in (quote, *_also_said(findings, quote)))
    unsaid = _cautions(findings, quotes)
    return Draft(Status.PARTIAL if unsaid else Status.ANSWERED, "", told, unsaid)


def _states(findings: Findings, one: ItemScore) -> bool:
    words = one.item.span.slice(findings.index.text_of(one.hit.passage))
    return is_code(findings.index.text_of(one.hit.passage), one.item.span) or states_something(one_line(words))


def _newest_of_it(findings: Findings, best: ItemScore) -> ItemScore | None:
    """Of what is asked as it is now, the newest entry that names it, where that is newer than what answers best: "not
    yet" stays true in the words of its release alone. None where a release is asked for, or no name is asked about."""
    names = findings.focus.names
    if findings.query.constraint is not None or not names or findings.query.form is not Form.YES_NO:
        return None
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    newer = [
        one
        for one in findings.fitting
        if one.hit.passage.release
        and one.hit.passage.document.product == best.hit.passage.document.product
        and one.hit.passage.release_order > best.hit.passage.release_order
        and one.cosine >= _NEWER_SHARE * best.cosine
        and not one.item.retracted
        and _speaks_of(findings, one, names, subject)
    ]
    return max(newer, key=lambda one: (one.hit.passage.release_order, one.score), default=None)


def _speaks_of(findings: Findings, one: ItemScore, names: Sequence[QuestionWord], subject: TokenWeights) -> bool:
    tokens = frozenset(split_tokens(one.item.span.slice(findings.index.text_of(one.hit.passage))))
    is_on_it = all(name.met_by(tokens) == 1.0 for name in names) and subject.coverage(tokens) >= _NEWER_COVERAGE
    return is_on_it and not (one.item.act in _IN_PASSING and one.item.certainty >= _SURELY)


def _is_mere_title(findings: Findings, one: ItemScore) -> bool:
    """Whether an item is a title with nothing below it to be quoted instead."""
    text = findings.index.text_of(one.hit.passage)
    below = one.hit.passage.items[one.number + 1 :]
    return is_bare_title(one.hit.passage, one.item.span.slice(text)) and not any(
        states_something(item.span.slice(text)) for item in below
    )


def _with_context(findings: Findings, quote: Quote) -> Quote:
    """The quote with its core grown by the sentences after and before it in its paragraph: what a thing needs, or what
    to do instead, often stands in the next one."""
    text = findings.index.text_of(quote.passage)
    items = [item for item in quote.passage.items if _holds(quote.span, item.span) and not item.retracted]
    core = quote.core
    inside = [number for number, item in enumerate(items) if _holds(core, item.span)]
    if not inside or is_code(text, core):
        return quote
    first, last = inside[0], inside[-1]
    grew = True
    while grew:
        grew = False
        if last + 1 < len(items) and is_same_prose(text, items[last], items[last + 1]):
            wider = Span(core.start, items[last + 1].span.end)
            if len(one_line(wider.slice(text))) <= _CONTEXT_CHARACTERS:
                core, last, grew = wider, last + 1, True
        if first and is_same_prose(text, items[first - 1], items[first]):
            wider = Span(items[first - 1].span.start, core.end)
            if len(one_line(wider.slice(text))) <= _CONTEXT_CHARACTERS:
                core, first, grew = wider, first - 1, True
    return replace(quote, core=core)


def _also_said(findings: Findings, quote: Quote) -> Iterator[Quote]:
    """What else a quote says that answers nearly as well ("… on Linux" beside "… on Windows"), best first."""
    fitting = findings.fitting
    near = (one for one in fitting if one.score >= _ALSO_SHARE * fitting[0].score and not one.item.retracted)
    inside = (one for one in near if one.hit.passage is quote.passage and _holds(quote.span, one.item.span))
    text = findings.index.text_of(quote.passage)
    said = (
        one
        for one in inside
        if not is_code(text, one.item.span) and not is_title(quote.passage, one.item.span.slice(text))
    )
    beside = (one for one in said if not _holds(quote.core, one.item.span))
    for one in islice(beside, _ALSO):
        yield replace(quote, core=one.item.span)


def _holds(span: Span, other: Span) -> bool:
    return span.start <= other.start and other.end <= span.end


def _cautions(findings: Findings, quotes: Sequence[Quote]) -> tuple[str, ...]:
    """Which names of the question stand in none of the quotes: the reader may take an answer for more than it says."""
    said = " ".join(
        " ".join((quote.passage.document.product, quote.passage.document.title, *quote.passage.heading))
        + " "
        + quote.span.slice(findings.index.text_of(quote.passage))
        for quote in quotes
    )
    tokens = frozenset(split_tokens(said))
    unsaid = [name.text for name in findings.focus.names if not name.met_by(tokens) and not name.text.islower()]
    named = " or ".join(f"`{text.replace('`', '')}`" for text in unsaid[:_NAMED])
    return (f"No quote mentions {named}.",) if named else ()


def _last_before(findings: Findings, fitting: Sequence[ItemScore]) -> Sequence[ItemScore]:
    """Where what was before a release is asked, of the items that answer nearly as well the newest releases first."""
    constraint = findings.query.constraint
    if constraint is None or constraint.low or not constraint.high or constraint.includes_high or not fitting:
        return fitting
    near = [one for one in fitting if one.score >= _MIN_SHARE * fitting[0].score]
    near.sort(key=lambda one: one.hit.passage.release_order, reverse=True)
    return [replace(one, score=fitting[0].score) for one in near]


def _state(findings: Findings, quote: Quote) -> Statement:
    text = findings.index.text_of(quote.passage)
    words = wording(quote, text, keeps_tickets=any(value.name == "pull request" for value in findings.focus.values))
    return Statement(attributed(quote, words), (quote,))
