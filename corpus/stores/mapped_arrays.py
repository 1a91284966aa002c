"""Arrays stored in NumPy's file format, and mapped into memory for reading."""

from collections.abc import Iterable
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray


def write_rows(path: Path, blocks: Iterable[NDArray[Any]], *, shape: tuple[int, int], dtype: np.dtype[Any]) -> None:
    """Write the rows of `blocks`, one block after another, as one array to `path`; never all in memory at once.

    Raises:
        OSError: it can't be written.
    """
    header = {"descr": np.lib.format.dtype_to_descr(dtype), "fortran_order": False, "shape": shape}
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, header)
        for block in blocks:
            file.write(np.ascontiguousarray(block, dtype).data)


def map_array(path: Path) -> NDArray[Any]:
    """Map the array in `path` read-only; its pages are read when they are touched.

    Raises:
        OSError, ValueError: there is no such file, or it contains no array.
    """
    try:
        mapped = np.load(path, mmap_mode="r", allow_pickle=False)
    except (SyntaxError, TokenError) as error:
        # NumPy parses a header as Python literals.
        raise ValueError(f"its header can't be read ({error})") from error
    # As a plain array: slices of a memmap take ten times as long.
    return np.asarray(mapped)
