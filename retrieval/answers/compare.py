"""Two releases side by side, two that a question names or the ends of a range: what the notes between them say changed,
and what their pages show line by line."""

from collections.abc import Iterator, Sequence

from corpus.index.release_matching import is_page
from corpus.item_sentences import is_statement
from corpus.lexicon import split_tokens
from corpus.model import Act, Span
from corpus.versions import Version, VersionConstraint
from retrieval.answers.catalogue_releases import releases_that_fit
from retrieval.answers.pages import ComparedPage, Edit, LineDifference, compared_pages
from retrieval.blocks import Words, name_of
from retrieval.model import Status
from retrieval.question.subject import names_only_kinds, subject_weights
from retrieval.question.token_weights import CAME_AND_WENT, TokenWeights
from retrieval.quoting.composing import Draft, Statement, attribution
from retrieval.quoting.findings import Findings
from retrieval.quoting.quote_ranges import quote_item, without_overlaps
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote
from retrieval.quoting.wording import word_quote

_NOTES, _NOTES_OF_ALL, _DIFFERENCES, _LISTED = 2, 5, 6, 10  # A matter of display.
_SPEAKS = 0.5  # The share of the subject that an entry of the notes must name. Chosen by hand, never fitted.
_CLEARLY, _MIN_SHARE, _MIN_RELEVANCE = 1.25, 0.65, 0.3
"""By how much more relevant an unchanged line must be than any that changed, what share of the first one's relevance a
further difference must have, and what the first one must. Chosen by hand, never fitted."""
_STATEMENT_CHARACTERS, _CHARACTERS, _AROUND = 220, 860, 30  # A matter of display.
_DIRECTIONS = {Act.ADDED: Edit.ADDED, Act.REMOVED: Edit.REMOVED}

Compared = tuple[Version, Version, tuple[ComparedPage, ...]]


def draft_compare(findings: Findings) -> Draft | None:
    """Show what differs between the pages of two releases; None if no shared page mentions the question's subject."""
    compared = _compared(findings)
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    if compared is None or not (shown := _choose(findings, compared[-1], subject)):
        return None
    notes = _notes(findings, compared, subject)
    quotes = without_overlaps(quote_item(note, findings.text_of(note)) for note in notes)
    stated = [Statement(_quoted_words(findings, quote), (quote,), attribution(quote)) for quote in quotes]
    for difference in shown:
        sides = tuple(_statements(findings, difference, compared))
        size = sum(len(statement.labelled.text) + _AROUND for statement in (*stated, *sides))
        stated += sides if not stated or size <= _CHARACTERS else ()
    return Draft(Status.ANSWERED, statements=tuple(stated))


def _choose(findings: Findings, pages: Sequence[ComparedPage], subject: TokenWeights) -> Sequence[LineDifference]:
    """Choose the differences that a question asks for, best first: those about its subject, or of all the first few."""
    named = [page for page in pages if page.after[0].context & {*subject.tokens}]
    left = subject.without(frozenset().union(*(page.after[0].context for page in named)))
    differences = [difference for page in pages for difference in page.differences]
    # A name stands for itself: what doesn't hold it is about something else, and of what does it tells no more.
    names = [frozenset(split_tokens(name)) for name in findings.query.symbols]
    if holding := [d for d in differences if any(name <= line.all_tokens for line in d.lines for name in names)]:
        differences = holding
        left, subject = (words.without(frozenset().union(*names)) for words in (left, subject))
    # What may have become of what is asked for: what came, what went, or anything.
    words, act = frozenset(split_tokens(findings.query.text)), findings.query.act
    both = {_DIRECTIONS[direction] for direction, said in CAME_AND_WENT.items() if said & words}
    directions = both if len(both) > 1 else {_DIRECTIONS[act]} if act in _DIRECTIONS else set(Edit)
    changed = [d for d in differences if d.change is not Edit.SAME and (d.below or not d.lines[0].is_heading)]
    fitting = [difference for difference in changed if difference.change in directions]
    if fitting and names_only_kinds(left, findings.query):
        fitting.sort(key=lambda d: (d.is_code, -max(subject.coverage(line.tokens) for line in d.lines), not d.below))
        return fitting[:_LISTED]

    def relevance(difference: LineDifference) -> float:
        """Return how much a difference has to do with the question, about 0 to 1: shared words first, then nearness."""
        near = (float(line.vector @ findings.outcome.vector) for line in difference.lines)
        return 0.7 * max(subject.coverage(line.all_tokens) for line in difference.lines) + 0.3 * max(near)

    same = [d for d in differences if d.change is Edit.SAME in directions and not d.lines[0].is_heading]
    ranked, unchanged = (
        sorted(((relevance(d), d) for d in some), key=lambda pair: -pair[0]) for some in (fitting, same)
    )
    best, best_same = (some[0][0] if some else 0.0 for some in (ranked, unchanged))
    if max(best, best_same) < _MIN_RELEVANCE and not holding:
        return ()
    if best_same > best * _CLEARLY:
        return (unchanged[0][1],)
    return [difference for score, difference in ranked if score >= _MIN_SHARE * best][:_DIFFERENCES]


def _notes(findings: Findings, compared: Compared, subject: TokenWeights) -> list[ItemScore]:
    """What notes between both releases say about the subject: entries that aren't lines of the compared pages."""
    asks_all = names_only_kinds(subject, findings.query)
    notes: list[ItemScore] = []
    for scored in findings.fitting:
        passage, words, release = scored.passage, findings.words_of(scored), scored.passage.release
        is_about = subject.coverage(frozenset(split_tokens(words))) >= _SPEAKS
        is_about = findings.query.act in (None, Act.CHANGED, scored.act) if asks_all else is_about
        is_between = release is None or compared[0] < release <= compared[1]
        if is_about and is_between and not is_page(passage) and is_statement(words):
            notes.append(scored)
    return notes[: _NOTES_OF_ALL if asks_all else _NOTES]


def _statements(findings: Findings, difference: LineDifference, compared: Compared) -> Iterator[Statement]:
    lines = difference.lines
    names = [name_of(line.passage.document.product, line.passage.release) for line in lines]
    quotes = [Quote(line.passage, line.span, line.span) for line in lines]
    if difference.change is Edit.SAME:
        both = "The same in " + names[0] + " and " + names[1]
        yield Statement(_quoted_words(findings, quotes[1]), tuple(quotes), both)
    elif difference.change is Edit.CHANGED:
        for name, quote in zip(names, quotes, strict=True):
            yield Statement(_quoted_words(findings, quote), (quote,), name)
    else:
        which = f"not in {compared[0]}" if difference.change is Edit.ADDED else f"no longer in {compared[1]}"
        span = lines[0].span
        # A line is quoted with the lines below it in the same passage, as far as a quote may go.
        for line in difference.below:
            if line.passage is lines[0].passage and line.span.end - span.start <= MAX_QUOTE_CHARACTERS:
                span = Span(span.start, max(span.end, line.span.end))
        quote = Quote(lines[0].passage, span, span)
        yield Statement(_quoted_words(findings, quote), (quote,), names[0] + f" ({which})")


def _quoted_words(findings: Findings, quote: Quote) -> Words:
    return word_quote(quote, findings.text_of(quote), max_characters=_STATEMENT_CHARACTERS).labelled


def _compared(findings: Findings) -> Compared | None:
    """Return the two releases that a question compares, and the pages that they share; None if there are none."""
    constraint = findings.query.constraint
    if constraint is None or len(findings.products) != 1:
        return None
    (product,) = findings.products
    ends = constraint.versions if len(constraint.versions) == 2 else (constraint.low, constraint.high)
    fitting = [releases_that_fit(product, VersionConstraint.exactly(end)) for end in ends if end]
    if len(fitting) < 2 or not all(fitting):
        return None
    before, after = (releases[0].version for releases in fitting)
    pages = compared_pages(findings.index, product, before, after) if before < after else ()
    return (before, after, pages) if pages else None
