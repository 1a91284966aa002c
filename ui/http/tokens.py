"""Reads the access tokens of the server from the settings and their file."""

from collections.abc import Mapping
from pathlib import Path

from corpus.errors import UsageError
from ui.server.binding import check_token
from ui.settings import Settings

_FORM = "Write a line `NAME TOKEN` for each; `openssl rand -hex 32` prints a token."


def load_tokens(settings: Settings) -> Mapping[str, str]:
    """Return the tokens of file and variable by the names that the log shows; empty if none is set.

    Raises:
        UsageError: the file of tokens can't be read or parsed, or a token is too short for a public address.
    """
    tokens = read_tokens(settings.tokens_file) if settings.tokens_file is not None else {}
    if settings.token is not None:
        tokens["RELNOTES_TOKEN"] = settings.token
    for name, token in tokens.items():
        check_token(name, token, host=settings.host)
    return tokens


def read_tokens(path: Path) -> dict[str, str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or "it isn't UTF-8"
        raise UsageError(
            f"Cannot read the file of tokens {str(path)!r}: {why}. Correct RELNOTES_TOKENS_FILE."
        ) from None
    tokens: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        words = line.split()
        if not words or words[0].startswith("#"):
            continue
        if len(words) != 2 or words[0] in tokens:
            # The message leaves out the line, which may contain a token.
            raise UsageError(
                f"Line {number} of the file of tokens {str(path)!r} is no name and a token, or names one again. {_FORM}"
            )
        tokens[words[0]] = words[1]
    if not tokens:
        raise UsageError(f"The file of tokens {str(path)!r} holds none. {_FORM}")
    return tokens
