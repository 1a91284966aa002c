"""Project files of .NET, Directory.Packages.props, packages.config and packages.lock.json."""

from collections.abc import Iterator, Sequence

from corpus.dependencies.bounds import bare_version
from corpus.dependencies.json_parts import scan_json
from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.named_versions import Stated, fill_in
from corpus.dependencies.xml_parts import scan_xml

_REFERENCES = {"PackageReference", "PackageVersion", "GlobalPackageReference", "package"}


def read_project(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every package with a version, as an attribute or an element, and the properties that are named as versions."""
    packages: list[Stated] = []
    properties: list[Stated] = []
    for part in split_parts(lines):
        name = ""
        for each in scan_xml(part):
            tag, told = each.tags[-1] if each.tags else "", each.attributes
            if not each.text or told:
                named = told.get("Include") or told.get("Update") or told.get("id")
                # A tag may go on on the next line.
                name = named or (name if each.text or tag == "Version" else "")
                version = told.get("Version") or told.get("VersionOverride") or told.get("version")
                if tag in _REFERENCES and name and version:
                    packages.append(Stated(name, version, each.line))
            elif tag == "Version" and name:
                packages.append(Stated(name, each.text, each.line))
            elif tag != "Version":
                properties.append(Stated(tag, each.text, each.line))
    return fill_in(path, Ecosystem.NUGET, packages, properties)


def read_nuget_lock(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Each package by its key and the `resolved` under it."""
    for part in split_parts(lines):
        for each in scan_json(part):
            package, key = (None, None, *each.keys)[-2:]
            if key == "resolved" and package:
                yield Dependency(package, Ecosystem.NUGET, bare_version(each.value), path, each.line)
