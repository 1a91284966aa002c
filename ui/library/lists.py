"""Lists of dependencies that are given over the page: the notes of what they list come into the index."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from corpus.errors import UsageError
from ingest.pipeline import IngestProgress, IngestReport
from ingest.releases.identity import Hints
from ingest.sources.requests import Request, is_manifest
from ui.library.apart import Runner
from ui.library.ingest_tools import IngestTools
from ui.library.ingesting import update_with
from ui.library.requests import AddHints
from ui.library.uploads import Uploads


def are_lists(names: Sequence[str]) -> bool:
    """Whether files are lists of dependencies, all of them."""
    return bool(names) and all(is_manifest(Path(name)) for name in names)


def ingest_lists(
    keys: Sequence[str],
    hints: AddHints,
    *,
    uploads: Uploads,
    tools: IngestTools,
    run: Runner,
    progress: IngestProgress,
) -> IngestReport:
    """Ingest the notes of what the lists of dependencies behind the keys list; the lists themselves aren't kept.

    Raises:
        UsageError: something was said of the product, which each dependency is one of.
        RelnotesError: the index can't be written to.
    """
    files = uploads.claim(keys)
    try:
        if hints.product or hints.version:
            raise UsageError("A list of dependencies names its products itself. Leave product and version empty.")
        with TemporaryDirectory() as folder:
            places: list[str] = []
            for number, file in enumerate(files):
                # What a list is written in shows in its name.
                place = Path(folder, str(number), file.name)
                place.parent.mkdir()
                shutil.copyfile(file.path, place)
                places.append(str(place.resolve()))
            requests = [Request(place, Hints(authority=hints.authority)) for place in places]
            report = update_with(requests, tools=tools, run=run, progress=progress)
        # Nobody knows the places that the lists had for the while.
        failed = (
            replace(one, source=Path(one.source).name if one.source in places else one.source) for one in report.failed
        )
        return replace(report, failed=tuple(failed))
    finally:
        for file in files:
            file.path.unlink(missing_ok=True)
