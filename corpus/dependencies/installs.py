"""Packages that shell commands install with a version: pip, uv, pipx, Poetry, PDM, conda, npm, yarn, pnpm, bun.

Packages of the system (apt, apk) aren't read: their versions are a distribution's.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from corpus.dependencies.bounds import range_version
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.python import requirement

_WORD = re.compile(r"\"[^\"]*+\"?|'[^']*+'?|&&|\|\||[;|&]|[^\s\"';|&]++")
_SEPARATORS = {"&&", "||", ";", "|", "&"}
_PYTHON_TOOLS = re.compile(r"(?:.*/)?(?:pip[0-9.]*|uv|uvx|pipx|poetry|pdm|pipenv)")
_NODE_TOOLS = re.compile(r"npm|yarn|pnpm|bun|npx|bunx|corepack")
_CONDA_TOOLS = re.compile(r"conda|mamba|micromamba")
_VERBS = {"install", "add", "i", "inject", "run", "tool", "global", "dlx", "exec", "x", "pip", "create", "prepare"}
_RUNNERS = {"uvx", "npx", "bunx"}
_PINNED = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)(?:\[[\w,.-]*\])?\s*(?:[=~]=|>=)\s*[0-9]", re.ASCII)
_AT_VERSION = re.compile(
    r"(?P<name>(?:@[\w.~-]+/)?[A-Za-z0-9][\w.~-]*)(?:\[[\w,.-]*\])?@(?P<version>[\^~v=]*[0-9][^@/:]*)", re.ASCII
)
_CONDA_PIN = re.compile(r"(?P<name>[A-Za-z0-9][\w.-]*)=(?P<version>[0-9][\w.*]*)(?:=\S*)?", re.ASCII)


def read_installs(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package with a version that the commands on these lines install, over lines that end in a backslash too."""
    for part in split_parts(lines):
        tool: re.Pattern[str] | None = None
        is_open = False
        # The command of a line that continues one out of sight isn't known; what can only be pip's is read.
        is_known = False
        for line in part:
            text = line.text.strip()
            if not is_open:
                tool, is_known = None, False
            is_open = text.endswith("\\")
            words = [word.strip("\"'") for word in _WORD.findall(text.removesuffix("\\"))]
            for at, word in enumerate(words):
                if word in _SEPARATORS:
                    tool, is_known = None, True
                elif found := _tool(word, words[at + 1 : at + 4]):
                    tool, is_known = found, True
                elif tool is _PYTHON_TOOLS or (tool is None and not is_known and is_open and _PINNED.match(word)):
                    yield from _python_package(path, line.number, word)
                elif tool is _NODE_TOOLS:
                    yield from package(path, line.number, word)
                elif tool is _CONDA_TOOLS and (pin := _CONDA_PIN.fullmatch(word)):
                    yield from requirement(path, line.number, f"{pin['name']}=={pin['version'].rstrip('*.')}")


def _tool(word: str, following: Sequence[str]) -> re.Pattern[str] | None:
    for tools in (_PYTHON_TOOLS, _NODE_TOOLS, _CONDA_TOOLS):
        if tools.fullmatch(word) and (word in _RUNNERS or _VERBS.intersection(following)):
            return tools
    return None


def package(path: str, number: int, word: str) -> Iterator[Dependency]:
    """The package with a version that one word names, `django==5.1` as pip's and `prettier@3.1` as npm's."""
    if _PINNED.match(word):
        yield from requirement(path, number, word, needs_version=True)
    elif found := _AT_VERSION.fullmatch(word):
        yield Dependency(found["name"], Ecosystem.NPM, range_version(found["version"]), path, number)


def _python_package(path: str, number: int, word: str) -> Iterator[Dependency]:
    for each in package(path, number, word):
        # `uv tool install ruff@0.4.1`
        yield replace(each, ecosystem=Ecosystem.PYPI)
