"""Whether the libraries of `relnotes[slack]` are there."""

from importlib.util import find_spec

from corpus.errors import RelnotesError

_LIBRARIES = ("slack_bolt", "slack_sdk", "aiohttp", "cryptography")


def check_extra() -> None:
    """See that the bot's libraries are installed.

    Raises:
        RelnotesError: one isn't; the message says what to install.
    """
    missing = [library for library in _LIBRARIES if find_spec(library) is None]
    if missing:
        raise RelnotesError(
            f"Slack needs {' and '.join(missing)}, which isn't installed. Install it: pip install 'relnotes[slack]'."
        )
