"""Two releases side by side: what the notes between them say changed, and what their pages show.

Where both releases have the same pages, these are compared line by line, so that a change that nobody announced is
found, and so is the lack of one. Where there are only notes, the best entries of each release stand beside each other.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.lexicon import split_tokens
from corpus.model import Act, Span
from corpus.plain_words import readable
from corpus.versions import Version
from retrieval.drafting import Draft, Statement, attribution, shorten
from retrieval.findings import Findings
from retrieval.model import Status
from retrieval.pages.differences import ComparedPage, Edit, LineDifference, compared_pages
from retrieval.pages.lines import PageLine
from retrieval.question.subject import names_only_kinds, subject_weights
from retrieval.question.token_weights import TokenWeights
from retrieval.quoting.quotes import MAX_QUOTE_CHARACTERS, ItemScore, Quote, select_quotes
from retrieval.quoting.safe_text import safe
from retrieval.quoting.said_words import leads_away, say_entry
from retrieval.quoting.statements import states_something
from retrieval.quoting.told_acts import act_of
from retrieval.releases.compared import Compared, compared_releases
from retrieval.releases.matching import is_page

_NOTES = 2
_NOTES_OF_ALL = 5
"""Where all that changed is asked for, what somebody found worth announcing comes first."""
_SPEAKS = 0.5
"""The share of the subject that an entry of the notes must name."""
_CLEARLY = 1.25
"""An unchanged line is the answer where it is this much more relevant than any that changed."""
_DIFFERENCES = 6
_LISTED = 10
_LISTED_AFTER_NOTES = 6
_MIN_SHARE = 0.65
"""A further difference must be as relevant as this share of the first."""
_MIN_RELEVANCE = 0.3
_SECTION_BONUS = 0.1
_CODE_PENALTY = 0.1
_CONTEXT_SHARE = 0.85
_STATEMENT_CHARACTERS = 220
_DIRECTIONS = {Act.ADDED: Edit.ADDED, Act.REMOVED: Edit.REMOVED}


@dataclass(frozen=True, slots=True)
class _Ranked:
    difference: LineDifference
    relevance: float


def draft_compare(findings: Findings) -> Draft | None:
    """Show what differs between the pages of two releases; None where they have no pages in common, or these don't
    speak of the question's subject."""
    compared = compared_releases(findings)
    if compared is None:
        return None
    product, before, after = compared
    pages = compared_pages(findings.index, product, before, after)
    if not pages:
        return None
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    named = tuple(page for page in pages if page.name & {token for token, _ in subject.weights})
    for chosen in (named, pages) if named and len(named) < len(pages) else (pages,):
        left = subject.without(frozenset().union(*(page.name for page in named)))
        draft = _draft_from_pages(findings, chosen, left, compared, notes=_notes(findings, compared, pages, subject))
        if draft is not None:
            return draft
    return None


def _draft_from_pages(
    findings: Findings,
    pages: Sequence[ComparedPage],
    subject: TokenWeights,
    compared: Compared,
    *,
    notes: Sequence[ItemScore],
) -> Draft | None:
    differences = [one for page in pages for one in page.differences]
    if not names_only_kinds(subject, findings.query):
        ranked = (_Ranked(one, _relevance(one, subject, findings)) for one in differences)
        return _draft_about_subject(findings, sorted(ranked, key=lambda one: -one.relevance), compared, notes=notes)
    direction = _direction(findings)
    changed = [one for one in differences if one.change is not Edit.SAME]
    shown = [one for one in changed if _fits(one, direction)] or [one for one in changed if one.change is Edit.CHANGED]
    shown.sort(key=lambda one: (_is_code(one), -_coverage(one, subject), not one.below))
    return (
        _draft(findings, shown[: _LISTED_AFTER_NOTES if notes else _LISTED], compared, notes=notes) if shown else None
    )


def _coverage(difference: LineDifference, subject: TokenWeights) -> float:
    return max(subject.coverage(line.tokens) for line in difference.lines)


def _is_code(difference: LineDifference) -> bool:
    return all(line.is_code for line in difference.lines)


def _draft_about_subject(
    findings: Findings, ranked: Sequence[_Ranked], compared: Compared, *, notes: Sequence[ItemScore]
) -> Draft | None:
    direction = _direction(findings)
    changed = [one for one in ranked if one.difference.change is not Edit.SAME and _fits(one.difference, direction)]
    same = [one for one in ranked if one.difference.change is Edit.SAME and not one.difference.lines[0].is_heading]
    best_changed = changed[0].relevance if changed else 0.0
    best_same = same[0].relevance if same and direction is None else 0.0
    if max(best_changed, best_same) < _MIN_RELEVANCE:
        return None
    if best_same > best_changed * _CLEARLY or not changed:
        return _draft(findings, [same[0].difference], compared, notes=notes)
    shown = [one.difference for one in changed if one.relevance >= _MIN_SHARE * best_changed]
    return _draft(findings, shown[:_DIFFERENCES], compared, notes=notes)


def _notes(
    findings: Findings, compared: Compared, pages: Sequence[ComparedPage], subject: TokenWeights
) -> tuple[ItemScore, ...]:
    """What notes between both releases say about the subject: entries that aren't lines of the compared pages."""
    _, before, after = compared
    own_pages = {line.passage.document.id for page in pages for line in (*page.pair.before, *page.pair.after)}
    act = findings.query.act
    asks_all = names_only_kinds(subject, findings.query)
    found: list[ItemScore] = []
    for one in findings.fitting:
        passage = one.hit.passage
        release = None if passage.release is None else Version.parse(passage.release)
        is_between = release is None or before < release <= after
        words = one.item.span.slice(findings.index.text_of(passage))
        speaks = subject.coverage(frozenset(split_tokens(words))) >= _SPEAKS
        if asks_all:
            speaks = act in (None, Act.CHANGED, act_of(one))
        speaks = speaks and states_something(words) and not leads_away(words)
        if passage.document.id not in own_pages and not is_page(passage) and is_between and speaks:
            found.append(one)
    return tuple(found[: _NOTES_OF_ALL if asks_all else _NOTES])


def _direction(findings: Findings) -> Edit | None:
    """Whether only what came or only what went is asked for."""
    return None if findings.query.act is None else _DIRECTIONS.get(findings.query.act)


def _fits(difference: LineDifference, direction: Edit | None) -> bool:
    return direction is None or difference.change is direction


def _relevance(difference: LineDifference, subject: TokenWeights, findings: Findings) -> float:
    """How much a difference has to do with the question, about 0 to 1: shared words first, then nearness."""
    best = 0.0
    for line in difference.lines:
        own = subject.coverage(line.tokens)
        coverage = own + _CONTEXT_SHARE * (subject.coverage(line.tokens | line.context) - own)
        best = max(best, 0.7 * coverage + 0.3 * float(line.vector @ findings.outcome.vector))
    return best + (_SECTION_BONUS if difference.below else 0.0) - (_CODE_PENALTY if _is_code(difference) else 0.0)


def _draft(
    findings: Findings, differences: Sequence[LineDifference], compared: Compared, *, notes: Sequence[ItemScore]
) -> Draft:
    quotes = select_quotes(notes, findings.index, limit=_NOTES_OF_ALL)
    said = (Statement(f"{attribution(quote)}: {_said(findings, quote)}", (quote,)) for quote in quotes)
    shown = (one for difference in differences for one in _state(findings, difference, compared))
    return Draft(Status.ANSWERED, "", (*said, *shown))


def _state(findings: Findings, difference: LineDifference, compared: Compared) -> Iterator[Statement]:
    """A difference in words of the pages, one statement for each side."""
    lines = difference.lines
    names = [f"**{safe(line.passage.document.product)} {safe(line.passage.release or '')}**" for line in lines]
    if difference.change is Edit.SAME:
        quotes = tuple(_quote(line) for line in lines)
        yield Statement(f"The same in {names[0]} and {names[1]}: {_said(findings, quotes[1])}", quotes)
    elif difference.change is Edit.CHANGED:
        for name, line in zip(names, lines, strict=True):
            quote = _quote(line)
            yield Statement(f"{name}: {_said(findings, quote)}", (quote,))
    else:
        _, before, after = compared
        which = f"not in {before}" if difference.change is Edit.ADDED else f"no longer in {after}"
        quote = _quote(lines[0], difference.below)
        yield Statement(f"{names[0]} ({which}): {_said(findings, quote, title=lines[0])}", (quote,))


def _said(findings: Findings, quote: Quote, *, title: PageLine | None = None) -> str:
    """The words of a quote; a heading at its beginning is set off from what stands below it."""
    text = findings.index.text_of(quote.passage)
    words, lead = quote.core.slice(text), ""
    if title is not None and title.span.end < quote.core.end and not title.words.endswith((".", "!", "?")):
        lead = f"{readable(title.span.slice(text), keeps_code=True).rstrip(':')}: "
        words = text[title.span.end : quote.core.end]
    said = say_entry(words, ())
    return safe(shorten(lead + said, max_characters=_STATEMENT_CHARACTERS))


def _quote(line: PageLine, below: Sequence[PageLine] = ()) -> Quote:
    """A line, and with it what stands below it in the same passage as far as a quote may go."""
    end = line.span.end
    for one in below:
        if one.passage is line.passage and one.span.end - line.span.start <= MAX_QUOTE_CHARACTERS:
            end = max(end, one.span.end)
    span = Span(line.span.start, end)
    return Quote(line.passage, span, span, retracted=False)
