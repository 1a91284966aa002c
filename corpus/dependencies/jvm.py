"""pom.xml; build.gradle and its like in Groovy and Kotlin, version catalogues, properties, locks; wrappers of both."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.named_versions import Stated, fill_in
from corpus.dependencies.parts import scan_toml, scan_xml

_STATING = {"dependency", "plugin", "extension", "parent"}
_OF_PROJECT = {"packaging", "name", "description", "url", "inceptionYear"}
_NOTATION = re.compile(
    r"(?:[\"']|\A)(?P<name>[\w.-]+:[\w.-]+):(?P<version>[\w.$({})\[\],+-]+)(?:[:@][\w.-]+)*(?:[\"']|=)", re.ASCII
)
_ARGUMENTS = re.compile(
    r"\bgroup\s*[:=]\s*[\"'](?P<group>[^\"']+)[\"'],\s*name\s*[:=]\s*[\"'](?P<name>[^\"']+)[\"'],\s*"
    r"version\s*[:=]\s*[\"']?(?P<version>[^\"',)]+)"
)
_PLUGIN = re.compile(
    r"\b(?P<form>id|kotlin)\b[\s(]*[\"'](?P<name>[\w.-]+)[\"']\)?\s*\.?version[\s(]*[\"']?(?P<version>[^\"'\s)]+)",
    re.ASCII,
)
_VARIABLE = re.compile(
    r"(?:\A|[\s\[(,.\"'])(?P<name>[\w-]+)[\"']?\]?\s*(?:[=:,]|by extra\()\s*[\"'](?P<version>[0-9][\w.+-]*)[\"']",
    re.ASCII,
)
_PROPERTY = re.compile(r"\s*(?P<name>[\w.-]+)\s*[=:]\s*(?P<version>[0-9]\S*)\s*", re.ASCII)
_WRAPPER = re.compile(r"/(?:apache-)?(?P<name>gradle|maven)-(?P<version>[0-9][\w.-]*?)-(?:bin|all)\.", re.ASCII)


def read_pom(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every dependency, plugin, extension and parent that states a version, as `group:artifact`, and the properties
    that are named as versions; not the project itself and what dependencies exclude."""
    packages: list[Stated] = []
    properties: list[Stated] = []
    for part in split_parts(lines):
        place: dict[str, str] = {}
        loose: list[Stated] = []
        for each in scan_xml(part):
            *above, tag = each.tags or [""]
            if not each.text:
                place = {} if tag in {"", *_STATING} else place
            elif above and above[-1] not in {*_STATING, "properties"}:
                continue
            elif tag in {"groupId", "artifactId"}:
                place[tag] = each.text
            elif tag == "version" and "artifactId" in place:
                name = ":".join(filter(None, (place.get("groupId"), place["artifactId"])))
                (packages if above else loose).append(Stated(name, each.text, each.line))
            elif tag in _OF_PROJECT:
                # What stands before it without a parent in sight is the project itself.
                loose.clear()
            else:
                properties.append(Stated(tag, each.text, each.line))
        packages += loose
    return fill_in(path, Ecosystem.MAVEN, packages, properties)


def read_gradle(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every dependency in string notation or with named arguments, every plugin, and the variables that are named as
    versions."""
    packages: list[Stated] = []
    variables: list[Stated] = []
    for line in lines:
        text = re.split(r"(?:\A|\s)//", line.text)[0]
        for found in (*_NOTATION.finditer(text), *_ARGUMENTS.finditer(text), *_PLUGIN.finditer(text)):
            parts = found.groupdict()
            group = f"{parts['group']}:" if "group" in parts else ""
            prefix = "org.jetbrains.kotlin." if parts.get("form") == "kotlin" else ""
            version = found["version"]
            is_name = version[0].isalpha()
            packages.append(Stated(group + prefix + found["name"], f"${version}" if is_name else version, line.number))
        is_property = _PROPERTY.fullmatch(text)
        named = [is_property] if is_property else _VARIABLE.finditer(text)
        variables += (Stated(found["name"], found["version"], line.number) for found in named)
    return fill_in(path, Ecosystem.MAVEN, packages, variables)


def read_version_catalogue(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every library and plugin of a `libs.versions.toml` with its version, and the versions that none of those in sight
    uses, by their own names."""
    packages: list[Stated] = []
    versions: list[Stated] = []
    for part in split_parts(lines):
        fields: dict[str, str] = {}
        for each in scan_toml(part):
            alias, _, field = (each.key or "").partition(".")
            if each.in_array or not alias:
                continue
            name, _, version = each.value.rpartition(":")
            if field in {"", "strictly", "require", "prefer"} and not name and each.table in {"versions", None}:
                versions.append(Stated(f"{alias}.version", version, each.line))
            elif not field and name:
                packages.append(Stated(name, version, each.line))
            elif field in {"module", "id", "group", "name"}:
                fields = {field: each.value} if field != "name" else fields | {field: each.value}
            elif field in {"version", "version.ref", "version.strictly", "version.require"} and fields:
                version = each.value if field != "version.ref" else f"${each.value}.version"
                packages.append(Stated(":".join(fields.values()), version, each.line))
    return fill_in(path, Ecosystem.MAVEN, packages, versions)


def read_wrapper(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Gradle or Maven itself, as the wrapper fetches it."""
    for line in lines:
        if found := _WRAPPER.search(line.text):
            yield Dependency(found["name"], Ecosystem.TOOL, bare_version(found["version"]), path, line.number)
