"""What is nearest to a question that has no answer: passages as verified quotes, of what was asked about first."""

from collections.abc import Iterator

from corpus.lexicon import split_tokens
from retrieval.answers.not_found import names_nothing_indexed
from retrieval.assistant import Assistant
from retrieval.drafting import Draft, Statement, verify_quotes
from retrieval.findings import Findings
from retrieval.model import Citation, Status
from retrieval.question.words import share_met
from retrieval.quoting.quotes import ItemScore, Quote, widen
from ui.web.ask.conversation import Asking

_SHOWN, _READ = 3, 8
_NEAR = 0.8
"""Of the question's own words, weighed, and of its meaning (a cosine) a passage has this much together, to help: on
made-up questions that nothing answers, what had less was of another subject."""


def nearest_passages(assistant: Assistant, asking: Asking) -> tuple[Citation, ...]:
    """Quotes of the passages nearest to a question, at most three, of the asked product first, whatever their release;
    none where nothing is near enough to help.

    Raises:
        UsageError: as `Assistant.ask`.
    """
    query = assistant.understand(asking.question, **asking.choices)
    if names_nothing_indexed(query):
        return ()
    findings = assistant.find(query, limit=_READ)
    near = sorted(_near(findings), key=lambda item: item.passage.document.product not in query.products)
    quotes: list[Quote] = []
    for item in near:
        quote = widen(item, findings.text_of(item))
        if len(quotes) < _SHOWN and not any(map(quote.overlaps, quotes)):
            quotes.append(quote)
    draft = Draft(Status.ANSWERED, "", tuple(Statement("", (quote,)) for quote in quotes))
    return tuple(citation for _, (citation,) in verify_quotes(draft, assistant.index))


def _near(findings: Findings) -> Iterator[ItemScore]:
    """The likeliest item of each passage that is near, or holds a name of code that is asked about, best first; without
    words of its own a question has none."""
    telling = findings.focus.telling
    seen: set[int] = set()
    for item in findings.scored if telling else ():
        if item.passage.position not in seen:
            seen.add(item.passage.position)
            place = f"{item.passage.document.product} {' '.join(item.passage.heading)}"
            tokens = frozenset(split_tokens(f"{place} {item.passage.span.slice(findings.text_of(item))}"))
            share = share_met(telling, tokens)
            names_code = any(word.text in findings.query.symbols and word.met_by(tokens) == 1 for word in telling)
            if names_code or (share and share + item.cosine >= _NEAR):
                yield item
