"""A language model whose completions were recorded: what an evaluation with one is repeated with, without a network.

A recording is a line of JSON: the digest of a request, and the completion that some model gave to it. Whoever completes
a request sees the request alone. A request that nothing was recorded for is answered without a model, and counted.

`python -m evals.recordings REQUESTS COMPLETIONS` prints completions without the words of the documents: each piece then
names its range in the text of its passage, from which `RecordedModel` takes it back. What we keep is like that.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from corpus.errors import UsageError
from evals.command import run_command
from evals.labelled_places import load_labels
from retrieval.llm.chat import Completion, CompletionError, Message, Prompt
from retrieval.llm.pieces import find_words
from retrieval.llm.reply import parse_reply


class Recording(BaseModel):
    """One completion; `request` is the digest of what it completes."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    request: str
    completion: str


class Request(BaseModel):
    """A request as it is written down to be completed; `request` is its digest."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    request: str
    messages: tuple[Message, ...]


def digest_request(prompt: Prompt) -> str:
    """The first 16 hex digits of the SHA-256 of a request's messages."""
    said = json.dumps([asdict(message) for message in prompt.messages], ensure_ascii=False)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


def load_recordings(path: Path) -> Mapping[str, str]:
    """The completions of a file, by request.

    Raises:
        UsageError: the file can't be read, or a line isn't a recording.
    """
    recordings = load_labels(path, Recording.model_validate_json, name="recordings")
    return {recording.request: recording.completion for recording in recordings}


class RecordedModel:
    """The `ChatModel` of recordings."""

    name = "recorded"
    timeout_s = 60.0

    def __init__(self, completions: Mapping[str, str], *, record_to: Path | None = None) -> None:
        """Requests without a completion are written to `record_to`, each once, for a model to complete.

        Raises:
            UsageError: it can't be written.
        """
        self._completions = completions
        self._record_to = record_to
        self.replayed = 0
        self.missing: set[str] = set()
        if record_to is not None:
            try:
                record_to.write_text("", encoding="utf-8")
            except OSError as error:
                raise UsageError(f"Cannot write requests to {str(record_to)!r}: {error.strerror}.") from None

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:  # noqa: ARG002 -- nothing is waited for
        """See `ChatModel`.

        Raises:
            CompletionError: nothing was recorded for this request.
        """
        request = digest_request(prompt)
        if request in self._completions:
            self.replayed += 1
            return Completion(with_words(self._completions[request], prompt.messages))
        if self._record_to is not None and request not in self.missing:
            line = {"request": request, "messages": [asdict(message) for message in prompt.messages]}
            with self._record_to.open("a", encoding="utf-8") as sink:
                sink.write(json.dumps(line, ensure_ascii=False) + "\n")
        self.missing.add(request)
        raise CompletionError("has no recording of this request")


def without_words(completion: str, messages: Sequence[Message]) -> str:
    """A completion whose pieces name where they stand in the passages of the request, in place of their words; words
    that stand nowhere become none."""
    reply = parse_reply(completion).model_dump()
    texts = _texts(messages)
    for piece in reply["answer"]:
        words, number = piece.pop("words"), piece["passage"]
        for place in (number, *texts):
            if span := next(find_words(words, texts.get(place, "")), None):
                piece |= {"passage": place, "start": span.start, "end": span.end}
                break
        else:
            piece["words"] = ""
    return json.dumps(reply, ensure_ascii=False)


def with_words(completion: str, messages: Sequence[Message]) -> str:
    """The completion that `without_words` was given, but for white space and signs; any other as it is."""
    try:
        reply = json.loads(completion)
        texts = _texts(messages)
        for piece in reply["answer"]:
            if "start" in piece:
                piece["words"] = texts[piece["passage"]][piece.pop("start") : piece.pop("end")]
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        # Recordings of what isn't a reply are replayed, too.
        return completion
    return json.dumps(reply, ensure_ascii=False)


def _texts(messages: Sequence[Message]) -> Mapping[int, str]:
    asked, _ = json.JSONDecoder().raw_decode(messages[1].content)
    return {int(passage["passage"]): str(passage["text"]) for passage in asked["passages"]}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the completions of a file without the documents' words."""
    parser = argparse.ArgumentParser(description="Take the documents' words out of completions.")
    parser.add_argument("requests", type=Path, help="as `relnotes eval --record` wrote them")
    parser.add_argument("completions", type=Path, help="lines of JSON with `request` and `completion`")
    options = parser.parse_args(arguments)
    read = load_labels(options.requests, Request.model_validate_json, name="requests")
    asked = {request.request: request.messages for request in read}
    for request, completion in load_recordings(options.completions).items():
        if request in asked:
            packed = Recording(request=request, completion=without_words(completion, asked[request]))
            sys.stdout.write(packed.model_dump_json() + "\n")
    return 0


if __name__ == "__main__":
    run_command(main)
