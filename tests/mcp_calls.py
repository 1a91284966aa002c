"""One call of each tool over the bundled documents, and what any good answer of a tool fulfils."""

import json
from collections.abc import Mapping
from typing import Any

import jsonschema
from mcp_types import CallToolResult, TextContent, Tool

PASSAGE_QUESTION = "Is Adagrad faster with fused=True?"

BUMP = """\
--- a/requirements.txt
+++ b/requirements.txt
@@ -1 +1 @@
-torch==2.8
+torch==2.9
"""

CALLS: dict[str, dict[str, Any]] = {
    "search": {"query": PASSAGE_QUESTION},
    "fetch": {"id": "1"},
    "ask": {
        "question": "And since which version?",
        "history": ["What does fused Adagrad bring?"],
        "product": "pytorch",
        "version": "2.12",
    },
    "list_versions": {},
    "changes_between": {"product": "torch", "from": "2.8", "to": "latest"},
    "review": {"diff": BUMP},
    "cite": {"text": "Adagrad has a fused variant since PyTorch 2.12. TorchScript was deprecated in PyTorch 2.12."},
}


INITIALIZE: dict[str, Any] = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


def tool_call(name: str, arguments: Any = None, *, number: int = 1) -> dict[str, Any]:
    """The message that calls a tool."""
    params = {"name": name, "arguments": {} if arguments is None else arguments}
    return {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}


def checked(result: CallToolResult, schema: Mapping[str, Any]) -> dict[str, Any]:
    """The structured content, which fits the schema and is what the text says."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert not result.is_error, content.text
    structured: dict[str, Any] = result.structured_content
    jsonschema.Draft202012Validator(schema).validate(structured)
    assert json.loads(content.text) == structured
    return structured


def refused(result: CallToolResult) -> str:
    """The line of a call that failed."""
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.is_error
    assert result.structured_content is None
    return content.text


def schema_of(tools: list[Tool], name: str) -> dict[str, Any]:
    """The output schema that a tool declares."""
    (schema,) = [tool.output_schema for tool in tools if tool.name == name]
    assert schema is not None
    return schema
