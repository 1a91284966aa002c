"""The programs from npm that tests talk to, installed together into the cache once."""

import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest
from filelock import FileLock

from corpus.cache_folder import cache_folder

_PACKAGES = ("emulate@0.12.2", "@modelcontextprotocol/inspector@2.12.0", "node@22.23.3")
"""The last brings the node that the others ask for, wherever an older one is installed."""


@cache
def _installed() -> Path | str:
    """The folder `node_modules`, or why there is none."""
    npm = shutil.which("npm")
    if npm is None:
        return "npm isn't installed"
    folder = cache_folder() / "tests" / "npm"
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / ".installed"
    with FileLock(folder / ".lock"):
        if not done.exists() or done.read_text() != " ".join(_PACKAGES):
            command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--no-save", *_PACKAGES]
            ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if ran.returncode:
                return f"npm can't install {' '.join(_PACKAGES)}: {ran.stderr.strip()[-200:]}"
            done.write_text(" ".join(_PACKAGES))
    return folder / "node_modules"


def npm_command(*script: str) -> list[str]:
    """The command that runs a script of the packages, by the parts of its path; skips where they can't be installed."""
    modules = _installed()
    if isinstance(modules, str):
        pytest.skip(modules)
    return [str(modules / ".bin" / "node"), str(modules.joinpath(*script))]
