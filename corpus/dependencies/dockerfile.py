"""Dockerfile and Containerfile: base images, and what `RUN` installs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corpus.dependencies.images import image
from corpus.dependencies.installs import read_installs
from corpus.dependencies.model import Dependency, Line

_FROM = re.compile(r"\s*FROM\s+(?:--platform=\S+\s+)?(?P<reference>\S+)(?:\s+AS\s+(?P<stage>\S+))?", re.IGNORECASE)
_COPY_FROM = re.compile(r"\s*COPY\s+(?:--(?!from=)\S+\s+)*--from=(?P<reference>\S+)", re.IGNORECASE)
_ARGUMENT = re.compile(r"\s*ARG\s+(?P<name>\w+)=[\"']?(?P<value>[^\"'\s]*)", re.IGNORECASE)
_VARIABLE = re.compile(r"\$(?:\{(?P<braced>\w+)(?::?[-+][^}]*)?\}|(?P<plain>\w+))")


@dataclass(frozen=True, slots=True)
class _Argument:
    value: str
    line: int


def read_dockerfile(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every `FROM` and `COPY --from` of an image, the defaults of `ARG` filled in, and every package that is installed
    with a version. A version from an `ARG` stands on its line. Earlier stages aren't images."""
    arguments: dict[str, _Argument] = {}
    stages = {found["stage"].lower() for line in lines if (found := _FROM.match(line.text)) and found["stage"]}
    for line in lines:
        argument = _ARGUMENT.match(line.text)
        if argument:
            arguments[argument["name"]] = _Argument(argument["value"], line.number)
        base = _FROM.match(line.text) or _COPY_FROM.match(line.text)
        if base and base["reference"].lower() not in stages and not base["reference"].isdecimal():
            yield from _base_image(path, line.number, base["reference"], arguments)
    yield from read_installs(path, lines)


def _base_image(path: str, number: int, reference: str, arguments: dict[str, _Argument]) -> Iterator[Dependency]:
    stated: dict[int, str] = {}

    def default(found: re.Match[str]) -> str:
        argument = arguments.get(found["braced"] or found["plain"])
        if argument is None:
            return found[0]
        stated[argument.line] = argument.value
        return argument.value

    for each in image(path, number, _VARIABLE.sub(default, reference)):
        line = next((at for at, value in stated.items() if each.version and each.version in value), number)
        yield Dependency(each.name, each.ecosystem, each.version, path, line)
