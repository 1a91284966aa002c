"""Identifies a document: title, product, version, date, authority.

Sources in order of trust: flags, `sources.toml`, front matter, the title, the file's name, the first sentences. What
none of them states stays empty, except the product, which is then named by the document's place.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from pathlib import PurePosixPath
from typing import NamedTuple

from corpus.catalogue import product_fault
from corpus.dates import first_date
from corpus.formats import UNMARKED, format_of_name
from corpus.model import Authority
from corpus.versions import Version, VersionConstraint
from ingest.blocks import MARKUP, PARAGRAPH, ParsedText
from ingest.releases.package_entries import read_package_entry, read_package_name
from ingest.releases.release_headings import ReleaseFacts
from ingest.releases.splitting import Headings, find_release_headings, has_addenda, has_sections
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
    r"(?P<product>[A-Z][\w+#.-]{0,60}(?:\s[A-Z][\w+#-]{0,60})?)[®™]?\s+(?:version\s+)?v?(?P<version>\d+(?:\.\d+)+)(?![\w.]*[%/+])"
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
"""Matches the text that states a product's name in a registry."""
_GENERIC_TITLE = re.compile(r"(?i)\W*(?:change ?log|release notes|history|news|releases|changes|what'?s new)\W*")
_WE_ANNOUNCE = re.compile(
    r"(?i)\bwe(?:'re| are)? (?:(?:very |really )?(?:excited|glad|happy|pleased|proud|thrilled|delighted) to )?"
    r"(?:announc|releas|introduc)"
)
_ANALYST = re.compile(r"(?im)^(?:\w+ )?analysts?(?:['’]s?)?(?: \w+)?: ")
_GUIDE = re.compile(r"(?i)\bmigrat|\bupgrad|\bdeprecat|\bversion numbers|\bpolicy\b|\bguide\b")
_NOTES = re.compile(
    r"(?i)\bchange ?log|\brelease[- ]?notes|\bwhat['’]?s[- ]?new|\bhistory|\bnews\b|\breleased?\b|\bannouncing"
    r"|\bis out\b"
)
_NOTES_FILE = re.compile(
    r"(?i)change[-_. ]?log|(?:\b|_)changes\b|release[-_. ]?notes|relnotes|whats?[-_. ]?new|\bnews\.|\bhistory\."
    r"|\bnotes\b|(?:^|/)release[-_.]v?\d[\d.]*\.[a-z]+$"
)
_WE = re.compile(r"(?i)\b(?:we|our)\b")


@dataclass(frozen=True, slots=True)
class Hints:
    """Facts about a document from outside its text: flags and its entry in `sources.toml`; flags win."""

    product: str | None = None
    aliases: tuple[str, ...] = ()
    version: Version | None = None
    title: str | None = None
    url: str | None = None
    day: date | None = None
    authority: Authority | None = None
    folder: str | None = None
    """The first folder below the ingested root, or its package's folder: names the product if the text doesn't."""
    is_package: bool = False  # Whether `folder` is one package's of several, and its whole name a product's.
    is_prerelease: bool = False  # Whether its release is a prerelease, whatever its number.

    def filled_from(self, other: "Hints") -> "Hints":
        """Return these hints, with the empty ones filled in from `other`."""
        return Hints(*(getattr(self, field.name) or getattr(other, field.name) for field in fields(self)))


class Identity(NamedTuple):
    """What a document as a whole is about."""

    title: str
    product: str
    aliases: tuple[str, ...]
    version: Version | None
    date: date | None
    authority: Authority
    url: str | None
    from_headings: tuple[str, ...] = ()
    """The aliases taken from its headings, or from its first words as the name of its package."""


def identify(parsed: ParsedText, *, source: str, hints: Hints, otherwise: str = "unknown") -> Identity:
    """Return a document's identity; `source` is its relative path or name.

    `otherwise` is the product if none is named (`ingest.releases.subjects.name_by_place`). Front matter's address
    counts only if it is http or https, its title only up to `MAX_TITLE_CHARACTERS`; other titles are cut there. Names
    that no product can have (`product_fault`) are ignored, whatever their source.
    """
    front = _valid_fields(parsed.front_matter)
    path = PurePosixPath(source)
    stem = path.stem if format_of_name(source) else path.name
    # Without the words that don't name the product; a folder named by a version ("gizmo-3.10") may have no other.
    named_folder = None if hints.folder and read_folder_name(hints.folder) else hints.folder
    folder = (hints.folder and not hints.is_package and read_place_name(hints.folder)) or named_folder
    names_stated = (hints.product, front.get("product"), *hints.aliases, folder)
    known = [name for name in names_stated if name and product_fault(name) is None]
    headings = find_release_headings(parsed, products=known)
    is_changelog = _is_changelog(headings) and not has_addenda(parsed, headings)
    package_entry = read_package_entry(parsed.blocks[headings[0].block].title) if headings else None
    spec_name = read_package_name(parsed.text) if package_entry else ""
    stated = hints.title or front.get("title") or spec_name
    title = stated or _top_title(parsed, avoid=headings if is_changelog else ())
    by_file = read_file_name(stem)
    is_prose = not stated and all(block.title != title for block in parsed.blocks[:_TITLE_BLOCKS])
    # A first sentence may be about another release than the one that the file is named by.
    if of_package := spec_name or (package_entry.product if package_entry else ""):
        titled = Subject(product=of_package)
    else:
        titled = read_title("" if is_prose and by_file.version else title, products=known)
        package = "" if titled.version else read_package_title(title, folders=path.parts[:-1])
        if package and package.casefold() != (folder or "").casefold():
            titled = Subject(product=package)
    recurring = Subject(product=_common_product(headings))
    opening = recurring if is_changelog else _opening_release(parsed)
    in_title = "" if titled.product or titled.version else read_name_in_title(title, place=stem)
    from_text = _choose_product(titled, opening, in_title=in_title, folder=folder)
    candidates = (hints.product, front.get("product"), from_text, otherwise)
    product = next((name for name in candidates if name and product_fault(name) is None), "unknown")
    names = {product.casefold(), *(name.casefold() for name in known)}
    # A guide opens as often with a later release ("removed in Gizmo 4.0") as with its own.
    is_own_version = opening.product.casefold() in names and not _is_guide(title, source)
    # The version of the nearest folder that is named by one.
    in_folder = next((version for name in reversed(path.parts[:-1]) if (version := read_folder_name(name))), None)
    is_one_release = not is_changelog or has_sections(parsed.blocks[: headings[0].block])
    version = (
        hints.version
        or Version.try_parse(front.get("version", ""))
        or (_more_exact(titled.version, by_file.version) if is_one_release else None)
        or (None if is_changelog else in_folder)
        or (opening.version if is_own_version else None)
    )
    is_page = bool(front.get("version") or by_file.version or in_folder) and not by_file.day
    day_under_title = None if is_changelog else _date_under_title(parsed, version)
    spelling = _spelling_in(parsed.text[:_SPELLED_CHARACTERS], product) if product != otherwise else ""
    # A package's name may differ from its headings': psycopg2's headings have psycopg.
    # A document in packages/git isn't about Git.
    by_folder = () if hints.is_package or of_package else (folder, named_folder)
    preface = parsed.text[: min(parsed.blocks[headings[0].block].start if headings else _OPENING_CHARACTERS, 2_000)]
    by_text = {hit["name"] or hit["listed"] for hit in _PACKAGED.finditer(preface)} | {recurring.product * is_changelog}
    sure_aliases = {*hints.aliases, *(name for name in (*by_folder, spelling) if name and read_place_name(name))}
    aliases = sure_aliases | {name for name in by_text if name and read_place_name(name)}
    return Identity(
        title=(title or stem)[:MAX_TITLE_CHARACTERS],
        product=product,
        aliases=tuple(sorted(alias for alias in aliases if alias.casefold() != product.casefold())),
        version=version,
        date=hints.day
        or first_date(front.get("date", ""))
        or titled.day
        or by_file.day
        or day_under_title
        or (version.day if version else None),
        authority=hints.authority
        or _authority(parsed, title=title, source=source, is_page=is_page, is_changelog=is_changelog),
        url=hints.url or front.get("url"),
        from_headings=tuple(sorted(aliases - sure_aliases)),
    )


def _more_exact(titled: Version | None, named: Version | None) -> Version | None:
    """Return the title's version, or the file name's if there is none, or if that is of the title's series; or None."""
    if titled is None or named is None or len(named.release) <= len(titled.release):
        return titled or named
    return named if VersionConstraint.exactly(titled).contains(named) else titled


def _common_product(headings: Headings) -> str:
    """Return the only product in the release headings if at least half of them name it; else empty."""
    products = Counter(heading.subject.product for heading in headings if heading.subject.product)
    name, count = products.most_common(1)[0] if len(products) == 1 else ("", 0)
    return name if 2 * count >= len(headings) else ""


def _spelling_in(text: str, product: str) -> str:
    """Return the product's name as the text spells it in words ("Gizmo REST kit" for gizmorestkit), else empty."""
    if len(product) < _MIN_SPELLED or not product.isalnum():
        return ""
    letters = " ?".join(map(re.escape, product))
    spellings = (match[0] for match in re.finditer(rf"(?<!\w){letters}(?!\w)", text, re.IGNORECASE))
    return next((name for name in spellings if _WORDS_OF_NAME.fullmatch(name)), "")


def _valid_fields(front: Mapping[str, str]) -> Mapping[str, str]:
    """Return front matter's fields, the address without its user, unless it is invalid, and no overlong title."""
    if "url" in front:
        front = {**front, "url": without_user(front["url"])}
    return {
        key: value
        for key, value in front.items()
        if (is_web_address(value) if key == "url" else key != "title" or len(value) <= MAX_TITLE_CHARACTERS)
    }


def _top_title(parsed: ParsedText, *, avoid: Headings) -> str:
    """Return the first heading if it is at the top, else the first short line; no heading of `avoid`."""
    for position, block in enumerate(parsed.blocks[:_TITLE_BLOCKS]):
        if block.title == "NAME":
            break  # A manual's page has its title in its first paragraph.
        if block.is_heading:
            return "" if any(heading.block == position for heading in avoid) else block.title
        if block.kind is not MARKUP:
            break
    for block in parsed.blocks[:_TITLE_BLOCKS]:
        if block.kind is PARAGRAPH:
            line = parsed.text[block.start : block.end].splitlines()[0].strip()
            return line if len(line) <= _TITLE_CHARACTERS else ""
    return ""


def _opening_release(parsed: ParsedText) -> Subject:
    """Return product and version from the first paragraph at the top that names both together; empty if none does."""
    for block in parsed.blocks:
        end = min(block.end, _OPENING_CHARACTERS)
        if block.kind is PARAGRAPH and (match := _OPENING.search(parsed.text, block.start, end)):
            words = product_words(match["product"])
            return Subject(Version.try_parse(match["version"]), match["version"], words[-1] if words else "")
    return Subject()


def _choose_product(titled: Subject, opening: Subject, *, in_title: str, folder: str | None) -> str:
    """Return the title's product, else the folder's, else the opening's; a spelling of the folder's own name wins.

    `in_title`, from a title without a version, counts only if no folder names the product ("release-notes" doesn't).
    """
    if folder and read_place_name(folder):
        for name in (titled.product, opening.product):
            if name.casefold() == folder.casefold():
                return name
        return titled.product if titled.product and not _GENERIC_TITLE.fullmatch(titled.product) else folder
    return titled.product or in_title or opening.product


def _is_changelog(headings: Headings) -> bool:
    """Return whether the document has several releases on one level; as a whole, it is about none of them."""
    versions = {(heading.level, heading.subject.version) for heading in headings if heading.subject.version}
    most = Counter(level for level, _ in versions).most_common(1)
    return bool(most and most[0][1] > 1)


def _date_under_title(parsed: ParsedText, version: Version | None) -> date | None:
    """Return the date of the document's own release from the lines below its title; None without a title at the top."""
    title = next((position for position, block in enumerate(parsed.blocks) if block.is_heading), None)
    if title is None or title >= _TITLE_BLOCKS:
        return None
    facts = ReleaseFacts(parsed)
    return facts.date_below(title) or (facts.date_in_prose(title, version) if version else None)


def _is_guide(title: str, source: str) -> bool:
    """Return whether title or place name a guide; the file's name goes before its folders' (`guide/changelog.md`)."""
    name = PurePosixPath(source).name
    place = name if _NOTES_FILE.search(name) else source
    return bool(_GUIDE.search(title) or _GUIDE.search(place))


def _authority(parsed: ParsedText, *, title: str, source: str, is_page: bool, is_changelog: bool) -> Authority:
    """Return a document's kind of author: analysts label their paragraphs, projects write "we" and keep changelogs.

    `is_page`: its place or site names its version, as documentation and notes of a series do.
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
