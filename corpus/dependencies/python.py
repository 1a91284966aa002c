"""Requirement files, setup.cfg, tox.ini, setup.py, conda environments."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import read_requirement, specifiers_version, url_version
from corpus.dependencies.model import Dependency, Ecosystem, Line

_OPTION = re.compile(r"\s--?[a-z][\w-]*.*\Z")
_COMMENT = re.compile(r"(?:\A|\s)#.*\Z")
_EGG = re.compile(r"[#&]egg=(?P<name>[\w.-]+)", re.ASCII)
_REPOSITORY = re.compile(
    r"/(?P<name>\w[\w.-]*/\w[\w.-]*?)(?:/(?:archive|zipball|tarball|releases)/.*|-\d[^/]*|(?:\.git)?(?:@[^@/]*)?(?:#.*)?)\Z",
    re.ASCII,
)
"""What an address is called that states no name: `acme/gears`."""
_BEFORE = re.compile(r"\A(?:\w+\s*=(?!=)|\s+[\w{},!.-]+:(?=\s)|\s*-\s)?\s*")
"""A key, tox's factors or the sign of a list."""
_STRING = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_PYTHON_REQUIRES = re.compile(r"\bpython_requires\s*=")
_LIST_ENTRY = re.compile(r"\s*-\s")
_CONDA = re.compile(r"(?:[\w.-]+::)?(?P<name>[\w.-]+)\s*=\s*(?P<version>[0-9][\w.*]*)(?:=\S*)?\s*", re.ASCII)


def _bare_line(text: str) -> str:
    """A line of a requirement file without its comment and the mark that it goes on."""
    return _COMMENT.sub("", text).strip().removesuffix("\\").strip()


def read_requirements(lines: Sequence[Line]) -> Iterator[Dependency]:
    """One requirement a line; options, hashes, markers and comments are passed over."""
    for line in lines:
        text = _bare_line(line.text)
        if text.startswith(("-e ", "--editable", "git+", "https://", "http://")):
            address = text.split()[-1] if "://" in text else ""
            if named := _EGG.search(text) or _REPOSITORY.search(address):
                yield Dependency(named["name"], Ecosystem.PYPI, url_version(text), line.number)
        elif text and not text.startswith("-"):
            yield from requirement(line.number, _OPTION.sub("", text))


def read_loose(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the requirements that state a version, in quotes or alone on their lines, whatever key they stand under: of
    setup.cfg, tox.ini, setup.py and conda's lists, whose pins have one `=`; names put together by code aren't seen."""
    for line in lines:
        text = _COMMENT.sub("", line.text)
        prefix = "python" if _PYTHON_REQUIRES.search(text) else ""
        if _LIST_ENTRY.match(text):
            text = _CONDA.sub(r"\g<name>==\g<version>", text)
        alone = [*requirement(line.number, prefix + _BEFORE.sub("", text), needs_version=True)]
        yield from alone
        # Quotes may be those of a marker, too.
        for found in _STRING.finditer(text) if not alone else ():
            yield from requirement(line.number, prefix + (found[1] or found[2] or ""), needs_version=True)


def requirement(number: int, text: str, *, needs_version: bool = False) -> Iterator[Dependency]:
    """Yield the dependency of one PEP 508 requirement, if `text` is one; `needs_version` asks for a stated version too,
    where any word would do otherwise."""
    if read := read_requirement(text):
        version = url_version(read.url) if read.url else specifiers_version(read.specifier)
        if version or read.url or not needs_version:
            yield Dependency(read.name, Ecosystem.PYPI, version, number, pin=str(read.specifier))
