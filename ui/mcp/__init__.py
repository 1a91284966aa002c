"""The MCP server: the same answers as tools of a language model, over stdio and streamable HTTP.

The SDK is an extra; only the modules that speak the protocol (`server`, `stdio`, `endpoint`) import it.
"""

from importlib.util import find_spec

from corpus.errors import RelnotesError


def check_sdk() -> None:
    """Make sure that the SDK is there.

    Raises:
        RelnotesError: it isn't, or only a version before 2.
    """
    # The types are a distribution of their own since version 2.
    if find_spec("mcp") is None or find_spec("mcp_types") is None:
        raise RelnotesError(
            "MCP needs the official SDK, version 2, which isn't installed. Run `pip install '.[mcp]'` in a clone."
        )
