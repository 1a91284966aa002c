"""What a page lists of the things that a question asks for: the options of a command, the values of a setting, the rows
of a table, the sections below one heading.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile, takewhile

from corpus.index.release_matching import is_page
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.model import Act, Span
from corpus.plain_words import readable
from corpus.said_words import say_entry
from retrieval.answers.pages import PageLine, page_lines
from retrieval.blocks import Closing, More, name_of, words_of
from retrieval.model import Shape, Status
from retrieval.question.subject import KINDS_OF_THINGS, subject_weights
from retrieval.question.token_weights import CAME_AND_WENT, is_change
from retrieval.quoting.composing import Draft, Statement
from retrieval.quoting.findings import Findings
from retrieval.quoting.quotes import Quote
from retrieval.quoting.wording import shorten

_ASKED = re.compile(
    r"\b(?:which|what|list|name|show|give|all|any)\b(?: me| all| the)*(?P<words>(?: [^\s,;:?]+){1,5})", re.IGNORECASE
)
_SEVERAL = re.compile(r"[a-z]{2,}[^\W_us]s", re.IGNORECASE)
_PAGES, _LISTED, _CHARACTERS, _AROUND, _LONGEST = 4, 30, 720, 9, 150
"""Of how many of the first pages that were found the lists are looked at; the rest is a matter of display."""
_LEAST, _NEARNESS, _BONUS = 0.3, 0.3, 0.2  # Chosen by hand, never fitted.
CHANGES = (Act.ADDED, Act.REMOVED, Act.CHANGED)


def asked_list(text: str) -> tuple[frozenset[str], bool]:
    """The tokens of the things that a question asks for ("exclude options" of "which exclude options are there"), and
    whether it asks for them in the plural; none where it asks for no kind of thing."""
    for found in _ASKED.finditer(re.sub(r"(?i) (?:command[- ]line|CLI)\b", "", text)):
        words = dropwhile(lambda word: word.casefold() in STOP_WORDS, found["words"].split())
        phrase = list(takewhile(lambda word: word == "of" or word.casefold() not in STOP_WORDS, words))
        several = (
            n
            for n, word in enumerate(phrase, 1)
            if _SEVERAL.fullmatch(word) and not any(map(is_change, split_tokens(word)))
        )
        single = (n for n, word in enumerate(phrase, 1) if KINDS_OF_THINGS.issuperset(split_tokens(word)))
        if end := next(several, 0) or next(single, 0):
            # The parts of a joined name stand beside it.
            named = (
                token for token in split_tokens(" ".join(phrase[:end])) if token.isalnum() and not is_change(token)
            )
            return frozenset(named), bool(_SEVERAL.fullmatch(phrase[end - 1]))
    return frozenset(), False


def lists_of(lines: Iterable[PageLine]) -> Iterator[Sequence[PageLine]]:
    """The lists and tables of a page, and what stands below each heading under headings of its own."""
    found: dict[object, list[PageLine]] = {}
    for line in lines:
        if line.name:
            found.setdefault(line.section[:-1] if line.is_heading else line.above, []).append(line)
    yield from found.values()


def is_beside(line: PageLine, other: PageLine) -> bool:
    """Whether two lines are of lists in one section that name the same kind of thing: options begin with a dash."""
    same_depth = line.is_heading == other.is_heading and bool(line.name)
    if line.is_heading:
        return same_depth and line.section[:-1] == other.section[:-1]
    return same_depth and line.section == other.section and line.name.startswith("-") == other.name.startswith("-")


def best_list(findings: Findings, asked: frozenset[str], lists: Iterable[Sequence[PageLine]]) -> Sequence[PageLine]:
    """The members of the list that a question asks for, by its headings and the line above it; what it isn't called by
    narrows it, where some of its members are ("the --keep-within options")."""
    subject = subject_weights(findings.query, findings.outcome.tokens, findings.index)
    question = frozenset(split_tokens(findings.query.text))
    best: tuple[float, Sequence[PageLine]] = (0.0, ())
    for members in lists:
        first = members[0]
        page = frozenset(split_tokens(first.passage.document.source.rpartition("/")[2].partition(".")[0]))
        titles = (first.passage.document.title, *first.passage.heading[: -1 if first.is_heading else None])
        above = first.above.words if first.above and not first.is_heading else ""
        context = page | frozenset(split_tokens(" ".join((*titles, above))))
        narrowing = asked - context - KINDS_OF_THINGS
        members = [line for line in members if narrowing <= line.tokens]
        covered = subject.coverage(context | narrowing)
        if len(members) > bool(narrowing) and (covered >= _LEAST or page <= question):
            near = float((first.above or first).vector @ findings.outcome.vector)
            is_of_kind = not asked.isdisjoint(KINDS_OF_THINGS.intersection(split_tokens(f"{titles[-1]} {above}")))
            score = covered + _BONUS * (is_of_kind + (page <= question)) + _NEARNESS * near
            best = max(best, (score, members), key=lambda one: one[0])
    return best[1]


def draft_listing(findings: Findings) -> Draft | None:
    """The members of the list that a question asks for, as one release has it; None where no page has it."""
    query, traits = findings.query, findings.query.form.traits
    asked, is_several = asked_list(query.text)
    is_of_one = query.constraint is None or len(query.constraint.versions) == 1
    # "Have" alone is read as what a release brought, too.
    is_told = any(not words.isdisjoint(split_tokens(query.text)) for words in CAME_AND_WENT.values())
    is_change = (
        traits.asks_changes or traits.is_news or traits.shape is Shape.EVENT or (query.act in CHANGES and is_told)
    )
    if not is_several or len(findings.products) != 1 or is_change or not is_of_one:
        return None
    found = (hit.passage for hit in findings.outcome.hits if findings.fits(hit) and is_page(hit.passage))
    places = [*dict.fromkeys((passage.document.source, passage.release) for passage in found)][:_PAGES]
    (product,) = findings.products
    pages = (page_lines(findings.index, product, release, like=source) for source, release in places if release)
    members = best_list(findings, asked, (members for page in pages for members in lists_of(page) if len(members) > 1))
    if not members:
        return None
    first, passage, shown = members[0], members[0].passage, members[:_LISTED]
    # The line that a list stands under tells more than the heading above both; the first quote proves it.
    stem = first.above if first.above and first.above.words.endswith(":") and first.above.passage == passage else None
    title = stem.words if stem else readable("".join(passage.heading[1 : -1 if first.is_heading else None][-1:]))
    title = shorten(title.rstrip(":"), max_characters=_LONGEST)
    lead = name_of(passage.document.product, passage.release) + f": {title}:" * bool(title)
    room = min(_LONGEST, (_CHARACTERS - len(lead.text)) // len(shown) - _AROUND)
    stated: list[Statement] = []
    for line in shown:
        words = say_entry(line.span.slice(findings.text_of(line)))
        quote = Quote(
            line.passage, Span(stem.span.start, line.span.end) if stem and not stated else line.span, line.span
        )
        stated.append(Statement(words_of(shorten(words, max_characters=max(room, len(line.name)))), (quote,)))
    closing = Closing(more, More(passage.document.source)) if (more := len(members) - len(shown)) else None
    return Draft(Status.ANSWERED, lead, tuple(stated), closing=closing)
