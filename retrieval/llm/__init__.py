"""The optional language model: it chooses among numbered entries, we quote; nothing that it writes is shown."""

from retrieval.llm.chat import ChatModel, CompletionError

__all__ = ["ChatModel", "CompletionError"]
