"""The store that searches an index: the one in its own folder, or a Milvus whose address never contains secrets."""

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
    """The store that a user or a manifest names; `str()` gives the form that both write."""

    text: str = "embedded"
    uri: str = ""
    """The client's address: HTTP, or for Milvus Lite the path of its file; empty for the embedded store."""

    @classmethod
    def parse(cls, text: str) -> "StoreChoice":
        """Parse `embedded`, a server's `milvus://host[:port]` (default 19530) or a file's `milvus+lite:///folder/x.db`.

        Raises:
            UsageError: it is neither, or contains a name and password.
        """
        if text == EMBEDDED.text:
            return EMBEDDED
        if match := _SERVER.fullmatch(text.lower()):
            host, port = match["host"], int(match["port"] or _DEFAULT_PORT)
            if port <= _MAX_PORT:
                return cls(f"{match['scheme']}://{host}:{port}", f"{_SCHEMES[match['scheme']]}://{host}:{port}")
        elif (match := _LITE.fullmatch(text)) and "\0" not in (path := unquote(match["path"])):
            return cls(f"milvus+lite://{quote(path)}", path)
        # Don't repeat an address that may contain a secret.
        shown = "An address that holds an @" if "@" in text else repr(text)
        raise UsageError(
            f"{shown} is no address of a store. It is milvus://HOST:PORT, milvus+tls://HOST:PORT or "
            "milvus+lite:///PATH.db; a name and password are given as RELNOTES_MILVUS_TOKEN=NAME:PASSWORD."
        )

    @property
    def is_embedded(self) -> bool:
        """Whether the index is searched with FAISS and mapped postings in its own folder."""
        return not self.uri

    def __str__(self) -> str:
        return self.text


EMBEDDED = StoreChoice()
