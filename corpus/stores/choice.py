"""Which store searches an index: the one in its own folder, or a Milvus at an address that never holds a secret."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote

from corpus.errors import UsageError

_DEFAULT_PORT = 19530
_SCHEMES = {"milvus": "http", "milvus+tls": "https"}
_MAX_PORT = 65_535
_SERVER = re.compile(
    r"(?P<scheme>milvus(?:\+tls)?)://(?P<host>[a-z0-9](?:[\w.-]*[a-z0-9.])?|\[[0-9a-f:.]+\])(?::(?P<port>\d{1,5}))?/?",
    re.ASCII,
)
_LITE = re.compile(r"milvus\+lite://(?P<path>/[^?#@]*[^?#@/]\.db)")


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
        if found := _SERVER.fullmatch(text.lower()):
            host, port = found["host"], int(found["port"] or _DEFAULT_PORT)
            if port <= _MAX_PORT:
                return cls(f"{found['scheme']}://{host}:{port}", f"{_SCHEMES[found['scheme']]}://{host}:{port}")
        elif (found := _LITE.fullmatch(text)) and "\0" not in (path := unquote(found["path"])):
            return cls(f"milvus+lite://{quote(path)}", path)
        # The address isn't repeated where it may hold a secret.
        named = "An address that holds an @" if "@" in text else repr(text)
        raise UsageError(
            f"{named} is no address of a store. It is milvus://HOST:PORT, milvus+tls://HOST:PORT or "
            "milvus+lite:///PATH.db; a name and password are given as RELNOTES_MILVUS_TOKEN=NAME:PASSWORD."
        )

    @property
    def is_embedded(self) -> bool:
        """Whether FAISS and mapped postings in the index's folder search it."""
        return not self.uri

    def __str__(self) -> str:
        return self.text


EMBEDDED = StoreChoice()
