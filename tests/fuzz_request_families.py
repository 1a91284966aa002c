"""Requests that grow: bodies of HTTP, messages of MCP, names of uploads, events of Slack."""

import json
from collections.abc import Iterator, Mapping

from fuzz_code_families import DIFF
from fuzz_growing import Family, counted, deep_json, nested, repeated

_JSON: Mapping[str, Family] = {
    "open brackets": repeated("["),
    "open objects": repeated('{"a":'),
    "lists in lists": nested("[", "1", "]"),
    "objects in objects": nested('{"a":', "1", "}"),
    "counted keys": counted('"k@": @, ', before="{", after='"question": "q"}'),
    "one key again and again": repeated('"question": "q", ', before="{", after='"k": 1}'),
    "an unclosed string": repeated("a", before='{"question": "'),
    "white space": repeated(" \n", before="{", after="}"),
    "counted numbers": counted("@, ", before="[", after="0]"),
    "one long number": repeated("9", before='{"k": ', after="}"),
    "a number of many places": repeated("0", before='{"k": 0.', after="1}"),
}
"""JSON of no shape that anybody asked for."""


def _with_text(field: str, piece: str, others: str = "") -> Family:
    """A body whose text repeats a piece."""
    return repeated(json.dumps(piece)[1:-1], before=f'{{"{field}": "', after=f'"{others}}}')


def _body(field: str) -> dict[str, Family]:
    return {
        **_JSON,
        **{f"text of {piece!r}": _with_text(field, piece) for piece in ("a ", "a", "(", "1.2 ", "\n", "é", "\u0000")},
        "escapes": repeated("\\u0041", before=f'{{"{field}": "', after='"}'),
        "lone surrogates": repeated("\\ud800", before=f'{{"{field}": "', after='"}'),
        "lists in the field": nested("[", '"a"', "]"),
        "counted history": counted('"q @", ', before=f'{{"{field}": "Is it gone?", "history": [', after='"q"]}'),
        "counted fields of no meaning": counted('"x@": "y", ', before="{", after=f'"{field}": "Is it gone?"}}'),
    }


def _review() -> Iterator[tuple[str, Family]]:
    yield from _JSON.items()
    for name, family in DIFF.items():
        yield name, lambda size, family=family: json.dumps({"diff": family(size).decode()}).encode()


_CALL = '{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask", "arguments": {"question": "'
_MESSAGES: Mapping[str, Family] = {
    **_JSON,
    "a batch": counted('{"jsonrpc": "2.0", "id": @, "method": "ping"}, ', before="[", after="{}]"),
    "a long method": repeated("a/", before='{"jsonrpc": "2.0", "id": 1, "method": "', after='"}'),
    "a long id": repeated("a", before='{"jsonrpc": "2.0", "id": "', after='", "method": "ping"}'),
    "a deep id": lambda size: (
        b'{"jsonrpc": "2.0", "id": ' + b"[" * (size // 2) + b"]" * (size // 2) + b', "method": "ping"}'
    ),
    "deep parameters": lambda size: (
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {"_meta": '
        + b'{"a":' * (size // 6)
        + b"1"
        + b"}" * (size // 6)
        + b"}}"
    ),
    "counted parameters": counted(
        '"p@": @, ', before='{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {', after='"q": 1}}'
    ),
    "a tool of a long name": repeated(
        "a", before='{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "', after='"}}'
    ),
    "a long question": repeated("word ", before=_CALL, after='"}}}'),
    "a question of brackets": repeated("(", before=_CALL, after='"}}}'),
    "a long address": repeated(
        "a/",
        before='{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "relnotes://',
        after='"}}',
    ),
    "a reply that nobody waits for": counted('{"jsonrpc": "2.0", "id": @, "result": {}}, ', before="[", after="{}]"),
}
_LINES: Mapping[str, Family] = {
    **_MESSAGES,
    "counted pings": counted('{"jsonrpc": "2.0", "id": @, "method": "ping"}\n'),
    "counted lists": counted('{"jsonrpc": "2.0", "id": "l@", "method": "resources/list"}\n'),
    "counted notifications": counted('{"jsonrpc": "2.0", "method": "notifications/x@"}\n'),
    "counted cancellations": counted(
        '{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": @}}\n'
    ),
    "counted replies": counted('{"jsonrpc": "2.0", "id": @, "result": {}}\n'),
    "empty lines": repeated("\n"),
    "lines of nothing": repeated("x\n"),
    "carriage returns": repeated("\r"),
}
_NAMES: Mapping[str, Family] = {
    f"a name of {piece!r}": repeated(piece)
    for piece in ("a", ".", "/", "../", "\\", " ", "é", "\u0301", "a.", "%", "\x00")
}
_MENTION = (
    '{"type": "event_callback", "event_id": "E", "event": {"type": "app_mention", "channel": "C", "user": "U", '
    '"ts": "1", "text": "'
)
_TOOLS = {"search": "query", "fetch": "id", "ask": "question", "cite": "text", "changes_between": "product"}
REQUESTS: Mapping[str, Mapping[str, Family]] = {
    "http:/v1/ask": _body("question"),
    "http:/v1/search": _body("query"),
    "http:/v1/cite": _body("text"),
    "http:/v1/review": dict(_review()),
    "http:/library/uploads": _NAMES,
    "mcp:message": _MESSAGES,
    "mcp:stdio": _LINES,
    **{f"mcp:{tool}": _body(field) for tool, field in _TOOLS.items()},
    "slack:event": {
        "blocks in blocks": lambda size: (
            b'{"type": "event_callback", "event": {"type": "message", "blocks": '
            + b'[{"elements": ' * (size // 20)
            + b"1"
            + b"}]" * (size // 20)
            + b"}}"
        ),
        "one long text": repeated("<@U1> ", before=_MENTION, after='"}}'),
        "angles": repeated("<", before=_MENTION, after='"}}'),
    },
    "ids-and-bodies": {"deep": deep_json},
}
