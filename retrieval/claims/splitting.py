"""The checkable claims of a text: sentences, list entries and table cells, each a slice of the text.

Left out: code blocks, headings, template comments, unticked boxes, addresses, questions, greetings, and sentences that
claim nothing about software ("I ran the tests."). Quoted text is somebody else's, and is read only if the text has no
claim of its own.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from corpus.item_sentences import SENTENCE_END
from corpus.lexicon import content_words, opens_with
from corpus.plain_words import TAG
from corpus.symbols import find_symbols
from corpus.version_mentions import find_versions
from retrieval.claims.model import Claim
from retrieval.claims.parts import has_verb

MAX_WHOLE_CHARACTERS = 700
"""A text up to this length is one claim if none was recognised in it."""

_BULLET = re.compile(r"[ \t]*(?:[-*+•–—]|\d{1,3}[.)]|[a-zA-Z]\)|\.\. [a-z-]+::)[ \t]+(?:\[[ xX]\][ \t]+)?")
_LABEL = re.compile(r"[ \t]*(?P<bold>\*\*|__)[^*_\n]{1,40}(?::(?P=bold)|(?P=bold):)[ \t]")
_HEADING_OR_FENCE = re.compile(r"^(?: {0,3}#{1,6}(?:[ \t]|$)|[ \t]*(?:`{3}|~{3}))", re.MULTILINE)
_RULER = re.compile(r"\A[ \t]*+(?:=+|-{2,}+|\*{3,}|_{3,}|\|?[ \t]*:?-{2,}(?![\w-]).*)[ \t]*$")
_CODE = re.compile(r"`[^`\n]*`")
_CELL = re.compile(r"(?:`[^`\n]*`|\\\||[^|\n])+")
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]{0,30}://|www\.)\S+", re.IGNORECASE)
_TALK = frozenset(
    phrase.strip()
    for phrase in """hi, hey, hello, thanks, thank you, cheers, lgtm, nit, please, pls, sorry, great, nice, good
    , awesome, congrats, welcome, ok, okay, done, ping, bump, ptal, wdyt, fyi, sourced from, testing, my
    , bug fix non breaking, bugfix non breaking, new feature non breaking, breaking change fix or, let's, let us
    , can you, could you, would you, should we, shall we, i'd, i will, i'll, i ran, i tested, i've tested, we should
    , we could, we can, we will, we'll, tested, test, tests, todo, reviewer, reviewers, signed off by, co authored by
    , reviewed by, cc, references, see also""".split(",")
).union(
    f"{this} {what}"
    for this in ("this", "the")
    for what in ("pr", "pull request", "patch", "diff", "commit", "mr", "merge request", "branch", "change")
)
"""Openings of sentences to other people or about the pull request; the long ones are a template's boxes to tick."""
_REFERS = re.compile(
    r"\W*(?:(?:bumps?|updates?|upgrades?|pins?)\s+\S+(?:\s+\S+){0,3}?\s+(?:from|to)\s+\S*\d"
    r"|(?:closes|fixes|resolves|refs?|see|related to|part of|depends on)\W+?(?:#|http|[\w.-]+/\S*#))",
    re.IGNORECASE,
)
"""A bot's description of its change, or a reference to a ticket or an address."""
_MIN_WORDS = 2
_QUOTE_MARKS = re.compile(r"^[ \t]*>(?!=)[> \t]*", re.MULTILINE)
_QUOTE = r"<blockquote\b[^<>]*>.*?</blockquote\s*>|"
_MARKUP = (
    r"^[ \t]*(?P<fence>`{3,}+|~{3,}+)[^\n]*\n(?:.*?^[ \t]*(?P=fence)[^\n]*|.*)|(?P<code>`[^`\n]*`)"
    r"|(?P<beside><!--(?:.*?-->|.*)|!\[[^\]\n]{0,500}+\](?:\([^)\n]*\)|\[[^\]\n]*\])"
    r"|\((?:\[?[\w./-]{0,80}#\d++\]?(?:\([^()\s]*\))?[,; ]{0,3})+\))"
    r"|<(?P<unread>h[1-6]|summary|pre|script|style)\b[^<>]*>.{0,4000}?</(?P=unread)\s*>|"
)
"""Code, comments, images, references to tickets, and elements that aren't read."""
_HIDDEN = [re.compile(part + TAG.pattern, re.DOTALL | re.MULTILINE | re.I) for part in (_MARKUP + _QUOTE, _MARKUP)]


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, list entry or cell: `[start, end)` of the text."""

    start: int
    end: int
    is_entry: bool = False
    beside: str | None = None  # The words before a cell in its row; None outside tables.


def split_claims(text: str) -> tuple[Claim, ...]:
    """Return the checkable claims of a text, in order, never overlapping; `text[start:end]` is the claim.

    If none is recognised, a text of at most 700 characters is one claim; a longer one, or one without words, has none.
    """
    claims = tuple(_claims(text, reads_quotes=False)) or tuple(_claims(text, reads_quotes=True))
    whole = text.strip()
    if claims or len(whole) > MAX_WHOLE_CHARACTERS or not any(map(str.isalnum, whole)):
        return claims
    start = text.index(whole)
    return (Claim(whole, start, start + len(whole)),)


def _claims(text: str, *, reads_quotes: bool) -> Iterator[Claim]:
    visible = _HIDDEN[reads_quotes].sub(_blank, text)
    visible = _QUOTE_MARKS.sub(lambda marks: " " * len(marks[0]), visible) if reads_quotes else visible
    blocks = tuple(_blocks(text, visible))
    lead = ""
    for number, block in enumerate(blocks):
        if number and not (block.is_entry and _are_adjacent(text, blocks[number - 1], block)):
            lead = ""
        for start, end in _sentences(visible, block):
            words = visible[start:end]
            if words.endswith(":") and _only_introduces(words, text, blocks[number : number + 2]):
                lead = words.rstrip(":")
                continue
            is_stating = _is_sentence(words)
            before = lead if block.is_entry and not is_stating else block.beside or ""
            if _claims_something(f"{before} {words}".strip()) and (block.beside is None or is_stating):
                stated = text[start:end]
                is_other = before or words != stated
                yield Claim(stated, start, end, " ".join(f"{before} {words}".split()) if is_other else "")


def _blank(match: re.Match[str]) -> str:
    """Return as many spaces for markup, with two line ends for the end of a block; code is kept."""
    empty = re.sub(r"[^\n]", " ", match[0])
    return match[0] if match["code"] else empty if match["beside"] or match["inline"] else empty[:-2] + "\n\n"


def _only_introduces(words: str, text: str, blocks: Sequence[_Block]) -> bool:
    """Return whether words that end in a colon only introduce the list or table in the next block."""
    if len(blocks) < 2 or not blocks[1].is_entry or not _are_adjacent(text, *blocks):
        return False
    is_named = bool(find_versions(words) or find_symbols(words))
    return not is_named or (blocks[1].beside is None and not _is_sentence(text[blocks[1].start : blocks[1].end]))


def _is_sentence(words: str) -> bool:
    """Return whether words contain a verb outside code spans, in which `read` is a name."""
    return has_verb(_CODE.sub(" ", words))


def _are_adjacent(text: str, block: _Block, following: _Block) -> bool:
    """Return whether there is no heading or code fence between two blocks."""
    return not _HEADING_OR_FENCE.search(text[block.end : following.start])


def _blocks(text: str, visible: str) -> Iterator[_Block]:
    """Yield the paragraphs, list entries and table cells that may contain a claim, in order."""
    start: int | None = None
    is_entry = is_left_out = False
    offset = 0
    previous = ""
    lines = visible.splitlines(keepends=True)
    for line, following in pairwise((*lines, "")):
        bare = line.rstrip("\r\n")
        bullet = _BULLET.match(bare)
        is_indented = text.startswith(("    ", "\t"), offset)
        is_code = is_indented and not bullet and start is None and not previous.strip()
        shown = bare.strip()
        is_row = not is_code and len(shown) > 1 and shown[0] == shown[-1] == "|"
        is_apart = (
            is_code
            or is_row
            or not shown
            or any(pattern.match(bare) for pattern in (_HEADING_OR_FENCE, _RULER, _QUOTE_MARKS))
        )
        if start is not None and (is_apart or bullet or _LABEL.match(bare)):
            # An underlined line is a heading.
            is_heading = _RULER.match(bare) and shown and visible.count("\n", start, offset) <= 1
            if not (is_heading or is_left_out):
                yield _Block(start, offset, is_entry)
            start = None
        if is_row and not _RULER.match(bare) and not _RULER.match(following):
            yield from _cells(bare, offset)
        if not is_apart and start is None:
            start = offset + (bullet.end() if bullet else 0)
            is_entry, is_left_out = bullet is not None, bullet is not None and bullet[0].rstrip().endswith("[ ]")
        offset += len(line)
        previous = bare
    if start is not None and not is_left_out:
        yield _Block(start, offset, is_entry)


def _cells(row: str, offset: int) -> Iterator[_Block]:
    before: list[str] = []
    for cell in _CELL.finditer(row):
        if words := cell[0].strip():
            yield _Block(offset + cell.start(), offset + cell.end(), is_entry=True, beside=" ".join(before))
        if not _is_sentence(words):
            before.append(words)


def _sentences(visible: str, block: _Block) -> Iterator[tuple[int, int]]:
    start = block.start
    ends = [match.span() for match in SENTENCE_END.finditer(visible, block.start, block.end)]
    for end, following in (*ends, (block.end, block.end)):
        words = visible[start:end]
        if words.strip():
            yield end - len(words.lstrip()), start + len(words.rstrip())
        start = following


def _claims_something(sentence: str) -> bool:
    """Return whether a sentence may be a claim: no question, talk or reference, with a verb or enough words."""
    words = _ADDRESS.sub(" ", sentence)
    if words.rstrip(" *_`\"')").endswith("?") or len(content_words(words)) < _MIN_WORDS:
        return False
    if opens_with(words, _TALK) or _REFERS.match(sentence):
        return False
    return has_verb(words) or len(content_words(words)) > _MIN_WORDS
