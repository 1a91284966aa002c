"""The SHA-256 of rows of an index's tables: SQLite checks the structure of its pages, never their contents."""

import hashlib
import json
from typing import Any

# Damaged rows may contain bytes, which JSON can't encode.
_encode = json.JSONEncoder(separators=(",", ":"), default=repr).encode


def digest(values: Any) -> str:
    """Return the SHA-256 (hex) of rows whose values are texts and numbers."""
    return hashlib.sha256(_encode(values).encode()).hexdigest()
