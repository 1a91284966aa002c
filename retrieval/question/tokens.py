"""A question as tokens: words, products, versions, code names and marks, each with its place.

Everything that is later decided about a question (its subject, constraint, intent, what it leans on) is decided on
these tokens. Nothing is interpreted here, but for telling names of products from words that merely look like them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import islice

from corpus.everyday_words import PLATFORMS
from corpus.lexicon import split_tokens
from corpus.symbols import find_references, find_symbols
from corpus.version_mentions import VersionMention, find_versions
from corpus.versions import DAY, Version
from retrieval.products.known import KnownProducts
from retrieval.question.periods import find_days


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
    product: str = ""  # Canonical name, for PRODUCT.
    version: Version | None = None  # For VERSION.


@dataclass(frozen=True, slots=True)
class TokenizedQuestion:
    """`hinted_products` are named only inside code or compounds (`torch.cond`, "pytest-plugin"), and `owning_products`
    are those of them with whose name a path of code begins."""

    tokens: tuple[Token, ...]
    symbols: tuple[str, ...]
    references: tuple[str, ...]
    hinted_products: tuple[str, ...]
    owning_products: tuple[str, ...]


_LAST = frozenset("last latest newest".split())
_NAME_SLOTS = _LAST.union(
    "than vs versus about in of does did do can will has is for by with using upgrade update".split()
)
_RELEASE_NOUNS = frozenset("version versions release releases changelog series".split())
_JOINTS = frozenset("< <= > >= == -> => \u2192 vs versus".split())

_WORD = re.compile(r"w/o?(?=\s)|->|=>|→|[<>]=?|==|~=|\.{2,3}|[A-Za-z]\w*(?:\.js\b)?(?:['\u2019][A-Za-z]+)?|\d+|\S")

_BARE_NUMBER = re.compile(r"V?[0-9]{1,4}")
_SHORT_FLAG = re.compile(r"(?<![\w-])-[A-Za-z](?![\w-])")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_][\w.]*+)(?=\(\w+\s*=)|(?<![\w.:-])([A-Za-z_]\w*)(?==[\w'\"])")
_HARDWARE_NAME = re.compile(r"\b(?:[A-Z]+[a-z]*)\d+\w*\b(?!\.\d)")
_GLUED_TO_VERSION = re.compile(r"(?<!\w)[A-Za-z]\w*(?<=\d)(?=\.\d)|(?<=\d\+)[A-Za-z]\w*")
"""A name glued to a version ("py3.9"), the build of one ("2.9+cu128")."""
_QUOTED = re.compile(r"(?<!\w)['\"]([A-Za-z_][\w.]*)(?:\(\))?['\"](?!\w)")
_NO_SYMBOL = re.compile(r"e\.g|i\.e|[A-Z][a-z]+\.js|[A-Z]+s|v\d+|V\d{1,2}|Q[1-4]|[A-Z]\d|(?:alpha|beta|b|rc)\.?\d+")
_AS_WRITTEN = (re.compile(r"[\w.+~^:-]*\w(?: [a-z]+ ?\d+)?"), re.compile(r"[\w.+~^:-]*\w"))
_DAY = re.compile(rf"(?:(?<![\w.-])|(?<=\bv)){DAY.pattern}(?![\w-]|[.:]\w)")
_STAGE_BEFORE = re.compile(r"\b(?P<stage>(?:a|b|alpha|beta|rc|dev|pre)[ .-]?\d+) of (?:\S+ )?v?\Z", re.IGNORECASE)
"""A stage before its release ("b1 of 2.1", "beta.5 of gizmo 4.1.0")."""
_MAX_SYMBOLS, _NEAR = 80, 40


def tokenize_question(question: str, known: KnownProducts) -> TokenizedQuestion:
    """Split a question into tokens."""
    mentions = _find_versions(question, known)
    # "Acme DataFlow" is a name, and no code called DataFlow.
    names = [found for found in known.whole_name.finditer(question) if " " in found[0]] if known.names else []
    unnamed = replace_ranges(question, [(*found.span(), " " * len(found[0])) for found in names])
    symbols = _find_symbols(unnamed, known, mentions)
    taken: list[Token] = []
    pattern = "|".join(map(re.escape, sorted(symbols, key=len, reverse=True)))
    for found in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", unnamed) if symbols else ():
        taken.append(Token(TokenKind.SYMBOL, *found.span(), found[0], found[0].lower()))
    masked = replace_ranges(question, [(token.start, token.end, "_" * (token.end - token.start)) for token in taken])
    for mention in _find_versions(masked, known):
        text = question[mention.start : mention.end]
        taken.append(Token(TokenKind.VERSION, mention.start, mention.end, text, text.lower(), version=mention.version))
    named, hinted, owning = _find_products(question, known, taken)
    tokens: list[Token] = []
    position = 0
    for token in sorted((*taken, *named), key=lambda token: token.start):
        tokens += (*_words(question, position, token.start, known), token)
        position = token.end
    tokens += _words(question, position, len(question), known)
    # A number without a dot is a version where it ends what one began (">=2.0,<3", "18 -> 19", "22 vs 20").
    versions = [
        replace(token, kind=TokenKind.VERSION, version=Version.try_parse(token.text))
        if _BARE_NUMBER.fullmatch(token.text)
        and tokens[i - 1].word in _JOINTS
        and any(other.version for other in tokens[max(i - 3, 0) : i])
        else token
        for i, token in enumerate(tokens)
    ]
    kept = tuple(
        replace(token, kind=TokenKind.WORD, product="")
        if token.kind is TokenKind.PRODUCT and (_is_everyday_word(versions, i, known) or _is_tool(versions, i))
        else token
        for i, token in enumerate(versions)
    )
    return TokenizedQuestion(kept, symbols, find_references(question), hinted, owning)


def _find_versions(question: str, known: KnownProducts) -> list[VersionMention]:
    """Find the versions of a question; one that goes on as the catalogue writes a release is that ("31.1-jre"), and so
    is a day that it has for one."""
    found: list[VersionMention] = []
    days = [(day.start(), day.end(), day[0]) for day in _DAY.finditer(question)]
    days += ((start, end, day.isoformat()) for start, end, day in find_days(question))
    dated = (VersionMention(start, end, Version.parse(written)) for start, end, written in days)
    named = [mention for mention in dated if known.has_written(mention.version)]
    for mention in sorted((*named, *find_versions(question, names=tuple(known.names))), key=lambda one: one.start):
        for written in (pattern.match(question, mention.start) for pattern in _AS_WRITTEN):
            longer = Version.try_parse_package(written[0]) if written and written.end() > mention.end else None
            if written and longer and known.has_written(longer):
                mention = replace(mention, end=written.end(), version=longer)
        if stage := _STAGE_BEFORE.search(question, max(0, mention.start - _NEAR), mention.start):
            early = Version.try_parse(f"{mention.version}{stage['stage']}")
            mention = replace(mention, version=early) if early and known.has_written(early) else mention
        if not found or mention.start >= found[-1].end:
            found.append(mention)
    return found


def _find_symbols(question: str, known: KnownProducts, mentions: Sequence[VersionMention]) -> tuple[str, ...]:
    """Find the distinct code names of a question, at most 80: what `corpus.symbols` finds in notes, and what only
    people who ask write: names in quotes, flags by a letter ("-C"), calls with a keyword ("Adagrad(fused=True)"),
    hardware. None that is a version or stands in one of its `mentions`, has one glued to it, or is a product's name."""
    calls = (found[1] or found[2] for found in _CALL.finditer(question))
    others = (found for pattern in (_QUOTED, _SHORT_FLAG, _HARDWARE_NAME) for found in pattern.findall(question))
    glued = set(_GLUED_TO_VERSION.findall(question))
    versions = [question[mention.start : mention.end] for mention in mentions]

    def is_kept(symbol: str) -> bool:
        if symbol in glued or any(symbol in version for version in versions) or _NO_SYMBOL.fullmatch(symbol):
            return False
        is_hardware = symbol[0] == "V" and symbol[1:].isdecimal()
        return is_hardware or Version.try_parse(symbol) is None

    def names_product(symbol: str) -> bool:
        folded = symbol.casefold()
        return folded in known.names or folded.rstrip("0123456789") in known.names

    found = islice(filter(is_kept, dict.fromkeys((*find_symbols(question), *calls, *others))), _MAX_SYMBOLS)
    return tuple(symbol for symbol in found if not names_product(symbol))


def name_tokens(symbol: str) -> tuple[str, ...]:
    """Return the tokens by which a text may hold a name of code: the whole, or its last part ("c.RemoteIP()")."""
    member = symbol.removesuffix("()").replace("::", ".").rpartition(".")[2]
    return (*split_tokens(symbol)[:1], *split_tokens(member)[:1])


def replace_ranges(text: str, ranges: Iterable[tuple[int, int, str]]) -> str:
    """`text` with each `[start, end)` replaced; the ranges are in any order and disjoint."""
    pieces: list[str] = []
    position = 0
    for start, end, new in sorted(ranges):
        pieces += (text[position:start], new)
        position = end
    return "".join((*pieces, text[position:]))


def _find_products(
    question: str, known: KnownProducts, taken: Sequence[Token]
) -> tuple[list[Token], tuple[str, ...], tuple[str, ...]]:
    """Products named as words, those only hinted at, and those of them with whose name a path of code begins."""
    if not known.names:
        return [], (), ()
    covered = bytearray(len(question))
    for token in taken:
        covered[token.start : token.end] = b"\x01" * (token.end - token.start)
    # A pattern without regard to case takes letters for equal that folding doesn't (the dotless i for i).
    tokens = [
        Token(TokenKind.PRODUCT, *found.span(), found[0], found[0].lower(), product=product)
        for found in known.whole_name.finditer(question)
        if (product := known.names.get(found[0].casefold())) and not any(covered[found.start() : found.end()])
    ]
    hints = [
        (product, question[found.end()] in ".:")
        for found in known.name_in_compound.finditer(question)
        if (name := found[0].casefold()) not in known.everyday or question[found.end()] in "./\\:"
        if (product := known.names.get(name))
    ]
    owning = dict.fromkeys(product for product, owns in hints if owns)
    return tokens, tuple(dict.fromkeys(product for product, _ in hints)), tuple(owning)


def _words(question: str, start: int, end: int, known: KnownProducts) -> Iterator[Token]:
    """Words and marks for what lies between other tokens; a product for a word that can only be its name, mistyped."""
    for found in _WORD.finditer(question, start, end):
        word = found[0].lower().replace("\u2019", "'").removesuffix("'s")
        product = known.product_mistyped_as(word) if found[0][0].isalnum() else ""
        kind = TokenKind.WORD if found[0][0].isalnum() else TokenKind.MARK
        yield Token(TokenKind.PRODUCT if product else kind, *found.span(), found[0], word, product=product)


def _is_everyday_word(tokens: Sequence[Token], i: int, known: KnownProducts) -> bool:
    token = tokens[i]
    if token.word not in known.everyday:
        return False
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if following and (following.kind is TokenKind.VERSION or following.word in _RELEASE_NOUNS | PLATFORMS):
        return False
    if all(other is token or other.kind is TokenKind.MARK for other in tokens):
        return False
    if i == 0 and following and following.kind is TokenKind.MARK:
        return False  # "rich - what changed in the newest version"
    is_possessive = [other.word for other in tokens[i + 1 : i + 3]] in (["'", "s"], ["\u2019", "s"])
    is_proper = token.text[0].isupper() or any(other.word in _LAST for other in tokens[i + 3 : i + 4])
    if is_proper and (is_possessive or (i and token.text[0].isupper() and tokens[i - 1].kind is not TokenKind.MARK)):
        return False
    return not (i and tokens[i - 1].word in _NAME_SLOTS)


def _is_tool(tokens: Sequence[Token], i: int) -> bool:
    """Return whether the product is only the installer of another one ("pip install torch")."""
    is_installer = i + 1 < len(tokens) and tokens[i + 1].word in ("install", "add")
    return is_installer and any(other.product not in ("", tokens[i].product) for other in tokens[i + 2 : i + 5])
