"""Chooses a project's release notes among its files by their paths, and names their documents.

A project keeps one changelog, or a folder with a page for each release; if it has both, the changelog has it all.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import PurePosixPath
from types import MappingProxyType

from corpus.formats import format_of_name
from corpus.model import Authority
from corpus.versions import Version, VersionConstraint
from ingest.releases.identity import Hints
from ingest.releases.subjects import read_file_name, read_folder_name, read_place_name
from ingest.sources.connectors.archives import Member, read_package
from ingest.sources.files import FetchedDocument, is_document_name
from ingest.sources.includes import included_paths, target_of

_WORDS = r"change[-_. ]?logs?|changes|release[-_. ]?notes|releases|news|history|what'?s?[-_. ]?new"
_CHANGELOG = re.compile(rf"(?i)(?:{_WORDS})(?:[-_.][\w.-]{{0,50}})?")
_RELEASE_FOLDER = re.compile(r"(?i)(?:release(?:s|[-_ ]?notes)?|change[-_]?logs?|what'?s?[-_]?new|announce(?:ments)?)")
_DOCS = frozenset("doc docs documentation changes news".split())
_NOT_THE_PROJECT = frozenset(
    """node_modules subprojects _vendor third_party thirdparty external extern deps test tests example examples
    template templates _templates newsfragments changelog.d changes.d news.d unreleased locale locales""".split()
)
_MIN_NUMBERED = 3  # As many files in a folder that are named by versions are notes, whatever its name.
_NOT_NOTES = re.compile(r"(?i)template|readme|\Achange[-_]?log[-_.]?config")
_MAX_DEPTH = 5
_MAX_PAGES = 600
_MAX_NAMED = 3
_POINTER_BYTES = 1_500
_POINTER_SHARE = 5
_VERSION_LINE = re.compile(
    rb"(?m)^[^\w\n]{0,9}(?:[vV]|[A-Za-z][\w.-]{1,30} v?)?(\d{1,4}(?:\.\w{1,9}){1,4})\b(?! (?:and|or) )"
)
"""Matches a line that begins with a version, possibly after a name; not "11.1.0 and newer", which are elsewhere."""


def is_notes_path(path: str) -> bool:
    """Return whether a file may have its project's release notes; `path` is relative to the project.

    Notes are at the top or in the documentation, not below folders of other projects' copies.
    """
    parts = PurePosixPath(path).parts
    if not _looks_like_notes(parts) or len(parts) > _MAX_DEPTH or any(map(_is_foreign, parts[:-1])):
        return False
    return len(parts) == 1 or parts[0].casefold() in _DOCS or _RELEASE_FOLDER.fullmatch(parts[0]) is not None


def _looks_like_notes(parts: Sequence[str]) -> bool:
    """Return whether a file is named like a changelog, or like a page on one release."""
    # Tools write JSON files next to the changelog.
    if not parts or _NOT_NOTES.search(parts[-1]) or parts[-1].endswith(".json"):
        return False
    if any(part.startswith(".") for part in parts):
        return False
    is_log = is_document_name(parts[-1]) and _CHANGELOG.fullmatch(parts[-1]) is not None
    return is_log or _is_release_page(parts) or _is_numbered(parts)


def _is_foreign(folder: str) -> bool:
    """Return whether a folder has drafts, examples or copies of other projects (`third_party`, `gizmo-1.2.3`)."""
    is_copy = "." in folder and read_file_name(folder).version is not None and read_place_name(folder) != ""
    return is_copy or folder.startswith("vendor") or folder.casefold() in _NOT_THE_PROJECT


def read_notes(content: bytes) -> tuple[tuple[Member, ...], str]:
    """Return the files of a package's archive that are its release notes, as `choose_notes` does, and a remark that
    names them, and what looks like notes and isn't read.

    Raises:
        SourceError: the archive can't be read; see `read_package`.
    """
    seen: list[str] = []

    def is_wanted(path: str) -> bool:
        seen.append(path)
        return is_notes_path(path)

    members = read_package(content, is_wanted)
    pointers = {member.path: targets for member in members if (targets := _targets(member))}
    if elsewhere := set(chain(*pointers.values())) - {each.path for each in members}:
        members += read_package(content, elsewhere.__contains__)
    places = {member.path for member in members}
    reasons = [
        f"{page} only includes {', '.join(targets)}, which the archive doesn't have"
        for page, targets in pointers.items()
        if not places.issuperset(targets)
    ]
    notes = choose_notes(members)
    if notes:
        reasons.insert(0, f"read {_brief([member.path for member in notes])}")
    known = {*pointers, *(member.path for member in notes)}
    if unread := [*_unread([path for path in seen if path not in known], notes)]:
        reasons.append(f"not read: {_brief(unread)}")
    return notes, "; ".join(reasons)


def _unread(paths: Sequence[str], notes: Sequence[Member]) -> Iterator[str]:
    """Yield the paths that look like notes, or lie in a folder of the notes that were read."""
    folders = {place.parent for member in notes if len((place := PurePosixPath(member.path)).parts) > 1}
    for path in paths:
        place = PurePosixPath(path)
        if _looks_like_notes(place.parts) or (place.parent in folders and is_document_name(place.name)):
            yield path


def choose_notes(members: Sequence[Member]) -> tuple[Member, ...]:
    """Return the files that are release notes, shallowest and longest first; of two with the same content, the first.

    These are at most `_MAX_PAGES` changelogs without those that are short beside others, and the pages of releases that
    no changelog has; only pages if there is no changelog, or it only points to them. What includes another isn't read.
    """
    included = {target for member in members for target in _targets(member)}
    notes = [member for member in members if member.content.strip() and not _targets(member)]
    logs = [
        member for member in notes if _CHANGELOG.fullmatch(PurePosixPath(member.path).name) or member.path in included
    ]
    siblings = Counter(_folder(member) for member in notes if _is_numbered(PurePosixPath(member.path).parts))
    pages = [
        member
        for member in notes
        if _is_release_page(PurePosixPath(member.path).parts) or siblings[_folder(member)] >= _MIN_NUMBERED
    ]
    largest = max((len(member.content) for member in logs), default=0)
    lines = (
        match[1].decode() for member in logs if member not in pages for match in _VERSION_LINE.finditer(member.content)
    )
    logged = set(filter(None, map(Version.try_parse, lines)))
    if not logs or (largest <= _POINTER_BYTES and (len(pages) > len(logs) or (pages and not logged))):
        chosen = pages
    else:
        shortest = min(_POINTER_BYTES, largest // _POINTER_SHARE)
        chosen = [member for member in logs if len(member.content) > shortest or member in pages]
        chosen += [page for page in pages if page not in chosen and _is_unlogged(page, logged)]
    # Prefer a source over the page made from it.
    sources = {_stem(member) for member in chosen if not _is_extracted(member)}
    chosen = [member for member in chosen if not _is_extracted(member) or _stem(member) not in sources]
    unique = {member.content: member for member in reversed(chosen)}.values()
    ordered = sorted(unique, key=lambda member: (member.path.count("/"), -len(member.content), member.path))
    return tuple(ordered[:_MAX_PAGES])


def as_documents(
    notes: Sequence[Member],
    *,
    uri: str,
    product: str,
    url: str | None = None,
    pages: Mapping[str, str] = MappingProxyType({}),
    version: Version | None = None,
) -> tuple[FetchedDocument, ...]:
    """Return the chosen notes as documents, cited by the URI with their path after a `#`. `pages` maps some paths to
    addresses, `url` is the others'. `version` is that of their archive."""
    documents = []
    for member in notes:
        hints = Hints(product=product, url=pages.get(member.path, url), authority=Authority.OFFICIAL)
        source = f"{uri}#{member.path}"
        documents.append(FetchedDocument(source, member.path, product, member.content, hints, version))
    return tuple(documents)


def _is_unlogged(page: Member, logged: Iterable[Version]) -> bool:
    """Return whether the version in a page's name is none of `logged`, and the series of none."""
    version = read_file_name(_stem(page)).version
    return version is not None and not any(map(VersionConstraint.exactly(version).contains, logged))


def _targets(member: Member) -> list[str]:
    """Return the places of what a page includes, if it does nothing else; else none."""
    return [target_of(member.path, path) for path in included_paths(member.content)]


def _brief(paths: Sequence[str]) -> str:
    """Return the first paths, and the number of the others."""
    more = len(paths) - _MAX_NAMED
    return ", ".join(paths[:_MAX_NAMED]) + (f" and {more} more" if more > 0 else "")


def _folder(member: Member) -> PurePosixPath:
    return PurePosixPath(member.path).parent


def _stem(member: Member) -> str:
    return PurePosixPath(member.path).stem.casefold()


def _is_extracted(member: Member) -> bool:
    known = format_of_name(member.path)
    return known is not None and known.is_extracted


def _is_numbered(parts: Sequence[str]) -> bool:
    """Return whether a file in a folder is named by nothing but a version."""
    stem = PurePosixPath(parts[-1]).stem
    is_version = stem.removeprefix("v")[:1].isdecimal() and not stem.isdecimal() and read_folder_name(stem) is not None
    return len(parts) > 1 and is_version and format_of_name(parts[-1]) is not None


def _is_release_page(parts: Sequence[str]) -> bool:
    """Return whether a file is a page about one release, in a folder of such pages."""
    known = format_of_name(parts[-1])
    if len(parts) < 2 or known is None or not any(map(str.isdecimal, parts[-1])):
        return False
    return any(_RELEASE_FOLDER.fullmatch(part) for part in parts[:-1])
