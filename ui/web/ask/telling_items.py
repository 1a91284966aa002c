"""Items of release notes from which a question can be made: what each says happened, and the names of code in it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from corpus.index.stored import StoredPassage
from corpus.lexicon import content_words, split_tokens
from corpus.model import Act, Span
from corpus.plain_words import one_line
from corpus.symbols import find_symbols, is_abbreviation
from retrieval.code_usage.told_names import subjects_of
from retrieval.model import Citation
from retrieval.question.thesaurus import is_generic
from retrieval.quoting.quotes import told_act

_CODE = re.compile(r"\w[._:]\w|^--?\w")
"""Without any of these a symbol may be a word, or who contributed."""
_MAX_SYMBOL_CHARACTERS = 50
_SURE = 0.5
_KINDS_OF_CODE = frozenset(
    split_tokens("api attribute class command decorator field flag function helper method module")
)


@dataclass(frozen=True, slots=True)
class TellingItem:
    """One item of a passage."""

    passage: StoredPassage
    span: Span
    act: Act
    certainty: float
    headline: float
    words: str
    """Without markup."""
    subject: str
    """The name of code that it begins with, so that it tells of nothing else; empty where it begins otherwise."""
    offers: bool
    """Whether it names other code to use in its place."""

    @property
    def is_sure(self) -> bool:
        """Whether what it says happened is more likely than not."""
        return self.certainty >= _SURE


def telling_items(passages: Sequence[StoredPassage], texts: Sequence[str]) -> Iterator[TellingItem]:
    """The items of passages, in order, but those that the source takes back; `texts` are the passages' documents'."""
    for passage, text in zip(passages, texts, strict=True):
        for number, item in enumerate(passage.items):
            if not item.retracted:
                words = one_line(item.span.slice(text))
                names = _code_names(words, passage=passage)
                about = subjects_of(words, names)
                yield TellingItem(
                    passage=passage,
                    span=item.span,
                    act=told_act(passage, number),
                    certainty=item.certainty,
                    headline=item.headline,
                    words=words,
                    subject=next((name for name in about[:1] if _begins_with(words, name)), ""),
                    offers=len(about) < len(names),
                )


def quoting(item: TellingItem) -> Callable[[Citation], bool]:
    """Tells the quotes that hold a part of `item`."""
    document = item.passage.document.id
    return lambda cited: cited.document_id == document and item.span.meets(Span(cited.start, cited.end))


def _code_names(words: str, *, passage: StoredPassage) -> tuple[str, ...]:
    """The names of code in `words` that can be asked about by themselves; none that the product goes by."""
    names = {name.casefold() for name in (passage.document.product, *passage.document.aliases)}
    return tuple(
        symbol
        for symbol in find_symbols(words)
        if _CODE.search(symbol)
        and not is_abbreviation(symbol)
        and len(symbol) <= _MAX_SYMBOL_CHARACTERS
        and "`" not in symbol
        and symbol.casefold() not in names
    )


def _begins_with(words: str, name: str) -> bool:
    """Whether nothing stands before the name that says what this is about ("Add", "The new class"), nor a colon behind
    it, as behind the name of a part ("cli: ...")."""
    at = words.find(name)
    before = {token for word in content_words(words[:at]) for token in split_tokens(word)[:1]}
    is_scope = words[at + len(name) :].lstrip("`").startswith(":")
    return not is_scope and all(token in _KINDS_OF_CODE or is_generic(token) for token in before)
