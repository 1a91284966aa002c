"""Asking a `relnotes serve` that runs over the same index, so that a command needn't load anything itself.

Whatever goes wrong before there is an answer, the command answers itself. Imports the standard library only, for speed.
"""

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ui.settings import AskingSettings, IndexSettings

STAMP_HEADER = "Relnotes-Settings"
"""What the command would answer with; a server that answers with anything else refuses."""
ASK_PATH = "/v1/ask"
SEARCH_PATH = "/v1/search"

_PATIENCE_S = 5.0
"""A warm answer takes a tenth of a second; a server that is so busy as to take this long is no help."""


def socket_place(settings: IndexSettings) -> Path:
    """Where a server over the index of `settings` listens: not in the index, which is to be copied file by file."""
    index = hashlib.sha256(str(settings.index.resolve()).encode("utf-8", "surrogateescape")).hexdigest()
    return settings.cache_dir / "serve" / f"{index[:16]}.sock"


def settings_stamp(settings: IndexSettings, path: str) -> str:
    """A digest (hex) of the settings that decide, beside the index, what is answered at `path`."""
    # The index by its full path: a link to it may lead elsewhere since the server started.
    parts: list[str | None] = [str(settings.index.resolve()), _named(settings.model), _named(settings.reranker)]
    if path == ASK_PATH and isinstance(settings, AskingSettings):
        parts += [settings.llm_base_url, settings.llm_model, settings.llm_api_key]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def _named(model: str | None) -> str | None:
    """A folder by its full path: two processes may stand in different ones."""
    return str(Path(model).resolve()) if model and Path(model).exists() else model


def ask_running_server(settings: IndexSettings, path: str, request: Mapping[str, object]) -> Mapping[str, Any] | None:
    """The body with which the server over `settings.index` answers; None where none runs or it didn't answer."""
    try:
        place = socket_place(settings)
        found = place.stat()
        # Another's socket could answer anything.
        if not stat.S_ISSOCK(found.st_mode) or found.st_uid != os.geteuid():
            return None
    except (OSError, RuntimeError):  # the latter for links that go round in a circle
        return None
    patience_s = _PATIENCE_S
    if isinstance(settings, AskingSettings) and settings.llm_base_url is not None:
        patience_s += settings.llm_timeout_s
    # Only where a server seems to run: these take a while to import, too.
    import http.client
    import socket

    connection = http.client.HTTPConnection("localhost", timeout=patience_s)
    stamp = settings_stamp(settings, path)
    headers = {"Content-Type": "application/json", "Connection": "close", STAMP_HEADER: stamp}
    try:
        connection.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.sock.settimeout(patience_s)
        connection.sock.connect(str(place))
        connection.request("POST", path, json.dumps(request), headers)
        response = connection.getresponse()
        body = json.loads(response.read()) if response.status == http.client.OK else None
    except (OSError, http.client.HTTPException, ValueError, RecursionError):
        return None
    finally:
        connection.close()
    return body if isinstance(body, dict) else None
