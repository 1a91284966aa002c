"""What is added on the page: `relnotes ingest` as a process of its own, one at a time, the others in line behind it.

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
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from enum import StrEnum
from os import environ
from pathlib import Path
from tempfile import TemporaryFile

from corpus.catalogue import check_product
from corpus.children import PIPE, Child, end_child, start_child
from corpus.errors import UsageError
from ui.contract.ingest import IngestBody
from ui.settings import IndexSettings

_LOGGER = logging.getLogger("relnotes.ingests")
_MOST = 20  # That run or wait.
_KEPT = 10  # That have ended and are still told of.
_MEMORY_BYTES = 4 * 2**30
_GRACE_S = 2.0
_SOURCES_NEED = ("GITHUB_TOKEN", "PIP_*", "NPM_*", "NODE_*", "RELNOTES_MILVUS_TOKEN")
# What isn't named here could be an option, or a place on this machine.
_SOURCE = re.compile(r"https?://[^\s/]\S*|(?:github|pypi|npm):@?\w[^\s\\]*", re.IGNORECASE)
_MOST_SOURCE_CHARACTERS = 2_048
_NAME_BYTES, _SUFFIX_CHARACTERS = 180, 12


class IngestState(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


_PENDING = (IngestState.WAITING, IngestState.RUNNING)


@dataclass(frozen=True, slots=True)
class Ingest:
    """One thing that somebody asked to have added."""

    number: int
    subject: str
    state: IngestState = IngestState.WAITING
    progress: str = ""  # What it says that it is at.
    report: IngestBody | None = None  # Once it is done, and where it failed after it had begun.
    error: str = ""

    @property
    def is_pending(self) -> bool:
        return self.state in _PENDING


class Ingests:
    """All of one server; safe to share between threads."""

    def __init__(self, settings: IndexSettings) -> None:
        index = settings.index.absolute()
        self._uploads = index / "uploads"
        self._command = [sys.executable, "-m", "relnotes", "--verbose", "ingest", "--json", f"--index={index}"]
        if model := settings.model:
            self._command += ["--model", str(Path(model).absolute()) if Path(model).is_dir() else model]
        self._cache = {"RELNOTES_CACHE_DIR": str(settings.cache_dir.absolute())}
        self._lock = threading.Lock()
        self._all: dict[int, Ingest] = {}
        self._child: Child | None = None
        self._line = ThreadPoolExecutor(1, thread_name_prefix="ingest")

    @property
    def all(self) -> tuple[Ingest, ...]:
        """Those that wait, the one that runs, and the last ones that have ended; the newest first."""
        with self._lock:
            return tuple(reversed(self._all.values()))

    def add_source(self, source: str, product: str) -> None:
        """Ingest what is on the web or in a registry; an empty `product` says nothing.

        Raises:
            UsageError: it is something else, the product is no name, or too much waits.
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
            UsageError: a file is empty, has no name or governs others, the product is no name, or too much waits.
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
            unnamed = self._uploads / digest / name
            # A file that was kept without its product stays where it is, its product named now.
            place = unnamed if not product or unnamed.exists() else self._uploads / safe_name(product) / name
            place.parent.mkdir(parents=True, exist_ok=True)
            # Replace the file at once, so that a reader gets the old or the new one.
            new = place.with_name(f".{digest}.new")
            new.write_bytes(content)
            new.replace(place)
            places.append(str(place))
        self._begin(", ".join(name for name, _ in named), places, product)

    def _check(self, product: str) -> None:
        if product:
            check_product(product)
        if sum(one.is_pending for one in self.all) >= _MOST:
            raise UsageError(f"{_MOST} wait to be added already. Try again when some are done.")

    def _begin(self, subject: str, sources: Sequence[str], product: str) -> None:
        self._check(product)
        words = (*([f"--product={product}"] if product else []), "--", *sources)
        with self._lock:
            number = max(self._all, default=0) + 1
            self._all[number] = Ingest(number, subject)
            ended = [one.number for one in self._all.values() if not one.is_pending]
            for old in ended[:-_KEPT]:
                del self._all[old]
        self._line.submit(self._work, number, words)

    def stop(self, number: int) -> None:
        """End the one that runs, or take one out of the line; the index stays as it was. Nothing where it is done."""
        with self._lock:
            one = self._all.get(number)
            if one is None or not one.is_pending:
                return
            self._all[number] = replace(one, state=IngestState.STOPPED)
            child = self._child if one.state is IngestState.RUNNING else None
        if child is not None:
            end_child(child, within_s=_GRACE_S)

    def close(self) -> None:
        """End all that wait or run."""
        for one in self.all:
            self.stop(one.number)
        self._line.shutdown()

    def _work(self, number: int, words: Sequence[str]) -> None:
        try:
            self._run(number, words)
        except Exception as error:  # Whatever it was, the next one has its turn.
            _LOGGER.exception("what was to be added failed")
            with self._lock:
                one = self._all.get(number)
                if one is not None and one.is_pending:
                    message = str(error) or type(error).__name__
                    self._all[number] = replace(one, state=IngestState.FAILED, error=message)

    def _run(self, number: int, words: Sequence[str]) -> None:
        with TemporaryFile() as printed:
            with self._lock:
                if number not in self._all or not self._all[number].is_pending:
                    return
                self._child = child = start_child(
                    (*self._command, *words),
                    environment=environ,
                    keeps=_SOURCES_NEED,
                    more=self._cache,
                    stdout=printed.fileno(),
                    stderr=PIPE,
                    memory=_MEMORY_BYTES,
                )
                self._all[number] = replace(self._all[number], state=IngestState.RUNNING)
            with child:
                fault = self._listen(number, child)
            printed.seek(0)
            text = printed.read()
        with self._lock:
            one = self._all[number]
            if one.state is not IngestState.RUNNING:
                return
            if text:
                one = replace(one, report=IngestBody.model_validate_json(text))
            elif not fault:
                fault = f"It ended by itself ({child.returncode}), perhaps for want of memory. Add less at once."
            state = IngestState.FAILED if child.returncode else IngestState.DONE
            self._all[number] = replace(one, state=state, error="" if text else fault)

    def _listen(self, number: int, child: Child) -> str:
        """Tell how far it is until it ends; returns its last word on what went wrong."""
        fault = ""
        for line in child.stderr or ():
            words = line.decode(errors="replace").strip()
            _, is_step, step = words.partition(" ingest.progress: ")
            if words.startswith("relnotes: "):
                fault = words.removeprefix("relnotes: ")
            # Lines of a log begin with their time.
            elif is_step or not words[:1].isdigit():
                with self._lock:
                    self._all[number] = replace(self._all[number], progress=(step or words)[:200].removesuffix(": 1"))
        return fault


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
