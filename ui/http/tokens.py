"""Bearer tokens: who may do what. Only digests are kept; with 256 random bits, one round of SHA-256 is enough."""

import hashlib
import logging
import re
import secrets
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, TypeAdapter, ValidationError

from corpus.errors import UsageError

_LOG = logging.getLogger("relnotes.tokens")
_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
_PREFIX = "rn_"
_SECRET_BYTES = 32


class TokenScope(StrEnum):
    """What a token opens; none of them includes another."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Grant:
    """A token as the server knows it: its name, the SHA-256 of its UTF-8 bytes, its scopes, its last day."""

    name: str
    digest: bytes
    scopes: frozenset[TokenScope]
    expires: date | None = None


def find_grant(grants: Iterable[Grant], presented: bytes) -> Grant | None:
    """The one of `grants` that a token has, in a time that shows nothing of the tokens there are."""
    digest = hashlib.sha256(presented).digest()
    found = None
    for grant in grants:
        if secrets.compare_digest(digest, grant.digest):
            found = grant
    return found


def grant_everything(token: str) -> Grant:
    """The grant of the one token that `RELNOTES_TOKEN` names: every scope, without end."""
    return Grant("RELNOTES_TOKEN", hashlib.sha256(token.encode()).digest(), frozenset(TokenScope))


class _Entry(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$", to_lower=True)]
    scopes: Annotated[frozenset[TokenScope], Field(min_length=1)]
    expires: date | None = None


_TOKENS = TypeAdapter(dict[Annotated[str, StringConstraints(pattern=f"^{_NAME}$")], _Entry])


def load_grants(path: Path) -> tuple[Grant, ...]:
    """Read a tokens file: TOML with one table for each token, by its name; none where there is no table.

    Raises:
        UsageError: the file can't be read, or doesn't fit; the message names every fault.
    """
    try:
        parsed = _TOKENS.validate_python(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise UsageError(
            f"Cannot read the tokens file {str(path)!r}: {error.strerror or error}. Correct RELNOTES_TOKENS_FILE."
        ) from None
    except ValidationError as error:
        # Without the values: someone may have put a token where its digest belongs.
        faults = "; ".join(f"{'.'.join(map(str, fault['loc']))}: {fault['msg']}" for fault in error.errors())
        raise UsageError(
            f"Cannot use the tokens file {str(path)!r}: {faults}. `relnotes token NAME` prints lines that fit."
        ) from None
    except (ValueError, RecursionError) as error:  # not TOML, or arrays and numbers of any depth and length
        raise UsageError(f"Cannot read the tokens file {str(path)!r}: it isn't TOML in UTF-8 ({error}).") from None
    return tuple(
        Grant(name, bytes.fromhex(entry.sha256), entry.scopes, entry.expires) for name, entry in parsed.items()
    )


class TokensFile:
    """The tokens that a file holds now; one that can't be used any more leaves those that it held before."""

    def __init__(self, path: Path) -> None:
        """Read the file.

        Raises:
            UsageError: it can't be read, doesn't fit, or holds no token.
        """
        self._path = path
        # Taken first: what changes while the file is being read is read the next time.
        self._stamp = _stamp(path)
        self._grants = load_grants(path)
        if not self._grants:
            raise UsageError(
                f"The tokens file {str(path)!r} holds no token. `relnotes token NAME` prints the lines of one."
            )

    def grants(self) -> tuple[Grant, ...]:
        """The tokens of this moment; none once the last one was deleted. A fault is logged once for each change."""
        stamp = _stamp(self._path)
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._grants = load_grants(self._path)
            except UsageError as error:
                _LOG.error("%s The tokens that it held before are still taken.", error)
            else:
                _LOG.info("The tokens file has changed; tokens that are taken now: %d.", len(self._grants))
        return self._grants


def _stamp(path: Path) -> tuple[int, int, int, int] | None:
    """What distinguishes two states of a file without reading it; None where it isn't there."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def mint_token(name: str, *, scopes: Iterable[TokenScope], today: date, days: int | None = None) -> tuple[str, str]:
    """Make a token with the scopes that lasts to the end of the day `days` days after `today`, or for ever: the secret,
    to be shown once, and the lines for the tokens file.

    Raises:
        UsageError: the name isn't of letters, digits, `.`, `_` and `-`.
    """
    if not re.fullmatch(_NAME, name):
        raise UsageError(
            f"Cannot name a token {name!r}: use up to 64 letters, digits, '.', '_' and '-', a letter or digit first."
        )
    secret = _PREFIX + secrets.token_urlsafe(_SECRET_BYTES)
    wanted = frozenset(scopes)
    listed = ", ".join(f'"{scope}"' for scope in TokenScope if scope in wanted)
    lines = [f'["{name}"]', f'sha256 = "{hashlib.sha256(secret.encode()).hexdigest()}"', f"scopes = [{listed}]"]
    if days is not None:
        lines.append(f"expires = {(today + timedelta(days=days)).isoformat()}")
    return secret, "\n".join(lines) + "\n"
