"""A question as tokens: words, products, versions, code names and marks, each with its place.

Everything that is later decided about a question (its subject, constraint, intent, what it leans on) is decided on
these tokens. Nothing is interpreted here, but for telling names of products from words that merely look like them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from corpus.symbols import find_references
from corpus.versions import Version, find_versions
from retrieval.products.known import KnownProducts
from retrieval.question.symbols import find_question_symbols


class TokenKind(Enum):
    WORD = auto()
    PRODUCT = auto()
    VERSION = auto()
    SYMBOL = auto()
    MARK = auto()


@dataclass(frozen=True, slots=True)
class Token:
    """One piece of a question at `[start, end)`; `text` is as written, `word` the same in lower case without `'s`."""

    kind: TokenKind
    start: int
    end: int
    text: str
    word: str
    product: str = ""
    """Canonical name, for PRODUCT."""
    version: Version | None = None
    """For VERSION."""


@dataclass(frozen=True, slots=True)
class TokenizedQuestion:
    """`hinted_products` are named only inside code or compounds (`torch.cond`, "pytest-plugin")."""

    tokens: tuple[Token, ...]
    symbols: tuple[str, ...]
    references: tuple[str, ...]
    hinted_products: tuple[str, ...]


NAME_SLOTS = frozenset(
    "than vs versus about in of does did do can will has is for by with using upgrade update".split()
)
_RELEASE_NOUNS = frozenset("version versions release releases changelog series".split())
_BOUNDS = frozenset(("<", "<=", ">", ">=", "=="))
_ARROWS = frozenset(("->", "=>", "\u2192", "vs", "versus"))
_INSTALL_VERBS = frozenset(("install", "add"))

_ELLIPSIS = re.compile(r"(?<=\d)\s*(?:\.{2,3}|\u2026)\s*(?=v?\d)")
_PLAIN_WORD = re.compile(r"[a-z][\w-]*")
_WORD = re.compile(r"w/o?(?=\s)|->|=>|→|[<>]=?|==|~=|\.{2,3}|[A-Za-z]\w*(?:\.js\b)?(?:['\u2019][A-Za-z]+)?|\d+|\S")
_VAGUE_PATCH = re.compile(r"(?<=\d\.)(?:something|whatever|y)\b", re.IGNORECASE)
_PLACE = re.compile(
    r"""(?<![^\s"'()<>`])(?![^\s"'()<>`]*://)[^\s"'()<>`]*\w\.[a-z]{1,5}["']?"""
    r"(?:(?::\d+){1,2}(?![\w.])|,? (?:on )?line \d+)",
    re.IGNORECASE,
)
"""A file and the line in it."""
_BARE_NUMBER = re.compile(r"V?[0-9]{1,4}")


def tokenize_question(question: str, known: KnownProducts) -> TokenizedQuestion:
    """Split a question into tokens."""
    names = known.whole_name.findall(question) if known.names else []
    symbols = tuple(symbol for symbol in find_question_symbols(question) if not _names_product(symbol, known, names))
    taken = list(_symbol_tokens(question, symbols))
    vague = _VAGUE_PATCH.sub(lambda found: "x" + " " * (len(found[0]) - 1), question)
    vague = _ELLIPSIS.sub(lambda found: "-".ljust(len(found[0])), vague)
    masked = replace_ranges(vague, [(token.start, token.end, "_" * (token.end - token.start)) for token in taken])
    slips = {word for word in _PLAIN_WORD.findall(question.lower()) if known.product_mistyped_as(word)}
    for mention in find_versions(masked, names=(*known.names, *known.called_by_ending, *slips)):
        text = question[mention.start : mention.end]
        taken.append(Token(TokenKind.VERSION, mention.start, mention.end, text, text.lower(), version=mention.version))
    named, hinted = _find_products(question, known, taken)
    filled = (_mend(token, known) for token in _fill_words(question, [*taken, *named]))
    tokens = _keep_names(_name_by_endings(_promote_ends(tuple(filled)), known), known)
    return TokenizedQuestion(tokens, symbols, find_references(question), hinted)


def without_places(text: str, known: KnownProducts) -> str:
    """`text` without places in source files ("src/main.rs:41:10"), which nobody's notes hold; of a frame of a stack
    trace a product is left whose file it is."""

    def kept(found: re.Match[str]) -> str:
        named = known.name_in_compound.search(found[0]) if known.names else None
        return f"{named[0]}::" if named else ""

    return _PLACE.sub(kept, text)


def replace_ranges(text: str, ranges: Iterable[tuple[int, int, str]]) -> str:
    """`text` with each `[start, end)` replaced; the ranges are in any order and disjoint."""
    pieces: list[str] = []
    position = 0
    for start, end, new in sorted(ranges):
        pieces += (text[position:start], new)
        position = end
    return "".join((*pieces, text[position:]))


def _names_product(symbol: str, known: KnownProducts, written: Sequence[str]) -> bool:
    """Whether a code name is a product's, or a part of one as it is `written` in the question ("SciKit-Learn")."""
    folded = symbol.casefold()
    if any(symbol in name and symbol != name for name in written):
        return True
    return folded in known.names or folded.rstrip("0123456789") in known.names


def _symbol_tokens(question: str, symbols: Sequence[str]) -> Iterator[Token]:
    end = -1
    pattern = "|".join(map(re.escape, sorted(symbols, key=len, reverse=True)))
    for found in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", question) if symbols else ():
        if found.start() >= end:
            end = found.end()
            yield Token(TokenKind.SYMBOL, *found.span(), found[0], found[0].lower())


def _find_products(question: str, known: KnownProducts, taken: Sequence[Token]) -> tuple[list[Token], tuple[str, ...]]:
    """Products named as words, and those only hinted at."""
    if not known.names:
        return [], ()
    covered = bytearray(len(question))
    for token in taken:
        covered[token.start : token.end] = b"\x01" * (token.end - token.start)
    # A pattern without regard to case takes letters for equal that folding doesn't (the dotless i for i).
    tokens = [
        Token(TokenKind.PRODUCT, *found.span(), found[0], found[0].lower(), product=product)
        for found in known.whole_name.finditer(question)
        if (product := known.names.get(found[0].casefold())) and not any(covered[found.start() : found.end()])
    ]
    hints = dict.fromkeys(
        name
        for found in known.name_in_compound.finditer(question)
        if (name := found[0].casefold()) not in known.everyday or question[found.end()] in "./\\:"
    )
    hinted = (known.names.get(hint) for hint in hints)
    return tokens, tuple(dict.fromkeys(product for product in hinted if product))


def _fill_words(question: str, taken: Sequence[Token]) -> Iterator[Token]:
    """The tokens found so far, and words and marks for all that lies between them."""
    position = 0
    for token in sorted(taken, key=lambda token: token.start):
        yield from _words(question, position, token.start)
        yield token
        position = token.end
    yield from _words(question, position, len(question))


def _words(question: str, start: int, end: int) -> Iterator[Token]:
    for found in _WORD.finditer(question, start, end):
        kind = TokenKind.WORD if found[0][0].isalnum() else TokenKind.MARK
        word = found[0].lower().replace("\u2019", "'").removesuffix("'s")
        yield Token(kind, *found.span(), found[0], word)


def _mend(token: Token, known: KnownProducts) -> Token:
    """A product's name where a word can only be that, mistyped."""
    product = known.product_mistyped_as(token.word) if token.kind is TokenKind.WORD else ""
    return replace(token, kind=TokenKind.PRODUCT, product=product) if product else token


def _name_by_endings(tokens: tuple[Token, ...], known: KnownProducts) -> tuple[Token, ...]:
    """Read the last word of a product's name as that product before a release that it has ("dbal 4.1")."""

    def product(i: int) -> str:
        version = tokens[i + 1].version if i + 1 < len(tokens) and tokens[i].kind is TokenKind.WORD else None
        name = known.called_by_ending.get(tokens[i].word, "") if version else ""
        return name if version and known.has_release(version, (name,)) else ""

    named = (product(i) for i in range(len(tokens)))
    return tuple(
        replace(token, kind=TokenKind.PRODUCT, product=name) if name else token
        for token, name in zip(tokens, named, strict=True)
    )


def _promote_ends(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Read a number without a dot as a version where it ends what one began (">=2.0,<3", "18 -> 19", "22 vs 20")."""
    return tuple(
        replace(token, kind=TokenKind.VERSION, version=version)
        if _BARE_NUMBER.fullmatch(token.text) and _ends_pair(tokens, i) and (version := Version.try_parse(token.text))
        else token
        for i, token in enumerate(tokens)
    )


def _ends_pair(tokens: Sequence[Token], i: int) -> bool:
    joint = tokens[i - 1].word if i > 1 else ""
    if joint in _BOUNDS and tokens[i - 2].word in (",", "and"):
        return i > 2 and tokens[i - 3].kind is TokenKind.VERSION
    began = tokens[i - 2].version if i > 1 else None
    if began is None or joint in _ARROWS:
        return began is not None
    is_later = len(began.release) == 1 and began.release[0] < int(tokens[i].text.lstrip("vV"))
    return joint in ("to", "into") and is_later


def _keep_names(tokens: tuple[Token, ...], known: KnownProducts) -> tuple[Token, ...]:
    """Turn product tokens that are everyday words, or tools ("pip install torch"), back into words."""
    return tuple(
        replace(token, kind=TokenKind.WORD, product="")
        if token.kind is TokenKind.PRODUCT and (_is_everyday_word(tokens, i, known) or _is_tool(tokens, i))
        else token
        for i, token in enumerate(tokens)
    )


def _is_everyday_word(tokens: Sequence[Token], i: int, known: KnownProducts) -> bool:
    token = tokens[i]
    if token.word not in known.everyday:
        return False
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if following and (following.kind is TokenKind.VERSION or following.word in _RELEASE_NOUNS):
        return False
    if i == 0 and following and following.kind is TokenKind.MARK:
        return False  # "rich - what changed in the newest version"
    is_capital = token.text[0].isupper()
    is_possessive = [other.word for other in tokens[i + 1 : i + 3]] in (["'", "s"], ["\u2019", "s"])
    if is_capital and (is_possessive or (i and tokens[i - 1].kind is not TokenKind.MARK)):
        return False
    return not (i and tokens[i - 1].word in NAME_SLOTS)


def _is_tool(tokens: Sequence[Token], i: int) -> bool:
    """Whether the product is only the installer of another one."""
    if i + 1 >= len(tokens) or tokens[i + 1].word not in _INSTALL_VERBS:
        return False
    return any(
        other.kind is TokenKind.PRODUCT and other.product != tokens[i].product for other in tokens[i + 2 : i + 5]
    )
