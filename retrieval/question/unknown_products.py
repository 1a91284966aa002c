"""Products that a question asks about and the catalogue lacks: "what's new in Keras 3.1?", "do you cover Angular?"

A conservative signal: none is marked beside a product of the catalogue, unless that is a platform ("which Python does
Keras 3.1 need?"), and a name that the notes mention counts only if the question asks for its own notes.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from corpus.everyday_words import PLATFORMS, is_everyday
from retrieval.model import Form
from retrieval.products.known import KnownProducts
from retrieval.products.names import EVERYDAY_NAMES, NICKNAMES, NO_NAMES
from retrieval.question.tokens import Token, TokenKind

_BEFORE_OWN = frozenset(("in", "of", "was", "did", "is"))
"""Words before a product with notes of its own ("new in CUDA 13"), not before a platform that others run on."""
_MAX_DIGITS, _MAX_WORDS = 3, 6


def mark_unknown_products(
    tokens: Sequence[Token], known: KnownProducts, *, form: Form, is_mentioned: Callable[[str], bool]
) -> tuple[Token, ...]:
    """Return the tokens, with each name that looks like a product's but isn't in the catalogue as one PRODUCT token.

    `form` is the question's; `is_mentioned` returns whether the indexed notes mention a word at all.
    """
    marked = list(tokens)
    for first, last in _unknown_names(tokens, known, form, is_mentioned):
        name = " ".join(token.text for token in tokens[first : last + 1]).replace(" - ", "-")
        whole = replace(
            tokens[first], kind=TokenKind.PRODUCT, end=tokens[last].end, text=name, word=name.lower(), product=name
        )
        marked[first : last + 1] = [whole]
    return tuple(marked)


def _unknown_names(
    tokens: Sequence[Token], known: KnownProducts, form: Form, is_mentioned: Callable[[str], bool]
) -> list[tuple[int, int]]:
    """Return the positions of the first and last token of each unknown product's name, the last name first."""
    names = []
    for last in reversed(range(len(tokens))):
        first = _first_of_name(tokens, last)
        words = [token.word for token in tokens[first : last + 1] if token.kind is not TokenKind.MARK]
        is_new = not all(map(is_mentioned, words)) or tokens[last].word in NICKNAMES
        is_numbered = _is_numbered(tokens, last, is_new=is_new or form.traits.is_listing)
        if not words or not (is_numbered or form.traits.is_catalogue) or not _may_be_name(tokens[last], is_new=is_new):
            continue
        # "React DOM 19" may be a part of React.
        name, is_part = " ".join(words).casefold(), any(token.product for token in tokens[first : last + 1])
        is_part = is_part or (" " in name and not known.names.keys().isdisjoint(name.split()))
        if is_part or known.called(name):
            continue
        if last + 1 < len(tokens) and tokens[last + 1].word == "from" and not is_new:
            continue
        is_owned = first > 0 and tokens[first - 1].word in _BEFORE_OWN
        is_platform = tokens[last].word in PLATFORMS
        is_noted = form.traits.is_listing and any(token.version for token in tokens[last + 1 : last + 2])
        # An everyday word may be a name if no note mentions it, if its news are asked for, or as a platform.
        is_proper = is_written = (first > 0 and tokens[first].text[0].isupper()) or tokens[last].word in EVERYDAY_NAMES
        is_proper |= is_numbered and (is_platform or ((is_new or is_noted) and is_owned))
        if is_numbered and form.traits.is_listing:
            is_meant = not is_platform or not first or is_owned
        elif is_numbered:
            # "In React 19" asks about React, "with React 19" about something that runs on it.
            is_meant = (is_written and tokens[first - 1].word in ("in", "of")) or (
                not first and last + 2 == len(tokens)
            )
            is_meant = not is_platform and (is_meant or (is_new and not tokens[last].text.isupper()))
            is_proper |= not first
        else:
            is_meant = is_new or is_proper
        if is_meant and (is_proper or not is_everyday(words[-1])):
            names.append((first, last))
    return names


def _may_be_name(token: Token, *, is_new: bool) -> bool:
    """Return whether a token is written like a product's name, if no note mentions it (`is_new`) or some do."""
    is_word = token.kind is TokenKind.WORD or (token.kind is TokenKind.SYMBOL and token.text.isalnum())
    is_long = len(token.word) > 2 - is_new and token.word not in NO_NAMES
    return is_word and is_long and token.word.isascii() and not token.word[0].isdigit()


def _is_numbered(tokens: Sequence[Token], i: int, *, is_new: bool) -> bool:
    """Return whether a version follows the token at `i`, perhaps after "from". A small number is enough after a name:
    after everyday English it is a count ("step 2")."""
    number = next((token for token in tokens[i + 1 : i + 3] if token.word != "from"), None)
    if number is None:
        return False
    is_small = number.kind is TokenKind.WORD and number.word.isdecimal() and len(number.word) <= _MAX_DIGITS
    word = tokens[i].word
    is_name = tokens[i].text[0].isupper() or word in PLATFORMS | EVERYDAY_NAMES or (is_new and not is_everyday(word))
    return number.kind is TokenKind.VERSION or (is_small and is_name)


def _first_of_name(tokens: Sequence[Token], i: int) -> int:
    """Return where the name that ends at `i` begins; capitalised ("Spring Boot") and hyphenated words are joined."""
    for _ in range(_MAX_WORDS - 1):
        if not i or tokens[i].kind is TokenKind.MARK:
            break
        before = tokens[i - 1]
        if before.word == "-" and i > 1 and tokens[i - 2].end == before.start and before.end == tokens[i].start:
            i -= 2
            continue
        is_capital = before.kind is TokenKind.WORD and before.text[0].isupper() and tokens[i].text[0].isupper()
        if not is_capital or before.word in NO_NAMES:
            break
        i -= 1
    return i
