"""The MCP server: the same answers as tools of a language model, over stdio and streamable HTTP.

The SDK is an extra; only the modules that speak the protocol (`server`, `stdio`, `endpoint`) import it.
"""
