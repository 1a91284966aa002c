"""A question without its framing (greetings, reasons, who asks) and without file positions.

Framing is recognised by a classifier (trained on `evals/training/framing.jsonl`: clauses that matter and clauses that
don't); only clauses before the first one that matters, or after the last, are removed.
"""

import math
import re
from collections.abc import Sequence
from itertools import accumulate

from corpus.everyday_words import PLATFORMS
from retrieval.products.known import KnownProducts
from retrieval.question.forms import form_terms, reader_named
from retrieval.question.tokens import Token, TokenKind, tokenize_question

_JOINT = re.compile(r"(?<=[.?!;:,])\s+|(?<!\s)\s++[-\u2013\u2014]+\s+|(?<!\s)[^\S\n]*+\n\s*")
_NAMES = frozenset({TokenKind.PRODUCT, TokenKind.VERSION, TokenKind.SYMBOL})
_NAMES_SOMETHING = 1e6
"""Log-odds of a clause with a product, version or code: so high that two of them stay, whatever is between them."""
_IN_DOUBT_KEPT = 1.0
"""Log-odds added to each clause, because keeping one costs less than losing the question. Chosen by hand."""
_BESIDE = frozenset(
    "w/ with and on for in under using v version support supported compatibility compatible work still ok yet".split()
)
_PRONOUNS = frozenset("it they them this these those".split())
_THANKS = frozenset("thanks thank thx tnx ty tysm cheers helped trick sense appreciated perfect works worked".split())
_POLITE = _THANKS.union(
    "great good cool nice awesome amazing excellent lovely brilliant super sweet ok okay ah oh aha yes yep so very much"
    " a lot all really well just now again fine for with the you your that this it i me my we us our helps got helpful"
    " fixed solved sorted did does gotcha yeah makes made know to noted understood answer info help problem".split()
)
_PLACE = re.compile(
    r"""Traceback \(most recent call last\):|\bFile "[^"\n]+", line \d+(?:, in \S+)?"""
    r"""|(?<![^\s"'()<>`])(?![^\s"'()<>`]*://)[^\s"'()<>`]*\w\.[a-z]{1,5}["']?"""
    r"(?:(?::\d+){1,2}(?![\w.])|,? (?:on )?line \d+)",
    re.IGNORECASE,
)
"""A file with a line number, and Python's words around them in a traceback."""
_ERROR_CLASS = re.compile(
    r"(?<![\w.])(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning): (?:[\w.]{0,99}__\w{1,99}__\(\) )?"
    r"(?=[^\n]{0,300}['\"][A-Za-z_][\w.]{0,80}['\"])"
)
"""The error class before a message that names something: notes mention the thing, seldom the class or its method."""


def split_clauses(text: str) -> list[tuple[int, int]]:
    """Return a question's clauses as ranges `[start, end)`, in order: split at . , : ; ? ! dashes and line ends."""
    bounds = [0, *(bound for joint in _JOINT.finditer(text) for bound in joint.span()), len(text)]
    spans = zip(bounds[::2], bounds[1::2], strict=True)
    return [(start, end) for start, end in spans if any(c.isalnum() for c in text[start:end])]


def without_framing(text: str, known: KnownProducts) -> str:
    """Return the question without its framing; unchanged if nothing would be left.

    Clauses are read by their words alone, because embedding each would take longer than all other steps.
    """
    clauses = split_clauses(text)
    tokens = [tokenize_question(text[start:end], known).tokens for start, end in clauses]
    if _gives_thanks(tokens):
        return "thanks"
    if len(clauses) < 2:
        return text
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
    # Keep the run of clauses with the highest total log-odds, so that one misread greeting among others goes with them.
    sums = tuple(accumulate(odds, initial=0.0))
    lows = tuple(accumulate(sums, min))
    end = max(range(1, len(sums)), key=lambda end: sums[end] - lows[end - 1])
    first = sums.index(lows[end - 1])
    # In "That palette where all commands are, which release brought it", "it" refers to the clause before.
    if first and any(token.word in _PRONOUNS for clause in tokens[first:end] for token in clause):
        first -= 1
    kept = text[clauses[first][0] : clauses[end - 1][1]]
    return kept if len(kept) == len(text) else kept.rstrip(" ,;:-\u2013\u2014\n")


def _gives_thanks(clauses: Sequence[Sequence[Token]]) -> bool:
    """Return whether clauses say nothing but that an answer helped ("cheers, works now with gizmo")."""
    spoken = [{t.word for t in clause if t.kind is not TokenKind.MARK and not t.product} for clause in clauses]
    for clause, words in zip(clauses, spoken, strict=True):
        is_named = any(token.product for token in clause) and words.isdisjoint({"fixed", *_THANKS})
        if is_named or clause[0].product or not words <= _POLITE or any(token.text == "?" for token in clause):
            return False
    return any(not _THANKS.isdisjoint(words) for words in spoken)


def expand_shorthand(text: str, known: KnownProducts) -> str:
    """Return "does gizmo run on node 18?" for "gizmo on node 18" (product, runtime or product, number), else `text`."""
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
    """Return `text` without file positions ("src/main.rs:41:10"), which notes don't contain, and without the classes of
    pasted errors. Of a position in a product's file the product's name is kept."""

    def keep_product(place: re.Match[str]) -> str:
        name = known.name_in_compound.search(place[0]) if known.names else None
        return f"{name[0]}::" if name else ""

    return _PLACE.sub(keep_product, _ERROR_CLASS.sub("", text))
