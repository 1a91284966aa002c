"""Readers of line-based files: Go's, Ruby's lock, those of yarn (1 and later) and pnpm, requirement files."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import (
    ADDRESS,
    bare_version,
    read_requirement,
    specifiers_version,
    version_in,
)
from corpus.dependencies.model import Dependency, Ecosystem, Line

GO_MAJOR = re.compile(r"[/.]v[0-9]+\Z")
"""The major version at the end of a module's path: `example.com/gears/v2`, `gopkg.in/gears.v2`."""
_GO_MODULE = re.compile(r"(?:require\s+)?(?P<name>[\w~.-]+\.[\w-]+(?:/[\w~.+-]+)*)\s+(?P<version>v[0-9]\S*)", re.ASCII)
_EXCLUDING = ("exclude ", "retract ")
_GO = re.compile(r"(?:go\s+|toolchain\s+go)(?P<version>[0-9]\S*)", re.ASCII)
_LOCKED = re.compile(r"(?:    |  )(?P<name>[\w.-]+) \((?P<version>[0-9][^-)]*)(?:-[^)]*)?\)(?: sha\d+=\w+)?", re.ASCII)
_NAME = r"(?P<name>(?:@[\w.~-]+/)?[\w.~-]+)"
YARN = (
    re.compile(rf"\"?(?<![\w.~/@-]){_NAME}@(?!workspace:).*:\s*\Z", re.ASCII),
    re.compile(r"  \"?version\"?:? \"?(?P<version>[^\"\s]+)\"?\s*\Z"),
)
PNPM = (
    re.compile(
        rf"(?<!\s)\s{{2,}}+['\"]?/?{_NAME}(?:[@/]v?(?P<version>[0-9][^'\"():_/]*)(?:[(_][^'\"]*)?)?['\"]?:\s*\Z",
        re.ASCII,
    ),
    re.compile(r"\s{6,}version: ['\"]?(?P<version>[0-9][^'\"():_/\s]*)"),
)
_OPTION = re.compile(r"\s--?[a-z][\w-]*.*\Z")
_COMMENT = re.compile(r"(?:\A|\s)#.*\Z")
_EGG = re.compile(r"[#&]egg=(?P<name>[\w.-]+)", re.ASCII)
_REPOSITORY = re.compile(
    r"/(?P<name>\w[\w.-]*/\w[\w.-]*?)(?:/(?:archive|zipball|tarball|releases)/.*|-\d[^/]*|(?:\.git)?(?:@[^@/]*)?(?:#.*)?)\Z",
    re.ASCII,
)
"""The name in an address that states no other: `acme/gears`."""


def read_go_modules(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every required or replacing module, and Go itself; not what is excluded or retracted."""
    is_excluded = False
    for line in lines:
        text = line.text.partition("//")[0].strip()
        if is_excluded or text.startswith(_EXCLUDING):
            # A block ends at its bracket.
            is_excluded = text.endswith("(") or (is_excluded and text != ")")
            continue
        if match := _GO_MODULE.fullmatch(text.rpartition("=>")[2].strip()):
            yield Dependency(match["name"], Ecosystem.GO, bare_version(match["version"]), line.number)
        elif match := _GO.fullmatch(text):
            yield Dependency("go", Ecosystem.TOOL, bare_version(match["version"]), line.number)


def read_gemfile_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield each installed gem, for any platform; those of the project itself are left out."""
    is_own = False
    for line in lines:
        if line.text[:1].strip():
            is_own = line.text.startswith("PATH")
        elif (match := _LOCKED.fullmatch(line.text.rstrip())) and not is_own:
            yield Dependency(match["name"], Ecosystem.RUBYGEMS, bare_version(match["version"]), line.number)


def read_keyed(key: re.Pattern[str], version: re.Pattern[str], lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield each package of a yarn or pnpm lock by its key, with the version in it or on a line below it."""
    name: str | None = None
    for line in lines:
        if match := key.match(line.text):
            name = match["name"]
            locked = match.groupdict().get("version")
        elif not line.text[:1].isspace():
            name = locked = None
        else:
            below = version.match(line.text)
            locked = below["version"] if below else None
        if name and locked:
            yield Dependency(name, Ecosystem.NPM, bare_version(locked), line.number)
            name = None


def read_requirements(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield the requirement on each line, an address by its egg or repository; options and comments are skipped."""
    for line in lines:
        text = _COMMENT.sub("", line.text).strip().removesuffix("\\").strip()
        if text.startswith(("-e ", "--editable", "git+", "https://", "http://")):
            address = text.split()[-1] if "://" in text else ""
            if match := _EGG.search(text) or _REPOSITORY.search(address):
                yield Dependency(match["name"], Ecosystem.PYPI, version_in(ADDRESS, text), line.number)
        elif text and not text.startswith("-"):
            yield from requirement(line.number, _OPTION.sub("", text))


def requirement(number: int, text: str, *, needs_version: bool = False) -> Iterator[Dependency]:
    """Yield the dependency if `text` is a PEP 508 requirement; with `needs_version` only with a version or address."""
    if parsed := read_requirement(text):
        version = version_in(ADDRESS, parsed.url) if parsed.url else specifiers_version(parsed.specifier)
        if version or parsed.url or not needs_version:
            yield Dependency(parsed.name, Ecosystem.PYPI, version, number)
