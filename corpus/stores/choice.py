"""Which store searches an index: the one in its own folder, or a Milvus at an address that never holds a secret."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit

from corpus.errors import UsageError

_DEFAULT_PORT = 19530
_SCHEMES = {"milvus": "http", "milvus+tls": "https"}
_LITE = "milvus+lite"
_HOST = re.compile(r"[a-z0-9](?:[\w.-]*[a-z0-9.])?|[0-9a-f:.]+", re.ASCII)
_FORMS = "It is milvus://HOST:PORT, milvus+tls://HOST:PORT or milvus+lite:///PATH.db."


@dataclass(frozen=True, slots=True)
class StoreChoice:
    """The store that a user or a manifest names; `str()` of it is how both write it."""

    text: str = "embedded"
    uri: str = ""
    """What the client connects to: an HTTP address, or for Milvus Lite the path of its file; empty where embedded."""

    @classmethod
    def parse(cls, text: str) -> "StoreChoice":
        """Read `embedded`, or the address of a server (`milvus://host:port`) or file (`milvus+lite:///folder/file.db`).

        Raises:
            UsageError: it is neither, or holds a name and password.
        """
        if text == EMBEDDED.text:
            return EMBEDDED
        try:
            parts = urlsplit(text)
            port = parts.port
        except ValueError as error:
            raise _refused(text, str(error)) from error
        if "@" in parts.netloc:
            # The address isn't repeated: it holds a secret.
            raise UsageError(
                "A store's address must not hold a name or password. Give them as RELNOTES_MILVUS_TOKEN=NAME:PASSWORD."
            )
        if parts.query or parts.fragment:
            raise _refused(text, "nothing may follow its path")
        if parts.scheme == _LITE:
            path = Path(unquote(parts.path))
            if parts.netloc or not path.is_absolute() or path.suffix != ".db":
                raise _refused(text, "the path of Milvus Lite's file must be absolute and end in .db")
            return cls(f"{_LITE}://{quote(str(path))}", str(path))
        if parts.scheme not in _SCHEMES:
            raise _refused(text, f"its scheme is {parts.scheme!r}")
        host = parts.hostname or ""
        if not _HOST.fullmatch(host):
            raise _refused(text, f"{host!r} can't be the name of a host")
        if parts.path.strip("/"):
            raise _refused(text, "nothing may follow its port")
        place = f"{f'[{host}]' if ':' in host else host}:{_DEFAULT_PORT if port is None else port}"
        return cls(f"{parts.scheme}://{place}", f"{_SCHEMES[parts.scheme]}://{place}")

    @property
    def is_embedded(self) -> bool:
        """Whether FAISS and mapped postings in the index's folder search it."""
        return not self.uri

    def __str__(self) -> str:
        return self.text


EMBEDDED = StoreChoice()


def _refused(text: str, reason: str) -> UsageError:
    return UsageError(f"{text!r} is no address of a store: {reason}. {_FORMS}")
