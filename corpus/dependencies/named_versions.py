"""Maven, Gradle and NuGet, whose files give a version a name and state it once: in properties, variables, catalogues.

A diff often shows the line of the name alone: then the name tells whose version it is, `gson.version` gson's.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus.dependencies.bounds import bare_version, interval_version
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.parts import scan_json, scan_toml, scan_xml

_REFERENCE = re.compile(r"\$[({]?(?P<name>[\w.-]+)[)}]?", re.ASCII)
_NAMED = re.compile(r"(?P<first>[\w.-]+?)(?:[._-]?version)+|version[._-](?P<last>[\w.-]+)", re.IGNORECASE | re.ASCII)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OWN = frozenset(
    """api app application assembly file informational lang model package product project schema sdk target-framework
    tool""".split()
)
"""`AssemblyVersion`, `modelVersion`: the project's own, and its file's."""
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
_NUGET_TAGS = {"PackageReference", "PackageVersion", "GlobalPackageReference", "package"}


def read_pom(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every dependency, plugin, extension and parent that states a version, as `group:artifact`, and the properties
    that are named as versions; not the project itself and what dependencies exclude."""
    packages: list[Written] = []
    properties: list[Written] = []
    for part in split_parts(lines):
        place: dict[str, str] = {}
        loose: list[Written] = []
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
                (packages if above else loose).append(Written(name, each.text, each.line))
            elif tag in _OF_PROJECT:
                # What stands before it without a parent in sight is the project itself.
                loose.clear()
            else:
                properties.append(Written(tag, each.text, each.line))
        packages += loose
    return fill_in(Ecosystem.MAVEN, packages, properties)


def read_gradle(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every dependency in string notation or with named arguments, every plugin, and the variables that are named as
    versions."""
    packages: list[Written] = []
    variables: list[Written] = []
    for line in lines:
        text = re.split(r"(?:\A|\s)//", line.text)[0]
        for found in (*_NOTATION.finditer(text), *_ARGUMENTS.finditer(text), *_PLUGIN.finditer(text)):
            parts = found.groupdict()
            group = f"{parts['group']}:" if "group" in parts else ""
            prefix = "org.jetbrains.kotlin." if parts.get("form") == "kotlin" else ""
            version = found["version"]
            is_name = version[0].isalpha()
            packages.append(Written(group + prefix + found["name"], f"${version}" if is_name else version, line.number))
        is_property = _PROPERTY.fullmatch(text)
        named = [is_property] if is_property else _VARIABLE.finditer(text)
        variables += (Written(found["name"], found["version"], line.number) for found in named)
    return fill_in(Ecosystem.MAVEN, packages, variables)


def read_version_catalogue(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every library and plugin of a `libs.versions.toml` with its version, and the versions that none of those in sight
    uses, by their own names."""
    packages: list[Written] = []
    versions: list[Written] = []
    for part in split_parts(lines):
        fields: dict[str, str] = {}
        for each in scan_toml(part):
            alias, _, field = (each.key or "").partition(".")
            if each.in_array or not alias:
                continue
            name, _, version = each.value.rpartition(":")
            if field in {"", "strictly", "require", "prefer"} and not name and each.table in {"versions", None}:
                versions.append(Written(f"{alias}.version", version, each.line))
            elif not field and name:
                packages.append(Written(name, version, each.line))
            elif field in {"module", "id", "group", "name"}:
                fields = {field: each.value} if field != "name" else fields | {field: each.value}
            elif field in {"version", "version.ref", "version.strictly", "version.require"} and fields:
                version = each.value if field != "version.ref" else f"${each.value}.version"
                packages.append(Written(":".join(fields.values()), version, each.line))
    return fill_in(Ecosystem.MAVEN, packages, versions)


def read_wrapper(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Gradle or Maven itself, as the wrapper fetches it."""
    for line in lines:
        if found := _WRAPPER.search(line.text):
            yield Dependency(found["name"], Ecosystem.TOOL, bare_version(found["version"]), line.number)


def read_project(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package with a version, as an attribute or an element, and the properties that are named as versions."""
    packages: list[Written] = []
    properties: list[Written] = []
    for part in split_parts(lines):
        name = ""
        for each in scan_xml(part):
            tag, attributes = each.tags[-1] if each.tags else "", each.attributes
            if not each.text or attributes:
                named = attributes.get("Include") or attributes.get("Update") or attributes.get("id")
                # A tag may go on on the next line.
                name = named or (name if each.text or tag == "Version" else "")
                version = attributes.get("Version") or attributes.get("VersionOverride") or attributes.get("version")
                if tag in _NUGET_TAGS and name and version:
                    packages.append(Written(name, version, each.line))
            elif tag == "Version" and name:
                packages.append(Written(name, each.text, each.line))
            elif tag != "Version":
                properties.append(Written(tag, each.text, each.line))
    return fill_in(Ecosystem.NUGET, packages, properties)


def read_nuget_lock(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its key and the `resolved` under it."""
    for each in scan_json(lines):
        package, key = (None, None, *each.keys)[-2:]
        if key == "resolved" and package:
            yield Dependency(package, Ecosystem.NUGET, bare_version(each.value), each.line)


class Written(NamedTuple):
    """A package, or the name of a version, with the text that says which version."""

    name: str
    version: str
    """It may refer to a name: `${gson.version}`, `$(GsonVersion)`, `$gson`."""
    line: int


def fill_in(ecosystem: Ecosystem, packages: Sequence[Written], versions: Sequence[Written]) -> Iterator[Dependency]:
    """The packages, each with its version and the line that states it, and the named versions that none of them
    uses."""
    named = {each.name: each for each in versions if each.name != "version"}
    used = set()
    for package in packages:
        reference = _REFERENCE.fullmatch(package.version)
        name = reference["name"] if reference else ""
        told = named.get(name) or named.get(name.rpartition(".")[2], package)
        used.add(told.name)
        yield Dependency(package.name, ecosystem, interval_version(told.version), told.line, pin=told.version)
    for each in versions:
        if each.name not in used and (found := _NAMED.fullmatch(each.name)):
            # `gson.version`, `GsonVersion`, `gson_version` and `version.gson` are gson's.
            name = _HUMP.sub("-", found["first"] or found["last"]).lower()
            if name not in _OWN and (version := interval_version(each.version)):
                yield Dependency(name, ecosystem, version, each.line)
