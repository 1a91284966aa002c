"""Requirement and constraint files of pip, pip-tools' output among them; setup.cfg, tox.ini and setup.py."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import read_requirement, requirement_version, specifiers_version, url_version
from corpus.dependencies.model import Dependency, Ecosystem, Line

_OPTION = re.compile(r"\s--?[a-z][\w-]*.*\Z")
_COMMENT = re.compile(r"(?:\A|\s)#.*\Z")
_EGG = re.compile(r"[#&]egg=(?P<name>[\w.-]+)", re.ASCII)
_FACTORS = re.compile(r"\A\s*[\w{},!.-]+:\s+")
_ASSIGNED = re.compile(r"\A(?P<key>\w+)\s*=\s*(?P<value>.*)\Z")
_STRING = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_PYTHON_REQUIRES = re.compile(r"python_requires\s*=\s*")


def read_requirements(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """One requirement a line; options, hashes, markers and comments are passed over."""
    for line in lines:
        text = _COMMENT.sub("", line.text).strip().removesuffix("\\").strip()
        if text.startswith(("-e ", "--editable", "git+", "https://", "http://")):
            egg = _EGG.search(text)
            if egg:
                yield Dependency(egg["name"], Ecosystem.PYPI, url_version(text), path, line.number)
        elif text and not text.startswith("-"):
            yield from requirement(path, line.number, _OPTION.sub("", text))


def read_setup_cfg(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """The indented requirements of setup.cfg and tox.ini that state a version, whatever key they stand under."""
    for line in lines:
        text = _COMMENT.sub("", line.text)
        assigned = _ASSIGNED.match(text)
        if assigned:
            key, text = assigned["key"], assigned["value"]
            if key == "python_requires":
                yield from requirement(path, line.number, "python" + text, needs_version=True)
                continue
            if key not in {"install_requires", "setup_requires", "tests_require", "requires", "deps"}:
                continue
        elif not text[:1].isspace():
            continue
        yield from requirement(path, line.number, _FACTORS.sub("", text).strip(), needs_version=True)


def read_setup_py(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Quoted requirements that state a version; names put together by code are not seen."""
    for line in lines:
        prefix = "python" if _PYTHON_REQUIRES.search(line.text) else ""
        for found in _STRING.finditer(line.text):
            if any(sign in found[0] for sign in "=>"):
                yield from requirement(path, line.number, prefix + found[0][1:-1], needs_version=True)


def requirement(path: str, number: int, text: str, *, needs_version: bool = False) -> Iterator[Dependency]:
    """The dependency of one PEP 508 requirement, if `text` is one; `needs_version` asks for a stated version too, where
    any word would do otherwise."""
    read = read_requirement(text)
    if read is None or (needs_version and not read.url and specifiers_version(read.specifier) is None):
        return
    yield Dependency(read.name, Ecosystem.PYPI, requirement_version(read), path, number)
