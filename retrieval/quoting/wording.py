"""What an answer says of a quote: its words without markup, the sentence that tells set off in what is told with it,
and the code that is shown below."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from corpus.change_kinds import kind_of_heading
from corpus.entry_words import (
    change_in_heading,
    clean_entry,
    implied_change,
    leads_away,
    without_connective,
    without_metadata,
    without_records,
)
from corpus.everyday_words import is_everyday
from corpus.happenings import first_act
from corpus.item_sentences import leans_back
from corpus.lexicon import split_tokens
from corpus.model import Item, Span
from corpus.plain_words import as_code, one_line
from corpus.source_words import source_words
from retrieval.blocks import Words, code_line, join_words, words_of
from retrieval.quoting.quote_ranges import BEFORE_CHARACTERS, ENDS, SHOWN_CHARACTERS, named_by_heading, stem_above
from retrieval.quoting.quotes import Quote
from retrieval.search.item_forms import code_lines

_MOST_CODE_LINES, _CODE_CHARACTERS, _TITLE_CHARACTERS = 12, 800, 80
_FLAT_CHARACTERS = 1200
"""A line as long as this is a page's whole text, in which the addresses of links stand behind their words."""
_TITLE_ABOVE = re.compile(
    r"(?<=[\w`*)])[ \t]*\n[ \t]*\n\s*(?=[A-Z`])"
    r"|\A(?P<bold>[ \t]*(?:[-+•*][ \t]+)?\*\*(?:[^*\n]|\*(?!\*)){1,300}[^*\n.:;!?…]\*\*)[ \t]*\n[ \t]*(?=[A-Z`])"
)
"""Between the title of an entry and its paragraph."""
_FIRST_WORD = re.compile(r"[a-z]+(?= )")  # Of an entry that begins without a capital.
_COMMENTS = ("# ", "// ", "; ", "-- ")
_SENTENCE_ENDS = re.compile(r"(?<![.\s]\w)(?<!\bvs)[.!?](?=\s+[^\sa-z])")
_CLAUSE_ENDS = re.compile(r";(?=\s)|,(?=\s(?:which|whose|where|so|because|since)\s)")
"""After what can stand alone; a comma may as well stand in a list, and "but" or "unless" may turn what is said."""
_LEAST_SHARE = 0.3  # A sentence or clause that holds less of what fits says too little. Chosen by hand, never fitted.


@dataclass(frozen=True, slots=True)
class Wording:
    """What is said of a quote."""

    words: Words
    label: str = ""
    """The change that only the heading of an entry names ("Removed"), or the line that its list stands under."""
    code: tuple[str, ...] = ()  # Lines of code, as they may stand in a fence, that are shown below it.

    @property
    def labelled(self) -> Words:
        """The words with the label before them."""
        return labelled(self.label, self.words)


def labelled(label: str, words: Words) -> Words:
    """Words with a label before them, where there is one."""
    return f"{label}: " + words if label else words


def word_quote(
    quote: Quote,
    text: str,
    *,
    max_characters: int = SHOWN_CHARACTERS,
    keeps_tickets: bool = False,
    asked: frozenset[str] = frozenset(),
) -> Wording:
    """Say a quote: what is told of it on one line, without markup, the sentence that tells strong where more is told,
    and cut at a word where that is long. Code is told by what introduces it or its comments, and shown from the line
    that holds most of the `asked` tokens.

    Numbers of tickets are left to the quote, unless they are asked for. What the source takes back is said to be taken
    back. Code of one line ends it as a code span.
    """
    code = code_of(quote, text, asked=asked)
    pieces = _pieces(quote, text, keeps_tickets=keeps_tickets, code=code)
    label = _label(quote, text, pieces)
    words = _join(pieces, max_characters - (len(label) + 2) * bool(label))
    if words and not (label or words.runs[0].is_code) and (first := _FIRST_WORD.match(words.runs[0].text)):
        begun = first[0].capitalize() if is_everyday(first[0]) else first[0]
        words = Words((replace(words.runs[0], text=begun + first.string[first.end() :]), *words.runs[1:]))
    if len(code) == 1:
        written = as_code(" ".join(code[0].split()))
        words += f" {written}" if len(words.text) + len(written) < max_characters else ""
    if quote.retracted:
        words = "(taken back by the source itself) " + words
    return Wording(words, label, code if len(code) > 1 else ())


def render_quote(quote: Quote, text: str, *, max_characters: int) -> tuple[str, str]:
    """Return the change that only the heading of a quote names ("Removed"; mostly empty), and what is told of it as a
    plain line with code in back quotes, cut at a word where it is long."""
    pieces = _pieces(quote, text, keeps_tickets=False, code=code_of(quote, text))
    label = _label(quote, text, pieces)
    words = shorten(" ".join(words for words, _ in pieces), max_characters=max_characters)
    return label, f"(taken back by the source itself) {words}" if quote.retracted else words


def _label(quote: Quote, text: str, pieces: Sequence[tuple[str, bool]]) -> str:
    items = quote.passage.items
    own = next((number for number, item in enumerate(items) if quote.core.holds(item.span)), None)
    if own is None or not pieces or not items[own].is_entry:
        return ""
    words = " ".join(words for words, _ in pieces)
    stem = stem_above(quote.passage, own, text) if first_act(words)[0] is None else ""
    if not stem:
        return implied_change(words, quote.passage.heading)
    return change_in_heading((stem,)) or stem[:1].upper() + stem[1:]


def _shown_items(quote: Quote) -> list[Item]:
    spans = quote.shown or (quote.core,)
    return [item for item in quote.passage.items if any(span.holds(item.span) for span in spans)]


def _pieces(quote: Quote, text: str, *, keeps_tickets: bool, code: Sequence[str]) -> list[tuple[str, bool]]:
    """Return the words of each shown item with what joins it to the next, and whether it is part of the core."""
    shown = _shown_items(quote)
    if not shown:
        return [(_render_span(quote, quote.core, text, keeps_tickets=keeps_tickets), True)]
    pieces: list[tuple[str, bool]] = []
    is_entry = goes_on = False
    for item in shown:
        tells = goes_on or quote.core.meets(item.span)
        words = "" if item.is_code else _render_span(quote, item.span, text, keeps_tickets=keeps_tickets)
        if not words or (not tells and not keeps_tickets and leads_away(item.span.slice(text))):
            continue
        if not pieces:
            words = _after_heading(quote, without_connective(words))
        elif not pieces[-1][0].endswith(ENDS):
            both = item.is_entry and is_entry
            pieces[-1] = (f"{pieces[-1][0]}{';' if both else ':'}", pieces[-1][1])
        is_entry = item.is_entry or (is_entry and not item.opens)
        pieces.append((words, tells))
        # A telling item that ends in a colon continues in the items it introduces.
        goes_on = goes_on or (tells and words.endswith(":"))
    return pieces or [(_code_caption(quote, text, code), True)]


def _render_span(quote: Quote, span: Span, text: str, *, keeps_tickets: bool) -> str:
    begin = text.rfind("\n", 0, span.start) + 1
    is_flat = "\n" not in text[span.start : begin + _FLAT_CHARACTERS] and len(text) > begin + _FLAT_CHARACTERS
    written = source_words(span.slice(text), text, quote.passage.document.media_type)
    return clean_entry(_TITLE_ABOVE.sub(r"\g<bold>: ", written), keeps_tickets=keeps_tickets, is_flat=is_flat)


def _after_heading(quote: Quote, words: str) -> str:
    """Return what leans on what isn't told, after the heading that it stands under, where that names a thing."""
    own = (quote.passage.document.title, *map(str, filter(None, [quote.passage.release])))
    titles = [title for title in quote.passage.heading[1:] if not any(name in title for name in own)]
    name = named_by_heading(quote.passage)
    leans = leans_back(words) or (bool(name) and not set(split_tokens(name)) <= set(split_tokens(words)))
    if not (titles and leans) or kind_of_heading(titles[-1]) is not None:
        return words
    return f"{shorten(one_line(without_records(titles[-1])), max_characters=_TITLE_CHARACTERS).rstrip(' :.')}: {words}"


def _join(pieces: list[tuple[str, bool]], room: int) -> Words:
    """Return the pieces as one line; those behind what tells go first where it is too long."""
    while sum(len(words) + 1 for words, _ in takewhile(lambda piece: not piece[1], pieces[:-1])) > BEFORE_CHARACTERS:
        pieces = pieces[1:]
    while len(pieces) > 1 and sum(len(words) + 1 for words, _ in pieces) > room:
        if pieces[-1][1] and pieces[0][1]:
            break
        pieces = pieces[:-1] if not pieces[-1][1] else pieces[1:]
    if all(tells or words.endswith(":") for words, tells in pieces):
        return words_of(shorten(" ".join(words for words, _ in pieces), max_characters=room))
    groups = ((tells, " ".join(words for words, _ in run)) for tells, run in groupby(pieces, key=lambda one: one[1]))
    return join_words(words_of(words).strong() if tells else words for tells, words in groups)


def code_of(quote: Quote, text: str, *, asked: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the lines of code that a quote tells, of many those from the one that holds most of the `asked` tokens,
    with its comment; none of what its source takes back."""
    lines: list[str] = []
    for code in _shown_items(quote) if not quote.retracted else ():
        if code.is_code:
            begin = text.rfind("\n", 0, code.span.start) + 1
            # The first line's indent isn't the item's.
            begin = code.span.start if text[begin : code.span.start].strip() else begin
            lines += code_lines(text[begin : code.span.end])
    if len(lines) > _MOST_CODE_LINES:
        held = [len(asked & set(split_tokens(line))) for line in lines]
        at = held.index(max(held))
        while at and _is_comment(lines[at - 1].strip()):
            at -= 1
        lines = ["…"] * (at > 0) + lines[at:]
        lines = lines[:_MOST_CODE_LINES] + ["…"] * (len(lines) > _MOST_CODE_LINES)
    shown = "\n".join(map(code_line, lines)).rstrip().split("\n") if lines else []
    return tuple(shown) if sum(map(len, shown)) <= _CODE_CHARACTERS else ()


def _code_caption(quote: Quote, text: str, code: Sequence[str]) -> str:
    """Return what introduces `code`, where nothing does the comment that its shown lines begin with, or the heading
    that it stands under."""
    items = quote.passage.items
    place = next((number for number, item in enumerate(items) if quote.core.holds(item.span)), 0)
    above = items[place - 1] if place else None
    if above and not above.is_code and above.span.slice(text).rstrip().endswith(":"):
        return _render_span(quote, above.span, text, keeps_tickets=False)
    shown = [line.strip() for line in code if line.strip("… ")]
    comments = " ".join(line.lstrip("#/; -") for line in takewhile(_is_comment, shown))
    return comments or "".join(quote.passage.heading[1:][-1:])


def _is_comment(line: str) -> bool:
    return line.startswith(_COMMENTS) and line.partition(" ")[2].lstrip()[:1].isalnum()


def shorten(text: str, *, max_characters: int) -> str:
    """`text`, or as many of its words as fit with an ellipsis after them; a single longer word is cut anywhere. A code
    span that doesn't fit is left out, or closed where it takes most of the room."""
    if len(text) <= max_characters:
        return text
    cut = text[: max_characters + 1].rsplit(" ", 1)[0][:max_characters]
    if cut.count("`") % 2:
        before, _, code = cut.rpartition("`")
        cut = before if len(before) > len(code) else f"{cut[: max_characters - 1].rstrip()}`"
    return cut.rstrip(" ,;:–-") + " …"


def fit_sentences(words: str, *, max_characters: int, longest: int = 0) -> str:
    """Return the first sentences that fit, or the first one up to `longest`; of a longer one its first clauses, or as
    many words as fit with an ellipsis. Never empty where `words` aren't."""
    bare = without_metadata(words)
    if len(bare) <= max_characters:
        return bare
    longest = max(longest, max_characters)
    ends = [*(found.end() for found in _SENTENCE_ENDS.finditer(bare)), len(bare)]
    ends = [end for end in ends if _LEAST_SHARE * max_characters <= end <= longest and _is_whole(bare[:end])]
    if ends:
        return bare[: max((end for end in ends if end <= max_characters), default=ends[0])]
    clauses = (bare[: found.start()] for found in _CLAUSE_ENDS.finditer(bare, 0, longest))
    whole = [clause for clause in clauses if len(clause) >= _LEAST_SHARE * max_characters and _is_whole(clause)]
    return f"{whole[-1]}." if whole else shorten(bare, max_characters=longest)


def _is_whole(words: str) -> bool:
    """Return whether no code span or parenthesis is left open."""
    return words.count("`") % 2 == 0 and words.count("(") == words.count(")")
