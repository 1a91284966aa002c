"""How the C library keeps the memory that a server's threads have freed."""

import ctypes
import os
import sys

_M_ARENA_MAX = -8
"""The name of the setting in glibc's `malloc.h`."""
_ARENAS = 2
_VARIABLE = "MALLOC_ARENA_MAX"
_TUNABLES, _TUNABLE = "GLIBC_TUNABLES", "glibc.malloc.arena_max"


def bound_arenas() -> None:
    """Have all threads allocate from two arenas in place of glibc's eight for each core.

    Each question computes in a thread of its own, and each arena keeps what its threads once needed: half of what a
    soaked server grew by lay free in one of them. Called before there are threads. Where the operator set
    `MALLOC_ARENA_MAX` or the tunable of the same meaning, or the C library is another, nothing is done.
    """
    is_set = _VARIABLE in os.environ or _TUNABLE in os.environ.get(_TUNABLES, "")
    if is_set or not sys.platform.startswith("linux"):
        return
    set_option = getattr(ctypes.CDLL(None), "mallopt", None)
    if set_option is not None:
        set_option(_M_ARENA_MAX, _ARENAS)
