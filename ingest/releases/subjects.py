"""What a document's title, its file's name and its folders' names say about product, version and date."""

import re
from collections.abc import Sequence
from dataclasses import replace

from corpus.versions import Version
from ingest.releases.dates import first_date
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
_FILE_VERSION = re.compile(
    r"(?<![\d.])v?((?!0\d)(?:\d+(?:\.\d+)+|\d{1,3}(?:_\d{1,3})+)(?:[._-]?(?:a|b|rc|alpha|beta|dev)\.?\d*)?)(?![\dA-Za-z])"
)
_FILE_MAJOR = re.compile(
    r"(?:(?:^|[._-])v|(?:^|[._-])version[._-]?)([1-9]\d{0,3})(?:\.x)?(?![\dA-Za-z])|(?:^|[._-])([1-9]\d{0,2})\.x\b",
    re.I,
)
_FOLDER_VERSION = re.compile(
    r"(?:[A-Za-z][A-Za-z.]*[-_@])*?v?(?P<version>\d+(?:[._]\d+)+(?:[._-]?(?:a|b|rc|alpha|beta|dev)\.?\d*)?|\d{1,3})(?P<wild>\.x)?",
    re.IGNORECASE,
)
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


def read_title(title: str, *, products: Sequence[str] = ()) -> Subject:
    """What a document's title says: the release it is about and, before the version, the product's name."""
    reading = read_version_line(_telling_part(move_target(title) or title, products), products)
    around = {*folded_words(reading.before), *folded_words(reading.after)} if reading else set()
    # "Upgrading to 2.0" tells of 2.0; what it comes from would have a "from".
    if reading is None or (LOOKS_BACK - MOVES | OLDER) & around:
        return Subject()
    product = reading.subject.product or _product_before(reading.before, products=products)
    return replace(reading.subject, product=product)


def _telling_part(title: str, products: Sequence[str]) -> str:
    """The part of a title with separators ("Assert | Gizmo v18 Documentation") that names version and product."""
    for part in _SEPARATOR.split(title)[1:]:
        reading = read_version_line(part, products)
        if reading is not None and product_words(reading.before):
            return part
    return title


def read_site(title: str) -> Subject:
    """What the site that a page's title names behind its own name documents ("Queue | Gizmo v18.2.0 Documentation")."""
    found = _SITE.fullmatch(title)
    version = Version.try_parse(found["version"]) if found else None
    if found is None or version is None or LOOKS_BACK.intersection(folded_words(found["product"])):
        return Subject()
    return Subject(version, found["version"], found["product"] if product_words(found["product"]) else "")


def read_file_name(stem: str) -> Subject:
    """What a file's name without its extension says: `4.2`, `1.25.0-notes`, `2025-04-23-pytorch-2-7`, `notes_2_8`; of a
    guide what it leads to (`v4-to-v5`)."""
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
    """The version that a folder of pages is named by (`v18`, `3.2`, `release-4.1`, `latest-v20.x`, `15`), or None.

    A year, a number with a leading zero and a name that says more ("2024-notes", "part-2b") are no versions; nor is a
    bare number behind a word ("part-2").
    """
    match = _FOLDER_VERSION.fullmatch(name)
    if match is None:
        return None
    number, before = match["version"], name[: match.start("version")]
    is_bare = number.isdecimal() and not match["wild"]
    if is_bare and (number.startswith("0") or (before and not before.casefold().endswith("v"))):
        return None
    return Version.try_parse(number.replace("_", "."))


def product_words(text: str) -> list[str]:
    """The words of `text` that can be a product's name, as written."""
    return [word for word in words_as_written(text) if not _says_nothing(word)]


def _says_nothing(word: str) -> bool:
    return word.casefold() in RELEASE_WORDS | MOVES


def _product_before(before: str, *, products: Sequence[str]) -> str:
    """The name that stands right before the version: up to two capitalised words, or one that `products` knows."""
    known = {name.casefold() for name in products}
    words = product_words(before)
    for word in words:
        if word.casefold() in known:
            return word
    if not words or (len(words) > 1 and not any(word[0].isupper() for word in words)):
        return ""
    tail: list[str] = []
    written = words_as_written(before)
    end = next(end for end in range(len(written), 0, -1) if not _says_nothing(written[end - 1]))
    for word in reversed(written[max(0, end - 2) : end]):
        if _says_nothing(word) or (not word[0].isupper() and tail):
            break
        tail.insert(0, word)
    return " ".join(tail)
