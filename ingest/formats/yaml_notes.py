"""Notes that are kept in YAML, as Ansible's collections (`changelog.yaml`) and reno's fragments have them: laid out as
the reStructuredText that their own tools make of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import indent

import yaml

from corpus.change_kinds import kind_of_heading
from corpus.errors import SourceError
from ingest.blocks import ParsedText
from ingest.formats.restructuredtext import parse_restructuredtext

_Loader: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
"""Builds strings, lists and mappings only."""
_MAX_DEPTH = 12
_TITLES = {
    "upgrade": "Upgrade notes", "issues": "Known issues", "fixes": "Bug fixes", "features": "New features",
    "critical": "Critical issues", "bugfixes": "Bug fixes", "trivial": "Internal changes", "other": "Other notes",
}  # fmt: skip
"""What reno and antsibull-changelog put above a section that its key doesn't say in words."""
_INTRODUCE = ("prelude", "release_summary")


def parse_yaml_notes(text: str) -> ParsedText:
    """Lay out notes in YAML and find their blocks; the text is what was laid out.

    Raises:
        SourceError: it is no YAML, or other data than notes.
    """
    try:
        notes = _load(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SourceError(f"can't be read as YAML ({' '.join(str(error).split())[:120]})") from error
    releases = notes.get("releases") if isinstance(notes, dict) else None
    lines = [*(_releases(releases) if isinstance(releases, dict) else _sections(notes))]
    if not lines:
        raise SourceError(
            "is YAML without notes as Ansible's collections or reno keep them; give the changelog or the page that is "
            "made from it, as Markdown, HTML or text"
        )
    return replace(parse_restructuredtext("\n".join(lines)), media_type="application/yaml")


def _load(text: str) -> object:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        # A few lines of aliases can be of exponential length.
        if depth > _MAX_DEPTH or isinstance(event, yaml.AliasEvent):
            raise ValueError("lists in lists, or aliases, that no notes have")
    return yaml.load(text, Loader=_Loader)  # noqa: S506


def _releases(releases: Mapping[str, object]) -> Iterator[str]:
    for version, release in releases.items():
        if isinstance(release, dict):
            day = release.get("release_date")
            title = f"{version} ({day})" if day else str(version)
            yield f"{title}\n{'=' * len(title)}\n"
            new = {f"new {kind}": release[kind] for kind in ("modules", "roles", "playbooks") if kind in release}
            changes = release.get("changes")
            yield from _sections({**(changes if isinstance(changes, dict) else {}), **new})


def _sections(changes: object) -> Iterator[str]:
    """Yield the sections of what a release changed; none of a mapping that names no kind of changes."""
    if not isinstance(changes, dict):
        return
    titles = {key: _TITLES.get(key, str(key).replace("_", " ").capitalize()) for key in changes}
    if not any(kind_of_heading(title) or key in _INTRODUCE for key, title in titles.items()):
        return
    for key in sorted(titles, key=lambda key: key not in _INTRODUCE):
        entries = [*_entries(changes[key])]
        if key in _INTRODUCE:
            yield from (line for entry in entries for line in (entry, ""))
        elif entries:
            yield f"{titles[key]}\n{'-' * len(titles[key])}\n"
            yield from (f"- {indent(entry, '  ').lstrip()}\n" for entry in entries)


def _entries(stated: object) -> Iterator[str]:
    for entry in stated if isinstance(stated, Sequence) and not isinstance(stated, str) else (stated,):
        if isinstance(entry, dict):  # a new module
            entry = " - ".join(str(entry[key]) for key in ("name", "description") if entry.get(key))
        if isinstance(entry, str) and entry.strip():
            yield entry.strip()
