"""Products that a question is about and the catalogue doesn't have: "what's new in Keras 3.1?", "do you cover Angular?"

A conservative signal, for the honest no. A question that names a product of the catalogue has none, unless that is a
platform ("which Python does Keras 3.1 need?"). Names of platforms, protocols and hardware count only where their own
notes are asked for. A name that the indexed notes mention may be a part of what they are about ("the kernels in Triton
3.4"), so it too counts only there.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from corpus.lexicon import STOP_WORDS
from corpus.versions import Version
from retrieval.known_products import KnownProducts
from retrieval.name_words import NO_NAMES, PLATFORMS
from retrieval.product_names import EVERYDAY_NAMES
from retrieval.question_tokens import Token, TokenKind

_AGENT_AUXILIARIES = frozenset("do does did can could will would has".split())
_UPGRADE_SLOTS = frozenset("upgrading upgrade updating update migrating migrate bump bumping".split())
_SLOTS = _UPGRADE_SLOTS | frozenset("in of about from for which what diff compare between".split())
_NEEDING = frozenset("support supports supported supporting compatibility compatible wheels builds built".split())
_MAX_DIGITS = 3
_BEING = frozenset("is are was".split())
_NUMBERED = frozenset(
    """appendix case chapter class epoch example figure generation layer level line listing mode note option page part
    phase point question release rule section series stage step table tier type unit version volume""".split()
)
_ASKS_FOR_NOTES = re.compile(
    r"^(?:(?:so|hey|hi|and|ok) )*what(?:s| is|'s|\u2019s| was)? (?:all )?(?:new|changed|breaks|broke|happened)"
    r"(?: for \w+)? in "
    r"|^(?:highlights|summary|changes|breaking changes|deprecations|release notes|changelog) (?:of|for|in) "
    r"|^(?:summari[sz]e|tldr of|list (?:all )?(?:the )?\w+ (?:of|in)) |^when (?:was|did|is|will) ",
    re.IGNORECASE,
)
_NOTES_FOLLOW = frozenset("what's whats release changelog breaking changes highlights deprecations".split())
_NAME = r"(?P<name>[^\W\d][\w.+-]*\w(?: [A-Z]\w+)?)"
_PROPER_NAME = r"(?P<name>[A-Z][\w.+-]*\w(?: [A-Z]\w+)?)"
_ASKS_COVERAGE = (
    re.compile(
        r"^(?:[Ww]hich|[Ww]hat) "
        + _PROPER_NAME
        + r" (?:versions?|releases?) (?:do|have|can|are) (?:you|we|indexed|covered)\b"
    ),
    re.compile(
        r"^(?:[Ww]hat(?:'s| is|s)? )?(?:the )?(?:[Ll]atest|[Nn]ewest|[Oo]ldest|current) "
        + _PROPER_NAME
        + r" (?:version|release)\W*$"
    ),
    re.compile(r"^(?:[Ii]s|[Aa]re) " + _PROPER_NAME + r"(?: [\d.]+)? (?:indexed|covered)\b"),
    re.compile(
        r"\b(?:versions?|releases?|(?:release )?notes|changelogs?) (?:of|for|on) "
        + _NAME
        + r" (?:do|have|can|are|is) (?:you|we|indexed|covered|available|in here|there)\b"
    ),
    re.compile(
        r"^(?:so |hey |hi )*(?:what(?:'s| is|s)? )?(?:the )?(?:latest|newest|oldest|most recent|current) "
        r"(?:stable )?(?:versions?|releases?) (?:of|for) " + _NAME + r"\W*$",
        re.IGNORECASE,
    ),
    re.compile(
        r"^(?:so |hey |hi )*(?:do|are|can|have|does|is) (?:you |we |the index )?(?:cover(?:ing)?|index(?:ed)?"
        r"|(?:have |got |know )?(?:any |the |anything |something )*"
        r"(?:release notes|notes|releases|changelogs?|anything|docs)"
        r" (?:for|of|on|about)) " + _NAME + r"(?: (?:indexed|covered|here|in here))?\W*$",
        re.IGNORECASE,
    ),
)


def mark_unknown_products(
    question: str, tokens: Sequence[Token], known: KnownProducts, *, is_mentioned: Callable[[str], bool]
) -> tuple[Token, ...]:
    """The tokens with each name that looks like a product's and isn't in the catalogue turned into a PRODUCT.

    `is_mentioned` says whether the indexed notes mention a word at all.
    """
    spans = [*_coverage_spans(question), *_versioned_spans(question, tokens, is_mentioned=is_mentioned)]
    marked = list(tokens)
    for start, end in spans:
        inside = [i for i, token in enumerate(marked) if start <= token.start and token.end <= end]
        name = question[start:end]
        if inside and not _is_known(name, known) and not any(marked[i].product for i in inside):
            first, last = marked[inside[0]], marked[inside[-1]]
            whole = replace(first, kind=TokenKind.PRODUCT, end=last.end, text=name, word=name.lower(), product=name)
            marked[inside[0] : inside[-1] + 1] = [whole]
            number = marked[inside[0] + 1] if inside[0] + 1 < len(marked) else None
            if number and number.word.isdecimal() and len(number.word) <= _MAX_DIGITS:
                marked[inside[0] + 1] = replace(number, kind=TokenKind.VERSION, version=Version.try_parse(number.text))
    return tuple(marked)


def _is_known(name: str, known: KnownProducts) -> bool:
    word = name.casefold()
    parts = word.split()
    if len(parts) > 1 and any(part in known.names for part in parts):
        return True  # "React DOM 19" may be a part of React
    return word in known.names or word in STOP_WORDS or bool(known.product_mistyped_as(word))


def _coverage_spans(question: str) -> list[tuple[int, int]]:
    """The name whose versions or notes a question wants to know of: "do you have notes for Angular?"."""
    found = next((match for form in _ASKS_COVERAGE if (match := form.search(question))), None)
    is_name = found is not None and found["name"].lower() not in PLATFORMS | NO_NAMES | STOP_WORDS | _NUMBERED
    return [found.span("name")] if found is not None and is_name else []


def _versioned_spans(
    question: str, tokens: Sequence[Token], *, is_mentioned: Callable[[str], bool]
) -> list[tuple[int, int]]:
    """Names with a version right after them, where the name of the question's subject stands."""
    asks_for_notes = bool(_ASKS_FOR_NOTES.search(question))
    spans = []
    for i in range(1, len(tokens)):
        if not _is_number_of_name(tokens, i):
            continue
        first = _first_of_name(tokens, i - 1)
        name, before = tokens[i - 1], tokens[first - 1].word if first else ""
        after = tokens[i + 1].word if i + 1 < len(tokens) else ""
        ends = i + 1 == len(tokens) or tokens[i + 1].kind is TokenKind.MARK or after in STOP_WORDS | {"for", "from"}
        is_own = (asks_for_notes and ends) or (not first and after in _NOTES_FOLLOW) or before in _UPGRADE_SLOTS
        is_needed = before == "for" and first > 1 and tokens[first - 2].word in _NEEDING
        is_agent = before in _AGENT_AUXILIARIES or (after == "compatible" and before in _BEING)
        is_placed = is_agent or (before in _SLOTS and not is_needed) or _opens(tokens, i, first)
        is_mentioned_whole = all(map(is_mentioned, question[tokens[first].start : name.end].lower().split()))
        is_foreign = name.word not in PLATFORMS and not name.text.isupper() and not is_mentioned_whole
        if (is_own and (before in _SLOTS or not first or before in ("was", "did"))) or (is_placed and is_foreign):
            spans.append((tokens[first].start, name.end))
    return spans or _upgraded_spans(tokens, is_mentioned=is_mentioned)


def _opens(tokens: Sequence[Token], i: int, first: int) -> bool:
    """Whether a question begins with the name and its version: "keras 3.1: is it lazy?", not with "Tried 2.9 ..."."""
    is_verb = tokens[i - 1].word.endswith(("ed", "ing")) and tokens[i - 1].word not in EVERYDAY_NAMES
    return not first and not is_verb and tokens[i].kind is TokenKind.VERSION


def _upgraded_spans(tokens: Sequence[Token], *, is_mentioned: Callable[[str], bool]) -> list[tuple[int, int]]:
    """The name that a question upgrades: "upgrading celery from 5.3 to 5.4"."""
    for i in range(1, len(tokens) - 2):
        name = tokens[i]
        is_moved = tokens[i - 1].word in _UPGRADE_SLOTS and tokens[i + 1].word == "from" and tokens[i + 2].version
        if is_moved and name.kind is TokenKind.WORD and name.word not in STOP_WORDS and not is_mentioned(name.word):
            return [(name.start, name.end)]
    return []


def _is_number_of_name(tokens: Sequence[Token], i: int) -> bool:
    """Whether a version, or after a capitalised word a small number, follows a word that may be a name."""
    name, number = tokens[i - 1], tokens[i]
    is_camel_case = name.kind is TokenKind.SYMBOL and name.text.isalnum()
    if not (name.kind is TokenKind.WORD or is_camel_case) or number.start == name.end or len(name.word) < 3:
        return False
    if name.word in NO_NAMES | STOP_WORDS | _NUMBERED or not name.word.isascii() or name.word[0].isdigit():
        return False
    is_small = number.kind is TokenKind.WORD and number.word.isdecimal() and len(number.word) <= _MAX_DIGITS
    return number.kind is TokenKind.VERSION or (is_small and name.text[0].isupper())


def _first_of_name(tokens: Sequence[Token], i: int) -> int:
    """Where the name that ends at `i` begins: capitalised words belong together ("Spring Boot"), and hyphens join."""
    while i and tokens[i].kind is not TokenKind.MARK:
        before = tokens[i - 1]
        if before.word == "-" and i > 1 and tokens[i - 2].end == before.start and before.end == tokens[i].start:
            i -= 2
            continue
        is_capital = before.kind is TokenKind.WORD and before.text[0].isupper() and tokens[i].text[0].isupper()
        if not is_capital or before.word in NO_NAMES | STOP_WORDS:
            break
        i -= 1
    return i
