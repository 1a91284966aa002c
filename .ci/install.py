#!/usr/bin/env python3
"""`pip install` as everything here does it: `python .ci/install.py -e '.[mcp]'` with any of pip's arguments.

On Linux the plain package index has torch with CUDA alone, gigabytes that nothing needs. PyTorch's own index has the
CPU build, and its local version, `+cpu`, wins over the plain one. pip would try an index that can't be reached for each
package anew, eight seconds and more: it is asked for first. CUDA=1 leaves it out. What goes on is told by the second.
`--index` prints that index, or nothing, and installs nothing.
"""

import importlib.metadata
import os
import re
import subprocess
import sys
import sysconfig
import threading
import time
import urllib.request
from collections import deque
from collections.abc import Iterator
from pathlib import Path

CPU_INDEX = "https://download.pytorch.org/whl/cpu"
PROBE_S = 5
LINE_S = 10
CUDA_GB = 2.8
"""What torch 2.13.0 for CUDA and what it requires weigh in downloads, on x86-64."""
LAST_LINES = 30


def cpu_index() -> str:
    """PyTorch's CPU index where it is needed, wanted and reached; else nothing."""
    if not sys.platform.startswith("linux") or os.environ.get("CUDA"):
        return ""
    try:
        with urllib.request.urlopen(f"{CPU_INDEX}/torch/", timeout=PROBE_S):  # a constant
            return CPU_INDEX
    except OSError:
        return ""


def torch_comes() -> bool:
    """Whether this environment has no torch yet."""
    try:
        importlib.metadata.version("torch")
    except importlib.metadata.PackageNotFoundError:
        return True
    return False


def pip(*arguments: str) -> list[str]:
    """The command line of this Python's pip."""
    return [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]


def brings_cuda() -> bool:
    """Whether what pip finds by itself is torch with CUDA."""
    asked = pip("install", "--quiet", "--dry-run", "--no-deps", "--ignore-installed", "--report", "-", "torch==2.13.0")
    return '"nvidia-' in subprocess.run(asked, stdout=subprocess.PIPE, text=True, check=False).stdout


class Progress:
    """What pip does at present: one line that changes on a terminal, elsewhere a line each ten seconds."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.collected = 0
        self.doing = "asking the package index"
        self.unpacked: list[str] = []
        self._over = threading.Event()
        self._teller = threading.Thread(target=self._tell, daemon=True)
        self._teller.start()

    def read(self, lines: Iterator[str]) -> Iterator[str]:
        """Follow pip's words, and hand them on."""
        for line in lines:
            word, _, rest = line.strip().partition(" ")
            if word in ("Collecting", "Obtaining", "Processing"):
                self.collected += 1
                self.doing = f"looking at {rest.split()[0]}"
            elif word == "Downloading":
                self.doing = f"downloading {rest.rsplit('/', 1)[-1]}"
            elif line.startswith("Installing collected packages: "):
                self.unpacked = rest.removeprefix("collected packages: ").split(", ")
            yield line

    def end(self) -> str:
        """Stop telling; how long it took."""
        self._over.set()
        self._teller.join()
        return f"{time.monotonic() - self.began:.0f} s"

    def _at(self) -> str:
        """Which package pip is at: while it unpacks, which takes longest, it prints nothing, but its folders appear."""
        if not self.unpacked:
            return f"package {max(1, self.collected)}: {self.doing}"
        there = {
            folder.name.split("-")[0].lower() for folder in Path(sysconfig.get_path("purelib")).glob("*.dist-info")
        }
        left = [name for name in self.unpacked if re.sub(r"[-_.]+", "_", name).lower() not in there]
        done = len(self.unpacked) - len(left)
        return f"unpacking {left[0]} ({done + 1} of {len(self.unpacked)})" if left else "finishing"

    def _tell(self) -> None:
        is_terminal = sys.stderr.isatty()
        while not self._over.wait(1 if is_terminal else LINE_S):
            told = f"{time.monotonic() - self.began:4.0f} s, {self._at()}"
            sys.stderr.write(f"\r\033[K{told[:100]}" if is_terminal else f"{told}\n")
            sys.stderr.flush()
        if is_terminal:
            sys.stderr.write("\r\033[K")


def main(arguments: list[str]) -> int:
    """Install, or print the index; pip's exit status."""
    if arguments == ["--index"]:
        print(cpu_index())
        return 0
    progress = Progress()
    extra = []
    if torch_comes():
        if index := cpu_index():
            extra = ["--extra-index-url", index]
            print("Installing: some 0.6 GB, with torch's CPU build from PyTorch's own index.", flush=True)
        elif sys.platform.startswith("linux") and brings_cuda():
            why = "as CUDA=1 asks" if os.environ.get("CUDA") else f"since {CPU_INDEX} can't be reached"
            print(
                f"Installing: some {CUDA_GB + 0.4:.1f} GB, of which {CUDA_GB} are torch with CUDA, {why}.", flush=True
            )
        else:
            print("Installing: some 0.6 GB, with the CPU build of torch that pip finds.", flush=True)
    command = pip("install", "--progress-bar", "off", *extra, *arguments)
    last: deque[str] = deque(maxlen=LAST_LINES)
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as running:
        last.extend(progress.read(iter(running.stdout)))
    took = progress.end()
    if running.returncode:
        print("".join(last), end="", file=sys.stderr)
        print(f"pip failed after {took}; its last words stand above.", file=sys.stderr)
    else:
        print(f"Installed after {took}.")
    return running.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
