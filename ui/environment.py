"""The process: variables that keep libraries quiet and offline, set before their import; extras; relnotes' version."""

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
"""The packages of each extra. Version 2 of MCP's SDK, which is needed, has its types in a package of their own."""


def check_extra(extra: str) -> None:
    """Check that the libraries of an extra are installed.

    Raises:
        RelnotesError: one is missing; the message says what to install.
    """
    if missing := [library for library in _EXTRAS[extra] if find_spec(library) is None]:
        needed = f"relnotes {extra} needs {' and '.join(missing)}, which isn't installed."
        raise RelnotesError(f"{needed} In a clone: .venv/bin/pip install -e '.[{extra}]'.")


def silence_libraries() -> None:
    """Turn off telemetry, hub look-ups and log output of libraries; variables that the user has set are unchanged."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)


def own_version() -> str:
    """Return the installed version of relnotes; "" for a checkout that isn't installed."""
    # Imported here, because few commands need it.
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("relnotes")
    except PackageNotFoundError:
        return ""
