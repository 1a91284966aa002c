"""A question as it is read: without the words around it, places in files and slips of the keyboard.

Greetings, reasons and who asks are read by example (`evals/training/framing.jsonl`: clauses that matter and clauses
that don't); only what stands before the first clause that matters, or after the last, is left out. Of mistyped words
only ordinary ones are mended: what looks like a slip in names, code and numbers may be another name, and products are
matched against the catalogue elsewhere.
"""

import math
import re
from collections.abc import Callable

from corpus.everyday_words import is_everyday
from corpus.lexicon import STOP_WORDS
from retrieval.products.known import KnownProducts
from retrieval.question.forms import form_terms, reader_named
from retrieval.question.tokens import TokenKind, tokenize_question

_JOINT = re.compile(r"(?<=[.?!;:,])\s+|\s+[-\u2013\u2014]+\s+|\s*\n\s*")
_NAMES = frozenset({TokenKind.PRODUCT, TokenKind.VERSION, TokenKind.SYMBOL})
_NAMES_SOMETHING = 1e6
"""In place of the log-odds of a clause that names a product, a version or code: more than any clauses between two
take away, so that both stay."""
_IN_DOUBT_KEPT = 1.0
"""Log-odds; leaving a clause in costs less than leaving out what is asked."""
_PRONOUNS = frozenset("it they them this these those".split())
_PLACE = re.compile(
    r"""(?<![^\s"'()<>`])(?![^\s"'()<>`]*://)[^\s"'()<>`]*\w\.[a-z]{1,5}["']?"""
    r"(?:(?::\d+){1,2}(?![\w.])|,? (?:on )?line \d+)",
    re.IGNORECASE,
)
"""A file and the line in it."""
_WORD = re.compile(r"(?<![\w.@/:#`'\u2019-])[A-Za-z]?[a-z]{4,24}(?![\w@/#`('\u2019-]|[.:]\w)")
_ANY_WORD = re.compile(r"[\w.-]*\w")
_MIN_RARE_LENGTH = 7
"""A shorter word is rather a name ("psql", "trivy") than a slip of a word that isn't everyday either."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz'"


def split_clauses(text: str) -> list[tuple[int, int]]:
    """The clauses of a question as ranges, in order: what full stops, commas, colons, dashes and line ends part."""
    ends = [0, *(place for found in _JOINT.finditer(text) for place in found.span()), len(text)]
    spans = zip(ends[::2], ends[1::2], strict=True)
    return [(start, end) for start, end in spans if any(c.isalnum() for c in text[start:end])]


def without_framing(text: str, known: KnownProducts) -> str:
    """The question without the words around it; as it is where nothing else would be left.

    Clauses are read by their words alone: embedding each would take longer than the rest of the reading.
    """
    clauses = split_clauses(text)
    if len(clauses) < 2:
        return text
    tokens = [tokenize_question(text[start:end], known).tokens for start, end in clauses]
    reader = reader_named("framing")
    chances = reader.probabilities(list(map(form_terms, tokens)), None, digest="")[:, reader.labels.index("n")]
    odds = [
        _NAMES_SOMETHING
        if any(token.kind in _NAMES for token in clause)
        else math.log(max(chance, 1e-6) / max(1 - chance, 1e-6)) + _IN_DOUBT_KEPT
        for clause, chance in zip(tokens, chances.tolist(), strict=True)
    ]
    if max(odds) < 0:
        return text
    # The run of clauses whose log-odds add up to the most (Kadane's algorithm), so that a greeting that was read
    # wrongly between others goes with them.
    best, ends, sum_here, start = -math.inf, (0, 0), 0.0, 0
    for i, log_odds in enumerate(odds):
        if sum_here < 0:
            sum_here, start = 0.0, i
        sum_here += log_odds
        if sum_here > best:
            best, ends = sum_here, (start, i)
    first, last = ends
    # "That palette where all commands are, which release brought it" asks for the palette.
    if first and any(token.word in _PRONOUNS for clause in tokens[first : last + 1] for token in clause):
        first -= 1
    kept = text[clauses[first][0] : clauses[last][1]]
    return kept if len(kept) == len(text) else kept.rstrip(" ,;:-\u2013\u2014\n")


def without_places(text: str, known: KnownProducts) -> str:
    """`text` without places in source files ("src/main.rs:41:10"), which nobody's notes hold; of a frame of a stack
    trace a product is left whose file it is."""

    def kept(found: re.Match[str]) -> str:
        named = known.name_in_compound.search(found[0]) if known.names else None
        return f"{named[0]}::" if named else ""

    return _PLACE.sub(kept, text)


def mend_slips(
    text: str, *, frequency: Callable[[str], int], names: frozenset[str], meant_name: Callable[[str], str]
) -> str:
    """`text` with each mistyped word replaced by what was meant; `names` (in lower case) are never mended, and
    `meant_name` gives the name that a word can only be a slip of, empty for most.

    A word that neither everyday English nor the index knows becomes the word one slip away that the index holds most
    often (Norvig, "How to Write a Spelling Corrector", 2007), of the same first letter if there is one, for slips are
    rare there (Pollock and Zamora, "Automatic Spelling Correction in Scientific and Scholarly Text", 1984). `frequency`
    tells how many passages hold a word.
    """

    # A second name is rather a word of its own: "beeps" beside another product isn't beets.
    may_name = names.isdisjoint(found[0].lower() for found in _ANY_WORD.finditer(text))

    def mend(found: re.Match[str]) -> str:
        word = found[0].lower()
        if word in names or word in STOP_WORDS or is_everyday(word) or frequency(word):
            return found[0]
        if name := meant_name(word):
            return name
        is_long = len(word) >= _MIN_RARE_LENGTH
        slips = (slip for slip in _slips(word) if is_everyday(slip) or (may_name if slip in names else is_long))
        meant = max(slips, default="", key=lambda slip: (bool(held := frequency(slip)), slip[0] == word[0], held))
        return meant if meant and frequency(meant) else found[0]

    return _WORD.sub(mend, text)


def _slips(word: str) -> list[str]:
    """Every word that is one slip away: a letter too many, wrong or too few, or two in each other's place."""
    parts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    slips = []
    for head, tail in parts:
        if tail:
            slips += [head + tail[1:], *(head + letter + tail[1:] for letter in _LETTERS)]
        if len(tail) > 1:
            slips.append(head + tail[1] + tail[0] + tail[2:])
        slips += [head + letter + tail for letter in _LETTERS]
    return slips
