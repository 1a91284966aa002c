"""Maven, Gradle and NuGet. Of named versions Maven's properties and Gradle's catalogues are read, which hold most of
theirs; a diff often shows the line of the name alone: then it tells whose version it is, `gson.version` gson's."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import interval_version
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.parts import Text, scan_toml, scan_xml

_REFERENCE = re.compile(r"\$[({]?(?P<name>[\w.-]+)[)}]?", re.ASCII)
_NAMED = re.compile(r"(?P<first>[\w.-]+?)(?:[._-]?version)+|version[._-](?P<last>[\w.-]+)", re.IGNORECASE | re.ASCII)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_OWN = frozenset("api app application lang model package product project schema sdk tool".split())
"""`modelVersion`: the project's own, and its file's."""
_STATING = {"dependency", "plugin", "extension", "parent"}
_OF_PROJECT = {"packaging", "name", "description", "url", "inceptionYear"}
_NOTATION = re.compile(
    r"(?:[\"']|\A)(?P<name>[\w.-]+:[\w.-]+):(?P<version>[\w.$({})\[\],+-]+)(?:[:@][\w.-]+)*(?:[\"']|=)"
    r"|\bgroup\s*[:=]\s*[\"'](?P<group>[^\"']+)[\"'],\s*name\s*[:=]\s*[\"'](?P<artifact>[^\"']+)[\"'],\s*"
    r"version\s*[:=]\s*[\"'](?P<stated>[^\"']+)"
    r"|\b(?P<form>id|kotlin)\b[\s(]*[\"'](?P<plugin>[\w.-]+)[\"']\)?\s*\.?version[\s(]*[\"'](?P<at>[^\"'\s)]+)",
    re.ASCII,
)
_NUGET_TAGS = {"PackageReference", "PackageVersion", "GlobalPackageReference", "package"}


def read_pom(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every dependency, plugin, extension and parent that states a version, as `group:artifact`, and the properties
    that are named as versions; not the project itself and what dependencies exclude."""
    packages: list[Text] = []
    properties: list[Text] = []
    for part in split_parts(lines):
        place: dict[str, str] = {}
        loose: list[Text] = []
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
                (packages if above else loose).append(Text(name, each.text, each.line))
            elif tag in _OF_PROJECT:
                # Elements before it without a parent in sight describe the project itself.
                loose.clear()
            else:
                properties.append(Text(tag, each.text, each.line))
        packages += loose
    return fill_in(packages, properties)


def read_gradle(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every dependency in string notation or with named arguments, and every plugin; no variables."""
    for line in lines:
        for found in _NOTATION.finditer(re.split(r"(?:\A|\s)//", line.text)[0]):
            prefix = "org.jetbrains.kotlin." if found["form"] == "kotlin" else ""
            name = found["name"] or (f"{found['group']}:{found['artifact']}" if found["group"] else found["plugin"])
            version = found["version"] or found["stated"] or found["at"]
            yield _maven(Text(prefix + name, version, line.number))


def read_version_catalogue(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every library and plugin of a `libs.versions.toml` with its version, and the versions that none of those in sight
    uses, by their own names."""
    packages: list[Text] = []
    versions: list[Text] = []
    for part in split_parts(lines):
        fields: dict[str, str] = {}
        for each in scan_toml(part):
            table, alias, field = (*each.where.split(".", 2), "", "")[:3]
            if not alias or each.where.endswith("[]"):
                continue
            name, _, version = each.value.rpartition(":")
            if field in {"", "strictly", "require", "prefer"} and not name and table in {"versions", "?"}:
                versions.append(Text(f"{alias}.version", version, each.line))
            elif not field and name:
                packages.append(Text(name, version, each.line))
            elif field in {"module", "id", "group", "name"}:
                fields = {field: each.value} if field != "name" else fields | {field: each.value}
            elif field in {"version", "version.ref", "version.strictly", "version.require"} and fields:
                version = each.value if field != "version.ref" else f"${each.value}.version"
                packages.append(Text(":".join(fields.values()), version, each.line))
    return fill_in(packages, versions)


def read_project(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package of .NET with a version, as an attribute or an element; no properties."""
    name = ""
    for each in scan_xml(lines):
        named, stated = (
            next(filter(None, map(each.attributes.get, keys)), None)
            for keys in (("Include", "Update", "id"), ("Version", "VersionOverride", "version"))
        )
        if each.tags[-1:] == ("Version",):
            stated = Line(each.line, each.text)
        else:
            name = named.text if named and each.tags[-1] in _NUGET_TAGS else ""
        if name and stated and stated.text:
            yield Dependency(name, Ecosystem.NUGET, interval_version(stated.text), stated.number)


def fill_in(packages: Sequence[Text], versions: Sequence[Text]) -> Iterator[Dependency]:
    """Yield the packages, each with its version and the line that states it, and the named versions none uses."""
    named = {each.where: each for each in versions if each.where != "version"}
    used = set()
    for package in packages:
        reference = _REFERENCE.fullmatch(package.value)
        name = reference["name"] if reference else ""
        definition = named.get(name) or named.get(name.rpartition(".")[2], package)
        used.add(definition.where)
        yield _maven(definition._replace(where=package.where))
    for each in versions:
        if each.where not in used and (found := _NAMED.fullmatch(each.where)):
            # `gson.version`, `gsonVersion` and `version.gson` are gson's.
            name = _HUMP.sub("-", found["first"] or found["last"]).lower()
            if name not in _OWN and interval_version(each.value):
                yield _maven(each._replace(where=name))


def _maven(written: Text) -> Dependency:
    return Dependency(written.where, Ecosystem.MAVEN, interval_version(written.value), written.line)
