"""The optional language model: it may word an answer, it never decides what is true.

Search, abstention and quotes are as without it. What it writes is kept sentence by sentence, where the quotes it cites
say the same; everything else of it is thrown away.
"""

from retrieval.llm.writer import SentenceWriter, WriterError

__all__ = ["SentenceWriter", "WriterError"]
