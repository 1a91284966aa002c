"""Notes about coverage: the newest release in the indexed notes of a product, and when they were last synced."""

import re
from collections.abc import Iterable, Iterator
from datetime import date

from corpus.ages import day_words
from corpus.catalogue import CatalogueProduct, newest_by_day, releases_out
from corpus.everyday_words import is_english
from corpus.index.stored import StoredPassage, last_synced
from corpus.index.tables import TableReader
from corpus.versions import Version
from retrieval.blocks import safe

_FEW = 50  # A share below 1 in 50 may be misread English. Chosen by hand, never fitted.
_AND_OTHERS = re.compile(r"\D{0,12}(?P<version>\d[\w.]*)\s+(?:and|or|&)\s", re.IGNORECASE)


def end_of_notes(product: CatalogueProduct, index: TableReader) -> Iterator[str]:
    """Yield "The notes here go up to Gizmo 2.12 (1 May 2026), last checked on 4 May 2026."; nothing for a product
    without releases. Unreleased versions don't count. It names the day instead of the age, so that a stored answer
    stays true and asking again gives the same bytes."""
    if not product.releases:
        return
    newest = releases_out(product.releases)[0]
    latest = (newest, *(newest_by_day(product.releases) if newest.date else ()))
    named = (f"{release.version}{f' ({day_words(release.date)})' if release.date else ''}" for release in latest)
    synced = last_synced(index.documents_of(product.name)).get(product.name)
    checked = f", last checked on {day_words(date.fromisoformat(synced[:10]))}" if synced else ""
    unread = index.unread_release(product)
    elsewhere = f" {unread} is out; its notes weren't read." if unread else _newer_elsewhere(product, index)
    yield f"The notes here go up to {safe(product.name)} {' and '.join(named)}{checked}.{elsewhere}"


def other_languages(passages: Iterable[StoredPassage], index: TableReader) -> Iterator[str]:
    """Yield a note if 1 in 50 statements or more aren't English, because other languages aren't understood."""
    kept = [passage for passage in passages if not (passage.is_foreign or passage.boilerplate)]
    texts = [item.span.slice(index.document_text(p.document.id)) for p in kept for item in p.items if not item.is_code]
    others = sum(not is_english(text) for text in texts)
    if _FEW * others >= len(texts) > 0:
        which = "in English" if others == len(texts) else f"all in English ({others} of {len(texts)} statements)"
        yield f"The notes aren't {which}: what they remove or break may be missing here."


def _newer_elsewhere(product: CatalogueProduct, index: TableReader) -> str:
    """Return a sentence if a log of several releases refers elsewhere for newer ones ("11.1 and newer"); else empty."""
    logs = (document for document in index.documents_of(product.name) if document.releases > 1)
    labels = {release.label for log in logs for release in index.document_releases(log.id) if release.version is None}
    newest = product.releases[0].version
    named = ((label, Version.try_parse(match["version"])) for label in labels if (match := _AND_OTHERS.match(label)))
    newer = sorted(label for label, version in named if version and version > newest)
    return f" {safe(newer[0])} are told elsewhere." if newer else ""
