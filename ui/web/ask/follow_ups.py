"""Questions that go on from an answer: short ones that lean on the conversation, each proven to say something new."""

from collections.abc import Iterator
from itertools import islice

from corpus.catalogue import stable_releases
from corpus.lexicon import split_tokens
from corpus.model import Kind, Span
from corpus.versions import Version
from retrieval.assistant import Assistant
from retrieval.model import Answer, Citation, Form, RankedPassage
from retrieval.quoting.statements import speaks_of_security
from ui.web.ask.conversation import MAX_HISTORY, Asking
from ui.web.ask.proving import Candidate, feature_releases

_OFFERED, _TRIED = 3, 4
_GOES = (Kind.DEPRECATION, Kind.REMOVAL)
_MOST_PASSAGES = 100
"""Of an upgrade whose breaking changes are asked for while somebody waits."""


def follow_ups(assistant: Assistant, asking: Asking, answer: Answer) -> tuple[str, ...]:
    """Questions to go on with after `answer`, the one to `asking`, at most three: each has an answer that leads with
    another quote and shows one that wasn't shown yet. None after a question that has no answer."""
    before = (*asking.history, asking.question)
    asked = {question.casefold() for question in before}

    def is_offered(candidate: Candidate) -> bool:
        found = assistant.ask(
            candidate.question,
            history=before[-MAX_HISTORY:],
            product=asking.product,
            version=asking.version,
            limit=1,
            read=False,
        )
        return candidate.is_proven(found) and _goes_on(found, answer)

    candidates = _candidates(assistant, asking, answer) if answer.citations else ()
    new = (candidate for candidate in candidates if candidate.question.casefold() not in asked)
    return tuple(islice((one.question for one in islice(new, _TRIED) if is_offered(one)), _OFFERED))


def _candidates(assistant: Assistant, asking: Asking, answer: Answer) -> Iterator[Candidate]:
    """The nearest to what was told first."""
    index, read, first = assistant.index, answer.interpretation, answer.citations[0]
    (product,) = index.products_named((first.product,))
    out = [release.version for release in stable_releases(product.releases)]
    release = next((version for version in out if version == Version.try_parse(first.version or "")), None)
    # A question that is held to a version isn't led to another.
    newer = out[0] if release and not asking.version and out[0].base > release.base else None

    quotes = " ".join(cited.quote for cited in answer.citations).casefold()
    symbol = next((symbol for symbol in read.symbols if symbol.casefold() in quotes), "")

    def is_of_symbol(quote: str) -> bool:
        return symbol.casefold() in quote.casefold()

    if symbol and len(index.passages_holding(split_tokens(symbol)[:1], products=[product.name])) > 1:
        goes = any(passage.kind in _GOES and _meets(passage, first) for passage in answer.passages)
        if goes and read.intent != Form.MIGRATE.intent:
            yield Candidate("What should I use instead?", Form.MIGRATE, product.name, None, is_of_symbol)
        if read.intent != Form.SINCE_WHEN.intent:
            yield Candidate("Since when?", Form.SINCE_WHEN, product.name, None, is_of_symbol)
        if newer:
            yield Candidate(f"Is it still so in {newer}?", Form.YES_NO, product.name, None, is_of_symbol)
    if release is None:
        return

    # A product that the question names needn't be named again.
    is_named = read.products == (product.name,)
    named = f"{release}" if is_named else f"{product.name} {release}"
    if read.intent == Form.WHATS_NEW.intent:
        yield Candidate(f"What was deprecated in {named}?", Form.WHATS_NEW, product.name, release)
    elif not symbol:
        # "What is new in 2.0?" would be read as asking the same of another release.
        yield Candidate(f"What else does {named} bring?", Form.WHATS_NEW, product.name, release)
    kinds = index.passages.kind_codes[index.release_positions(product.name, release)]
    if tuple(Kind).index(Kind.SECURITY) in kinds and read.intent != Form.SECURITY.intent:
        question = f"Which vulnerabilities does {named} fix?"
        yield Candidate(question, Form.SECURITY, product.name, release, speaks_of_security)
    if newer:
        question = f"What does the newest release{'' if is_named else f' of {product.name}'} bring?"
        yield Candidate(question, Form.WHATS_NEW, product.name, newer)
    before = next((earlier for earlier in feature_releases(product) if earlier < release.series), None)
    if before and read.intent != Form.BREAKS.intent:
        passed = index.release_positions(product.name, lambda version: before < version <= release)
        if len(passed) <= _MOST_PASSAGES:
            question = f"What breaks when I upgrade {'' if is_named else f'{product.name} '}from {before} to {release}?"
            yield Candidate(question, Form.BREAKS, product.name)


def _goes_on(found: Answer, answer: Answer) -> bool:
    """Whether an answer leads with another quote than the one at hand, and shows one that it doesn't show."""
    is_new = [not any(_meets(cited, shown) for shown in answer.citations) for cited in found.citations]
    return any(is_new) and not _meets(found.citations[0], answer.citations[0])


def _meets(one: Citation | RankedPassage, other: Citation) -> bool:
    return one.document_id == other.document_id and Span(one.start, one.end).meets(Span(other.start, other.end))
