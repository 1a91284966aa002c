"""The default folder of all caches: digests of the model's files, the page's temporary files."""

import os
from pathlib import Path

from platformdirs import user_cache_path


def cache_folder() -> Path:
    """Return the folder `RELNOTES_CACHE_DIR`, or the user's cache folder if that isn't set."""
    return Path(os.environ.get("RELNOTES_CACHE_DIR") or user_cache_path("relnotes", appauthor=False))
