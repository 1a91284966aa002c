"""The MCP inspector's command line: what users check a server with."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

from npm_packages import npm_command


class Inspector:
    """Runs one request a process; `home` keeps what it stores away from the user's own."""

    def __init__(self, home: Path) -> None:
        launcher = npm_command("@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
        self._command = (*launcher, "--cli", "--format", "json", "--quiet")
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
