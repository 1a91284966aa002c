"""Two releases side by side, two that a question names, the ends of a range, or one and the one before: what the notes
between them say changed, and what their pages show line by line.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from corpus.catalogue import CatalogueProduct
from corpus.index.release_matching import is_page
from corpus.item_sentences import states_something
from corpus.lexicon import split_tokens
from corpus.model import Act, Span
from corpus.plain_words import readable
from corpus.said_words import leads_away, say_entry
from corpus.versions import Version, VersionConstraint, VersionMatch
from retrieval.answers.pages import ComparedPage, Edit, LineDifference, PageLine, compared_pages
from retrieval.blocks import Words, name_of, words_of
from retrieval.model import Relative, Status
from retrieval.question.subject import names_only_kinds, subject_weights
from retrieval.question.token_weights import TokenWeights
from retrieval.quoting.composing import Draft, Statement, attribution
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote
from retrieval.quoting.telling import select_quotes
from retrieval.quoting.wording import shorten

_NOTES = 2
_NOTES_OF_ALL = 5
"""Where all that changed is asked for, what somebody found worth announcing comes first. A matter of display."""
_SPEAKS = 0.5  # The share of the subject that an entry of the notes must name. Chosen by hand, never fitted.
_CLEARLY = 1.25
"""An unchanged line is the answer where it is this much more relevant than any that changed. Chosen by hand, never
fitted."""
_DIFFERENCES = 6
_LISTED = 10  # A matter of display.
_MIN_SHARE = 0.65  # A further difference must be as relevant as this share of the first. Chosen by hand, never fitted.
_MIN_RELEVANCE = 0.3
_SECTION_BONUS, _CODE_PENALTY = 0.1, 0.1
_CONTEXT_SHARE = 0.85  # This and the three above were chosen by hand, never fitted.
_STATEMENT_CHARACTERS = 220  # A matter of display.
_DIRECTIONS = {Act.ADDED: Edit.ADDED, Act.REMOVED: Edit.REMOVED}
_PREDECESSORS = 8  # How many releases below one are looked at for the one whose pages come before it.
_CHANGES = (Act.ADDED, Act.REMOVED, Act.CHANGED)

Compared = tuple[CatalogueProduct, Version, Version]


def draft_compare(findings: Findings) -> Draft | None:
    """Show what differs between the pages of two releases; None where they have no pages in common, or these don't
    speak of the question's subject."""
    compared = compared_releases(findings)
    pages = compared_pages(findings.index, *compared) if compared is not None else ()
    if compared is None or not pages:
        return None
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    notes = _notes(findings, compared, pages, subject)
    named = [page for page in pages if page.name & {token for token, _ in subject.weights}]
    left = subject.without(frozenset().union(*(page.name for page in named)))
    for chosen in (named, pages):
        differences = [difference for page in chosen for difference in page.differences]
        if shown := _choose(findings, differences, left, has_notes=bool(notes)):
            quotes = select_quotes(notes, findings.index, limit=_NOTES_OF_ALL)
            said = (Statement(_said(findings, quote), (quote,), attribution(quote)) for quote in quotes)
            stated = (side for difference in shown for side in _state(findings, difference, compared))
            return Draft(Status.ANSWERED, statements=(*said, *stated))
    return None


def _choose(
    findings: Findings, differences: Sequence[LineDifference], subject: TokenWeights, *, has_notes: bool
) -> Sequence[LineDifference]:
    """The differences that a question asks for, best first: those about its subject, or of all the first few."""
    direction = None if findings.query.act is None else _DIRECTIONS.get(findings.query.act)
    changed = [one for one in differences if one.change is not Edit.SAME and (one.below or not one.lines[0].is_heading)]
    fitting = [difference for difference in changed if direction in (None, difference.change)]
    if names_only_kinds(subject, findings.query):
        shown = fitting or [difference for difference in changed if difference.change is Edit.CHANGED]
        covered = {id(one): max(subject.coverage(line.tokens) for line in one.lines) for one in shown}
        shown.sort(key=lambda one: (one.is_code, -covered[id(one)], not one.below))
        return shown[: _DIFFERENCES if has_notes else _LISTED]

    def relevance(difference: LineDifference) -> float:
        """How much a difference has to do with the question, about 0 to 1: shared words first, then nearness."""
        best = -1.0
        for line in difference.lines:
            own = subject.coverage(line.tokens)
            coverage = own + _CONTEXT_SHARE * (subject.coverage(line.tokens | line.context) - own)
            best = max(best, 0.7 * coverage + 0.3 * float(line.vector @ findings.outcome.vector))
        return best + _SECTION_BONUS * bool(difference.below) - _CODE_PENALTY * difference.is_code

    same = [one for one in differences if one.change is Edit.SAME and not one.lines[0].is_heading and not direction]
    ranked, unchanged = (
        sorted(((relevance(one), one) for one in some), key=lambda pair: -pair[0]) for some in (fitting, same)
    )
    best, best_same = (some[0][0] if some else 0.0 for some in (ranked, unchanged))
    if max(best, best_same) < _MIN_RELEVANCE:
        return ()
    if best_same > best * _CLEARLY:
        return (unchanged[0][1],)
    return [difference for score, difference in ranked if score >= _MIN_SHARE * best][:_DIFFERENCES]


def _notes(
    findings: Findings, compared: Compared, pages: Sequence[ComparedPage], subject: TokenWeights
) -> list[ItemScore]:
    """What notes between both releases say about the subject: entries that aren't lines of the compared pages."""
    _, before, after = compared
    own_pages = {line.passage.document.id for page in pages for line in (*page.before, *page.after)}
    asks_all = names_only_kinds(subject, findings.query)
    found: list[ItemScore] = []
    for scored in findings.fitting:
        passage, words = scored.passage, findings.words_of(scored)
        release = None if passage.release is None else Version.parse(passage.release)
        speaks = subject.coverage(frozenset(split_tokens(words))) >= _SPEAKS
        if asks_all:
            speaks = findings.query.act in (None, Act.CHANGED, scored.act)
        is_between = release is None or before < release <= after
        is_note = passage.document.id not in own_pages and not is_page(passage) and not leads_away(words)
        if speaks and is_between and is_note and states_something(words):
            found.append(scored)
    return found[: _NOTES_OF_ALL if asks_all else _NOTES]


def _state(findings: Findings, difference: LineDifference, compared: Compared) -> Iterator[Statement]:
    lines = difference.lines
    names = [name_of(line.passage.document.product, line.passage.release) for line in lines]
    quotes = [Quote(line.passage, line.span, line.span) for line in lines]
    if difference.change is Edit.SAME:
        both = "The same in " + names[0] + " and " + names[1]
        yield Statement(_said(findings, quotes[1]), tuple(quotes), both)
    elif difference.change is Edit.CHANGED:
        for name, quote in zip(names, quotes, strict=True):
            yield Statement(_said(findings, quote), (quote,), name)
    else:
        _, before, after = compared
        which = f"not in {before}" if difference.change is Edit.ADDED else f"no longer in {after}"
        span = lines[0].span
        # With a line what stands below it in the same passage as far as a quote may go.
        for line in difference.below:
            if line.passage is lines[0].passage and line.span.end - span.start <= MAX_QUOTE_CHARACTERS:
                span = Span(span.start, max(span.end, line.span.end))
        quote = Quote(lines[0].passage, span, span)
        yield Statement(_said(findings, quote, title=lines[0]), (quote,), names[0] + f" ({which})")


def _said(findings: Findings, quote: Quote, *, title: PageLine | None = None) -> Words:
    """The words of a quote; a heading at its beginning is set off from what stands below it."""
    text = findings.text_of(quote)
    words, lead = quote.core.slice(text), ""
    if title is not None and title.span.end < quote.core.end and not title.words.endswith((".", "!", "?")):
        lead = f"{readable(title.span.slice(text), keeps_code=True).rstrip(':')}: "
        words = text[title.span.end : quote.core.end]
    return words_of(shorten(lead + say_entry(words), max_characters=_STATEMENT_CHARACTERS))


def compared_releases(findings: Findings) -> Compared | None:
    """The product and the two of its releases that a question sets side by side; None where it does no such thing.

    What changed in one release, and what was so before one, is asked against the one before it.
    """
    query = findings.query
    constraint = query.constraint
    if constraint is None or len(findings.products) != 1:
        return None
    (product,) = findings.products
    newest = next(iter(product.finals), None)
    asks_changes = query.form.traits.asks_changes or query.act in _CHANGES
    low, high = constraint.low, constraint.high
    if len(constraint.versions) == 2:
        low, high = constraint.versions
    after = None if high is None else _indexed_release(product, high)
    before = None if low is None else _indexed_release(product, low)
    if constraint.low is None and high is not None and not constraint.includes_high:
        return _first_below(findings, product, constraint, after)
    if constraint.low is not None and constraint.high is None and asks_changes:
        return _with_pages(findings, product, before, newest)
    if len(constraint.versions) == 1:
        named = _indexed_release(product, constraint.versions[0])
        if query.relative is Relative.NEWEST:
            return _with_pages(findings, product, named, newest)
        if named is not None and asks_changes:
            return _first_below(findings, product, VersionConstraint.before(named), named)
    return (product, before, after) if before is not None and after is not None and before < after else None


def _first_below(
    findings: Findings, product: CatalogueProduct, below: VersionConstraint, after: Version | None
) -> Compared | None:
    """A release with the newest one below it that has pages in common."""
    earlier = (release.version for release in product.releases if below.contains(release.version))
    tried = (_with_pages(findings, product, version, after) for version in islice(earlier, _PREDECESSORS))
    return next(filter(None, tried), None)


def _indexed_release(product: CatalogueProduct, asked: Version) -> Version | None:
    """The release that a version means: itself, else the newest of its series."""
    constraint = VersionConstraint.exactly(asked)
    releases = [release.version for release in product.releases]
    exact = [version for version in releases if constraint.match(version) is VersionMatch.EXACT]
    return next(iter(exact or [version for version in releases if constraint.contains(version)]), None)


def _with_pages(
    findings: Findings, product: CatalogueProduct, before: Version | None, after: Version | None
) -> Compared | None:
    """Both releases, where they have pages in common."""
    if before is None or after is None or not before < after:
        return None
    return (product, before, after) if compared_pages(findings.index, product, before, after) else None
