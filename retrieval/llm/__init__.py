"""The optional language model: it reads, we verify.

It is shown the passages that the search found best and says which of their words answer. Those are looked up in the
stored document and quoted; nothing else that it writes is shown. What comes of it is an answer of the same contract as
one without a model.
"""

from retrieval.llm.chat import ChatModel, CompletionError

__all__ = ["ChatModel", "CompletionError"]
