"""Files that people give over the page: taken in, named safely, and kept in the index's folder `uploads`.

A file lies at `uploads/PRODUCT/NAME`, and what was said of it is in `uploads/sources.toml`: the folder can be ingested
like any other. What comes in lies in `uploads/.incoming` until it is ingested.
"""

import errno
import hashlib
import re
import secrets
import threading
import time
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from corpus.errors import UsageError
from corpus.formats import FORMATS, format_of_name
from ingest.releases.identity import Hints
from ingest.sources.sources_toml import SOURCES_FILE, read_descriptions
from ui.library.requests import toml_table

MAX_UPLOAD_BYTES = 32 * 1024 * 1024  # For one file; no document may be larger (`ingest.sources.files`).
MAX_UPLOADS = 50  # Files that wait to be ingested, of everybody together.
MAX_WAITING_BYTES = 256 * 1024 * 1024
UPLOADS = "uploads"
_INCOMING = ".incoming"
_KEPT_S = 3600.0  # How long a file waits to be ingested.
_LEFT_S = 24 * 3600.0
"""After that time a file in `.incoming` is of a server that was killed, not of another's long ingest."""
_MAX_NAME_CHARACTERS, _MAX_NAME_BYTES, _MAX_SUFFIX_BYTES = 60, 180, 12


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came in, where it waits, and the name that it was given by."""

    name: str
    path: Path
    bytes: int


class UploadTooManyError(UsageError):
    """As much waits to be ingested as may."""


class Uploads:
    """The folder of uploads of one index; safe to share between threads."""

    def __init__(self, index: Path) -> None:
        self.folder = index.absolute() / UPLOADS
        self._lock = threading.Lock()
        self._waiting: dict[str, Upload] = {}

    def take_in(self, name: str, content: bytes) -> str:
        """Keep a file until it is ingested; returns the key to it, which can't be guessed.

        Raises:
            UsageError: it is empty, too large, or has no name.
            UploadTooManyError: too many files wait.
            OSError: the disk doesn't take it, or the folder for what comes in is a link.
        """
        shown = safe_name(name)
        if not content.strip():
            raise UsageError(f"{shown!r} is empty.")
        if len(content) > MAX_UPLOAD_BYTES:
            raise UsageError(f"{shown!r} is larger than {MAX_UPLOAD_BYTES // 2**20} MB. Split it.")
        incoming = self.folder / _INCOMING
        with self._lock:
            # What lies behind a link is somebody else's, and neither cleared nor added to.
            if incoming.is_symlink():
                raise OSError(errno.ELOOP, f"{_INCOMING} is a link; remove it", str(incoming))
            incoming.mkdir(parents=True, exist_ok=True)
            self._clear_old(incoming)
            if len(self._waiting) >= MAX_UPLOADS:
                raise UploadTooManyError(
                    f"{MAX_UPLOADS} files wait to be added already. Try again in a moment; none waits over an hour."
                )
            if sum(upload.bytes for upload in self._waiting.values()) + len(content) > MAX_WAITING_BYTES:
                raise UploadTooManyError(
                    f"The files that wait to be added are over {MAX_WAITING_BYTES // 2**20} MB together. "
                    "Add them in smaller lots."
                )
            key = secrets.token_urlsafe(16)
            _write_whole(incoming / key, content)
            self._waiting[key] = Upload(shown, incoming / key, len(content))
            return key

    def _clear_old(self, incoming: Path) -> None:
        now = time.time()
        for path in incoming.iterdir():
            with suppress(OSError):
                if now - path.stat().st_mtime > (_KEPT_S if path.name in self._waiting else _LEFT_S):
                    self._waiting.pop(path.name, None)
                    path.unlink()

    def claim(self, keys: Iterable[str]) -> tuple[Upload, ...]:
        """The files behind the keys, each handed out once; the caller removes or moves it."""
        with self._lock:
            return tuple(self._waiting.pop(key) for key in dict.fromkeys(keys) if key in self._waiting)

    def discard(self, keys: Iterable[str]) -> int:
        """Remove files that won't be ingested, so that they keep no place; how many there were."""
        files = self.claim(keys)
        for file in files:
            file.path.unlink(missing_ok=True)
        return len(files)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are kept, relative to the folder, in order."""
        found = (path.relative_to(self.folder) for path in self.folder.glob("[!.]*/*") if path.is_file())
        return tuple(sorted(path.as_posix() for path in found))

    @property
    def described(self) -> dict[str, Hints]:
        """What the folder's sources.toml says of each file as it is; nothing where it can't be read."""
        try:
            entries = read_descriptions(self.folder / SOURCES_FILE, root=self.folder.resolve())
        except UsageError:
            return {}
        # The first that is of a file's content counts, as it does for an ingest; our paths are no globs.
        return {
            entry.pattern: entry.hints
            for entry in reversed(entries)
            if entry.is_of_content(self.folder / entry.pattern)
        }

    def describe(self, said: Mapping[str, Hints], *, coming: str = "") -> None:
        """Write the folder's sources.toml anew: what it said, and what is `said` now, of the files that are there.

        Before it stands what is said of contents that are `coming`, as tables with their sha256: a server that is
        killed before they are all at their places leaves each file with what is said of what it holds.

        Raises:
            OSError: the disk doesn't take it; then it is as it was.
        """
        with self._lock:
            known = {**self.described, **said}
            text = "".join(toml_table("document", known[path], path=path) for path in self.files if path in known)
            draft = self.folder / f".{SOURCES_FILE}"
            _write_whole(draft, (coming + text).encode())
            draft.replace(self.folder / SOURCES_FILE)

    def holds(self, root: str) -> bool:
        """Whether a document that was ingested from `root` is one of the uploads."""
        return Path(root) == self.folder.resolve()

    def remove(self, source: str) -> None:
        """Remove the file of a document; `source` is what the index calls it.

        Raises:
            OSError: the file can't be removed.
        """
        if source in self.files:
            place = self.folder / source
            place.unlink(missing_ok=True)
            if not any(place.parent.iterdir()):
                place.parent.rmdir()
            # Without room the entry of a file that is gone stays until something else is added or synced.
            with suppress(OSError):
                self.describe({})


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file, or leave none where the disk doesn't take it."""
    try:
        path.write_bytes(content)
    except OSError:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def safe_name(name: str) -> str:
    """The last part of a file's name, without anything that a file system, a glob or a screen could misread.

    Raises:
        UsageError: nothing is left of it.
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    plain = "".join(character if character.isalnum() or character in " ._+-#()@" else "_" for character in last)
    plain = plain.strip(" ._")
    if not plain:
        raise UsageError("The file has no name. Give it one, such as CHANGELOG.md.")
    suffix = PurePosixPath(plain).suffix
    suffix = suffix if len(suffix.encode()) <= _MAX_SUFFIX_BYTES else ""
    return _cut(plain.removesuffix(suffix)) + suffix


def stored_name(name: str, media_type: str) -> str:
    """A safe name with an ending that says what the content is: the content decides, whatever the file was called."""
    wanted = FORMATS[media_type]
    return name if format_of_name(name) is wanted else name + wanted.suffixes[0]


def folder_name(product: str) -> str:
    """A folder's name for a product: its own in lower case where that is plain, told apart by a digest where not."""
    folded = unicodedata.normalize("NFC", product).casefold()
    plain = "".join(character if character.isalnum() or character in "._+-" else "-" for character in folded)
    plain = _cut(plain.strip("._-"))
    if plain == folded:
        return plain
    digest = hashlib.sha256(folded.encode("utf-8", "replace")).hexdigest()[:6]
    return f"{plain}-{digest}"


def _cut(text: str) -> str:
    """The beginning of a name, as long as file systems take it with an ending."""
    whole = text[:_MAX_NAME_CHARACTERS].encode("utf-8", "replace")[:_MAX_NAME_BYTES]
    return whole.decode("utf-8", "ignore").strip(" ._-") or "file"
