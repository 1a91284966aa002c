"""A language model whose completions were recorded: what an evaluation with one is repeated with, without a network.

A recording is a line of JSON: the digest of a request, and the completion that some model gave to it. Whoever completes
a request sees the request alone. A request that nothing was recorded for is answered without a model, and counted.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from corpus.errors import UsageError
from evals.labelled_places import load_labels
from retrieval.llm.chat import ChatModel, Completion, CompletionError, Prompt

_CHARACTERS = 4  # Of a token, about.


class Recording(BaseModel):
    """One completion; `request` is the digest of what it completes."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    request: str
    completion: str


def digest_request(prompt: Prompt) -> str:
    """Return the first 16 hex digits of the SHA-256 of a request's messages."""
    messages = json.dumps([asdict(message) for message in prompt.messages], ensure_ascii=False)
    return hashlib.sha256(messages.encode()).hexdigest()[:16]


def load_recordings(path: Path) -> Mapping[str, str]:
    """Return the completions of a file, by request.

    Raises:
        UsageError: the file can't be read, or a line isn't a recording.
    """
    recordings = load_labels(path, Recording.model_validate_json, name="recordings")
    return {recording.request: recording.completion for recording in recordings}


class RecordedModel:
    """The `ChatModel` of recordings, and of a `model` for what they lack."""

    timeout_s = 60.0

    def __init__(
        self, completions: Mapping[str, str], *, record_to: Path | None = None, model: ChatModel | None = None
    ) -> None:
        """Requests without a completion are written to `record_to`, each once: for somebody to complete, or with what
        the `model` completes.

        Raises:
            UsageError: it can't be written.
        """
        self.name = model.name if model else "recorded"
        self._completions = dict(completions)
        self._record_to = record_to
        self._model = model
        self.replayed = self.tokens_in = 0
        self.missing: set[str] = set()
        if record_to is not None:
            try:
                record_to.write_text("", encoding="utf-8")
            except OSError as error:
                raise UsageError(f"Cannot write requests to {str(record_to)!r}: {error.strerror}.") from None

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        """See `ChatModel`.

        Raises:
            CompletionError: nothing was recorded for this request, and no model completes it.
        """
        request = digest_request(prompt)
        if request in self._completions:
            self.replayed += 1
            tokens = sum(len(message.content) for message in prompt.messages) // _CHARACTERS
            self.tokens_in += tokens
            return Completion(self._completions[request], tokens)
        is_new = request not in self.missing
        self.missing.add(request)
        line: dict[str, object] = {"request": request, "messages": [asdict(message) for message in prompt.messages]}
        try:
            if self._model is None:
                raise CompletionError("has no recording of this request")
            completion = self._model.complete(prompt, within_s=within_s)
            line["completion"] = self._completions[request] = completion.text
            return completion
        finally:
            if self._record_to is not None and is_new:
                with self._record_to.open("a", encoding="utf-8") as sink:
                    sink.write(json.dumps(line, ensure_ascii=False) + "\n")
