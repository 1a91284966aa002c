"""Files that people give over the page: taken in, named safely, and kept in the index's folder `uploads`.

A file lies at `uploads/PRODUCT/NAME`, so that the change logs of two products don't meet, and a file of the same name
for the same product replaces the one before. What was said of it is in `uploads/sources.toml`: the folder can be
ingested like any other. What comes in lies in `uploads/.incoming` until it is ingested.

Whatever a server that was killed leaves, each kept file is whole: the one before or the new one. What it was at work on
is cleared when the next server starts, unless another one is at work in the same folder (`ui.server.shared_folder`).
"""

import errno
import hashlib
import json
import re
import secrets
import threading
import time
import tomllib
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from corpus.errors import UsageError
from corpus.file_digests import file_sha256
from corpus.formats import FORMATS, format_of_name
from corpus.model import Authority
from ui.server.shared_folder import SharedFolder

MAX_UPLOAD_BYTES = 32 * 1024 * 1024
"""For one file; no document may be larger (`ingest.sources.files`)."""
MAX_UPLOADS = 50
"""Files that wait to be ingested, of everybody together."""
MAX_WAITING_BYTES = 256 * 1024 * 1024
UPLOADS = "uploads"
_INCOMING = ".incoming"
_OWNED = ".incoming.lock"
"""Shared by the servers that run; one that has it to itself may clear what was left there."""
_DESCRIPTIONS = "sources.toml"
_KEPT_S = 3600.0
"""How long a file waits for whoever gave it to ingest it."""
_MAX_NAME_CHARACTERS, _MAX_NAME_BYTES, _MAX_SUFFIX_BYTES = 60, 180, 12


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that came in, where it waits, and the name that it was given by."""

    name: str
    path: Path
    bytes: int
    time: float


@dataclass(frozen=True, slots=True)
class Described:
    """An entry of the folder's sources.toml: what is said of the file at `path`, relative to the folder."""

    path: str
    product: str
    version: str | None = None
    authority: Authority | None = None
    sha256: str | None = None
    """Of the content that this is said of (hex); None in what earlier versions wrote, which is of any."""


class UploadTooManyError(UsageError):
    """As much waits to be ingested as may."""


class Uploads:
    """The folder of uploads of one index; safe to share between threads."""

    def __init__(self, index: Path) -> None:
        self.folder = index.absolute() / UPLOADS
        self._lock = threading.Lock()
        self._waiting: dict[str, Upload] = {}
        self._shared = SharedFolder(self.folder / _OWNED)

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
            raise UsageError(f"{shown!r} is over the limit of {MAX_UPLOAD_BYTES // 2**20} MiB. Split it.")
        with self._lock:
            self._forget_old()
            if len(self._waiting) >= MAX_UPLOADS:
                raise UploadTooManyError(
                    f"{MAX_UPLOADS} files wait to be ingested already. Try again in a moment; none waits over an hour."
                )
            if sum(one.bytes for one in self._waiting.values()) + len(content) > MAX_WAITING_BYTES:
                raise UploadTooManyError(
                    f"The files that wait to be ingested are over {MAX_WAITING_BYTES // 2**20} MiB together. "
                    "Add them in smaller lots."
                )
            key = secrets.token_urlsafe(16)
            self._join()
            path = self._incoming / key
            _write_whole(path, content)
            self._waiting[key] = Upload(shown, path, len(content), time.monotonic())
            return key

    def sweep(self) -> None:
        """Clear what a server that was killed left, where there is a folder of uploads and no other server has it."""
        if self.folder.is_dir():
            # A server that may only read has nothing to clear, and says so when somebody adds a file.
            with self._lock, suppress(OSError):
                self._join()

    def _join(self) -> None:
        # What lies behind a link is somebody else's, and neither cleared nor added to.
        if self._incoming.is_symlink():
            raise OSError(errno.ELOOP, f"{_INCOMING} is a link; remove it", str(self._incoming))
        self._incoming.mkdir(parents=True, exist_ok=True)
        self._shared.join(self._clear)

    def _clear(self) -> None:
        for left in (*self._incoming.iterdir(), self.folder / f".{_DESCRIPTIONS}"):
            with suppress(OSError):
                left.unlink()
        for product in self.folder.glob("[!.]*/"):
            # Only where it is empty.
            with suppress(OSError):
                product.rmdir()

    @property
    def _incoming(self) -> Path:
        return self.folder / _INCOMING

    def claim(self, keys: Iterable[str]) -> tuple[Upload, ...]:
        """The files behind the keys, each handed out once; whoever claims a file removes or moves it."""
        with self._lock:
            return tuple(self._waiting.pop(key) for key in dict.fromkeys(keys) if key in self._waiting)

    def names(self, keys: Iterable[str]) -> tuple[str, ...]:
        """What the files behind the keys were called."""
        with self._lock:
            return tuple(self._waiting[key].name for key in dict.fromkeys(keys) if key in self._waiting)

    def discard(self, keys: Iterable[str]) -> int:
        """Let go of files that won't be ingested, so that they keep no place; how many there were."""
        files = self.claim(keys)
        for file in files:
            file.path.unlink(missing_ok=True)
        return len(files)

    def _forget_old(self) -> None:
        now = time.monotonic()
        for key, upload in tuple(self._waiting.items()):
            if now - upload.time > _KEPT_S:
                del self._waiting[key]
                upload.path.unlink(missing_ok=True)

    @property
    def files(self) -> tuple[str, ...]:
        """The files that are kept, relative to the folder, in order."""
        if not self.folder.is_dir():
            return ()
        found = (path.relative_to(self.folder) for path in self.folder.glob("[!.]*/*") if path.is_file())
        return tuple(sorted(path.as_posix() for path in found))

    def describe(self, described: Iterable[Described], *, coming: Iterable[str] = ()) -> None:
        """Write the folder's sources.toml anew: what it said, and `described` instead where it is of the same file.

        Only files that are there are described, and those that are `coming`: of these what was said stays beside, for
        each entry counts for its own content alone, and the file's content decides between them at any time.

        Raises:
            OSError: the disk doesn't take it; then it is as it was.
        """
        with self._lock:
            awaited = frozenset(coming)
            entries: dict[str, list[Described]] = {path: [] for path in sorted({*self.files, *awaited})}
            for one in (*described, *self.described):
                of_path = entries.get(one.path, [])
                if all(one.sha256 != other.sha256 for other in of_path):
                    of_path.append(one)
            kept = (one for path, of in entries.items() for one in (of if path in awaited else self._valid(path, of)))
            draft = self.folder / f".{_DESCRIPTIONS}"
            _write_whole(draft, "".join(_written(one) for one in kept).encode())
            draft.replace(self.folder / _DESCRIPTIONS)

    def _valid(self, path: str, of_path: list[Described]) -> list[Described]:
        """The entry of a file's entries that is of what it holds now."""
        if len(of_path) < 2:
            return of_path
        held = file_sha256(self.folder / path)
        return [one for one in of_path if one.sha256 in (held, None)][:1]

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
                self.describe(())

    @property
    def described(self) -> tuple[Described, ...]:
        """What the folder's sources.toml says; nothing where there is none that we wrote."""
        try:
            table = tomllib.loads((self.folder / _DESCRIPTIONS).read_text(encoding="utf-8"))
            return tuple(
                Described(
                    entry["path"],
                    entry["product"],
                    entry.get("version"),
                    Authority(entry["authority"]) if "authority" in entry else None,
                    entry.get("sha256"),
                )
                for entry in table.get("document", ())
            )
        except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return ()


def _write_whole(path: Path, content: bytes) -> None:
    """Write a file, or leave none where the disk doesn't take it."""
    try:
        path.write_bytes(content)
    except OSError:
        with suppress(OSError):
            path.unlink(missing_ok=True)
        raise


def _written(described: Described) -> str:
    values = {
        "path": described.path,
        "product": described.product,
        "version": described.version,
        "authority": described.authority.value if described.authority else None,
        "sha256": described.sha256,
    }
    # A string of JSON is one of TOML, but for a character that names and hints can't hold.
    lines = (f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items() if value)
    return f"[[document]]\n{''.join(lines)}\n"


def safe_name(name: str) -> str:
    """The last part of a file's name, without anything that a file system, a glob or a screen could misread.

    Raises:
        UsageError: nothing is left of it.
    """
    last = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    plain = "".join(one if one.isalnum() or one in " ._+-#()@" else "_" for one in last)
    plain = plain.strip(" ._")
    if not plain:
        raise UsageError("The file has no name. Give it one, such as CHANGELOG.md.")
    stem, suffix = PurePosixPath(plain).stem, PurePosixPath(plain).suffix
    suffix = suffix if len(suffix.encode()) <= _MAX_SUFFIX_BYTES else ""
    return _cut(stem if suffix else plain) + suffix


def stored_name(name: str, media_type: str) -> str:
    """A safe name with an ending that says what the content is: the content decides, whatever the file was called."""
    wanted = FORMATS[media_type]
    return name if format_of_name(name) is wanted else name + wanted.suffixes[0]


def folder_name(product: str) -> str:
    """A folder's name for a product: its own in lower case where that is plain, told apart by a digest where not."""
    folded = unicodedata.normalize("NFC", product).casefold()
    plain = _cut("".join(one if one.isalnum() or one in "._+-" else "-" for one in folded).strip("._-"))
    if plain == folded:
        return plain
    digest = hashlib.sha256(folded.encode("utf-8", "replace")).hexdigest()[:6]
    return f"{plain}-{digest}"


def _cut(text: str) -> str:
    """The beginning of a name, as long as file systems take it with an ending."""
    whole = text[:_MAX_NAME_CHARACTERS].encode("utf-8", "replace")[:_MAX_NAME_BYTES]
    return whole.decode("utf-8", "ignore").strip(" ._-") or "file"
