"""A language model that others compute beside: what it does is to wait."""

from collections.abc import Sequence

from retrieval.llm import SentenceWriter
from retrieval.model import Citation
from ui.server.computing_turns import ComputingTurns


class TurnLendingWriter:
    """A `SentenceWriter` whose thread lends its turn while the writer writes."""

    def __init__(self, writer: SentenceWriter, turns: ComputingTurns) -> None:
        self.name = writer.name
        self._writer = writer
        self._turns = turns

    def write(self, question: str, citations: Sequence[Citation]) -> str:
        """See `SentenceWriter.write`.

        Raises:
            WriterError: as the writer.
        """
        with self._turns.lent():
            return self._writer.write(question, citations)
