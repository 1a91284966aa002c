"""A question as tokens: words, products, versions, code names and marks, each with its place.

Everything that is later decided about a question (its subject, constraint, intent, what it leans on) is decided on
these tokens. Nothing is interpreted here, but for telling names of products from words that merely look like them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto

from corpus.catalogue import CatalogueProduct
from corpus.symbols import find_references, find_symbols
from corpus.versions import Version, find_versions


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

    text: str
    tokens: tuple[Token, ...]
    symbols: tuple[str, ...]
    references: tuple[str, ...]
    hinted_products: tuple[str, ...]


# Names of packages that are everyday English: they count only where the grammar says that a name stands there.
_EVERYDAY_NAMES = frozenset(
    """actions arrow black bottle chalk click dash echo express factory fiber fire flask fresh gin glue go invoke
    marshmallow mock next node nose pillow poetry ray requests rich rocket rust sanic slim spring swift tornado
    typer""".split()
)
_NAME_SLOTS = frozenset("in of does did do can will has is for by with using upgrade update".split())
_RELEASE_NOUNS = frozenset("version versions release releases changelog series".split())
_INSTALL_VERBS = frozenset(("install", "add"))

_WORD = re.compile(r"w/o?(?=\s)|->|=>|→|[<>]=?|==|[A-Za-z]\w*(?:\.js\b)?(?:['\u2019][A-Za-z]+)?|\d+|\S")
_VAGUE_PATCH = re.compile(r"(?<=\d\.)(?:something|whatever|y)\b", re.IGNORECASE)
_SHORT_FLAG = re.compile(r"(?<![\w-])-[A-Za-z](?![\w-])")
_CALL = re.compile(r"\b([A-Za-z_][\w.]*)(?=\(\w+\s*=)|(?<![\w.:-])([A-Za-z_]\w*)(?==[\w'\"])")
_HARDWARE_NAME = re.compile(r"\b(?:[A-Z]+[a-z]*)\d+\w*\b(?!\.\d)")
_NO_SYMBOL = re.compile(r"e\.g|i\.e|[A-Z][a-z]+\.js|[A-Z]+s|[vV]\d+|Q[1-4]|[A-Z]\d")


def tokenize_question(
    question: str, catalogue: Sequence[CatalogueProduct], *, bare_after: Sequence[str] = ()
) -> TokenizedQuestion:
    """Split a question into tokens; words in `bare_after` may be followed by versions without a dot, as names may."""
    names = {name.casefold(): product.name for product in catalogue for name in (product.name, *product.aliases)}
    symbols = tuple(symbol for symbol in _find_symbols(question) if not _names_product(symbol, names))
    taken = list(_symbol_tokens(question, symbols))
    masked = _VAGUE_PATCH.sub(lambda found: "x" + " " * (len(found[0]) - 1), question)
    for symbol in taken:
        masked = f"{masked[: symbol.start]}{'_' * (symbol.end - symbol.start)}{masked[symbol.end :]}"
    for mention in find_versions(masked, names=(*names, *bare_after)):
        text = question[mention.start : mention.end]
        taken.append(Token(TokenKind.VERSION, mention.start, mention.end, text, text.lower(), version=mention.version))
    named, hinted = _find_products(question, names, {(token.start, token.end) for token in taken})
    taken.extend(named)
    tokens = _keep_names(tuple(sorted(_fill_words(question, taken), key=lambda token: token.start)))
    return TokenizedQuestion(question, tokens, symbols, find_references(question), hinted)


def _find_symbols(question: str) -> tuple[str, ...]:
    calls = (found[1] or found[2] for found in _CALL.finditer(question))
    others = (found[0] for pattern in (_SHORT_FLAG, _HARDWARE_NAME) for found in pattern.finditer(question))
    found = dict.fromkeys((*find_symbols(question), *calls, *others))
    return tuple(symbol for symbol in found if not _NO_SYMBOL.fullmatch(symbol) and not _is_versioned(symbol, question))


def _is_versioned(symbol: str, question: str) -> bool:
    """Whether a "symbol" is a version, or a name that a version is glued to ("py3" of "py3.9")."""
    return bool(Version.try_parse(symbol) or re.search(rf"(?<!\w){re.escape(symbol)}(?<=\d)\.\d", question))


def _names_product(symbol: str, names: dict[str, str]) -> bool:
    folded = symbol.casefold()
    return folded in names or folded.rstrip("0123456789") in names


def _symbol_tokens(question: str, symbols: Sequence[str]) -> Iterator[Token]:
    end = -1
    pattern = "|".join(map(re.escape, sorted(symbols, key=len, reverse=True)))
    for found in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", question) if symbols else ():
        if found.start() >= end:
            end = found.end()
            yield Token(TokenKind.SYMBOL, *found.span(), found[0], found[0].lower())


def _find_products(
    question: str, names: dict[str, str], taken: set[tuple[int, int]]
) -> tuple[list[Token], tuple[str, ...]]:
    """Products named as words, and those only hinted at."""
    if not names:
        return [], ()
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    whole = re.compile(rf"(?<![\w.-])(?:{pattern})(?![^\W\d]|-[^\W\d]|\.[^\W\d]|::)", re.IGNORECASE)
    part = re.compile(rf"(?<![\w.-])(?:{pattern})(?=-[^\W\d]|\.[^\W\d]|_|::)", re.IGNORECASE)
    tokens = [
        Token(TokenKind.PRODUCT, *found.span(), found[0], found[0].lower(), product=names[found[0].casefold()])
        for found in whole.finditer(question)
        if not any(start < found.end() and found.start() < end for start, end in taken)
    ]
    hints = (found[0].casefold() for found in part.finditer(question))
    hinted = dict.fromkeys(names[hint] for hint in hints if hint not in _EVERYDAY_NAMES)
    return tokens, tuple(hinted)


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
        word = re.sub(r"['\u2019]s$", "", found[0].lower()).replace("\u2019", "'")
        yield Token(kind, *found.span(), found[0], word)


def _keep_names(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Turn product tokens that are everyday words, or tools ("pip install torch"), back into words."""
    return tuple(
        replace(token, kind=TokenKind.WORD, product="")
        if token.kind is TokenKind.PRODUCT and (_is_everyday_word(tokens, i) or _is_tool(tokens, i))
        else token
        for i, token in enumerate(tokens)
    )


def _is_everyday_word(tokens: Sequence[Token], i: int) -> bool:
    token = tokens[i]
    if token.word not in _EVERYDAY_NAMES:
        return False
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if following and (following.kind is TokenKind.VERSION or following.word in _RELEASE_NOUNS):
        return False
    if i and token.text[0].isupper() and tokens[i - 1].kind is not TokenKind.MARK:
        return False
    return not (i and tokens[i - 1].word in _NAME_SLOTS)


def _is_tool(tokens: Sequence[Token], i: int) -> bool:
    """Whether the product is only the installer of another one."""
    if i + 1 >= len(tokens) or tokens[i + 1].word not in _INSTALL_VERBS:
        return False
    return any(
        other.kind is TokenKind.PRODUCT and other.product != tokens[i].product for other in tokens[i + 2 : i + 5]
    )
