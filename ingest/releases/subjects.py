"""What a document's title, its file's name and its folders' names say about product, version and date; a product's name
also where no version stands beside it ("Gizmo Changelog")."""

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
    r"(?:(?:^|[._-])v|(?:^|[._-])version[._-]?)([1-9]\d{0,3})(?:\.x)?(?![\dA-Za-z])|(?:^|[._-])([1-9]\d{0,2})\.x\b",
    re.I,
)
_FOLDER_VERSION = re.compile(
    rf"(?:[A-Za-z][A-Za-z.]*[-_@])*?v?(?P<version>\d+(?:[._]\d+)+{_STAGE}|\d{{1,3}})(?P<wild>\.x)?"
    r"(?:[-_. ](?:docs?|documentation|manual|reference))?",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    rf"(?:(?:version|release)[ _-]|v)?(?P<version>\d+(?:\.\d+)+[a-z]{{0,2}}{_STAGE}|{DAY.pattern}(?:-\d{{1,3}})?)"
    r"(?: \([^()]*\))?",
    re.I,
)
"""A name that is a version or a day, with its day in brackets at most."""
_SITE = re.compile(
    r"(?:(?!\d\.\d|\bv\d).)+? [|—–·»:-]{1,2} (?P<product>[A-Z][\w.+#-]*(?: [A-Z][\w.+#-]*){0,2}),? (?:version )?"
    r"(?P<version>v\d+(?:\.\w+)*|\d+(?:\.\w+)+|\d+(?= [a-z]))(?: (?:documentation|docs|manual|reference|guide))?"
    r"(?: [|—–·»:-].*)?",
    re.IGNORECASE,
)
"""A title without a version of its own, and the name of a site that has one."""
_SEPARATOR = re.compile(r"\s[|·—»]\s")
_LEADS_TO = re.compile(r"[._-]to[._-]")
_FILE_DASHED = re.compile(r"(?<=[a-z])-?(\d+)-(\d+)(?:-(\d+))?$")
_FILE_FORMS = (_FILE_VERSION, _FILE_DASHED, _FILE_MAJOR)
_Word = TypeVar("_Word")
_SAYS_NOTHING = RELEASE_WORDS | MOVES
_MAX_NAME_WORDS = 3
_MAX_NAME_CHARACTERS = 60
_MAX_TITLE_CHARACTERS = 160
_NOTES = (
    r"change[ -]?logs?|release[ -](?:notes?|history|log|announcements?|news)|(?:version|revision|update)[ -]history"
    r"|what['’]?s[ -]new"
)
_ALSO_PROSE = "news|history|releases|changes"
_REMARK = r"(?:\s+[–—-]{1,3}\s.*)?"
_NAME_FIRST = re.compile(rf"(?P<name>.+?)(?:['’]s)?[\W_]+(?:{_NOTES}|{_ALSO_PROSE})(?:\W*|{_REMARK})", re.IGNORECASE)
_NAME_LAST = re.compile(
    rf"\W*(?:(?:(?:(?:overview|list|summary|history)\s+of|user[ -]visible)\s+)?(?:{_NOTES}|{_ALSO_PROSE})"
    rf"(?:\s+(?:for|from|of|in|to)\s+|\s*[:|–—-]\s*)|(?:{_NOTES})\s+)(?P<name>@?\w.*?){_REMARK}",
    re.IGNORECASE,
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
"""What documents and folders of every project are called; no product's name by itself."""
_JOINING = frozenset("and or with from by at as per are were be been see you your we all any".split())
_SCOPED = re.compile(r"@[a-z0-9~][\w.~-]*/[\w.~-]+", re.IGNORECASE)
_HOLD_PACKAGES = frozenset("packages crates libs apps plugins modules".split())
"""Folders of which each one in them is a package, if it were the only one."""
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][A-Za-z]{2,4})?")
_HASH = re.compile(r"(?=[a-f]*\d)[0-9a-f]{7,}|[0-9a-f]{12,}", re.IGNORECASE)
_MIN_RANDOM_CHARACTERS, _MIN_RANDOM_DIGITS = 12, 5
_NUMBER = re.compile(r"v?\d[\w.+]*", re.IGNORECASE)
_NUMBER_AFTER = re.compile(r"(?:\.\d+)+$")
_TOKEN = re.compile(r"[^\W_]+(?:[.+#][^\W_]+)*[+#]*|\+\+")
_EXTENSION = re.compile(r"(?<=.)\.[A-Za-z]{2,9}$")


def read_title(title: str, *, products: Sequence[str] = ()) -> Subject:
    """Return what a document's title says: the release it is about and, before the version, the product's name."""
    reading = read_version_line(_naming_part(move_target(title) or title, products), products)
    around = {*folded_words(reading.before), *folded_words(reading.after)} if reading else set()
    # "Upgrading to 2.0" tells of 2.0; what it comes from would have a "from".
    if reading is None or (LOOKS_BACK - MOVES | OLDER) & around:
        return Subject()
    product = reading.subject.product or _product_before(reading.before, products=products)
    return replace(reading.subject, product=product)


def _naming_part(title: str, products: Sequence[str]) -> str:
    """Return the part of a title with separators ("Assert | Gizmo v18 Docs") that names version and product."""
    readings = ((part, read_version_line(part, products)) for part in _SEPARATOR.split(title)[1:])
    return next((part for part, reading in readings if reading and product_words(reading.before)), title)


def read_site(title: str) -> Subject:
    """What the site that a page's title names behind its own name documents ("Queue | Gizmo v18.2.0 Documentation")."""
    found = _SITE.fullmatch(title)
    version = Version.try_parse(found["version"]) if found else None
    if found is None or version is None or LOOKS_BACK.intersection(folded_words(found["product"])):
        return Subject()
    return Subject(version, found["version"], found["product"] if product_words(found["product"]) else "")


def read_file_name(stem: str) -> Subject:
    """Return what a file's name without its extension says: `4.2`, `1.25.0-notes`, `2025-04-23-pytorch-2-7`,
    `notes_2_8`; of a guide what it leads to (`v4-to-v5`)."""
    if (found := _WHOLE.fullmatch(stem)) and (whole := Version.try_parse(found["version"])):
        return Subject(whole, whole.label, day=whole.day)
    day = None
    if dated := _FILE_DATE.match(stem):
        day = first_date("-".join(dated.groups()))
        stem = stem[dated.end() :]
    stem = _LEADS_TO.split(stem)[-1]
    found = next((match for form in _FILE_FORMS if (match := form.search(stem))), None)
    numbers = [part for part in found.groups() if part] if found else []
    version = Version.try_parse(".".join(numbers).replace("_", "."))
    return Subject(version=version, label=version.label if version else "", day=day)


def read_folder_name(name: str) -> Version | None:
    """Read the version that names a folder of pages (`v18`, `3.2`, `release-4.1`, `latest-v20.x`, `15`); None for none.

    A year, a number with a leading zero and a name that says more ("2024-notes", "part-2b") are no versions; nor is a
    bare number behind a word ("part-2").
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
    return [word for word in words_as_written(text) if word.casefold() not in _SAYS_NOTHING]


def _product_before(before: str, *, products: Sequence[str]) -> str:
    """Return the name right before the version: up to two capitalised words, or one that `products` knows."""
    known = {name.casefold() for name in products}
    words = product_words(before)
    if named := next((word for word in words if word.casefold() in known), ""):
        return named
    if not words or (len(words) > 1 and not any(word[0].isupper() for word in words)):
        return ""
    tail: list[str] = []
    written = words_as_written(before)
    end = next(end for end in range(len(written), 0, -1) if written[end - 1].casefold() not in _SAYS_NOTHING)
    for word in reversed(written[max(0, end - 2) : end]):
        if word.casefold() in _SAYS_NOTHING or (not word[0].isupper() and tail):
            break
        tail.insert(0, word)
    return " ".join(tail) if any(word.casefold() not in _GENERIC for word in tail) else ""


def read_name_in_title(title: str, *, place: str = "") -> str:
    """Return the name that a title without a version gives to what its notes are about; empty where it gives none.

    At most three words are a name. "Gizmo Changelog", "What's new in Gizmo"; not "Latest changes", "Breaking Changes".
    What stands before a colon ("Gizmo.js: Errors") is one where the file's `place` is called so as well, in whatever
    spelling ("errors gizmojs 2.0.md").
    """
    if len(title) > _MAX_TITLE_CHARACTERS:
        return ""
    for form in (_NAME_LAST, _NAME_FIRST):
        if (match := form.fullmatch(title.strip())) and (name := _name(match["name"])):
            return name
    name, colon, _ = title.partition(":")
    folded = letters(name)
    return name.strip() if colon and _name(name) and folded and folded in map(letters, _TOKEN.findall(place)) else ""


def letters(text: str) -> str:
    """Return the letters and digits of a name, by which its spellings are one ("Gizmo.js", gizmojs)."""
    return "".join(filter(str.isalnum, text.casefold()))


def name_by_place(source: str, *, root: str) -> str:
    """What to call the product of a document that nobody names: by its file, else by the folder that was ingested.

    `source` is relative to `root`; for a single file, `root` is the file itself. A folder whose name says nothing
    ("docs") is still a name, one that a machine gave is none: "unknown". Below a folder that is named by a version,
    files are pages of one product, and none of them names it.
    """
    path, place = PurePosixPath(source), PurePath(root)
    folder = place.parent.name if place.name == path.name and len(path.parts) == 1 else place.name
    is_versioned = any(read_folder_name(name) for name in path.parts[:-1])
    by_file = "" if is_versioned else read_place_name(_EXTENSION.sub("", path.name))
    return by_file or read_place_name(folder) or (folder if folder and not _is_machine_made(folder) else "unknown")


def package_folders(names: Iterable[str]) -> frozenset[str]:
    """Return the folders of packages that lie beside each other, each with notes of its own called alike
    (`packages/form/CHANGELOG.md`, `packages/core/CHANGELOG.md`): a monorepo's, below the folder of a project.

    `names` are paths relative to what was ingested. Folders named by a version or a language hold pages of one product,
    and so do those below a version.
    Right below the root any folder names a product: there only those count that begin alike (`gizmo` and `gizmo-log`).
    """
    beside: dict[tuple[PurePosixPath, str], set[PurePosixPath]] = {}
    for path in map(PurePosixPath, names):
        is_page = any(map(read_folder_name, path.parts[:-1]))
        if len(path.parts) > 1 and not is_page and _names_package(path.parent.name) and not read_place_name(path.stem):
            beside.setdefault((path.parents[1], path.stem.casefold()), set()).add(path.parent)
    found: set[PurePosixPath] = set()
    for (above, _), folders in beside.items():
        family = Counter(_TOKEN.findall(folder.name)[0].casefold() for folder in folders)
        are_packages = len(folders) > 1 or above.name.casefold() in _HOLD_PACKAGES
        if are_packages and not all(_LANGUAGE.fullmatch(folder.name) for folder in folders):
            alike = (folder for folder in folders if family[_TOKEN.findall(folder.name)[0].casefold()] > 1)
            found |= folders if above.name else set(alike)
    return frozenset(folder.as_posix() for folder in found)


def _names_package(folder: str) -> bool:
    tokens = list(_TOKEN.finditer(folder))
    is_telling = any(not _is_generic(token) for token in tokens) and not _is_machine_made(folder)
    return is_telling and not any(_NUMBER.fullmatch(token[0]) for token in tokens)


def read_package_title(title: str, *, folders: Sequence[str]) -> str:
    """Return the package that a title names by itself: as only packages are called ("@acme/form", "Changelog -
    @acme/form"), or as one of the `folders` that its document lies in, its family's name before it at most ("acme-form"
    in `form`); empty for any other title."""
    ends = tuple(f"{mark}{folder.casefold()}" for folder in folders for mark in "-_./")
    for name in (title.strip(), read_name_in_title(title)):
        if _SCOPED.fullmatch(name) or (" " not in name and f"/{name}".casefold().endswith(ends)):
            return name
    return ""


def _name(text: str) -> str:
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
    """A file's or folder's name without the words, versions and days at its ends that say nothing of the product."""
    if _is_machine_made(text):
        return ""
    tokens = _without_ends(list(_TOKEN.finditer(text)), _is_generic)
    name = text[tokens[0].start() : tokens[-1].end()] if tokens else ""
    return name if len(tokens) <= _MAX_NAME_WORDS and len(name) <= _MAX_NAME_CHARACTERS else ""


def _without_ends(words: list[_Word], is_left_out: Callable[[_Word], bool]) -> list[_Word]:
    kept = [position for position, word in enumerate(words) if not is_left_out(word)]
    return words[kept[0] : kept[-1] + 1] if kept else []


def _is_machine_made(text: str) -> bool:
    """Return whether a part of a name is a hash, an id or a date without dashes."""
    return any(
        _HASH.fullmatch(token)
        or (len(token) >= _MIN_RANDOM_CHARACTERS and sum(map(str.isdigit, token)) >= _MIN_RANDOM_DIGITS)
        for token in _TOKEN.findall(text)
    )


def _is_generic(token: re.Match[str]) -> bool:
    return _NUMBER_AFTER.sub("", token[0]).casefold() in _GENERIC or _NUMBER.fullmatch(token[0]) is not None
