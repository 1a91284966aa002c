"""A question as tokens: words, products, versions, code names and punctuation, each with its offsets.

All later decisions about a question (subject, constraint, intent, reference to earlier questions) use these tokens. The
only interpretation made here is whether a word is a product's name or an everyday word.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import islice

from corpus.dates import find_dates
from corpus.everyday_words import PLATFORMS
from corpus.lexicon import STOP_WORDS, split_tokens
from corpus.symbols import find_references, find_symbols
from corpus.version_mentions import VersionMention, find_versions
from corpus.versions import DAY, Version
from retrieval.products.known import KnownProducts
from retrieval.products.names import plain_name


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
    """`hinted_products` are named only inside code or compounds (`torch.cond`, "pytest-plugin"); `owning_products` are
    the hinted ones that begin a path of code (`torch.cond`)."""

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
_SHORT_FLAG = re.compile(r"(?<![\w-])(?:-[A-Za-z]|_\w+)(?![\w-])")
_CALL = re.compile(r"(?<![\w.])([A-Za-z_][\w.]*+)(?=\(\w+\s*=)|(?<![\w.:-])([A-Za-z_]\w*)(?==[\w'\"])")
_HARDWARE_NAME = re.compile(r"\b(?:[A-Z]+[a-z]*)\d+\w*\b(?!\.\d)")
_GLUED_TO_VERSION = re.compile(r"(?<!\w)[A-Za-z]\w*(?<=\d)(?=\.\d)|(?<=\d\+)[A-Za-z]\w*")
"""A name glued to a version ("py3.9"), the build of one ("2.9+cu128")."""
_QUOTED = re.compile(r"(?<!\w)['\"]([A-Za-z_][\w.]*)(?:\(\))?['\"](?!\w)")
_RAISED = re.compile(r"(?<![\w.])(?:\w+\.)*[A-Z]\w*(?:Error|Exception|Warning): (?:[\w.]{1,99}\(\) )?")
_NO_SYMBOL = re.compile(
    r"e\.g|i\.e|[\w/]+\.py|[A-Z][a-z]+\.js|[A-Z]+s|v\d+|V\d{1,2}|Q[1-4]|[A-Z]\d|(?:alpha|beta|b|rc)\.?\d+"
)
_AS_WRITTEN = (re.compile(r"(?>(?:[.+~^:-]*+\w)+)(?: [a-z]+ ?\d+)?"), re.compile(r"(?:[.+~^:-]*+\w)+"))
_DAY = re.compile(rf"(?:(?<![\w.-])|(?<=\bv)){DAY.pattern}(?![\w-]|[.:]\w)")
_MAX_SYMBOLS, _MOST_WORDS, _FEW_WORDS = 80, 6, 3


def tokenize_question(question: str, known: KnownProducts) -> TokenizedQuestion:
    """Split a question into tokens, in order, with its symbols, references and the products that code hints at."""
    mentions = _find_versions(question, known)
    # "Acme DataFlow" is one name; DataFlow isn't code.
    names = [match for match in known.whole_name.finditer(question) if " " in match[0]] if known.names else []
    unnamed = replace_ranges(question, [(*match.span(), " " * len(match[0])) for match in names])
    symbols = _find_symbols(unnamed, known, mentions)
    taken: list[Token] = []
    pattern = "|".join(map(re.escape, sorted(symbols, key=len, reverse=True)))
    for match in re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", unnamed) if symbols else ():
        taken.append(Token(TokenKind.SYMBOL, *match.span(), match[0], match[0].lower()))
    masked = replace_ranges(question, [(token.start, token.end, "_" * (token.end - token.start)) for token in taken])
    for mention in _find_versions(masked, known):
        text = question[mention.start : mention.end]
        taken.append(Token(TokenKind.VERSION, mention.start, mention.end, text, text.lower(), version=mention.version))
    named, hinted, owning = _find_products(question, known, taken)
    tokens: list[Token] = []
    position = 0
    for token in sorted((*taken, *named), key=lambda token: token.start):
        tokens += (*_free_tokens(question, position, token.start, known), token)
        position = token.end
    tokens += _free_tokens(question, position, len(question), known)
    # A number without a dot is a version if it continues a range that one began (">=2.0,<3", "18 -> 19", "22 vs 20").
    versions = [
        replace(token, kind=TokenKind.VERSION, version=Version.try_parse(token.text))
        if _BARE_NUMBER.fullmatch(token.text)
        and tokens[i - 1].word in _JOINTS
        and any(before.version for before in tokens[max(i - 3, 0) : i])
        else token
        for i, token in enumerate(tokens)
    ]
    kept = tuple(
        replace(token, kind=TokenKind.WORD, product="")
        if token.kind is TokenKind.PRODUCT and _is_everyday_word(versions, i, known)
        else token
        for i, token in enumerate(versions)
    )
    return TokenizedQuestion(kept, symbols, find_references(question), hinted, owning)


def _find_versions(question: str, known: KnownProducts) -> list[VersionMention]:
    """Find the versions in a question, in order. A suffix counts if the catalogue writes a release like that
    ("31.1-jre"), a date if the catalogue has it as a version."""
    versions: list[VersionMention] = []
    days = [(day.start(), day.end(), day[0]) for day in _DAY.finditer(question)]
    days += ((mention.span.start, mention.span.end, mention.date.isoformat()) for mention in find_dates(question))
    dated = (VersionMention(start, end, Version.parse(written)) for start, end, written in days)
    named = [mention for mention in dated if known.has_exact_release(mention.version)]
    for mention in sorted((*named, *find_versions(question, names=tuple(known.names))), key=lambda m: m.start):
        for written in (pattern.match(question, mention.start) for pattern in _AS_WRITTEN):
            longer = Version.try_parse_package(written[0]) if written and written.end() > mention.end else None
            if written and longer and known.has_exact_release(longer):
                mention = replace(mention, end=written.end(), version=longer)
        if not versions or mention.start >= versions[-1].end:
            versions.append(mention)
    return versions


def _find_symbols(question: str, known: KnownProducts, mentions: Sequence[VersionMention]) -> tuple[str, ...]:
    """Find the distinct code names of a question, at most 80: those that `corpus.symbols` finds, and those that only
    questions contain: names in quotes, one-letter flags ("-C"), private names, calls with a keyword
    ("Adagrad(fused=True)"), hardware. Left out are versions, parts of the `mentions`, names glued to a version,
    products, and beside other names the class of a pasted error with the function that raised it."""
    calls = (match[1] or match[2] for match in _CALL.finditer(question))
    others = (name for pattern in (_QUOTED, _SHORT_FLAG, _HARDWARE_NAME) for name in pattern.findall(question))
    glued = set(_GLUED_TO_VERSION.findall(question))
    versions = [question[mention.start : mention.end] for mention in mentions]

    def is_kept(symbol: str) -> bool:
        if symbol in glued or any(symbol in version for version in versions) or _NO_SYMBOL.fullmatch(symbol):
            return False
        is_hardware = symbol[0] == "V" and symbol[1:].isdecimal()
        return is_hardware or Version.try_parse(symbol) is None

    def names_product(symbol: str) -> bool:
        return bool(known.called(symbol) or known.called(symbol.rstrip("0123456789")))

    kept = islice(filter(is_kept, dict.fromkeys((*find_symbols(question), *calls, *others))), _MAX_SYMBOLS)
    symbols = tuple(symbol for symbol in kept if not names_product(symbol))
    raised = {name for match in _RAISED.finditer(question) for name in find_symbols(match[0])}
    return tuple(symbol for symbol in symbols if symbol not in raised) or symbols


def name_tokens(symbol: str) -> tuple[str, ...]:
    """Return the tokens by which a text may mention a code name: the whole, or its last part ("c.RemoteIP()")."""
    member = symbol.removesuffix("()").replace("::", ".").rpartition(".")[2]
    return (*split_tokens(symbol)[:1], *split_tokens(member)[:1])


def replace_ranges(text: str, ranges: Iterable[tuple[int, int, str]]) -> str:
    """Return `text` with each `(start, end, new)` replaced; the ranges are disjoint, in any order."""
    pieces: list[str] = []
    position = 0
    for start, end, new in sorted(ranges):
        pieces += (text[position:start], new)
        position = end
    return "".join((*pieces, text[position:]))


def _find_products(
    question: str, known: KnownProducts, taken: Sequence[Token]
) -> tuple[list[Token], tuple[str, ...], tuple[str, ...]]:
    """Return tokens of the products named as words, the products that compounds hint at, and those that own them."""
    if not known.names:
        return [], (), ()
    covered = bytearray(len(question))
    for token in taken:
        covered[token.start : token.end] = b"\x01" * (token.end - token.start)
    tokens = [
        Token(TokenKind.PRODUCT, *match.span(), question[slice(*match.span())], match[0], product=product)
        for match in known.whole_name.finditer(plain_name(question))
        if (product := known.names.get(match[0])) and not any(covered[match.start() : match.end()])
    ]
    hints = [
        (product, question[match.end()] in ".:")
        for match in known.name_in_compound.finditer(question)
        if (name := match[0].casefold()) not in known.everyday or question[match.end()] in "./\\:"
        if (product := known.names.get(name))
    ]
    owning = dict.fromkeys(product for product, owns in hints if owns)
    return tokens, tuple(dict.fromkeys(product for product, _ in hints)), tuple(owning)


def _free_tokens(question: str, start: int, end: int, known: KnownProducts) -> Iterator[Token]:
    """Yield the words and marks in `[start, end)`; a word that clearly shortens a product's name becomes it."""
    for match in _WORD.finditer(question, start, end):
        word = match[0].lower().replace("\u2019", "'").removesuffix("'s")
        product = known.product_shortened_as(word) if match[0][0].isalnum() else ""
        kind = TokenKind.WORD if match[0][0].isalnum() else TokenKind.MARK
        yield Token(TokenKind.PRODUCT if product else kind, *match.span(), match[0], word, product=product)


def _is_everyday_word(tokens: Sequence[Token], i: int, known: KnownProducts) -> bool:
    """Return whether the product name at `i` is meant as an everyday word ("rich", "requests")."""
    token = tokens[i]
    if token.word not in known.everyday:
        return False
    following = tokens[i + 1] if i + 1 < len(tokens) else None
    if any(other.product == token.product and other.word != token.word for other in tokens):
        return True
    if following and (following.kind is TokenKind.VERSION or following.word in _RELEASE_NOUNS | PLATFORMS):
        is_other = following.version and not known.has_release(following.version, (token.product,))
        return token.word in known.parts and bool(is_other)
    words = [other for other in tokens if other.kind is not TokenKind.MARK]
    is_fragment = len(words) <= _MOST_WORDS and STOP_WORDS.isdisjoint(other.word for other in words)
    is_alone = not any(other.product for other in words if other is not token)
    if is_fragment and is_alone and (token in (words[0], words[-1]) or len(words) <= _FEW_WORDS):
        return False
    if i == 0 and following and following.kind is TokenKind.MARK:
        return False  # "rich - what changed in the newest version"
    is_possessive = [other.word for other in tokens[i + 1 : i + 3]] in (["'", "s"], ["\u2019", "s"])
    is_proper = token.text[0].isupper() or any(other.word in _LAST for other in tokens[i + 3 : i + 4])
    if is_proper and (is_possessive or (i and token.text[0].isupper() and tokens[i - 1].kind is not TokenKind.MARK)):
        return False
    return not (i and tokens[i - 1].word in _NAME_SLOTS)
