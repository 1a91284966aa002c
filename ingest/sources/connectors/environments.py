"""`env:` and `env:PATH`: what is installed in a Python environment, as a list of packages of PyPI."""

import sys
from importlib.metadata import distributions
from pathlib import Path

from packaging.utils import canonicalize_name

from corpus.errors import UsageError

SCHEME = "env:"
_FOLDERS = ("lib/python*/site-packages", "lib64/python*/site-packages", "Lib/site-packages")


def read_environment(argument: str) -> tuple[str, ...]:
    """List the packages (`pypi:name`) of the environment in the folder `argument`, of the running one for none.

    Raises:
        UsageError: there is none.
    """
    place = argument[len(SCHEME) :].strip()
    home = Path(place).expanduser()
    folders = [str(folder) for pattern in _FOLDERS for folder in home.glob(pattern)] if place else sys.path
    metadata = (distribution.metadata for distribution in distributions(path=folders))
    named = sorted({canonicalize_name(stated["Name"]) for stated in metadata if stated and stated["Name"]})
    if not named:
        raise UsageError(
            f"No Python environment at {place!r}: no package is installed there. Give its folder, or env:."
        )
    return tuple(f"pypi:{name}" for name in named)
