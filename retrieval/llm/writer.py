"""What a language model must do for us: word an answer from numbered quotes. It is trusted with nothing else."""

from collections.abc import Sequence
from typing import Protocol

from corpus.errors import RelnotesError
from retrieval.model import Citation


class WriterError(RelnotesError):
    """The language model gave nothing that can be read; the answer goes on without it.

    The message is the end of a sentence that begins with "The language model": "didn't answer within 20 s".
    """


class SentenceWriter(Protocol):
    """Words an answer. Whatever it returns is checked, so an implementation need not be honest."""

    name: str
    """The model's name, for people."""

    def write(self, question: str, citations: Sequence[Citation]) -> str:
        """Answer `question` in sentences that each end in the numbers of the quotes they rest on: "It hums [1]."

        Raises:
            WriterError: there is no reply, or none that can be read.
        """
