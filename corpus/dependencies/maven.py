"""pom.xml."""

from collections.abc import Iterator, Sequence

from corpus.dependencies.lines import split_parts
from corpus.dependencies.model import Dependency, Ecosystem, Line
from corpus.dependencies.named_versions import Stated, fill_in
from corpus.dependencies.xml_parts import scan_xml

_STATING = {"dependency", "plugin", "extension", "parent"}


def read_pom(path: str, lines: Sequence[Line]) -> Iterator[Dependency]:
    """Every dependency, plugin, extension and parent that states a version, as `group:artifact`, and the properties
    that are named as versions; not the project itself and what dependencies exclude."""
    packages: list[Stated] = []
    properties: list[Stated] = []
    for part in split_parts(lines):
        told: dict[str, str] = {}
        for each in scan_xml(part):
            *above, tag = each.tags or [""]
            if not each.text:
                told = {} if tag in {"", *_STATING} else told
            elif above and above[-1] not in {*_STATING, "properties"}:
                continue
            elif tag in {"groupId", "artifactId"}:
                told[tag] = each.text
            elif tag == "version" and "artifactId" in told:
                name = ":".join(filter(None, (told.get("groupId"), told["artifactId"])))
                packages.append(Stated(name, each.text, each.line))
            else:
                properties.append(Stated(tag, each.text, each.line))
    return fill_in(path, Ecosystem.MAVEN, packages, properties)
