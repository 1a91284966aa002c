"""The MCP inspector's command line, installed once into the cache: what users check a server with."""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from corpus.cache_folder import cache_folder

PACKAGES = ("@modelcontextprotocol/inspector@2.12.0", "node@22.23.3")
"""The second brings the node that the first asks for, wherever an older one is installed."""


class Inspector:
    """Runs one request a process; `home` keeps what it stores away from the user's own."""

    def __init__(self, modules: Path, home: Path) -> None:
        launcher = modules / "@modelcontextprotocol" / "inspector" / "clients" / "launcher" / "build" / "index.js"
        self._command = (str(modules / ".bin" / "node"), str(launcher), "--cli", "--format", "json", "--quiet")
        self._environment = {**os.environ, "HOME": str(home)}

    def ask(self, target: tuple[str, ...], method: str, *options: str) -> dict[str, Any]:
        """The result of a request; `target` is a URL or a command, after options of its own."""
        ran = subprocess.run(
            [*self._command, "--method", method, *options, *target],
            capture_output=True,
            text=True,
            env=self._environment,
            timeout=300,
        )
        assert ran.returncode == 0, ran.stderr
        result: dict[str, Any] = json.loads(ran.stdout)["result"]
        return result

    def call(self, target: tuple[str, ...], tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The structured content of a tool's result."""
        options = ("--tool-name", tool, "--tool-args-json", json.dumps(arguments))
        structured: dict[str, Any] = self.ask(target, "tools/call", *options)["structuredContent"]
        return structured


def install_inspector(home: Path) -> Inspector:
    """Install it where it isn't yet; the test is skipped where that can't be done."""
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip("the MCP inspector needs npm")
    folder = cache_folder() / "tests" / "mcp-inspector-2.12.0"
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / ".installed"
    with FileLock(folder / ".lock"):
        if not done.exists():
            command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--no-save", *PACKAGES]
            ran = subprocess.run(command, capture_output=True, text=True, timeout=300)
            if ran.returncode:
                pytest.skip(f"npm can't install the MCP inspector: {ran.stderr.strip()[-200:]}")
            done.touch()
    return Inspector(folder / "node_modules", home)
