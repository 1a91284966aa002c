"""A Milvus in this process; imported where a test needs it, for that takes a second."""

from importlib.util import find_spec
from pathlib import Path

import pytest

needs_milvus = pytest.mark.skipif(
    not (find_spec("pymilvus") and find_spec("milvus_lite")),
    reason="the extra `milvus`, or Milvus Lite, is not installed",
)


def release(database: Path) -> None:
    """End the server of a database."""
    from milvus_lite.server_manager import server_manager_instance

    server_manager_instance.release_server(str(database))
