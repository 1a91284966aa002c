"""A connection to Milvus, and its faults as errors of one line with the next step."""

import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING

from corpus.errors import StoreUnavailable, UsageError
from corpus.stores.choice import StoreChoice

if TYPE_CHECKING:
    from pymilvus import MilvusClient

CONNECT_TIMEOUT_S = 10.0
_TOKEN_VARIABLE = "RELNOTES_MILVUS_TOKEN"  # noqa: S105  # its name, not its value
_STORE_VARIABLE = "RELNOTES_STORE"

_REASON_CHARACTERS = 200


def connect(
    address: StoreChoice, *, is_stated: bool = False, environment: Mapping[str, str] = os.environ
) -> "MilvusClient":
    """Connect to `address`; the caller closes the client.

    The token goes only to an address that the user states, in this call (`is_stated`) or as `RELNOTES_STORE`: an index
    from elsewhere could name any host.

    Raises:
        StoreUnavailable: the client isn't installed, or no Milvus answers at the address.
    """
    # Its import would read a .env file from the folders above into our environment.
    os.environ.setdefault("PYTHON_DOTENV_DISABLED", "1")
    try:
        from pymilvus import MilvusClient
    except ImportError as error:
        raise StoreUnavailable(
            f"The store {str(address)!r} needs Milvus's client. Install it with `pip install '.[milvus]'` in a clone."
        ) from error
    # The client logs every failed call with its traceback; we raise the failure ourselves.
    for name in ("pymilvus", "milvus_lite"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    with suppress(UsageError):
        is_stated = is_stated or StoreChoice.parse(environment.get(_STORE_VARIABLE, "")) == address
    token = environment.get(_TOKEN_VARIABLE, "") if is_stated else ""
    with raising_unavailable(address):
        return MilvusClient(address.uri, token=token, timeout=CONNECT_TIMEOUT_S)


@contextmanager
def connected(address: StoreChoice, *, is_stated: bool = False) -> "Iterator[MilvusClient]":
    """Yield a client for a `with` block, and raise its faults as ours.

    Raises:
        StoreUnavailable: as `connect`, or a call of the block failed.
    """
    client = connect(address, is_stated=is_stated)
    with raising_unavailable(address), closing(client):
        yield client


@contextmanager
def raising_unavailable(address: StoreChoice) -> Iterator[None]:
    """Raise the client's exceptions in a `with` block as one of our errors.

    Raises:
        StoreUnavailable: the block's call failed, whatever the reason.
    """
    from grpc import RpcError
    from pymilvus.exceptions import ErrorCode, MilvusException

    try:
        yield
    except (MilvusException, RpcError, OSError) as error:
        if getattr(error, "code", 0) == ErrorCode.COLLECTION_NOT_FOUND:
            # A later commit dropped the generation.
            raise unusable(address, "what was asked is there no more, or has been written anew: ask again") from error
        details = getattr(error, "details", None)
        reason = details() if callable(details) else getattr(error, "message", "") or str(error)
        raise _unavailable(address, str(reason)) from error


def unusable(address: StoreChoice, detail: str) -> StoreUnavailable:
    """Return the error for a store that answers, but lacks what this index wrote to it."""
    return StoreUnavailable(
        f"The store {str(address)!r} can't be used: {detail}. Run `relnotes ingest` on any of the index's sources to "
        "write it anew from the index's tables."
    )


def _unavailable(address: StoreChoice, reason: str) -> StoreUnavailable:
    reason = " ".join(reason.split())[:_REASON_CHARACTERS].rstrip(".") or "no reason given"
    if "auth" in reason.lower():
        step = f"Set {_TOKEN_VARIABLE}, and {_STORE_VARIABLE}={address} to say which server it is for."
    else:
        step = "Check that the server runs and can be reached, or go back to `--store embedded` with `relnotes ingest`."
    return StoreUnavailable(f"The store {str(address)!r} can't be used: {reason}. {step}")
