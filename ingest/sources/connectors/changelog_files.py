"""Chooses a project's release notes among its files by their paths, and names their documents.

A project keeps one changelog, or a folder with a page for each release; if it has both, the changelog has it all.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType

from corpus.formats import format_of_name
from corpus.model import Authority
from corpus.versions import Version
from ingest.releases.identity import Hints
from ingest.releases.subjects import read_file_name
from ingest.sources.connectors.archives import Member
from ingest.sources.files import FetchedDocument, is_document_name

_WORDS = r"change[-_. ]?logs?|changes|release[-_. ]?notes|releases|news|history|what'?s?[-_. ]?new"
_CHANGELOG = re.compile(rf"(?:{_WORDS})(?:[-_.][\w.-]{{0,50}})?", re.IGNORECASE)
_RELEASE_FOLDER = re.compile(
    r"(?:release(?:s|[-_ ]?notes)?|change[-_]?logs?|what'?s?[-_]?new|announce(?:ments)?)", re.IGNORECASE
)
_NOT_THE_PROJECT = frozenset(
    """node_modules _vendor third_party thirdparty external extern deps test tests testing __tests__
    example examples fixture fixtures template templates _templates newsfragments changelog.d changes.d news.d
    unreleased site-packages locale locales""".split()
)
_NOT_NOTES = re.compile(r"template|readme|\Achange[-_]?log[-_.]?config", re.IGNORECASE)
_MAX_DEPTH = 5
_MAX_PAGES = 600
_POINTER_BYTES = 1_500
_POINTER_SHARE = 5
_VERSION_LINE = re.compile(
    rb"(?m)^[^\w\n]{0,9}(?:[vV]|[A-Za-z][\w.-]{1,30} v?)?(\d{1,4}(?:\.\w{1,9}){1,4})\b(?! (?:and|or) )"
)
"""Matches a line that begins with a version, possibly after a name; not "11.1.0 and newer", which are elsewhere."""


def is_notes_path(path: str) -> bool:
    """Return whether a file may have release notes; `path` is relative to its project."""
    parts = PurePosixPath(path).parts
    if (
        not parts
        or len(parts) > _MAX_DEPTH
        or any(part.casefold() in _NOT_THE_PROJECT or part.startswith((".", "vendor")) for part in parts[:-1])
    ):
        return False
    name = parts[-1]
    # Tools write JSON files next to the changelog.
    if _NOT_NOTES.search(name) or name.startswith(".") or name.endswith(".json"):
        return False
    return (is_document_name(name) and _CHANGELOG.fullmatch(name) is not None) or _is_release_page(parts)


def choose_notes(members: Sequence[Member]) -> tuple[Member, ...]:
    """Return the files that are release notes, shallowest and longest first; of two with the same content, the first.

    These are at most `_MAX_PAGES` changelogs without those that are short beside others; pages of releases if there
    are none or they only point to pages; both if the pages are newer.
    """
    notes = [member for member in members if is_notes_path(member.path) and member.content.strip()]
    logs = [member for member in notes if _CHANGELOG.fullmatch(PurePosixPath(member.path).name)]
    pages = [member for member in notes if _is_release_page(PurePosixPath(member.path).parts)]
    largest = max((len(member.content) for member in logs), default=0)
    logged = (match[1].decode() for member in logs for match in _VERSION_LINE.finditer(member.content))
    newest_logged = max(filter(None, map(Version.try_parse, logged)), default=None)
    if not logs or (largest <= _POINTER_BYTES and (len(pages) > len(logs) or (pages and newest_logged is None))):
        chosen = pages
    else:
        shortest = min(_POINTER_BYTES, largest // _POINTER_SHARE)
        chosen = [member for member in logs if len(member.content) > shortest or member in pages]
        # Add the pages if the log ends where they begin.
        page_versions = (read_file_name(_stem(member)).version for member in pages)
        chosen += pages if newest_logged and any(page and page > newest_logged for page in page_versions) else []
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
    kin: tuple[str, ...] = (),
) -> tuple[FetchedDocument, ...]:
    """Return the chosen notes as documents. The only one, or the first changelog, is cited by the bare URI, others with
    their path after a `#`. `pages` maps some paths to addresses, `url` is the others'; `kin` has project places."""
    documents = []
    for number, member in enumerate(notes):
        is_main = number == 0 and not _is_release_page(PurePosixPath(member.path).parts)
        source = uri if is_main or len(notes) == 1 else f"{uri}#{member.path}"
        hints = Hints(product=product, url=pages.get(member.path, url), authority=Authority.OFFICIAL)
        documents.append(FetchedDocument(source, member.path, product, member.content, hints, kin))
    return tuple(documents)


def _stem(member: Member) -> str:
    return PurePosixPath(member.path).stem.casefold()


def _is_extracted(member: Member) -> bool:
    known = format_of_name(member.path)
    return known is not None and known.is_extracted


def _is_release_page(parts: Sequence[str]) -> bool:
    """Return whether a file is a page about one release, in a folder of such pages."""
    known = format_of_name(parts[-1])
    if len(parts) < 2 or known is None or not any(map(str.isdecimal, parts[-1])):
        return False
    return any(_RELEASE_FOLDER.fullmatch(part) for part in parts[:-1])
