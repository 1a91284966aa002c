"""Who a document is: title, product, version, date, authority.

In the order of trust: flags, `sources.toml`, front matter, the title, the file's name, the first sentences. What nobody
says stays empty, but for the product, which is then called by the document's place.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date
from pathlib import PurePosixPath
from typing import NamedTuple

from corpus.catalogue import product_fault
from corpus.dates import first_date
from corpus.formats import UNMARKED, format_of_name
from corpus.model import Authority
from corpus.versions import Version, VersionConstraint
from ingest.blocks import BlockKind, ParsedText
from ingest.releases.package_entries import read_package_entry, read_package_name
from ingest.releases.release_headings import ReleaseFacts
from ingest.releases.splitting import ReleaseHeading, find_release_headings, has_addenda, has_sections
from ingest.releases.subjects import (
    product_words,
    read_file_name,
    read_folder_name,
    read_name_in_title,
    read_package_title,
    read_place_name,
    read_title,
)
from ingest.releases.version_lines import Subject
from ingest.web_addresses import is_web_address, without_user

MAX_TITLE_CHARACTERS = 500
_TITLE_BLOCKS = 6
_TITLE_CHARACTERS = 160
_OPENING_CHARACTERS = 700
_SPELLED_CHARACTERS, _MIN_SPELLED = 20_000, 8  # Chosen by hand, never fitted.
_WORDS_OF_NAME = re.compile(r"[A-Z]\w+(?: \w{2,}){1,3}")
_OPENING = re.compile(
    r"(?P<product>[A-Z][\w+#.-]*(?:\s[A-Z][\w+#-]*)?)[®™]?\s+(?:version\s+)?v?(?P<version>\d+(?:\.\d+)+)(?![\w.]*[%/+])"
)
_PACKAGED = re.compile(
    r"""(?ix)
    (?:\b(?:PyPI|npm|crates\.io|RubyGems|Maven(?:\sCentral)?|NuGet|Packagist|Hex|CRAN|conda-forge|Docker\sHub)\b
        [^.\n]{0,30}?\b(?:as|under|called|named)(?:\sthe\sname)?(?=\s(?:["'`*]|[\w.]+-\w))
      | \b(?:published|distributed|packaged|available|installed)\b[^.\n]{0,60}?\bas(?=\s["'`*])
      | (?<!\w)(?:pip3?|npm|yarn|pnpm|cargo|gem|uv|conda|brew|composer)\s(?:install|add|require)(?:\s-[\w-]+)*
      | \b(?:package|crate|gem|distribution|artifact|image)(?:'s\sname\sis|\s(?:is\s)?(?:called|named))(?=\s["'`*])
    )\s[`"'*]{0,3}(?P<name>@?[A-Za-z][\w./-]{0,60}\w)
    | ["'`*](?P<listed>@?[A-Za-z][\w./-]{0,60}\w)["'`*]{1,3}\s(?:on|from)\s(?:PyPI|npm|crates|RubyGems|NuGet)\b
    """
)
"""What registries call it, as the words before its releases tell."""
_GENERIC_TITLE = re.compile(
    r"\W*(?:change ?log|release notes|history|news|releases|changes|what'?s new)\W*", re.IGNORECASE
)
_WE_ANNOUNCE = re.compile(
    r"\bwe(?:'re| are)? (?:(?:very |really )?(?:excited|glad|happy|pleased|proud|thrilled|delighted) to )?"
    r"(?:announc|releas|introduc)",
    re.IGNORECASE,
)
_ANALYST = re.compile(r"^(?:\w+ )?analysts?(?:['’]s?)?(?: \w+)?: ", re.IGNORECASE | re.MULTILINE)
_GUIDE = re.compile(r"\bmigrat|\bupgrad|\bdeprecat|\bversion numbers|\bpolicy\b|\bguide\b", re.IGNORECASE)
_NOTES = re.compile(
    r"\bchange ?log|\brelease[- ]?notes|\bwhat['’]?s[- ]?new|\bhistory|\bnews\b|\breleased?\b|\bannouncing|\bis out\b",
    re.IGNORECASE,
)
_NOTES_FILE = re.compile(
    r"change[-_. ]?log|(?:\b|_)changes\b|release[-_. ]?notes|relnotes|whats?[-_. ]?new|\bnews\.|\bhistory\.|\bnotes\b"
    r"|(?:^|/)release[-_.]v?\d[\d.]*\.[a-z]+$",
    re.IGNORECASE,
)
_WE = re.compile(r"\b(?:we|our)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hints:
    """What is known of a document from outside its text: flags and its entry in `sources.toml`, flags first."""

    product: str | None = None
    aliases: tuple[str, ...] = ()
    version: Version | None = None
    title: str | None = None
    url: str | None = None
    day: date | None = None
    authority: Authority | None = None
    folder: str | None = None
    """The first folder below the ingested root, or that of its package: names the product where the text doesn't."""
    is_package: bool = False  # Whether the folder is that of a package among others, so that its whole name is one.
    is_prerelease: bool = False  # Whether its release is out only to be tried, whatever its number says.

    def before(self, other: "Hints") -> "Hints":
        """Return what is said here, else what `other` says."""
        return Hints(*(getattr(self, one.name) or getattr(other, one.name) for one in fields(self)))


class Identity(NamedTuple):
    """What a document is about as a whole."""

    title: str
    product: str
    aliases: tuple[str, ...]
    version: Version | None
    date: date | None
    authority: Authority
    url: str | None
    from_headings: tuple[str, ...] = ()
    """Those of the aliases that are but what its headings call it, or the name of its package in its first words."""


def identify(parsed: ParsedText, *, source: str, hints: Hints, otherwise: str = "unknown") -> Identity:
    """Work out a document's identity; `source` is its relative path or name.

    `otherwise` is the product where nobody names one (`ingest.releases.subjects.name_by_place`). Of front matter, an
    address that isn't http or https and a title over `MAX_TITLE_CHARACTERS` count as not stated; so does what no
    product can be called (`product_fault`), whoever states it. Any other title is cut at that length.
    """
    front = _believable(parsed.front_matter)
    path = PurePosixPath(source)
    stem = path.stem if format_of_name(source) else path.name
    # Drop words that don't name the product; of a folder named by a version ("gizmo-3.10") that may be all.
    named_folder = None if hints.folder and read_folder_name(hints.folder) else hints.folder
    folder = (hints.folder and not hints.is_package and read_place_name(hints.folder)) or named_folder
    named_so = (hints.product, front.get("product"), *hints.aliases, folder)
    known = [name for name in named_so if name and product_fault(name) is None]
    headings = find_release_headings(parsed, products=known)
    is_changelog = _is_changelog(headings) and not has_addenda(parsed, headings)
    packaged = read_package_entry(parsed.blocks[headings[0].block].title) if headings else None
    of_spec = read_package_name(parsed.text) if packaged else ""
    stated = hints.title or front.get("title") or of_spec
    title = stated or _title(parsed, avoid=headings if is_changelog else ())
    # Reno's notes are called by what they tell of ("remove-v2-api-0a1b2c3d4e5f6071").
    named = Subject() if parsed.media_type == "application/yaml" else read_file_name(stem)
    is_line = not stated and all(block.title != title for block in parsed.blocks[:_TITLE_BLOCKS])
    # A first sentence may speak of another release than the file that is named by one.
    if of_package := of_spec or (packaged.product if packaged else ""):
        titled = Subject(product=of_package)
    else:
        titled = read_title("" if is_line and named.version else title, products=known)
        package = "" if titled.version else read_package_title(title, folders=path.parts[:-1])
        if package and package.casefold() != (folder or "").casefold():
            titled = Subject(product=package)
    recurring = Subject(product=_carried(headings))
    opening = recurring if is_changelog else _opening(parsed)
    in_title = "" if titled.product or titled.version else read_name_in_title(title, place=stem)
    found = _product(titled, opening, in_title=in_title, folder=folder)
    candidates = (hints.product, front.get("product"), found, otherwise)
    product = next((name for name in candidates if name and product_fault(name) is None), "unknown")
    names = {product.casefold(), *(name.casefold() for name in known)}
    # A guide opens as often with a later release ("removed in Gizmo 4.0") as with its own.
    tells_own = opening.product.casefold() in names and not _is_guide(title, source)
    # The version that the nearest folder with one is named by.
    in_folder = next((version for name in reversed(path.parts[:-1]) if (version := read_folder_name(name))), None)
    is_one_release = not is_changelog or has_sections(parsed.blocks[: headings[0].block])
    version = (
        hints.version
        or Version.try_parse(front.get("version", ""))
        or (_closer(titled.version, named.version) if is_one_release else None)
        or (None if is_changelog else in_folder)
        or (opening.version if tells_own else None)
    )
    is_page = bool(front.get("version") or named.version or in_folder) and not named.day
    under_title = None if is_changelog else _date_under_title(parsed, version)
    spelled = _spelled(parsed.text[:_SPELLED_CHARACTERS], product) if product != otherwise else ""
    # A package may be called otherwise than its notes: psycopg2's headings say psycopg.
    # A document in packages/git isn't about Git.
    by_folder = () if hints.is_package else (folder, named_folder)
    preface = parsed.text[: min(parsed.blocks[headings[0].block].start if headings else _OPENING_CHARACTERS, 2_000)]
    by_text = {one["name"] or one["listed"] for one in _PACKAGED.finditer(preface)} | {recurring.product * is_changelog}
    surely = {*hints.aliases, *(name for name in (*by_folder, spelled) if name and read_place_name(name))}
    aliases = surely | {name for name in by_text if name and read_place_name(name)}
    return Identity(
        title=(title or stem)[:MAX_TITLE_CHARACTERS],
        product=product,
        aliases=tuple(sorted(alias for alias in aliases if alias.casefold() != product.casefold())),
        version=version,
        date=hints.day
        or first_date(front.get("date", ""))
        or titled.day
        or named.day
        or under_title
        or (version.day if version else None),
        authority=hints.authority
        or _authority(parsed, title=title, source=source, is_page=is_page, is_changelog=is_changelog),
        url=hints.url or front.get("url"),
        from_headings=tuple(sorted(aliases - surely)),
    )


def _closer(titled: Version | None, named: Version | None) -> Version | None:
    """Return the version of the title, or that of the file's name where there is none or it names but its series."""
    if titled is None or named is None or len(named.release) <= len(titled.release):
        return titled or named
    return named if VersionConstraint.exactly(titled).contains(named) else titled


def _carried(headings: Sequence[ReleaseHeading]) -> str:
    """Return the name that at least half of the release headings carry, where it is one and the same; else empty."""
    carried = Counter(heading.subject.product for heading in headings if heading.subject.product)
    name, count = carried.most_common(1)[0] if len(carried) == 1 else ("", 0)
    return name if 2 * count >= len(headings) else ""


def _spelled(text: str, product: str) -> str:
    """Return the product's name as the text spells it in words ("Gizmo REST kit" where a folder is called
    gizmorestkit); empty where it doesn't."""
    if len(product) < _MIN_SPELLED or not product.isalnum():
        return ""
    letters = " ?".join(map(re.escape, product))
    found = (match[0] for match in re.finditer(rf"(?<!\w){letters}(?!\w)", text, re.IGNORECASE))
    return next((name for name in found if _WORDS_OF_NAME.fullmatch(name)), "")


def _believable(front: Mapping[str, str]) -> Mapping[str, str]:
    """Return what front matter states, without what only a hostile or broken one would."""
    if "url" in front:
        front = {**front, "url": without_user(front["url"])}
    return {
        key: value
        for key, value in front.items()
        if (is_web_address(value) if key == "url" else key != "title" or len(value) <= MAX_TITLE_CHARACTERS)
    }


def _title(parsed: ParsedText, *, avoid: Sequence[ReleaseHeading]) -> str:
    """Return the first heading, if it stands at the top, else the first short line; none of the headings to avoid."""
    for position, block in enumerate(parsed.blocks[:_TITLE_BLOCKS]):
        if block.kind is BlockKind.HEADING:
            return "" if any(heading.block == position for heading in avoid) else block.title
        if block.kind is not BlockKind.MARKUP:
            break
    for block in parsed.blocks[:_TITLE_BLOCKS]:
        if block.kind is BlockKind.PARAGRAPH:
            line = parsed.text[block.start : block.end].splitlines()[0].strip()
            return line if len(line) <= _TITLE_CHARACTERS else ""
    return ""


def _opening(parsed: ParsedText) -> Subject:
    """Product and version as the first sentences name them together."""
    for block in parsed.blocks:
        end = min(block.end, _OPENING_CHARACTERS)
        if block.kind is BlockKind.PARAGRAPH and (found := _OPENING.search(parsed.text, block.start, end)):
            words = product_words(found["product"])
            return Subject(Version.try_parse(found["version"]), found["version"], words[-1] if words else "")
    return Subject()


def _product(titled: Subject, opening: Subject, *, in_title: str, folder: str | None) -> str:
    """Return the title's name, else the folder's, else the opening's; a spelling of the folder's own name wins.

    `in_title` is a name that stands there without a version: it counts only where no folder gives one; a folder that is
    called as every project's are ("release-notes") gives none.
    """
    if folder and read_place_name(folder):
        for name in (titled.product, opening.product):
            if name.casefold() == folder.casefold():
                return name
        return titled.product if titled.product and not _GENERIC_TITLE.fullmatch(titled.product) else folder
    return titled.product or in_title or opening.product


def _is_changelog(headings: Sequence[ReleaseHeading]) -> bool:
    """Return whether the document lists several releases, so that none of them is what it is about."""
    versions = {(heading.level, heading.subject.version) for heading in headings if heading.subject.version}
    most = Counter(level for level, _ in versions).most_common(1)
    return bool(most and most[0][1] > 1)


def _date_under_title(parsed: ParsedText, version: Version | None) -> date | None:
    title = next((position for position, block in enumerate(parsed.blocks) if block.kind is BlockKind.HEADING), None)
    if title is None or title >= _TITLE_BLOCKS:
        return None
    facts = ReleaseFacts(parsed)
    return facts.date_below(title) or (facts.date_in_prose(title, version) if version else None)


def _is_guide(title: str, source: str) -> bool:
    """Return whether a title or place says so; a file's own name decides before its folders' (`guide/changelog.md`)."""
    name = PurePosixPath(source).name
    place = name if _NOTES_FILE.search(name) else source
    return bool(_GUIDE.search(title) or _GUIDE.search(place))


def _authority(parsed: ParsedText, *, title: str, source: str, is_page: bool, is_changelog: bool) -> Authority:
    """Told by how a document speaks: analysts' paragraphs are labelled so, projects say "we" and keep changelogs.

    `is_page`: its place or its site names the version it is about, as documentation does, and notes of a series.
    """
    opening = parsed.text[:4_000]
    if _ANALYST.search(parsed.text[:20_000]):
        return Authority.ANALYST
    if _is_guide(title, source):
        return Authority.PROJECT
    if _NOTES_FILE.search(source) or _WE_ANNOUNCE.search(opening):
        return Authority.OFFICIAL
    if _NOTES.search(title) and (_WE.search(opening) or parsed.media_type not in UNMARKED):
        return Authority.OFFICIAL
    return (Authority.OFFICIAL if is_changelog else Authority.PROJECT) if is_page else Authority.UNKNOWN
