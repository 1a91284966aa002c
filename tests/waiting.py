"""Waiting for what another thread or process does."""

import time
from collections.abc import Callable


def until(is_so: Callable[[], object], *, timeout_s: float = 120) -> None:
    """Return once `is_so()` holds; only what hangs takes `timeout_s`, however busy the machine."""
    deadline = time.monotonic() + timeout_s
    while not is_so():
        assert time.monotonic() < deadline, "it never came"
        time.sleep(0.01)
