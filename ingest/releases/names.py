"""A product's name where no version stands beside it: in a title ("Gizmo Changelog"), or else in a file's place."""

import re
from collections.abc import Callable
from pathlib import PurePath, PurePosixPath
from typing import TypeVar

from corpus.kinds import kind_of_heading
from ingest.releases.subjects import read_folder_name
from ingest.releases.version_lines import LOOKS_BACK, RELEASE_WORDS

_Word = TypeVar("_Word")
_MAX_WORDS = 3
_MAX_CHARACTERS = 60
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
    rf"(?:\s+(?:for|from|of|in|to)\s+|\s*[:|–—-]\s*)|(?:{_NOTES})\s+)(?P<name>\w.*?){_REMARK}",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\s,;:|()\[\]{}<>\"“”`*–—]+")
_GENERIC = RELEASE_WORDS | frozenset(
    """abi about all announce announcements api archive article articles behavior behaviour blog breaking bug bugs
    changed clean complete content contents corpora corpus corrections current data default detailed doc docs
    document documentation documents download downloads draft file files fix fixes full home important
    incompatible index info information internal introduction known lib library list main master migrating minor
    misc my notable noteworthy old online our overall page pages post posts product project projects readme
    recent repo repository revision section seeds series site software source sources src sub subproject
    technical temp test tests text tmp top untitled upcoming upgrades upgrading user users version web website
    welcome whatsnew wiki work workspace""".split()
)
"""What documents and folders of every project are called; no product's name by itself."""
_JOINING = frozenset("and or with from by at as per are were be been see you your we all any".split())
_HASH = re.compile(r"(?=[a-f]*\d)[0-9a-f]{7,}|[0-9a-f]{12,}", re.IGNORECASE)
_MIN_RANDOM_CHARACTERS, _MIN_RANDOM_DIGITS = 12, 5
_NUMBER = re.compile(r"v?\d[\w.+]*", re.IGNORECASE)
_NUMBER_AFTER = re.compile(r"(?:\.\d+)+$")
_TOKEN = re.compile(r"[^\W_]+(?:[.+#][^\W_]+)*[+#]*|\+\+")
_EXTENSION = re.compile(r"(?<=.)\.[A-Za-z]{2,9}$")


def read_name_in_title(title: str) -> str:
    """The name that a title without a version gives to what its notes are about; empty where it gives none.

    At most three words are a name. "Gizmo Changelog", "What's new in Gizmo"; not "Latest changes", "Breaking Changes".
    """
    if len(title) > _MAX_TITLE_CHARACTERS:
        return ""
    for form in (_NAME_LAST, _NAME_FIRST):
        if (match := form.fullmatch(title.strip())) and (name := _name(match["name"])):
            return name
    return ""


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


def _name(text: str) -> str:
    words = [word.strip(".!?'’-_") for word in _WORD.findall(text)]
    words = [word for word in words if word and not _NUMBER.fullmatch(word)]
    if {word.casefold() for word in words} & (LOOKS_BACK | _JOINING):
        return ""
    words = _without_ends(words, lambda word: word.casefold() in _GENERIC)
    name = " ".join(words)
    # A phrase isn't a name: one of several words has a capital.
    is_phrase = len(words) > 1 and not any(word[0].isupper() for word in words)
    is_name = len(words) <= _MAX_WORDS and len(name) <= _MAX_CHARACTERS and kind_of_heading(name) is None
    return name if is_name and not is_phrase else ""


def read_place_name(text: str) -> str:
    """A file's or folder's name without the words, versions and days at its ends that say nothing of the product."""
    if _is_machine_made(text):
        return ""
    tokens = _without_ends(list(_TOKEN.finditer(text)), _says_nothing)
    name = text[tokens[0].start() : tokens[-1].end()] if tokens else ""
    return name if len(tokens) <= _MAX_WORDS and len(name) <= _MAX_CHARACTERS else ""


def _without_ends(words: list[_Word], is_left_out: Callable[[_Word], bool]) -> list[_Word]:
    kept = [position for position, word in enumerate(words) if not is_left_out(word)]
    return words[kept[0] : kept[-1] + 1] if kept else []


def _is_machine_made(text: str) -> bool:
    """Whether a part of a name is a hash, an id or a date without dashes."""
    return any(
        _HASH.fullmatch(token)
        or (len(token) >= _MIN_RANDOM_CHARACTERS and sum(map(str.isdigit, token)) >= _MIN_RANDOM_DIGITS)
        for token in _TOKEN.findall(text)
    )


def _says_nothing(token: re.Match[str]) -> bool:
    return _NUMBER_AFTER.sub("", token[0]).casefold() in _GENERIC or _NUMBER.fullmatch(token[0]) is not None
