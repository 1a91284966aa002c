"""What is added on the page: `relnotes ingest` as a process of its own, one at a time.

Files that people give are kept in the index's folder `uploads`, where each can be ingested again by its path: at
`uploads/PRODUCT/NAME`, or in a folder that the content names where nobody named the product.
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
# What isn't named here could be an option, or a place on this machine.
_SOURCE = re.compile(r"https?://[^\s/]\S*|(?:github|pypi|npm):@?\w[^\s\\]*", re.IGNORECASE)
_MOST_SOURCE_CHARACTERS = 2_048
_NAME_BYTES, _SUFFIX_CHARACTERS = 180, 12


@dataclass(frozen=True, slots=True)
class Ingest:
    """What was asked to be added last: it runs until it has a report or an error."""

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
        """Ingest what is on the web or in a registry; an empty `product` says nothing.

        Raises:
            UsageError: it is something else, the product is no name, or another one runs.
        """
        plain = source.strip()
        if len(plain) > _MOST_SOURCE_CHARACTERS or not _SOURCE.fullmatch(plain):
            raise UsageError(
                "Write pypi:name, npm:name, github:owner/repository or an address of the web. For anything on this "
                "machine choose files, or run `relnotes ingest`."
            )
        self._begin(plain, (plain,), product)

    def add_files(self, files: Sequence[tuple[str, bytes]], product: str) -> None:
        """Keep files by their names, and ingest them. One of the same name and product replaces the one before.

        Raises:
            UsageError: a file is empty, has no name or governs others, the product is no name, or another one runs.
            OSError: the disk doesn't take them.
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
            # Replace the file at once, so that a reader gets the old or the new one.
            new = place.with_name(f".{digest}.new")
            new.write_bytes(content)
            new.replace(place)
            places.append(str(place))
        self._begin(", ".join(name for name, _ in named), places, product)

    def close(self) -> None:
        """End the one that runs; the index stays as it was."""
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
        words = (*([f"--product={product}"] if product else []), "--", *sources)
        with self._lock:
            self._check(product)
            self.last = Ingest(subject)
            self._thread = threading.Thread(target=self._work, args=(subject, words), name="ingest")
            self._thread.start()

    def _work(self, subject: str, words: Sequence[str]) -> None:
        try:
            ended = self._run(subject, words)
        except Exception as error:  # Whatever it was, the next one has its turn.
            _LOGGER.exception("what was to be added failed")
            ended = Ingest(subject, error=str(error) or type(error).__name__)
        with self._lock:
            self._child, self.last = None, ended

    def _run(self, subject: str, words: Sequence[str]) -> Ingest:
        with TemporaryFile() as printed, TemporaryFile() as said:
            with self._lock:
                if self._is_closed:
                    return Ingest(subject, error="The server ends.")
                self._child = child = start_child(
                    (*self._command, *words),
                    environment=environ,
                    keeps=_SOURCES_NEED,
                    more=self._cache,
                    stdout=printed.fileno(),
                    stderr=said.fileno(),
                    memory=_MEMORY_BYTES,
                )
            child.wait()
            for file in (printed, said):
                file.seek(0)
            text, faults = printed.read(), said.read().decode(errors="replace").splitlines()
        if text:
            return Ingest(subject, report=IngestBody.model_validate_json(text))
        told = [line.removeprefix("relnotes: ") for line in faults if line.startswith("relnotes: ")]
        ended = f"It ended by itself ({child.returncode}), perhaps for want of memory. Add less at once."
        return Ingest(subject, error=told[-1] if told else ended)


def safe_name(name: str) -> str:
    """A name as one part of a path, without anything that a file system, a glob or a screen could misread.

    Raises:
        UsageError: nothing is left of it.
    """
    composed = unicodedata.normalize("NFC", name)
    plain = "".join(character if character.isalnum() or character in " ._+-#()@" else "_" for character in composed)
    stem, dot, suffix = plain.strip(" ._").rpartition(".")
    if len(suffix) > _SUFFIX_CHARACTERS:
        stem, dot, suffix = stem + dot + suffix, "", ""
    # File systems count bytes, and an ending tells what a file holds.
    cut = (stem or suffix).encode()[:_NAME_BYTES].decode(errors="ignore").strip(" ._")
    if not cut:
        raise UsageError("The file has no name. Give it one, such as CHANGELOG.md.")
    return f"{cut}.{suffix}" if stem and dot else cut
