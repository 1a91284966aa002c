"""The process: variables that keep third-party libraries quiet and offline, set before any of them is imported; which
of them are installed, and which version of relnotes."""

import os
from importlib.util import find_spec

from corpus.errors import RelnotesError

_QUIET = {
    "DO_NOT_TRACK": "1",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "GRADIO_RUN_HISTORY": "False",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "TRANSFORMERS_VERBOSITY": "error",
    "TOKENIZERS_PARALLELISM": "false",
}
_EXTRAS = {"mcp": ("mcp", "mcp_types"), "slack": ("slack_bolt", "slack_sdk", "aiohttp")}
"""What each brings. MCP's types are a distribution of their own since its SDK's version 2, the one that is needed."""


def check_extra(extra: str) -> None:
    """See that the libraries of an extra are installed.

    Raises:
        RelnotesError: one isn't; the message says what to install.
    """
    if missing := [library for library in _EXTRAS[extra] if find_spec(library) is None]:
        needed = f"relnotes {extra} needs {' and '.join(missing)}, which isn't installed."
        raise RelnotesError(f"{needed} In a clone: .venv/bin/pip install -e '.[{extra}]'.")


def silence_libraries() -> None:
    """Turn off telemetry, hub look-ups and chatter of the libraries; what the user has set already stays."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)


def own_version() -> str:
    """Return the installed version; empty for a checkout that isn't installed."""
    # Few commands tell it, and all would wait for its import.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("relnotes")
    except PackageNotFoundError:
        return ""
