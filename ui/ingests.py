"""Ingests sources added on the page: runs `relnotes ingest` in a child process, one at a time.

Uploaded files are kept in the index's folder `uploads`, where each can be ingested again by its path: at
`uploads/PRODUCT/NAME`, or without a product in a folder named by a digest of the content.
"""

import hashlib
import logging
import re
import sys
import threading
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from os import environ
from pathlib import Path
from tempfile import TemporaryFile

from corpus.catalogue import check_product
from corpus.children import Child, end_child, start_child
from corpus.errors import UsageError
from ui.contract.ingest import IngestBody
from ui.settings import IndexSettings

_LOGGER = logging.getLogger("relnotes.ingests")
_MEMORY_BYTES = 4 * 2**30
_GRACE_S = 2.0
_SOURCES_NEED = ("GITHUB_TOKEN", "PIP_*", "NPM_*", "NODE_*", "RELNOTES_MILVUS_TOKEN")
# Anything else could be an option, or a path on this machine.
_SOURCE = re.compile(r"https?://[^\s/]\S*|(?:github|pypi|npm):@?\w[^\s\\]*", re.IGNORECASE)
_MAX_SOURCE_CHARACTERS = 2_048
_NAME_BYTES, _SUFFIX_CHARACTERS = 180, 12


@dataclass(frozen=True, slots=True)
class Ingest:
    """The last ingest; it is running until it has a report or an error."""

    subject: str
    report: IngestBody | None = None
    error: str = ""

    @property
    def is_running(self) -> bool:
        return self.report is None and not self.error


class Ingests:
    """The ingests of one server; safe to share between threads."""

    def __init__(self, settings: IndexSettings) -> None:
        index = settings.index.absolute()
        self._uploads = index / "uploads"
        self._command = [sys.executable, "-m", "relnotes", "ingest", "--json", f"--index={index}"]
        if model := settings.model:
            self._command += ["--model", str(Path(model).absolute()) if Path(model).is_dir() else model]
        self._cache = {"RELNOTES_CACHE_DIR": str(settings.cache_dir.absolute())}
        self._lock = threading.Lock()
        self._child: Child | None = None
        self._thread: threading.Thread | None = None
        self._is_closed = False
        self.last: Ingest | None = None

    def add_source(self, source: str, product: str) -> None:
        """Begin to ingest a source from the web or a registry; an empty `product` leaves the product to the ingest.

        Raises:
            UsageError: `source` is something else, the product's name is invalid, or another ingest is running.
        """
        plain = source.strip()
        if len(plain) > _MAX_SOURCE_CHARACTERS or not _SOURCE.fullmatch(plain):
            raise UsageError(
                "Write pypi:name, npm:name, github:owner/repository or an address of the web. For anything on this "
                "machine choose files, or run `relnotes ingest`."
            )
        self._begin(plain, (plain,), product)

    def add_files(self, files: Sequence[tuple[str, bytes]], product: str) -> None:
        """Store files by their names, and begin to ingest them. A file of the same name and product is replaced.

        Raises:
            UsageError: a file is empty, unnamed or a sources.toml, the product's name is invalid, or an ingest runs.
            OSError: the files can't be written.
        """
        self._check(product)
        named = [(safe_name(re.split(r"[/\\]", name)[-1]), content) for name, content in files]
        if any(name.casefold() == "sources.toml" for name, _ in named):
            raise UsageError("A sources.toml would govern all files beside it; name the product here in its place.")
        if empty := next((name for name, content in named if not content.strip()), None):
            raise UsageError(f"{empty!r} is empty.")
        places = []
        for name, content in named:
            digest = hashlib.sha256(content).hexdigest()[:16]
            place = self._uploads / (safe_name(product) if product else digest) / name
            place.parent.mkdir(parents=True, exist_ok=True)
            # Replaced atomically, so that a reader gets the old or the new file.
            new = place.with_name(f".{digest}.new")
            new.write_bytes(content)
            new.replace(place)
            places.append(str(place))
        self._begin(", ".join(name for name, _ in named), places, product)

    def close(self) -> None:
        """End the running ingest, if any; the index stays as it was."""
        with self._lock:
            self._is_closed, child, thread = True, self._child, self._thread
        if child is not None:
            end_child(child, within_s=_GRACE_S)
        if thread is not None:
            thread.join()

    def _check(self, product: str) -> None:
        if product:
            check_product(product)
        if self.last is not None and self.last.is_running:
            raise UsageError(f"{self.last.subject} is being added. Try again when it is done.")

    def _begin(self, subject: str, sources: Sequence[str], product: str) -> None:
        arguments = (*([f"--product={product}"] if product else []), "--", *sources)
        with self._lock:
            self._check(product)
            self.last = Ingest(subject)
            self._thread = threading.Thread(target=self._work, args=(subject, arguments), name="ingest")
            self._thread.start()

    def _work(self, subject: str, arguments: Sequence[str]) -> None:
        try:
            outcome = self._run(subject, arguments)
        except Exception as error:  # Any failure must leave room for the next ingest.
            _LOGGER.exception("what was to be added failed")
            outcome = Ingest(subject, error=str(error) or type(error).__name__)
        with self._lock:
            self._child, self.last = None, outcome

    def _run(self, subject: str, arguments: Sequence[str]) -> Ingest:
        with TemporaryFile() as stdout, TemporaryFile() as stderr:
            with self._lock:
                if self._is_closed:
                    return Ingest(subject, error="The server ends.")
                self._child = child = start_child(
                    (*self._command, *arguments),
                    environment=environ,
                    keeps=_SOURCES_NEED,
                    more=self._cache,
                    stdout=stdout.fileno(),
                    stderr=stderr.fileno(),
                    memory=_MEMORY_BYTES,
                )
            child.wait()
            for file in (stdout, stderr):
                file.seek(0)
            text, faults = stdout.read(), stderr.read().decode(errors="replace").splitlines()
        if text:
            return Ingest(subject, report=IngestBody.model_validate_json(text))
        errors = [line.removeprefix("relnotes: ") for line in faults if line.startswith("relnotes: ")]
        died = f"It ended by itself ({child.returncode}), perhaps for want of memory. Add less at once."
        return Ingest(subject, error=errors[-1] if errors else died)


def safe_name(name: str) -> str:
    """Return `name` as one segment of a path, cut if long, without characters special to file systems or terminals.

    Raises:
        UsageError: no character is left.
    """
    composed = unicodedata.normalize("NFC", name)
    plain = "".join(character if character.isalnum() or character in " ._+-#()@" else "_" for character in composed)
    stem, dot, suffix = plain.strip(" ._").rpartition(".")
    if len(suffix) > _SUFFIX_CHARACTERS:
        stem, dot, suffix = stem + dot + suffix, "", ""
    # File systems limit bytes; the suffix is kept, because it decides the format.
    cut = (stem or suffix).encode()[:_NAME_BYTES].decode(errors="ignore").strip(" ._")
    if not cut:
        raise UsageError("The file has no name. Give it one, such as CHANGELOG.md.")
    return f"{cut}.{suffix}" if stem and dot else cut
