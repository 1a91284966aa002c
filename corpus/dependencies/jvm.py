"""Maven's and Gradle's files, as far as they write versions out: no properties and variables."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import interval_version
from corpus.dependencies.model import Dependency, Ecosystem, Line

_TAG = re.compile(r"<(?P<sign>/?)(?P<tag>[A-Za-z]+)(?:\s[^<>]*)?>(?P<text>[^<>]*)")
_STATING = {"dependency", "plugin", "extension", "parent"}
_NOTATION = re.compile(
    r"[\"'](?P<name>[\w.-]+:[\w.-]+):(?P<version>[\w.({})\[\],+-]+)(?:[:@][\w.-]+)*[\"']"
    r"|\bid\b[\s(]*[\"'](?P<plugin>[\w.-]+)[\"']\)?\s*\.?version[\s(]*[\"'](?P<at>[^\"'\s)]+)",
    re.ASCII,
)


def read_pom(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every dependency, plugin, extension and parent with a stated version, as `group:artifact`, not itself."""
    is_own = False
    coordinates: dict[str, str] = {}
    for line in lines:
        for tag in _TAG.finditer(line.text):
            name, text = tag["tag"], tag["text"].strip()
            if name in {"project", "exclusion", *_STATING}:
                is_own = name == "project" or (name == "parent" and bool(tag["sign"]))
                coordinates = {}
            elif name in {"groupId", "artifactId"} and text:
                coordinates[name] = text
            elif name == "version" and text and "artifactId" in coordinates and not is_own:
                package = ":".join(coordinates[part] for part in ("groupId", "artifactId") if part in coordinates)
                yield Dependency(package, Ecosystem.MAVEN, interval_version(text), line.number)
                coordinates = {}


def read_gradle(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every dependency in string notation, and every plugin."""
    for line in lines:
        for match in _NOTATION.finditer(line.text.partition("//")[0]):
            version = interval_version(match["version"] or match["at"])
            yield Dependency(match["name"] or match["plugin"], Ecosystem.MAVEN, version, line.number)
