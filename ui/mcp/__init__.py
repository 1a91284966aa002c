"""The MCP server: the same answers as tools of a language model, over stdio and streamable HTTP.

The SDK is an extra, which only `server`, `stdio` and `endpoint` import.
"""
