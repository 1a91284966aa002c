"""The process: variables that keep third-party libraries quiet and offline, set before any of them is imported; and
which version of relnotes it runs."""

import os
from importlib.metadata import PackageNotFoundError, version

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


def silence_libraries() -> None:
    """Turn off telemetry, hub look-ups and chatter of the libraries; what the user has set already stays."""
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)


def own_version() -> str:
    """The installed version; empty for a checkout that isn't installed."""
    try:
        return version("relnotes")
    except PackageNotFoundError:
        return ""
