"""A text as its checkable claims: sentences and list entries, each at its place in the text.

Left out: fenced and indented code, headings, quoted lines, comments of templates, tables' rulers, addresses, questions,
greetings, and sentences that claim nothing about software ("I ran the tests."). Nothing is repaired: a claim is a slice
of the text as it stands.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.lexicon import content_words
from corpus.symbols import find_symbols
from corpus.versions import find_versions
from retrieval.claims.model import Claim
from retrieval.claims.parts import has_verb

MAX_WHOLE_CHARACTERS = 700
"""A text of at most so many characters is one claim where nothing in it was recognised as one."""

_FENCE = re.compile(r"[ \t]*(?P<fence>`{3,}|~{3,})")
_BULLET = re.compile(r"[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_HEADING = re.compile(r"[ ]{0,3}#{1,6}(?:[ \t]|$)")
_RULER = re.compile(r"[ \t]*(?:=+|-{2,}|\*{3,}|_{3,}|\|?[ \t]*:?-{2,}.*)[ \t]*$")
_QUOTED = re.compile(r"[ \t]*>")
_TABLE = re.compile(r"[ \t]*\|.*\|[ \t]*$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_TRAILER = re.compile(
    r"[ \t]*(?:signed-off-by|co-authored-by|reviewed-by|cc|ref(?:s|erences)?|see also)\s*:", re.IGNORECASE
)
_SENTENCE_END = re.compile(
    r"(?:(?<=[.!?])|(?<=[.!?][\"'`)”’*]))(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bvs\.)(?<!\betc\.)(?<!\bcf\.)(?<!\bv\.)"
    r"(?<!\bNo\.)(?<!\bresp\.)(?<!\bapprox\.)\s+(?=[^\W\d_a-z]|[`'\"“(*\[]|--?\w|\d|[a-z]\w*(?:[._(]|(?:-\w+)* v?\d))"
)
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]{0,30}://|www\.)\S+", re.IGNORECASE)
_TALK = re.compile(
    r"\W*(?:(?:hi|hey|hello|thanks|thank you|cheers|lgtm|nit|please|pls|sorry|great|nice|good|awesome|congrats|welcome"
    r"|ok|okay|done|ping|bump|ptal|wdyt|fyi)\b|(?:closes|fixes|resolves|refs?|see|related to|part of|depends on)\s+"
    r"(?:#|https?:|\w+/\w+#)|(?:let['’]s|let us|can you|could you|would you|should we|shall we|i['’]d|i will|i['’]ll"
    r"|i ran|i tested|i['’]ve tested|we should|we could|we can|we will|we['’]ll|tested|tests?|todo|reviewers?|@\w)\b)",
    re.IGNORECASE,
)
_ABOUT_THIS = re.compile(
    r"\W*(?:this|the) (?:pr|pull request|patch|diff|commit|mr|merge request|branch|change)\b", re.IGNORECASE
)
_BUMP = re.compile(
    r"\W*(?:this (?:pr|pull request) )?(?:bumps?|updates?|upgrades?|pins?)\s+\S+(?: \S+){0,3}? (?:from|to)\s+\S*\d",
    re.IGNORECASE,
)
_MIN_WORDS = 2
_MIN_TELLING = 2


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph or list entry: `[start, end)` of the text."""

    start: int
    end: int


def split_claims(text: str) -> tuple[Claim, ...]:
    """The checkable claims of a text, in order, never overlapping; `text[start:end]` is the claim.

    A text in which none is recognised is one claim as a whole where it has at most 700 characters; a longer one, or
    one without a word, has none.
    """
    claims = tuple(
        Claim(text[start:end], start, end)
        for block in _blocks(text)
        for start, end in _sentences(text, block)
        if _claims_something(text[start:end])
    )
    whole = _trimmed(text, 0, len(text))
    is_short = whole is not None and whole[1] - whole[0] <= MAX_WHOLE_CHARACTERS
    if claims or whole is None or not is_short or not any(map(str.isalnum, text)):
        return claims
    return (Claim(text[whole[0] : whole[1]], *whole),)


def _blocks(text: str) -> Iterator[_Block]:
    """Runs of lines that belong together, without what can't hold a claim."""
    visible = _COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    fence = ""
    start: int | None = None
    place = 0
    previous = ""
    for line in visible.splitlines(keepends=True):
        bare = line.rstrip("\r\n")
        opening = _FENCE.match(bare)
        is_code = bool(fence) or (
            not previous.strip() and start is None and bare.startswith(("    ", "\t")) and not _BULLET.match(bare)
        )
        if fence:
            fence = "" if opening and opening["fence"].startswith(fence) else fence
        elif opening:
            fence, is_code = opening["fence"], True
        is_apart = (
            is_code
            or not bare.strip()
            or any(pattern.match(bare) for pattern in (_HEADING, _RULER, _QUOTED, _TABLE, _TRAILER))
        )
        bullet = _BULLET.match(bare)
        if start is not None and (is_apart or bullet):
            # A line that is underlined is a heading.
            if not (_RULER.match(bare) and bare.strip() and visible.count("\n", start, place) <= 1):
                yield _Block(start, place)
            start = None
        if not is_apart and start is None:
            start = place + (bullet.end() if bullet else 0)
        place += len(line)
        previous = bare
    if start is not None:
        yield _Block(start, place)


def _sentences(text: str, block: _Block) -> Iterator[tuple[int, int]]:
    start = block.start
    ends = [match.span() for match in _SENTENCE_END.finditer(text, block.start, block.end)]
    for end, following in (*ends, (block.end, block.end)):
        if (found := _trimmed(text, start, end)) is not None:
            yield found
        start = following


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    words = text[start:end]
    left = len(words) - len(words.lstrip())
    right = len(words.rstrip())
    return (start + left, start + right) if left < right else None


def _claims_something(sentence: str) -> bool:
    words = _ADDRESS.sub(" ", sentence)
    if words.rstrip(" *_`\"')").endswith("?") or len(content_words(words)) < _MIN_WORDS:
        return False
    if _TALK.match(words) or _ABOUT_THIS.match(words) or _BUMP.match(words):
        return False
    tells = has_verb(words) or len(content_words(words)) > _MIN_TELLING
    return tells and (bool(find_symbols(words)) or bool(find_versions(words)) or _names_something(words))


def _names_something(words: str) -> bool:
    """A capital within the sentence, a number, or a subject that isn't the writer."""
    return not re.match(r"\W*(?:i|we|you|my|our|your)\b", words, re.IGNORECASE) or bool(
        re.search(r"\d|(?<=\s)[A-Z]\w", words)
    )
