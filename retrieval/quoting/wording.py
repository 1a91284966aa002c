"""The words of a quote in an answer: without markup, the core in bold within its context; and the code below."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile

from corpus.change_kinds import kind_of_heading
from corpus.entry_words import (
    change_in_heading,
    implied_change,
    leads_away,
    said,
    without_connective,
    without_metadata,
    without_records,
)
from corpus.everyday_words import is_everyday
from corpus.happenings import first_act
from corpus.item_sentences import SENTENCE_END, is_statement, leans_back
from corpus.lexicon import split_tokens
from corpus.model import Item, Span
from corpus.plain_words import as_code, one_line
from corpus.source_words import source_words
from retrieval.blocks import Words, code_line, join_words, words_of
from retrieval.quoting.quote_ranges import BEFORE_CHARACTERS, ENDS, SHOWN_CHARACTERS, named_by_heading, stem_above
from retrieval.quoting.quotes import LEADS_ON, Quote
from retrieval.search.item_forms import code_lines

_MOST_CODE_LINES, _CODE_CHARACTERS, _TITLE_CHARACTERS = 12, 800, 80
_TITLE_ABOVE = re.compile(
    r"(?<=[\w`*)])[ \t]*\n[ \t]*\n\s*(?=[A-Z`])"
    r"|\A(?P<bold>[ \t]*(?:[-+•*][ \t]+)?\*\*(?:[^*\n]|\*(?!\*)){1,300}[^*\n.:;!?…]\*\*)[ \t]*\n[ \t]*(?=[A-Z`])"
)
"""Between the title of an entry and its paragraph."""
_FIRST_WORD = re.compile(r"[a-z]+(?= )")  # The first word of an entry that begins without a capital.
_COMMENTS = ("# ", "// ", "; ", "-- ")
_CLAUSE_ENDS = re.compile(r";(?=\s)|,(?=\s(?:which|whose|where|so|because|since)\s)")
"""Where a clause may end: other commas may be in a list, and a cut before "but" or "unless" would change the sense."""
_LEAST_SHARE = 0.3  # A sentence or clause with a smaller share of the room is too short. Chosen by hand, never fitted.


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of a quote."""

    words: Words
    label: str = ""
    """The change that only the heading of an entry names ("Removed"), or the line above its list."""
    code: tuple[str, ...] = ()  # Lines of code shown below it, safe for a fence.

    @property
    def labelled(self) -> Words:
        """The label and the words: "Removed: glow()"; the words alone without a label."""
        return labelled(self.label, self.words)


def labelled(label: str, words: Words) -> Words:
    """Return "Removed: glow()" for a label and words; the words alone without a label."""
    return f"{label}: " + words if label else words


def word_quote(
    quote: Quote,
    text: str,
    *,
    max_characters: int = SHOWN_CHARACTERS,
    keeps_tickets: bool = False,
    tokens: frozenset[str] = frozenset(),
) -> Wording:
    """Return the shown part of a quote on one line without markup, cut at a word to `max_characters`; the core is bold
    if there is context. Code gets its introduction or comments as words, and is shown from the line with most of the
    question's `tokens` on; a single line of it is appended as a code span.

    Ticket numbers are dropped unless `keeps_tickets`. Retracted text is marked as such.
    """
    code = code_of(quote, text, tokens=tokens)
    pieces = _pieces(quote, text, keeps_tickets=keeps_tickets, code=code, tokens=tokens)
    label = _label(quote, text, pieces)
    words = _join_pieces(pieces, max_characters - (len(label) + 2) * bool(label))
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
    """Return label (mostly empty) and words of a quote as plain lines, cut at a word: `("Removed", "`glow()`")`."""
    pieces = _pieces(quote, text, keeps_tickets=False, code=code_of(quote, text))
    label = _label(quote, text, pieces)
    words = shorten(" ".join(words for words, _ in pieces), max_characters=max_characters)
    return label, f"(taken back by the source itself) {words}" if quote.retracted else words


def _label(quote: Quote, text: str, pieces: Sequence[tuple[str, bool]]) -> str:
    """Return the change that only an entry's heading or the line above its list names ("Removed"); mostly empty."""
    items = quote.passage.items
    place = next((number for number, item in enumerate(items) if quote.core.holds(item.span)), None)
    if place is None or not pieces or not items[place].is_entry:
        return ""
    words = " ".join(words for words, _ in pieces)
    stem = stem_above(quote.passage, place, text) if first_act(words)[0] is None else ""
    if not stem:
        return implied_change(words, quote.passage.heading)
    return change_in_heading((stem,)) or stem[:1].upper() + stem[1:]


def _shown_items(quote: Quote) -> list[Item]:
    spans = quote.shown or (quote.core,)
    return [item for item in quote.passage.items if any(span.holds(item.span) for span in spans)]


def _pieces(
    quote: Quote, text: str, *, keeps_tickets: bool, code: Sequence[str], tokens: frozenset[str] = frozenset()
) -> list[tuple[str, bool]]:
    """Return `(words, is_core)` of each shown item, with the punctuation that joins it to the next."""
    shown = _shown_items(quote)
    if not shown:
        return [(_render_span(quote, quote.core, text, keeps_tickets=keeps_tickets), True)]
    pieces: list[tuple[str, bool]] = []
    is_entry = is_open = False
    for item in shown:
        is_core = is_open or quote.core.meets(item.span)
        words = "" if item.is_code else _render_span(quote, item.span, text, keeps_tickets=keeps_tickets)
        if not words or (not is_core and not keeps_tickets and leads_away(item.span.slice(text))):
            continue
        if not pieces:
            words = _with_heading(quote, without_connective(words), tokens)
        elif not pieces[-1][0].endswith(ENDS):
            both = item.is_entry and is_entry and not LEADS_ON.search(pieces[-1][0])
            pieces[-1] = (f"{pieces[-1][0]}{';' if both else ':'}", pieces[-1][1])
        is_entry = item.is_entry or (is_entry and not item.opens)
        pieces.append((words, is_core))
        # A core that leads on continues in the items it introduces.
        is_open = is_open or (is_core and LEADS_ON.search(words) is not None)
    if pieces and not code and (cut := LEADS_ON.search(pieces[-1][0])) and cut["word"]:
        pieces[-1] = (pieces[-1][0][: cut.start()].rstrip(" ,;:.–-(") or pieces[-1][0], pieces[-1][1])
    return pieces or [(_code_caption(quote, code), True)]


def _render_span(quote: Quote, span: Span, text: str, *, keeps_tickets: bool) -> str:
    written = source_words(span.slice(text), text, quote.passage.document.media_type)
    return said(_TITLE_ABOVE.sub(r"\g<bold>: ", written), keeps_tickets=keeps_tickets)


def _with_heading(quote: Quote, words: str, tokens: frozenset[str]) -> str:
    """Return words with their heading before them if they refer to it, or it has more of the question's `tokens`."""
    document_names = (quote.passage.document.title, *map(str, filter(None, [quote.passage.release])))
    titles = [title for title in quote.passage.heading[1:] if not any(name in title for name in document_names)]
    if not titles:
        return words
    title, shown, name = titles[-1], set(split_tokens(words)), named_by_heading(quote.passage)
    says_more = not tokens.isdisjoint({*split_tokens(title)} - shown)
    if kind_of_heading(title) is not None:
        is_needed = says_more and is_statement(title)
    else:
        is_needed = says_more or leans_back(words) or not {*split_tokens(name)} <= shown
    if not is_needed:
        return words
    return f"{shorten(one_line(without_records(title)), max_characters=_TITLE_CHARACTERS).rstrip(' :.')}: {words}"


def _join_pieces(pieces: list[tuple[str, bool]], room: int) -> Words:
    """Return the pieces as one line; if it is too long, context after the core is dropped first."""
    while sum(len(words) + 1 for words, _ in takewhile(lambda piece: not piece[1], pieces[:-1])) > BEFORE_CHARACTERS:
        pieces = pieces[1:]
    while len(pieces) > 1 and sum(len(words) + 1 for words, _ in pieces) > room:
        if pieces[-1][1] and pieces[0][1]:
            break
        pieces = pieces[:-1] if not pieces[-1][1] else pieces[1:]
    if all(is_core or words.endswith(":") for words, is_core in pieces):
        return words_of(shorten(" ".join(words for words, _ in pieces), max_characters=room))
    groups = ((is_core, " ".join(words for words, _ in run)) for is_core, run in groupby(pieces, key=lambda p: p[1]))
    return join_words(words_of(words).strong() if is_core else words for is_core, words in groups)


def code_of(quote: Quote, text: str, *, tokens: frozenset[str] = frozenset()) -> tuple[str, ...]:
    """Return the lines of code that a quote shows; of many those from the line with most of the question's `tokens` and
    its comment on. Empty for a retracted quote, or for too long code."""
    lines: list[str] = []
    for code in _shown_items(quote) if not quote.retracted else ():
        if code.is_code:
            begin = text.rfind("\n", 0, code.span.start) + 1
            # The first line's indent isn't the item's.
            begin = code.span.start if text[begin : code.span.start].strip() else begin
            lines += code_lines(text[begin : code.span.end])
    if len(lines) > _MOST_CODE_LINES:
        counts = [len(tokens & set(split_tokens(line))) for line in lines]
        start = counts.index(max(counts))
        while start and _is_comment(lines[start - 1].strip()):
            start -= 1
        lines = ["…"] * (start > 0) + lines[start:]
        lines = lines[:_MOST_CODE_LINES] + ["…"] * (len(lines) > _MOST_CODE_LINES)
    shown = "\n".join(map(code_line, lines)).rstrip().split("\n") if lines else []
    return tuple(shown) if sum(map(len, shown)) <= _CODE_CHARACTERS else ()


def _code_caption(quote: Quote, code: Sequence[str]) -> str:
    """Return a caption for `code`: its first comment, else its heading."""
    shown = [line.strip() for line in code if line.strip("… ")]
    comments = " ".join(line.lstrip("#/; -") for line in takewhile(_is_comment, shown))
    return comments or "".join(quote.passage.heading[1:][-1:])


def _is_comment(line: str) -> bool:
    return line.startswith(_COMMENTS) and line.partition(" ")[2].lstrip()[:1].isalnum()


def shorten(text: str, *, max_characters: int) -> str:
    """Return `text`, or as many of its words as fit and an ellipsis; a single longer word is cut anywhere. A code span
    that doesn't fit is left out, or cut and closed if it takes most of the room."""
    if len(text) <= max_characters:
        return text
    cut = text[: max_characters + 1].rsplit(" ", 1)[0][:max_characters]
    if cut.count("`") % 2:
        before, _, code = cut.rpartition("`")
        cut = before if len(before) > len(code) else f"{cut[: max_characters - 1].rstrip()}`"
    return cut.rstrip(" ,;:–-") + " …"


def fit_sentences(words: str, *, max_characters: int, longest: int = 0) -> str:
    """Return the first sentences that fit, or the first one up to `longest`; of a longer one its first clauses, or as
    many words as fit and an ellipsis. Empty only for empty `words`."""
    bare = without_metadata(words)
    if len(bare) <= max_characters:
        return bare
    longest = max(longest, max_characters)
    ends = [*(match.start() for match in SENTENCE_END.finditer(bare)), len(bare)]
    ends = [end for end in ends if _LEAST_SHARE * max_characters <= end <= longest and _is_whole(bare[:end])]
    if ends:
        return bare[: max((end for end in ends if end <= max_characters), default=ends[0])]
    clauses = (bare[: match.start()] for match in _CLAUSE_ENDS.finditer(bare, 0, longest))
    whole = [clause for clause in clauses if len(clause) >= _LEAST_SHARE * max_characters and _is_whole(clause)]
    return f"{whole[-1]}." if whole else shorten(bare, max_characters=longest)


def _is_whole(words: str) -> bool:
    """Return whether all code spans and parentheses are closed."""
    return words.count("`") % 2 == 0 and words.count("(") == words.count(")")
