"""Parses notes in YAML or JSON, such as Ansible's collections (`changelog.yaml`) and reno's fragments: laid out as the
reStructuredText that their own tools make of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from textwrap import indent

import yaml

from corpus.change_kinds import kind_of_heading
from corpus.errors import SourceError
from corpus.versions import Version
from ingest.blocks import ParsedText
from ingest.formats.restructuredtext import parse_restructuredtext

_Loader: type = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # Builds strings, lists and mappings only.
_MAX_DEPTH = 12
_TITLES = {
    "upgrade": "Upgrade notes", "issues": "Known issues", "fixes": "Bug fixes", "features": "New features",
    "critical": "Critical issues", "bugfixes": "Bug fixes", "trivial": "Internal changes", "other": "Other notes",
}  # fmt: skip
"""Titles that reno and antsibull-changelog give to sections whose keys aren't the title."""
_PRELUDES = ("prelude", "release_summary", "summary", "description")
_VERSIONS, _DAYS = (
    ("version", "tag", "release", "name"),
    ("date", "release_date", "released", "released_at", "published"),
)
_KINDS, _WORDS = (
    ("type", "kind", "category", "section"),
    ("name", "title", "text", "message", "change", "description", "body"),
)
_NEW, _UNNAMED = ("modules", "roles", "playbooks"), ("changes", "notes", "entries", "items")


def parse_yaml_notes(text: str) -> ParsedText:
    """Lay out notes in YAML as text, and parse it into blocks; offsets count in that text.

    Raises:
        SourceError: it isn't YAML, or is other data than notes.
    """
    try:
        notes = _load_safely(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise SourceError(f"can't be read as YAML ({' '.join(str(error).split())[:120]})") from error
    releases = [*_releases(notes)]
    lines = [line for release in releases for line in _release_lines(*release)]
    if not releases and isinstance(notes, dict) and any(map(_is_section_key, notes)):
        lines = [*_section_lines(notes)]
    if not lines:
        raise SourceError(
            "is YAML or JSON without notes as projects keep them; give the changelog or the page that is "
            "made from it, as Markdown, HTML or text"
        )
    return replace(parse_restructuredtext("\n".join(lines)), media_type="application/yaml")


def _load_safely(text: str) -> object:
    depth = 0
    for event in yaml.parse(text, Loader=_Loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        # A few lines of aliases can be of exponential length.
        if depth > _MAX_DEPTH or isinstance(event, yaml.AliasEvent):
            raise ValueError("lists in lists, or aliases, that no notes have")
    return yaml.load(text, Loader=_Loader)  # noqa: S506


def _releases(notes: object) -> Iterator[tuple[str, object]]:
    """Yield the version and the content of each release in a list or mapping of releases."""
    if isinstance(notes, dict):
        if pairs := [(key, value) for key, value in notes.items() if Version.try_parse(key)]:
            yield from pairs
        else:
            yield from (pair for value in notes.values() if not isinstance(value, str) for pair in _releases(value))
    elif isinstance(notes, list):
        for release in notes:
            if isinstance(release, dict) and (version := _pick(release, _VERSIONS)) and Version.try_parse(version):
                yield version, release


def _release_lines(version: str, content: object) -> Iterator[str]:
    """Yield a release as reStructuredText: its title, bare entries, and sections."""
    release = content if isinstance(content, dict) else {"changes": content}
    day = _pick(release, _DAYS)
    title = f"{version} ({day})" if day else version
    yield f"{title}\n{'=' * len(title)}\n"
    kinds: dict[str, list[object]] = {}
    for key, changes in release.items():
        if key in _NEW:
            kinds.setdefault(f"new {key}", []).append(changes)
        elif key in _UNNAMED and isinstance(changes, dict):
            for kind, listed in changes.items():
                kinds.setdefault(kind, []).append(listed)
        elif key in _UNNAMED or _is_section_key(key):
            for change in changes if isinstance(changes, list) else [changes]:
                kind = _pick(change, _KINDS) if isinstance(change, dict) else ""
                kinds.setdefault(kind or key, []).append(change)
    bare = [changes for key in _UNNAMED for changes in kinds.pop(key, [])]
    yield from (f"- {indent(entry, '  ').lstrip()}\n" for entry in _entry_texts(bare))
    yield from _section_lines(kinds)


def _pick(stated: Mapping[str, object], keys: Sequence[str]) -> str:
    """Return the first text under one of `keys`, else empty."""
    return next((value for key in keys if isinstance(value := stated.get(key), str) and _has_words(value)), "")


def _section_title(key: str) -> str:
    return _TITLES.get(key, key.replace("_", " ").capitalize())


def _is_section_key(key: str) -> bool:
    return key in _PRELUDES or kind_of_heading(_section_title(key)) is not None


def _section_lines(changes: Mapping[str, object]) -> Iterator[str]:
    """Yield sections as reStructuredText, preludes first."""
    for key in sorted(changes, key=lambda key: key not in _PRELUDES):
        entries = [*_entry_texts(changes[key])]
        if key in _PRELUDES:
            yield from (line for entry in entries for line in (entry, ""))
        elif entries:
            yield f"{_section_title(key)}\n{'-' * len(_section_title(key))}\n"
            yield from (f"- {indent(entry, '  ').lstrip()}\n" for entry in entries)


def _entry_texts(stated: object) -> Iterator[str]:
    """Yield the texts of an entry or a list of entries."""
    if isinstance(stated, dict):
        stated = " - ".join(text for key in _WORDS if isinstance(text := stated.get(key), str) and _has_words(text))
    if isinstance(stated, list):
        yield from (entry for part in stated for entry in _entry_texts(part))
    elif isinstance(stated, str) and _has_words(stated):
        yield stated.strip()


def _has_words(text: str) -> bool:
    """Return whether a scalar is more than a blank or a null, which the loader returns as text."""
    return text.strip() not in ("", "null", "~")
