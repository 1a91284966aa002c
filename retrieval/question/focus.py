"""What a question turns on: its words one by one, and the kind of value it asks for."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpus.catalogue import CatalogueProduct
from corpus.stores.protocol import TermCounts
from retrieval.model import Query
from retrieval.question.asked_values import AskedValue, asked_values
from retrieval.question.words import QuestionWord, find_question_words, telling_words


@dataclass(frozen=True, slots=True)
class Focus:
    """The question's words and the value it asks for."""

    words: tuple[QuestionWord, ...]
    values: tuple[AskedValue, ...]

    @classmethod
    def of(cls, query: Query, lexical: TermCounts, *, products: Sequence[CatalogueProduct], passages: int) -> "Focus":
        """Take a parsed question about these products apart."""
        words = find_question_words(query, lexical, products=products, passages=passages)
        return cls(words, asked_values(query.wanted))

    @property
    def names(self) -> tuple[QuestionWord, ...]:
        """The words that an answer can't do without."""
        return tuple(word for word in self.words if word.is_name)

    @property
    def telling(self) -> tuple[QuestionWord, ...]:
        """The words that say what the question is about."""
        return telling_words(self.words)

    def is_met_in_kind(self, text: str) -> bool:
        """Whether a text holds a value of the kind asked for; True where none is."""
        return all(value.is_in(text) for value in self.values)
