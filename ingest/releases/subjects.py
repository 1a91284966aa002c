"""Reads product, version and date from a document's title, its file's name and its folders' names; the product also
from a title without a version ("Gizmo Changelog")."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import PurePath, PurePosixPath
from typing import TypeVar

from corpus.change_kinds import kind_of_heading
from corpus.dates import first_date
from corpus.versions import DAY, Version
from ingest.releases.version_lines import (
    LOOKS_BACK,
    MOVES,
    OLDER,
    RELEASE_WORDS,
    Subject,
    folded_words,
    move_target,
    read_version_line,
    words_as_written,
)

_FILE_DATE = re.compile(r"^((?:19|20)\d\d)-(\d\d)-(\d\d)-")
_STAGE = r"(?:[._-]?(?:a|b|rc|alpha|beta|dev)\.?\d*)?"
_FILE_VERSION = re.compile(rf"(?<![\d.])v?((?!0\d)(?:\d+(?:\.\d+)+|\d{{1,3}}(?:_\d{{1,3}})+){_STAGE})(?![\dA-Za-z])")
_FILE_MAJOR = re.compile(
    r"(?i)(?:(?:^|[._-])v|(?:^|[._-])version[._-]?)([1-9]\d{0,3})(?:\.x)?(?![\dA-Za-z])|(?:^|[._-])([1-9]\d{0,2})\.x\b"
)
_FOLDER_VERSION = re.compile(
    rf"(?i)(?:[A-Za-z][A-Za-z.]*[-_@])*?v?(?P<version>\d+(?:[._]\d+)+{_STAGE}|\d{{1,3}})(?P<wild>\.x)?"
    r"(?:[-_. ](?:docs?|documentation|manual|reference))?"
)
_WHOLE = re.compile(
    rf"(?i)(?:(?:version|release)[ _-]|v)?(?P<version>\d+(?:\.\d+)+[a-z]{{0,2}}{_STAGE}|{DAY.pattern}(?:-\d{{1,3}})?)"
    r"(?: \([^()]*\))?"
)
"""Matches a name that is only a version or a day, possibly with its day in brackets."""
_SITE = re.compile(
    r"(?i)(?:(?!\d\.\d|\bv\d).)+? [|—–·»:-]{1,2} (?P<product>[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*){0,2}),? (?:version )?"
    r"(?P<version>v\d+(?:\.\w+)*|\d+(?:\.\w+)+|\d+(?= [a-z]))(?: (?:documentation|docs|manual|reference|guide))?"
    r"(?: [|—–·»:-].*)?"
)
"""Matches a title without a version, before the name of its site with one."""
_SEPARATOR = re.compile(r"\s[|·—»]\s")
_LEADS_TO = re.compile(r"[._-]to[._-]")
_FILE_DASHED = re.compile(r"(?<=[a-z])-?(\d+)-(\d+)(?:-(\d+))?$")
_FILE_FORMS = (_FILE_VERSION, _FILE_DASHED, _FILE_MAJOR)
_Word = TypeVar("_Word")
_NO_NAME = RELEASE_WORDS | MOVES
_MAX_NAME_WORDS = 3
_MAX_NAME_CHARACTERS = 60
_MAX_TITLE_CHARACTERS = 160
_NOTES = (
    r"change[ -]?logs?|release[ -](?:notes?|history|log|announcements?|news)|(?:version|revision|update)[ -]history"
    r"|what['’]?s[ -]new"
)
_ALSO_PROSE = "news|history|releases|changes"
_REMARK = r"(?:(?<!\s)\s++[–—-]{1,3}\s.*)?"
_NAME_FIRST = re.compile(rf"(?i)\A(?P<name>.+?)(?:['’]s)?(?<![\W_])[\W_]++(?:{_NOTES}|{_ALSO_PROSE})(?:\W*|{_REMARK})")
_NAME_LAST = re.compile(
    rf"(?i)\A\W*(?:(?:(?:(?:overview|list|summary|history)\s+of|user[ -]visible)\s+)?(?:{_NOTES}|{_ALSO_PROSE})"
    rf"(?:\s+(?:for|from|of|in|to)\s+|\s*[:|–—-]\s*)|(?:{_NOTES})\s+)(?P<name>@?\w.*?){_REMARK}"
)
_WORD = re.compile(r"[^\s,;:|()\[\]{}<>\"“”`*–—]+")
_GENERIC = RELEASE_WORDS | frozenset(
    """abi about all announce announcements api archive article articles behavior behaviour blog breaking bug bugs
    changed clean complete content contents corpora corpus corrections current data default detailed doc docs
    document documentation documents download downloads draft file files fix fixes full home important
    incompatible index info information internal introduction known lib library list main master migrating minor
    misc my notable noteworthy old online our overall package packages page pages post posts product project projects
    readme recent repo repository revision section seeds series site software source sources src sub subproject
    technical temp test tests text tmp top untitled upcoming upgrades upgrading user users version web website
    welcome whatsnew wiki work workspace""".split()
)
"""Usual names of any project's documents and folders; none is a product's name by itself."""
_JOINING = frozenset("and or with from by at as per are were be been see you your we all any".split())
_SCOPED = re.compile(r"(?i)@[a-z0-9~][\w.~-]*/[\w.~-]+")
_PACKAGES = frozenset("packages crates libs apps plugins modules".split())
"""Names of folders in which even a single folder is a package."""
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")
_HASH = re.compile(r"(?i)(?=[a-f]*\d)[0-9a-f]{7,}|[0-9a-f]{12,}")
_MIN_RANDOM_CHARACTERS, _MIN_RANDOM_DIGITS = 12, 5
_NUMBER = re.compile(r"(?i)v?\d[\w.+]*")
_NUMBER_AFTER = re.compile(r"(?:\.\d+)+$")
_OWN_ADDRESS = re.compile(
    r"(?m)^\.\. (?:py:)?(?:current)?module::[ \t]+(?P<module>\w+)|https?://(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)/[\w.-]+/(?P<repo>[\w.-]+)/(?:-/)?"
    r"(?:compare|releases|issues|pulls?|pull-requests|merge_requests|commits?|tags?)/"
)
_MIN_LINKS = 3
_TOKEN = re.compile(r"[^\W_]+(?:[.+#][^\W_]+)*[+#]*|\+\+")
_EXTENSION = re.compile(r"(?<=.)\.[A-Za-z]{2,9}$")


def read_title(title: str, *, products: Sequence[str] = ()) -> Subject:
    """Return a document's release as its title states it, with the product's name before the version; else empty."""
    title = move_target(title) or title
    # The part that names product and version ("Assert | Gizmo v18 Docs").
    readings = (read_version_line(part, products) for part in _SEPARATOR.split(title)[1:])
    part = next((reading for reading in readings if reading and product_words(reading.before)), None)
    reading = part or read_version_line(title, products)
    around = {*folded_words(reading.before), *folded_words(reading.after)} if reading else set()
    # "Upgrading to 2.0" is about 2.0; an older version would follow "from".
    if reading is None or (LOOKS_BACK - MOVES | OLDER) & around:
        return Subject()
    product = reading.subject.product or _product_before(reading.before, products=products)
    return replace(reading.subject, product=product)


def read_site(title: str) -> Subject:
    """Return the release that a site's name after a page's title documents ("Queue | Gizmo v18.2.0 Documentation")."""
    match = _SITE.fullmatch(title)
    version = Version.try_parse(match["version"]) if match else None
    if match is None or version is None or LOOKS_BACK.intersection(folded_words(match["product"])):
        return Subject()
    return Subject(version, match["version"], match["product"] if product_words(match["product"]) else "")


def read_file_name(stem: str) -> Subject:
    """Return the release that a file's name without extension states: `4.2`, `1.25.0-notes`, `2025-04-23-pytorch-2-7`,
    `notes_2_8`; a guide's is its target (`v4-to-v5`)."""
    if (match := _WHOLE.fullmatch(stem)) and (whole := Version.try_parse(match["version"])):
        return Subject(whole, whole.label, day=whole.day)
    day = None
    if dated := _FILE_DATE.match(stem):
        day = first_date("-".join(dated.groups()))
        stem = stem[dated.end() :]
    stem = _LEADS_TO.split(stem)[-1]
    match = next((hit for form in _FILE_FORMS if (hit := form.search(stem))), None)
    numbers = [part for part in match.groups() if part] if match else []
    version = Version.try_parse(".".join(numbers).replace("_", "."))
    return Subject(version=version, label=version.label if version else "", day=day)


def read_folder_name(name: str) -> Version | None:
    """Return the version that names a folder of pages (`v18`, `3.2`, `release-4.1`, `latest-v20.x`, `15`), else None.

    No versions: a year, a leading zero, a longer name ("2024-notes", "part-2b"), a number after a word ("part-2").
    """
    if whole := _WHOLE.fullmatch(name):
        return Version.try_parse(whole["version"])
    match = _FOLDER_VERSION.fullmatch(name)
    if match is None:
        return None
    number, before = match["version"], name[: match.start("version")]
    is_bare = number.isdecimal() and not match["wild"]
    if is_bare and (number.startswith("0") or (before and not before.casefold().endswith("v"))):
        return None
    return Version.try_parse(number.replace("_", "."))


def product_words(text: str) -> list[str]:
    """Return the words of `text` that can be a product's name, as written."""
    return [word for word in words_as_written(text) if word.casefold() not in _NO_NAME]


def _product_before(before: str, *, products: Sequence[str]) -> str:
    """Return the name before a version: one of `products`, else up to two capitalised words; empty if there is none."""
    known = {name.casefold() for name in products}
    words = product_words(before)
    if named := next((word for word in words if word.casefold() in known), ""):
        return named
    if not words or (len(words) > 1 and not any(word[0].isupper() for word in words)):
        return ""
    tail: list[str] = []
    written = words_as_written(before)
    end = next(end for end in range(len(written), 0, -1) if written[end - 1].casefold() not in _NO_NAME)
    for word in reversed(written[max(0, end - 2) : end]):
        if word.casefold() in _NO_NAME or (not word[0].isupper() and tail):
            break
        tail.insert(0, word)
    return " ".join(tail) if any(word.casefold() not in _GENERIC for word in tail) else ""


def read_name_in_title(title: str, *, place: str = "") -> str:
    """Return the product's name in a title without a version, at most three words; empty if it names none.

    "Gizmo" for "Gizmo Changelog" and "What's new in Gizmo"; none for "Latest changes" and "Breaking Changes". A name
    before a colon ("Gizmo.js: Errors") counts if the file's `place` has it, in any spelling ("errors gizmojs 2.0.md").
    """
    if len(title) > _MAX_TITLE_CHARACTERS:
        return ""
    for form in (_NAME_LAST, _NAME_FIRST):
        if (match := form.fullmatch(title.strip())) and (name := _name_of(match["name"])):
            return name
    name, colon, _ = title.partition(":")
    folded = letters(name)
    return name.strip() if colon and _name_of(name) and folded and folded in map(letters, _TOKEN.findall(place)) else ""


def letters(text: str) -> str:
    """Return the letters and digits of a name, equal for all of its spellings ("Gizmo.js", gizmojs)."""
    return "".join(filter(str.isalnum, text.casefold()))


def read_own_name(text: str) -> str:
    """Return the name in a document's own addresses: the module that it documents (`.. currentmodule:: gizmo`), else
    the repository that most of several links to changes lead to; empty if there is none."""
    hits = [*_OWN_ADDRESS.finditer(text)]
    links = Counter(hit["repo"] for hit in hits if hit["repo"])
    name, count = links.most_common(1)[0] if links else ("", 0)
    by_links = name if count >= _MIN_LINKS and 2 * count > links.total() else ""
    return next((hit["module"] for hit in hits if hit["module"]), by_links)


def name_by_place(source: str, *, root: str) -> str:
    """Return a name for the product of a document that states none: its file's, else the ingested folder's.

    `source` is relative to `root`; for a single file, `root` is the file itself. A folder's usual name ("docs") is
    better than none, for a machine-made one it is "unknown". Pages below a folder named by a version name no product.
    """
    path, place = PurePosixPath(source), PurePath(root)
    folder = place.parent.name if place.name == path.name and len(path.parts) == 1 else place.name
    is_versioned = any(read_folder_name(name) for name in path.parts[:-1])
    by_file = "" if is_versioned else read_place_name(_EXTENSION.sub("", path.name))
    return by_file or read_place_name(folder) or (folder if folder and not _is_machine_made(folder) else "unknown")


def package_folders(names: Iterable[str]) -> frozenset[str]:
    """Return the folders of a monorepo's packages: they are next to each other, each with notes in a file of the same
    name (`packages/form/CHANGELOG.md`, `packages/core/CHANGELOG.md`).

    `names` are paths relative to what was ingested. Folders named by a version or a language, and those below a
    version, contain pages of one product. Right below the root, where any folder names a product, only those count
    that share the first word of their names (`gizmo` and `gizmo-log`).
    """
    siblings: dict[tuple[PurePosixPath, str], set[PurePosixPath]] = {}
    for path in map(PurePosixPath, names):
        is_page = any(map(read_folder_name, path.parts[:-1]))
        if len(path.parts) > 1 and not is_page and _names_package(path.parent.name) and not read_place_name(path.stem):
            siblings.setdefault((path.parents[1], path.stem.casefold()), set()).add(path.parent)
    chosen: set[PurePosixPath] = set()
    for (above, _), folders in siblings.items():
        family = Counter(_TOKEN.findall(folder.name)[0].casefold() for folder in folders)
        are_packages = len(folders) > 1 or above.name.casefold() in _PACKAGES
        if are_packages and not all(_LANGUAGE.fullmatch(folder.name) for folder in folders):
            alike = (folder for folder in folders if family[_TOKEN.findall(folder.name)[0].casefold()] > 1)
            chosen |= folders if above.name else set(alike)
    return frozenset(folder.as_posix() for folder in chosen)


def _names_package(folder: str) -> bool:
    """Return whether a folder's name can be a package's: words of its own, no version, not machine-made."""
    tokens = list(_TOKEN.finditer(folder))
    is_specific = any(not _is_generic(token) for token in tokens) and not _is_machine_made(folder)
    return is_specific and not any(_NUMBER.fullmatch(token[0]) for token in tokens)


def read_package_title(title: str, *, folders: Sequence[str]) -> str:
    """Return the package that a title names, else empty: in a notation for packages ("@acme/form", "Changelog -
    @acme/form"), or like one of the document's `folders`, possibly after its family's name ("acme-form" in `form`)."""
    ends = tuple(f"{mark}{folder.casefold()}" for folder in folders for mark in "-_./")
    for name in (title.strip(), read_name_in_title(title)):
        if _SCOPED.fullmatch(name) or (" " not in name and f"/{name}".casefold().endswith(ends)):
            return name
    return ""


def _name_of(text: str) -> str:
    """Return the name in a phrase, without usual words at its ends and numbers; empty if it isn't a name."""
    words = [word.strip(".!?'’-_") for word in _WORD.findall(text)]
    words = [word for word in words if word and not _NUMBER.fullmatch(word)]
    if {word.casefold() for word in words} & (LOOKS_BACK | _JOINING):
        return ""
    words = _without_ends(words, lambda word: word.casefold() in _GENERIC)
    name = " ".join(words)
    # A phrase isn't a name: one of several words has a capital.
    is_phrase = len(words) > 1 and not any(word[0].isupper() for word in words)
    is_name = len(words) <= _MAX_NAME_WORDS and len(name) <= _MAX_NAME_CHARACTERS and kind_of_heading(name) is None
    return name if is_name and not is_phrase else ""


def read_place_name(text: str) -> str:
    """Return a file's or folder's name without usual words and versions at its ends: `gizmo-notes-2.0` -> `gizmo`."""
    if _is_machine_made(text):
        return ""
    tokens = _without_ends(list(_TOKEN.finditer(text)), _is_generic)
    name = text[tokens[0].start() : tokens[-1].end()] if tokens else ""
    return name if len(tokens) <= _MAX_NAME_WORDS and len(name) <= _MAX_NAME_CHARACTERS else ""


def _without_ends(words: list[_Word], is_left_out: Callable[[_Word], bool]) -> list[_Word]:
    """Return the words without those at both ends that `is_left_out` matches."""
    kept = [position for position, word in enumerate(words) if not is_left_out(word)]
    return words[kept[0] : kept[-1] + 1] if kept else []


def _is_machine_made(text: str) -> bool:
    """Return whether part of a name is a hash, an id or a date without dashes."""
    return any(
        _HASH.fullmatch(token)
        or (len(token) >= _MIN_RANDOM_CHARACTERS and sum(map(str.isdigit, token)) >= _MIN_RANDOM_DIGITS)
        for token in _TOKEN.findall(text)
    )


def _is_generic(token: re.Match[str]) -> bool:
    return _NUMBER_AFTER.sub("", token[0]).casefold() in _GENERIC or _NUMBER.fullmatch(token[0]) is not None
