"""A language model behind any OpenAI-compatible endpoint: `POST {base_url}/chat/completions`.

The endpoint isn't trusted: one deadline bounds the whole of a request and one size what it may send; redirects are
refused, so that question and key go nowhere else, compressed responses too, for they may unfold without end. Proxies
and `.netrc` aren't used; neither the key nor anything that the endpoint sent goes into a message.
"""

import asyncio
import json
import threading
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field, replace

import httpx

from corpus.deadline import left_s
from corpus.errors import UsageError
from retrieval.llm.chat import Completion, CompletionError, Prompt, Usage

MAX_TOKENS = 2_000
MAX_BYTES = 1024 * 1024  # Of a whole response.
_RESERVE_S = 1.0  # Of a question's time, for what comes after the language model.
_WHERE = " (is RELNOTES_LLM_BASE_URL right, up to and with /v1?)"
_REFUSED = frozenset((400, 422, 500))  # Of a form of reply that an endpoint doesn't know; llama-cpp-python: 500.


class _UnknownFormError(CompletionError):
    """The endpoint refused the request, and may accept it without the options that some don't know."""


@dataclass(frozen=True, slots=True)
class ChatEndpoint:
    """Where a model is served."""

    base_url: str  # Up to and with its `/v1`.
    model: str
    api_key: str = field(default="", repr=False)  # Empty: none is sent.
    timeout_s: float = 20.0  # Seconds for a whole question, connecting and further tries included.


class ChatClient:
    """The `ChatModel` over an endpoint: it counts what it is asked; safe to share between threads."""

    def __init__(self, endpoint: ChatEndpoint) -> None:
        """Check address and key; nothing is sent yet.

        Raises:
            UsageError: the address isn't one of a web server, or has a password; or the key is no header value.
        """
        if not (endpoint.api_key.isascii() and endpoint.api_key.isprintable()):
            raise UsageError("Cannot use RELNOTES_LLM_API_KEY: it must be printable ASCII. Copy it again.")
        self.name = endpoint.model
        self.timeout_s = endpoint.timeout_s
        self._tls = httpx.create_ssl_context(trust_env=False)
        self._endpoint = endpoint
        self._url = _completions_url(endpoint.base_url)
        self._watching = threading.Lock()
        self._usage = Usage()

    @property
    def usage(self) -> Usage:
        """The requests, failures and tokens since it was opened."""
        with self._watching:
            return self._usage

    def complete(self, prompt: Prompt, *, within_s: float) -> Completion:
        """See `ChatModel`; it has less time if whoever asked waits no longer, and isn't counted if none is left."""
        within_s = min(within_s, left_s() - _RESERVE_S)
        if within_s <= 0:
            raise CompletionError("wasn't asked, for this has waited long already")
        try:
            completion = self._complete(prompt, within_s)
        except CompletionError:
            with self._watching:
                self._usage = replace(self._usage, failures=self._usage.failures + 1)
            raise
        with self._watching:
            self._usage = self._usage.plus(completion)
        return completion

    def _complete(self, prompt: Prompt, within_s: float) -> Completion:
        outcome: Future[Completion] = Future()

        def run() -> None:
            try:
                outcome.set_result(asyncio.run(self._ask(prompt, within_s)))
            except BaseException as error:
                outcome.set_exception(error)

        # A thread of its own: asking may happen where an event loop runs already, and a resolver can't be cancelled.
        threading.Thread(target=run, name="language model", daemon=True).start()
        try:
            return outcome.result(within_s)
        except (TimeoutError, httpx.TimeoutException):
            raise CompletionError(f"didn't answer within {self.timeout_s:g} s (RELNOTES_LLM_TIMEOUT_S)") from None
        except (httpx.HTTPError, httpx.StreamError, ValueError) as error:
            # Their texts may quote what was sent, the key included.
            is_away = isinstance(error, httpx.ConnectError)
            what = "can't be reached" if is_away else "broke off the connection, or doesn't speak HTTP"
            raise CompletionError(f"{what}{_WHERE}") from None
        except OSError:
            raise CompletionError(f"can't be reached{_WHERE}") from None

    async def _ask(self, prompt: Prompt, within_s: float) -> Completion:
        plain: dict[str, object] = {
            "model": self._endpoint.model,
            "messages": [asdict(message) for message in prompt.messages],
        }
        schema = {"name": "answer", "strict": True, "schema": prompt.schema}
        options: dict[str, object] = {"temperature": 0, "max_tokens": MAX_TOKENS}
        options |= {"response_format": {"type": "json_schema", "json_schema": schema}}
        # No redirects is httpx's default; it is said because question and key depend on it.
        async with (
            asyncio.timeout(within_s),
            httpx.AsyncClient(trust_env=False, follow_redirects=False, timeout=within_s, verify=self._tls) as client,
        ):
            try:
                return await self._post(client, {**plain, **options})
            except _UnknownFormError:
                return await self._post(client, plain)

    async def _post(self, client: httpx.AsyncClient, body: dict[str, object]) -> Completion:
        headers = {"Accept-Encoding": "identity"}
        if self._endpoint.api_key:
            headers["Authorization"] = f"Bearer {self._endpoint.api_key}"
        async with client.stream("POST", self._url, json=body, headers=headers) as response:
            return parse_completion(await _read(response))


async def _read(response: httpx.Response) -> bytes:
    status = response.status_code
    if status in _REFUSED:
        raise _UnknownFormError(f"refused with status {status} (is its context too short?)")
    if status != 200:
        hint = {401: " (is RELNOTES_LLM_API_KEY right?)", 403: " (is RELNOTES_LLM_API_KEY right?)"}
        hint |= {404: " (is RELNOTES_LLM_MODEL served there, and does RELNOTES_LLM_BASE_URL end in /v1?)"}
        what = "sent the question elsewhere" if response.is_redirect else "refused"
        raise CompletionError(f"{what} with status {status}{hint.get(status, '')}")
    if response.headers.get("content-encoding", "identity").lower() != "identity":
        raise CompletionError("sent a compressed answer, which wasn't asked for")
    body = bytearray()
    async for chunk in response.aiter_raw():
        body += chunk
        if len(body) > MAX_BYTES:
            raise CompletionError("sent more than an answer can hold")
    return bytes(body)


def parse_completion(body: bytes) -> Completion:
    """Return the first choice of a chat completion, with its tokens; 0 if they aren't stated.

    Raises:
        CompletionError: it isn't one, or its text is empty.
    """
    try:
        completion = json.loads(body.decode("utf-8"))
        text = completion["choices"][0]["message"].get("content") or ""
        usage = completion.get("usage") or {}
        counts = [max(0, int(usage.get(name) or 0)) for name in ("prompt_tokens", "completion_tokens")]
    except (ValueError, OverflowError, RecursionError, LookupError, TypeError, AttributeError):
        raise CompletionError(f"sent something that isn't a chat completion{_WHERE}") from None
    if not isinstance(text, str) or not text.strip():
        raise CompletionError("sent an empty answer")
    return Completion(text, *counts)


def _completions_url(base_url: str) -> str:
    try:
        url = httpx.URL(base_url)
    except httpx.InvalidURL:
        url = httpx.URL("")
    # The address itself isn't repeated: it may hold a password.
    is_port = url.port is None or 0 < url.port < 65536
    if url.scheme not in ("http", "https") or not url.host or not is_port or url.userinfo or url.query or url.fragment:
        raise UsageError(
            "Cannot use RELNOTES_LLM_BASE_URL: it must be an http or https address without user name, query or "
            "fragment. Write it like http://127.0.0.1:8000/v1, and put a key into RELNOTES_LLM_API_KEY."
        )
    return f"{str(url).rstrip('/')}/chat/completions"
