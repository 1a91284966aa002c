"""Where the indexed notes of a product end, and when they were last compared with their sources."""

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

_FEW = 50  # One of more statements may only look so. Chosen by hand, never fitted.
_AND_OTHERS = re.compile(r"\D{0,12}(?P<version>\d[\w.]*)\s+(?:and|or|&)\s", re.IGNORECASE)


def end_of_notes(product: CatalogueProduct, index: TableReader) -> Iterator[str]:
    """One sentence: "The notes here go up to Gizmo 2.12 (1 May 2026), last checked on 4 May 2026." None for a product
    without releases; what isn't out is no end. The day and not how long ago it is: an answer stays true wherever it is
    kept, and asking again gives the same bytes."""
    if not product.releases:
        return
    newest = releases_out(product.releases)[0]
    ends = (newest, *(newest_by_day(product.releases) if newest.date else ()))
    reached = (f"{one.version}{f' ({day_words(one.date)})' if one.date else ''}" for one in ends)
    synced = last_synced(index.documents_of(product.name)).get(product.name)
    compared = f", last checked on {day_words(date.fromisoformat(synced[:10]))}" if synced else ""
    unread = index.unread_release(product)
    elsewhere = f" {unread} is out; its notes weren't read." if unread else _newer_elsewhere(product, index)
    yield f"The notes here go up to {safe(product.name)} {' and '.join(reached)}{compared}.{elsewhere}"


def other_languages(passages: Iterable[StoredPassage], index: TableReader) -> Iterator[str]:
    """Yield the note that so much of some passages isn't English, of which nothing is read: at most one."""
    own = [one for one in passages if not (one.is_foreign or one.boilerplate)]
    told = [
        item.span.slice(index.document_text(one.document.id)) for one in own for item in one.items if not item.is_code
    ]
    others = sum(not is_english(one) for one in told)
    if _FEW * others >= len(told) > 0:
        which = "in English" if others == len(told) else f"all in English ({others} of {len(told)} statements)"
        yield f"The notes aren't {which}: what they remove or break may be missing here."


def _newer_elsewhere(product: CatalogueProduct, index: TableReader) -> str:
    """Return the words for newer releases of which a log says but that they are told elsewhere ("11.1.0 and newer")."""
    logs = (document for document in index.documents_of(product.name) if document.releases > 1)
    labels = {one.label for log in logs for one in index.document_releases(log.id) if one.version is None}
    newest = product.releases[0].version
    named = ((label, Version.try_parse(found["version"])) for label in labels if (found := _AND_OTHERS.match(label)))
    newer = sorted(label for label, version in named if version and version > newest)
    return f" {safe(newer[0])} are told elsewhere." if newer else ""
