"""Maven, Gradle and NuGet. Of named versions only Maven's properties and Gradle's catalogues are read, which contain
most of them; if a diff shows only the line of a name, the name gives the product: gson for `gson.version`."""

import re
from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import interval_version
from corpus.dependencies.model import Dependency, Ecosystem, Line, split_parts
from corpus.dependencies.parts import Text, scan_toml, scan_xml

_REFERENCE = re.compile(r"\$[({]?(?P<name>[\w.-]+)[)}]?", re.ASCII)
_NAMED = re.compile(r"(?P<first>[\w.-]+?)(?:[._-]?version)+|version[._-](?P<last>[\w.-]+)", re.IGNORECASE | re.ASCII)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PROJECT_WORDS = frozenset("api app application lang model package product project schema sdk tool".split())
"""Names such as `modelVersion`, which give the version of the project itself or of its file."""
_STATING_ELEMENTS = {"dependency", "plugin", "extension", "parent"}
_PROJECT_ELEMENTS = {"packaging", "name", "description", "url", "inceptionYear"}
_NOTATION = re.compile(
    r"(?:[\"']|\A)(?P<name>[\w.-]+:[\w.-]+):(?P<version>[\w.$({})\[\],+-]+)(?:[:@][\w.-]+)*(?:[\"']|=)"
    r"|\bgroup\s*[:=]\s*[\"'](?P<group>[^\"']+)[\"'],\s*name\s*[:=]\s*[\"'](?P<artifact>[^\"']+)[\"'],\s*"
    r"version\s*[:=]\s*[\"'](?P<stated>[^\"']+)"
    r"|\b(?P<form>id|kotlin)\b[\s(]*[\"'](?P<plugin>[\w.-]+)[\"']\)?\s*\.?version[\s(]*[\"'](?P<at>[^\"'\s)]+)",
    re.ASCII,
)
_NUGET_TAGS = {"PackageReference", "PackageVersion", "GlobalPackageReference", "package"}


def read_pom(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every dependency, plugin, extension and parent with a stated version, as `group:artifact`, and the
    properties named as versions; not the project itself and the exclusions of dependencies."""
    packages: list[Text] = []
    properties: list[Text] = []
    for part in split_parts(lines):
        coordinates: dict[str, str] = {}
        unnested: list[Text] = []
        for element in scan_xml(part):
            *above, tag = element.tags or [""]
            if not element.text:
                coordinates = {} if tag in {"", *_STATING_ELEMENTS} else coordinates
            elif above and above[-1] not in {*_STATING_ELEMENTS, "properties"}:
                continue
            elif tag in {"groupId", "artifactId"}:
                coordinates[tag] = element.text
            elif tag == "version" and "artifactId" in coordinates:
                name = ":".join(filter(None, (coordinates.get("groupId"), coordinates["artifactId"])))
                (packages if above else unnested).append(Text(name, element.text, element.line))
            elif tag in _PROJECT_ELEMENTS:
                # Earlier elements without a parent in the part describe the project itself.
                unnested.clear()
            else:
                properties.append(Text(tag, element.text, element.line))
        packages += unnested
    return fill_in(packages, properties)


def read_gradle(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every dependency in string notation or with named arguments, and every plugin; no variables."""
    for line in lines:
        for match in _NOTATION.finditer(re.split(r"(?:\A|\s)//", line.text)[0]):
            prefix = "org.jetbrains.kotlin." if match["form"] == "kotlin" else ""
            name = match["name"] or (f"{match['group']}:{match['artifact']}" if match["group"] else match["plugin"])
            version = match["version"] or match["stated"] or match["at"]
            yield _maven_dependency(Text(prefix + name, version, line.number))


def read_version_catalogue(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every library and plugin of a `libs.versions.toml` with its version, and the versions that none of them
    uses, under their own names."""
    packages: list[Text] = []
    versions: list[Text] = []
    for part in split_parts(lines):
        fields: dict[str, str] = {}
        for text in scan_toml(part):
            table, alias, field = (*text.where.split(".", 2), "", "")[:3]
            if not alias or text.where.endswith("[]"):
                continue
            name, _, version = text.value.rpartition(":")
            if field in {"", "strictly", "require", "prefer"} and not name and table in {"versions", "?"}:
                versions.append(Text(f"{alias}.version", version, text.line))
            elif not field and name:
                packages.append(Text(name, version, text.line))
            elif field in {"module", "id", "group", "name"}:
                fields = {field: text.value} if field != "name" else fields | {field: text.value}
            elif field in {"version", "version.ref", "version.strictly", "version.require"} and fields:
                version = text.value if field != "version.ref" else f"${text.value}.version"
                packages.append(Text(":".join(fields.values()), version, text.line))
    return fill_in(packages, versions)


def read_project(lines: Sequence[Line]) -> Iterator[Dependency]:
    """Yield every .NET package with a version, given as an attribute or an element; no properties."""
    name = ""
    for element in scan_xml(lines):
        include, version = (
            next(filter(None, map(element.attributes.get, keys)), None)
            for keys in (("Include", "Update", "id"), ("Version", "VersionOverride", "version"))
        )
        if element.tags[-1:] == ("Version",):
            version = Line(element.line, element.text)
        else:
            name = include.text if include and element.tags[-1] in _NUGET_TAGS else ""
        if name and version and version.text:
            yield Dependency(name, Ecosystem.NUGET, interval_version(version.text), version.number)


def fill_in(packages: Sequence[Text], versions: Sequence[Text]) -> Iterator[Dependency]:
    """Yield the packages, each with its version and that one's line, then products that unused versions name."""
    definitions = {version.where: version for version in versions if version.where != "version"}
    used_names = set()
    for package in packages:
        reference = _REFERENCE.fullmatch(package.value)
        name = reference["name"] if reference else ""
        definition = definitions.get(name) or definitions.get(name.rpartition(".")[2], package)
        used_names.add(definition.where)
        yield _maven_dependency(definition._replace(where=package.where))
    for version in versions:
        if version.where not in used_names and (match := _NAMED.fullmatch(version.where)):
            # `gson.version`, `gsonVersion` and `version.gson` are gson's.
            name = _HUMP.sub("-", match["first"] or match["last"]).lower()
            if name not in _PROJECT_WORDS and interval_version(version.value):
                yield _maven_dependency(version._replace(where=name))


def _maven_dependency(text: Text) -> Dependency:
    return Dependency(text.where, Ecosystem.MAVEN, interval_version(text.value), text.line)
