"""How a server's memory is allocated."""

import os
import platform
import subprocess
import sys

import pytest

_COUNT_ARENAS = """
import ctypes, threading
from ui.server.allocation import bound_arenas

bound_arenas()
c = ctypes.CDLL(None)
c.malloc.restype = ctypes.c_void_p
together = threading.Barrier(9)

def allocate():
    c.malloc(100_000)
    together.wait()

for _ in range(8):
    threading.Thread(target=allocate).start()
together.wait()
c.fflush(None)
c.fdopen.restype = ctypes.c_void_p
c.malloc_info(0, ctypes.c_void_p(c.fdopen(1, b"w")))
c.fflush(None)
"""


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="arenas are glibc's")
@pytest.mark.parametrize(
    ("stated", "most"),
    [({}, 2), ({"MALLOC_ARENA_MAX": "5"}, 5), ({"GLIBC_TUNABLES": "glibc.malloc.arena_max=5"}, 5)],
    ids=["ours", "the operator's", "a tunable"],
)
def test_threads_share_few_arenas(stated: dict[str, str], most: int) -> None:
    command = [sys.executable, "-c", _COUNT_ARENAS]
    kept = {name: value for name, value in os.environ.items() if name not in ("MALLOC_ARENA_MAX", "GLIBC_TUNABLES")}
    printed = subprocess.run(command, check=True, capture_output=True, text=True, env=kept | stated).stdout
    assert printed.count("<heap ") == most
