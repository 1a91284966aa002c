"""A question as it is read: without the words around it and places in files.

Greetings, reasons and who asks are read by example (`evals/training/framing.jsonl`: clauses that matter and clauses
that don't); only what stands before the first clause that matters, or after the last, is left out.
"""

import math
import re
from itertools import accumulate

from corpus.everyday_words import PLATFORMS
from retrieval.products.known import KnownProducts
from retrieval.question.forms import form_terms, reader_named
from retrieval.question.tokens import TokenKind, tokenize_question

_JOINT = re.compile(r"(?<=[.?!;:,])\s+|\s+[-\u2013\u2014]+\s+|\s*\n\s*")
_NAMES = frozenset({TokenKind.PRODUCT, TokenKind.VERSION, TokenKind.SYMBOL})
_NAMES_SOMETHING = 1e6
"""In place of the log-odds of a clause that names a product, a version or code: more than any clauses between two
take away, so that both stay."""
_IN_DOUBT_KEPT = 1.0
"""Log-odds; leaving a clause in costs less than leaving out what is asked. Chosen by hand, never fitted."""
_BESIDE = frozenset(
    "w/ with and on for in under using v version support supported compatibility compatible work still ok yet".split()
)
_PRONOUNS = frozenset("it they them this these those".split())
_PLACE = re.compile(
    r"""Traceback \(most recent call last\):|\bFile "[^"\n]+", line \d+(?:, in \S+)?"""
    r"""|(?<![^\s"'()<>`])(?![^\s"'()<>`]*://)[^\s"'()<>`]*\w\.[a-z]{1,5}["']?"""
    r"(?:(?::\d+){1,2}(?![\w.])|,? (?:on )?line \d+)",
    re.IGNORECASE,
)
"""A file and the line in it, and what Python says around them in a traceback."""
_ERROR_CLASS = re.compile(
    r"(?<![\w.])(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning): (?:[\w.]{0,99}__\w{1,99}__\(\) )?"
    r"(?=[^\n]{0,300}['\"][A-Za-z_][\w.]{0,80}['\"])"
)
"""What stands before the message of an error that names something: notes tell that, hardly the class or its method."""


def split_clauses(text: str) -> list[tuple[int, int]]:
    """Split a question into its clauses as ranges, in order: at full stops, commas, colons, dashes and line ends."""
    ends = [0, *(place for found in _JOINT.finditer(text) for place in found.span()), len(text)]
    spans = zip(ends[::2], ends[1::2], strict=True)
    return [(start, end) for start, end in spans if any(c.isalnum() for c in text[start:end])]


def without_framing(text: str, known: KnownProducts) -> str:
    """Return the question without the words around it; as it is where nothing else would be left.

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
    # The run whose log-odds add up to the most, so that a greeting that was read wrongly between others goes with them.
    sums = tuple(accumulate(odds, initial=0.0))
    lows = tuple(accumulate(sums, min))
    end = max(range(1, len(sums)), key=lambda place: sums[place] - lows[place - 1])
    first = sums.index(lows[end - 1])
    # "That palette where all commands are, which release brought it" asks for the palette.
    if first and any(token.word in _PRONOUNS for clause in tokens[first:end] for token in clause):
        first -= 1
    kept = text[clauses[first][0] : clauses[end - 1][1]]
    return kept if len(kept) == len(text) else kept.rstrip(" ,;:-\u2013\u2014\n")


def spell_out(text: str, known: KnownProducts) -> str:
    """Return a product beside a runtime or another product and its number ("gizmo node 18") as the question that it is
    short for; other questions as they are."""
    tokens = tokenize_question(text, known).tokens
    words = [token for token in tokens if token.kind is not TokenKind.MARK and token.word not in _BESIDE]
    named = [token for token in words if token.kind is TokenKind.PRODUCT and token.word not in PLATFORMS]
    numbers = [token for token in words if token.version or token.text.lstrip("vV").isdecimal()]
    if len(words) != 3 or not named or len(numbers) != 1 or words[0] is numbers[0]:
        return text
    runtime = words[words.index(numbers[0]) - 1]
    product = next((token for token in named if token is not runtime), None)
    if product is None or not (runtime.word in PLATFORMS | {"go"} or runtime in named):
        return text
    return f"does {product.text} run on {runtime.text} {numbers[0].text}?"


def without_places(text: str, known: KnownProducts) -> str:
    """`text` without places in source files ("src/main.rs:41:10"), which nobody's notes hold, and classes of pasted
    errors; of a frame of a stack trace a product is left whose file it is."""

    def kept(found: re.Match[str]) -> str:
        named = known.name_in_compound.search(found[0]) if known.names else None
        return f"{named[0]}::" if named else ""

    return _PLACE.sub(kept, _ERROR_CLASS.sub("", text))
