"""Where every cache goes that isn't told otherwise: vectors, the page's temporary files."""

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """`RELNOTES_CACHE_DIR`, or the user's cache folder."""
    return Path(os.environ.get("RELNOTES_CACHE_DIR") or user_cache_path("relnotes", appauthor=False))
