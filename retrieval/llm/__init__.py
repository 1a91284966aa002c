"""The optional language model: it chooses, we quote.

It is shown the items that the search found best, numbered, and says which of them answer; nothing that it writes is
shown. What comes of it is an answer of the same contract as one without a model.
"""

from retrieval.llm.chat import ChatModel, CompletionError

__all__ = ["ChatModel", "CompletionError"]
