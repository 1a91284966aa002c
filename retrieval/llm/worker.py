"""The process that runs a language model: `python -m retrieval.llm.worker FILE DESCRIPTOR MEMORY`.

Reads requests as lines of JSON from the socket of that descriptor, answers each with one, and ends when the other side
does. Takes at most so many bytes of memory.
"""

import json
import os
import resource
import socket
import sys

_ROOM = 4096
"""Tokens of a request and its reply."""
_MOST_TOKENS = 200


def main(path: str, descriptor: str, memory: str) -> None:
    """Serve the model of a file."""
    resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    from llama_cpp import Llama

    model = Llama(path, n_ctx=_ROOM, n_threads=len(os.sched_getaffinity(0)), verbose=False)
    with socket.socket(fileno=int(descriptor)) as link, link.makefile("rwb") as lines:
        for line in lines:
            asked = json.loads(line)
            said: dict[str, object] = {"text": None}
            try:
                done = model.create_chat_completion(
                    asked["messages"],
                    response_format={"type": "json_object", "schema": asked["schema"]},
                    temperature=0,
                    max_tokens=_MOST_TOKENS,
                )
                cost = done["usage"]
                said["text"] = done["choices"][0]["message"]["content"] or ""
                said |= {"tokens_in": cost["prompt_tokens"], "tokens_out": cost["completion_tokens"]}
            except ValueError:
                # Longer than there is room for.
                pass
            lines.write(json.dumps(said).encode() + b"\n")
            lines.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
