"""The HTTP client against a real local endpoint: well-behaved, broken and hostile ones."""

import gzip
import json
import logging
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from case_files import read_rows
from chat_server import ChatServer, Handler, Respond, Seen, completion, says, send, serving

from corpus.errors import UsageError
from retrieval.llm import CompletionError
from retrieval.llm.chat import Message, Prompt
from retrieval.llm.client import ChatClient, ChatEndpoint

KEY = "sk-secret-0123456789"
SCHEMA = {"type": "object", "properties": {"said": {"type": "string"}}}
PROMPT = Prompt((Message("system", "Reply with JSON."), Message("user", "Is lamp.glow removed?")), SCHEMA)
ANSWER = "lamp.glow() was removed. Ünïcödé 😀."
HANGS_AFTER_S = 30
"""Nothing that comes to an end takes this long, however busy the machine."""


def client(server: ChatServer, *, key: str = KEY) -> ChatClient:
    return ChatClient(ChatEndpoint(server.url, "tiny", key, 30.0))


def ask(server: ChatServer, *, within_s: float = 30.0, key: str = KEY) -> str:
    return client(server, key=key).complete(PROMPT, within_s=within_s).text


def raw(data: bytes) -> Respond:
    """Bytes instead of HTTP."""
    return lambda handler, _seen, _server: handler.wfile.write(data) and None


def status(code: int, **headers: str) -> Respond:
    """A refusal that repeats what it was sent, as some gateways do."""

    def respond(handler: Handler, seen: Seen, _server: ChatServer) -> None:
        send(handler, json.dumps({"error": seen.headers}).encode(), status=code, **headers)

    return respond


def body(data: bytes, **headers: str) -> Respond:
    return lambda handler, _seen, _server: send(handler, data, **headers)


def hang(_handler: Handler, _seen: Seen, server: ChatServer) -> None:
    server.stop.wait()


def dripping(first: bytes, drop: bytes) -> Respond:
    """Never silent for long, never done."""

    def respond(handler: Handler, _seen: Seen, server: ChatServer) -> None:
        handler.wfile.write(first)
        while not server.stop.wait(0.05):
            handler.wfile.write(drop)

    return respond


def endless(piece: bytes) -> Respond:
    def respond(handler: Handler, _seen: Seen, server: ChatServer) -> None:
        handler.send_response(200)
        handler.end_headers()
        while not server.stop.is_set():
            handler.wfile.write(piece)

    return respond


def test_what_is_sent() -> None:
    with serving(says(lambda _: ANSWER)) as server:
        ask(server)
    (seen,) = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.headers["authorization"] == f"Bearer {KEY}"
    assert (seen.body["model"], seen.body["temperature"]) == ("tiny", 0)
    assert seen.body["messages"] == [
        {"role": "system", "content": "Reply with JSON."},
        {"role": "user", "content": "Is lamp.glow removed?"},
    ]
    held = seen.body["response_format"]
    assert (held["type"], held["json_schema"]["strict"], held["json_schema"]["schema"]) == ("json_schema", True, SCHEMA)
    assert KEY not in json.dumps(seen.body)


@pytest.mark.parametrize("code", [400, 422, 500])
def test_one_that_does_not_know_the_form_of_reply_is_asked_without_it(code: int) -> None:
    def respond(handler: Handler, seen: Seen, _server: ChatServer) -> None:
        is_known = "response_format" not in seen.body
        send(handler, completion(ANSWER) if is_known else b"what?", status=200 if is_known else code)

    with serving(respond) as server:
        assert ask(server) == ANSWER


BROKEN: dict[str, tuple[Respond, str, int]] = {
    "error 500": (status(500), "refused with status 500", 2),
    "error 401": (status(401), "RELNOTES_LLM_API_KEY", 1),
    "error 404": (status(404), "RELNOTES_LLM_MODEL", 1),
    "not JSON": (body(b"<html>It works!</html>"), "isn't a chat completion", 1),
    "other JSON": (body(b'{"answer": "lamp.glow() was removed [1]."}'), "isn't a chat completion", 1),
    "deep JSON": (body(b"[" * 200_000), "isn't a chat completion", 1),
    "half JSON": (body(completion(ANSWER)[:-5]), "isn't a chat completion", 1),
    "null": (body(completion(None)), "an empty answer", 1),
    "busy": (status(503), "refused with status 503", 1),
    "too long": (body(completion("lamp " * 300_000)), "more than an answer can hold", 1),
    "no text": (body(b'{"choices": [{"message": {"content": [1]}}]}'), "an empty answer", 1),
    "odd counts": (body(b'{"choices": [{"message": {"content": "x"}}], "usage": [1]}'), "isn't a chat completion", 1),
    "endless document": (endless(b"[" * 9_000), "more than an answer can hold", 1),
    "compressed": (body(gzip.compress(completion(ANSWER)), Content_Encoding="gzip"), "compressed", 1),
    "no HTTP": (raw(b"\x00\x01 hello\r\n\r\n"), "doesn't speak HTTP", 1),
    "hangs up": (raw(b""), "broke off", 1),
    "endless header": (raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000), "broke off", 1),
}


@pytest.mark.parametrize(("respond", "message", "requests"), BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_endpoint_is_told_in_one_sentence_without_the_key(
    respond: Respond, message: str, requests: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with serving(respond) as server, pytest.raises(CompletionError) as caught:
        ask(server)
    told = str(caught.value)
    assert message in told
    assert len(told) < 120
    assert "\n" not in told
    assert KEY not in told + repr(caught.value) + caplog.text
    assert len(server.seen) == requests


def threads_of_requests() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "language model"]


SLOW: dict[str, Respond] = {
    "never answers": hang,
    "a header without end": dripping(b"HTTP/1.1 200 OK\r\nX-A: ", b"a"),
    "a document without end": dripping(b"HTTP/1.1 200 OK\r\n\r\n", b" "),
}


@pytest.mark.parametrize("respond", SLOW.values(), ids=SLOW.keys())
def test_a_slow_endpoint_is_left_and_no_thread_stays_with_it(respond: Respond) -> None:
    with ThreadPoolExecutor(1) as pool, serving(respond) as server:
        # The endpoint goes on until the end of this block: whatever waits for it hangs.
        asked = pool.submit(ask, server, within_s=0.4)
        with pytest.raises(CompletionError, match=r"didn't answer within 30 s"):
            asked.result(HANGS_AFTER_S)
        for thread in threads_of_requests():
            thread.join(HANGS_AFTER_S)
        assert threads_of_requests() == []


@pytest.mark.parametrize("code", [301, 302, 307, 308])
def test_no_redirect_is_followed(code: int) -> None:
    with serving(says(lambda _: ANSWER)) as elsewhere:
        moved = status(code, Location=f"{elsewhere.url}/chat/completions")
        with serving(moved) as server, pytest.raises(CompletionError, match=f"elsewhere with status {code}"):
            ask(server)
    assert elsewhere.seen == []


def test_no_proxy_and_no_netrc_of_the_environment_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    netrc = tmp_path_factory.mktemp("home") / ".netrc"
    netrc.write_text("default login someone password else")
    monkeypatch.setenv("NETRC", str(netrc))
    with serving(status(500)) as proxy, serving(says(lambda _: ANSWER)) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        assert ask(server, key="") == ANSWER
    assert proxy.seen == []
    assert "authorization" not in server.seen[0].headers


@pytest.mark.parametrize("url", read_rows("retrieval-an-address-that-cannot-be-one-is-refused-and-not"))
def test_an_address_that_cannot_be_one_is_refused_and_not_repeated(url: str) -> None:
    with pytest.raises(UsageError, match="RELNOTES_LLM_BASE_URL") as caught:
        ChatClient(ChatEndpoint(url, "tiny"))
    assert "sk-secret" not in str(caught.value)


@pytest.mark.parametrize("key", ["sk-\nsecret", "sk-sécret"])
def test_a_key_that_cannot_stand_in_a_header_is_refused_and_not_repeated(key: str) -> None:
    with pytest.raises(UsageError, match="RELNOTES_LLM_API_KEY") as caught:
        ChatClient(ChatEndpoint("http://127.0.0.1:1/v1", "tiny", key))
    assert key not in str(caught.value)


def test_the_key_is_not_shown_with_its_endpoint() -> None:
    assert KEY not in repr(ChatEndpoint("http://127.0.0.1:1/v1", "tiny", KEY))
